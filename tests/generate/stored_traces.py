"""What the solutions do step by step, as figures and the site show it: `tests/solutions/*.trace.json`.

A trace needs a compiler and a run. It is kept, with a digest of what it was made from and of what writes it, so that
figures can be drawn again and checked anywhere at once; a test compares it with a run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from harness.build import generate
from harness.build.cache import make_key, sha256_hex
from harness.build.device_code import compile_ahead
from harness.build.toolchain import package_versions
from harness.build.unit import Build, make_units
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.learning import trace
from harness.model import language as languages
from harness.model.case import Case
from harness.model.sources import ROOT, Sources, display_path
from harness.model.steps import HostStep
from harness.model.target import Target
from harness.process.forks import map_in_forks
from tests.generate.digests import digest_of_code
from tests.generate.files import Generated, GenerateError

__all__ = ["FOLDER", "compile_ahead_of", "data_of", "generated", "path_of", "target_of", "traced"]

FOLDER = Path("tests", "solutions")
TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")  # the first that takes a case shows it
WRITERS = ("learning/trace", "learning/findings", "simt/observing/recording", "simt/observing/cells")
# What is recorded at most, so that what is stored stays small: a figure shows a block or a cluster.
LIMITS = trace.Limits(lanes=256, cells=4096, size=24 << 10)
SPOKEN = ("title", "dataset", "findings")  # of a trace, what is in a language


def target_of(case: Case, asked: str | None = None) -> Target:
    """The target whose code is shown of a case."""
    known = [Target.parse(name) for name in ([asked] if asked else TARGETS)]
    fits = [target for target in known if case.refusal(target) is None]
    if not fits:
        raise GenerateError(f"{case.id} does not run on {asked or 'any of ' + ', '.join(TARGETS)}.")
    return fits[0]


def path_of(root: Path, case: Case, target: Target) -> Path:
    """Where a case's trace lies in the repository at `root`."""
    return root / FOLDER / f"{case.op}.{target.architecture}.trace.json"


def generated(
    root: Path, wanted: Sequence[tuple[Case, Target]], *, compile_stale: bool, jobs: int = 1
) -> Iterator[Generated]:
    """The traces that figures are drawn from, and those that nobody wants.

    Args:
        root: The repository.
        wanted: By case and target, what figures show.
        compile_stale: Otherwise what is stale is given an empty text.
        jobs: How many processes run what is stale.
    """
    parts = {path_of(root, *part): part for part in wanted}
    texts = {path: path.read_text(encoding="utf-8") if path.is_file() else "" for path in parts}
    made_from = {path: _made_from(*part) for path, part in parts.items()}
    stale = [path for path, text in texts.items() if not text or json.loads(text)["from"] != made_from[path]]
    if compile_stale:
        compile_ahead_of([parts[path] for path in stale])

    def run(path: Path) -> str:
        return _text(made_from[path], traced(*parts[path])) if compile_stale else ""

    made = map_in_forks(stale, run, jobs if compile_stale else 1, [_lanes(*parts[path]) for path in stale])
    for path in parts:
        if path in stale:
            yield Generated(path, next(made))
        else:
            yield Generated(path, texts[path])
    for path in sorted((root / FOLDER).glob("*.trace.json")):
        if path not in parts:
            yield Generated(path, None)


def _lanes(entry: Case, target: Target) -> int:
    return sum(launch.lanes for launch in (entry.small or entry).launches(target.warp_width))


def compile_ahead_of(parts: Sequence[tuple[Case, Target]]) -> None:
    """Compiles what `traced` will find in the cache: for each target one program, and one that names variables."""
    for target in dict.fromkeys(target for _, target in parts):
        cases = [entry.small or entry for entry, where in parts if where == target]
        for debug in (False, True):
            compile_ahead(cases, [Build(target=target, notify=_notify, debug=debug)])


@cache
def _stored(path: Path) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def data_of(entry: Case, target: Target, language: str = "en", root: Path = ROOT) -> dict[str, Any]:
    """The data of a stored trace, in a language.

    Raises:
        GenerateError: It is not there.
    """
    path = path_of(root, entry, target)
    if not path.is_file():
        raise GenerateError(f"{display_path(path)} is missing: run `nox -s generate`.")
    content = _stored(path)
    return {**content["trace"], **content.get(language, {})}


def traced(entry: Case, target: Target) -> dict[str, Any]:
    """The trace of a solution, with what it says in each language."""
    spoken = {}
    try:
        for language in ("ko", "en"):
            languages.set_language(language)
            plan = pipeline.plan(str(target), "simulator")
            (recorded, *_), report = trace.record_case(
                find_case(entry.id), plan=plan, sources=Sources(), notify=_notify, limits=LIMITS
            )
            spoken[language] = json.loads(json.dumps(recorded.data))
    finally:
        languages.set_language(None)
    if report.verdict != "PASS" or not recorded.data["agrees"]:
        raise GenerateError(f"the solution of {entry.id} is {report.verdict} on {target}: nothing is shown of it.")
    return {"trace": spoken["en"], "ko": {key: spoken["ko"][key] for key in SPOKEN}}


def _notify(line: str) -> None:
    print(line, file=sys.stderr)


def _made_from(entry: Case, target: Target) -> str:
    launched = make_units([entry], Build(target=target))
    # A function of the host launches its own kernels.
    file = launched[0].file if launched else Sources().learner_files(entry)[0].path
    called = [(step.name, step.arguments, step.parameters) for step in entry.steps if isinstance(step, HostStep)]
    instance = entry.instance(target.warp_width)
    facts = {
        "writers": [digest_of_code(ROOT / "harness" / f"{name}.py") for name in WRITERS],
        "kernel": sha256_hex(file.read_bytes()),
        "path": display_path(file),
        "program": generate.generate_device_program([(unit, target) for unit in launched]) if launched else str(called),
        "versions": package_versions(),
        "inputs": {name: sha256_hex(array.tobytes()) for name, array in instance.datasets[0].inputs.items()},
        "launches": [str(launch) for launch in entry.launches(target.warp_width)],
    }
    return make_key(facts)


def _text(made_from: str, content: Mapping[str, Any]) -> str:
    """A line for each part, so that a change shows where it is."""
    lines = [f'"from": {json.dumps(made_from)}']
    for key, parts in content.items():
        inner = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False, separators=(',', ':'))}"
            for name, part in parts.items()
        )
        lines.append(f'"{key}": {{\n{inner}\n}}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
