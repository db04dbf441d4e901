"""Compiles the hand-written mutants of `tests/mutants` for a GPU, one of each puzzle at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product, zip_longest
from pathlib import Path

from filelock import FileLock, Timeout

from harness.build.graphs import Artifact, build_graphs
from harness.build.unit import Build
from harness.catalogue import find_case
from harness.model.sources import Sources
from harness.model.target import Target
from tests.mutants.handwritten import MUTANTS, SourceMutant

__all__ = ["artifacts"]

TOGETHER = 8  # a compilation of one costs nearly two


def artifacts(target: Target, notify: Callable[[str], None] = lambda _: None) -> dict[str, Artifact]:
    """The compiled graph of each mutant that the target can run, by the mutant's id.

    Args:
        target: What they are compiled for.
        notify: Gets one line when something is compiled.

    Raises:
        CompileError: One of them does not compile.
    """
    by_puzzle: dict[str, list[SourceMutant]] = {}
    for mutant in MUTANTS:
        if find_case(mutant.case).refusal(target) is None:
            by_puzzle.setdefault(find_case(mutant.case).puzzle, []).append(mutant)
    rows = (tuple(mutant for mutant in row if mutant) for row in zip_longest(*by_puzzle.values()))
    parts = [row[at : at + TOGETHER] for row in rows for at in range(0, len(row), TOGETHER)]
    # Each worker begins at another part and leaves alone what others compile: it finds that in the cache in the end.
    worker, workers = (os.environ.get(f"PYTEST_XDIST_WORKER{name}", "") for name in ("", "_COUNT"))
    first = len(parts) * int(worker.removeprefix("gw") or 0) // int(workers or 1)
    artifacts: dict[str, Artifact] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for seconds, after in product((0, -1), range(len(parts))):  # at first it waits for none, then without end
            number = (first + after) % len(parts)
            lock = FileLock(Path(tempfile.gettempdir(), f"mutants-{target.architecture}-{number}.lock"), seconds)
            if parts[number][0].id not in artifacts:
                with suppress(Timeout), lock:
                    artifacts |= _compiled(parts[number], target, Path(folder, str(number)), notify)
    return artifacts


def _compiled(
    mutants: Sequence[SourceMutant], target: Target, folder: Path, notify: Callable[[str], None]
) -> dict[str, Artifact]:
    """Of one mutant of a puzzle at most."""
    folder.mkdir(exist_ok=True)
    files = {find_case(mutant.case).puzzle: folder / f"{find_case(mutant.case).puzzle}.mojo" for mutant in mutants}
    for mutant, file in zip(mutants, files.values(), strict=True):
        file.write_text(mutant.source())
    build = Build(target=target, sources=Sources(overrides=files), notify=notify)
    built = build_graphs([find_case(mutant.case).simulated for mutant in mutants], build)
    if built.errors:
        raise next(iter(built.errors.values()))
    return {mutant.id: built.artifacts[mutant.case] for mutant in mutants}
