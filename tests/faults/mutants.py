"""Compiles the hand-written mutants of `tests/mutants` for a GPU, one of each puzzle at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

from harness.build.graphs import Artifact, build_graphs
from harness.build.unit import Build
from harness.catalogue import case
from harness.model.sources import Sources
from harness.model.target import Target
from tests.mutants.handwritten import MUTANTS, SourceMutant

__all__ = ["artifacts"]


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
        if case(mutant.case).refusal(target) is None:
            by_puzzle.setdefault(case(mutant.case).puzzle, []).append(mutant)
    artifacts = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        rows = list(enumerate(zip_longest(*by_puzzle.values())))
        # Workers that begin at different rows find in the cache what the others have compiled meanwhile.
        first = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % len(rows)
        for number, row in rows[first:] + rows[:first]:
            mutants = [mutant for mutant in row if mutant]
            files = {}
            for mutant in mutants:
                entry = case(mutant.case)
                files[entry.puzzle] = Path(folder) / f"{entry.puzzle}_{number}.mojo"
                files[entry.puzzle].write_text(mutant.source())
            build = Build(target=target, sources=Sources(overrides=files), notify=notify)
            built = build_graphs([case(mutant.case).simulated for mutant in mutants], build)
            for mutant in mutants:
                if error := built.errors.get(mutant.case):
                    raise error
                artifacts[mutant.id] = built.artifacts[mutant.case]
    return artifacts
