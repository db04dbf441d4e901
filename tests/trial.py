"""Tries the pair of MAX and Mojo that is installed, and reports what broke: `python -m tests.trial FOLDER [--read]`.

It runs the puzzles, the fast tests and ten programs, each step whatever came of those before it. Their reports go to
the folder: `run.json`, `quick.xml`, `programs.xml`, and `report.md` with what broke, by puzzle, program and test. With
`--read` nothing is run: the reports that are there are read.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.build import versions
from harness.model.sources import ROOT
from tests.pairs import lacking, limits_of

__all__ = ["PROGRAMS", "TEN", "Broken", "Outcome", "main", "read_puzzles", "read_tests", "report"]

# Ten that each pair can run, one of each kind: shared memory, lanes of a warp, a cluster, atomics, library calls of
# Mojo, a tensor core, several launches, streams.
TEN = (
    *("p15_axis_sum", "p26_butterfly-pair-swap", "p34_cluster-reduction", "atomics", "histogram", "softmax"),
    *("matmul_tiled", "tensor_core", "scan_blocks", "streams"),
)
PROGRAMS = (*TEN, "max_rows")  # the last calls MAX's own kernels, whose interfaces move most: where the pair has them
_PROGRAM_TESTS = "tests/programs/test_programs.py::test_a_program_prints_and_ends_as_it_says"
_GOOD = ("PASS", "SKIPPED")
_SHOWN = 200  # characters of a reason
_PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")


@dataclass(frozen=True, slots=True)
class Broken:
    """A mode, a program or a test that failed.

    Attributes:
        name: `p26:pair-swap`, `softmax`, or the test's id.
        verdict: A case's verdict, or `failed`.
        reason: The first line that says why.
    """

    name: str
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one step.

    Attributes:
        kind: `puzzles`, `programs` or `tests`.
        passed: How many passed.
        total: How many there are, without those that were skipped.
        broken: The others.
        missing: Whether the step ended without a report.
    """

    kind: str
    passed: int = 0
    total: int = 0
    broken: tuple[Broken, ...] = ()
    missing: bool = False

    @property
    def ok(self) -> bool:
        """Whether something ran and nothing broke."""
        return not self.missing and not self.broken and self.total > 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the steps and report; 1 if something broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.trial", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the reports go")
    parser.add_argument("--read", action="store_true", help="run nothing; read the reports that are there")
    options = parser.parse_args(argv)
    folder: Path = options.folder
    if not options.read:
        folder.mkdir(parents=True, exist_ok=True)
        for command in steps(folder):
            subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
    outcomes = (
        read_puzzles(folder / "run.json"),
        read_tests("programs", folder / "programs.xml"),
        read_tests("tests", folder / "quick.xml"),
    )
    text = report(versions.describe_installed(), outcomes, left_out())
    (folder / "report.md").write_text(text, encoding="utf-8")
    print(text)
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def steps(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the modules that are run, with their arguments; what an earlier trial left is removed first."""
    for name in ("run.json", "programs.xml", "quick.xml"):
        (folder / name).unlink(missing_ok=True)
    kept = str(folder.resolve())
    yield "harness", "run", "--json", f"{kept}/run.json"
    programs = [f"{_PROGRAM_TESTS}[{name}-nvidia]" for name in PROGRAMS if name not in left_out()]
    yield "pytest", "-q", "-n", "2", "-m", "", f"--junitxml={kept}/programs.xml", *programs
    yield "pytest", "-q", *_PARALLEL, "-m", "not slow and not full", f"--junitxml={kept}/quick.xml"


def left_out() -> dict[str, str]:
    """Return why the installed pair cannot run some of the programs, by their names."""
    pair = versions.installed_pair()
    needs = limits_of(pair)
    # A program may have several runs, with the arguments in their names.
    own = {name: next((run for run in PROGRAMS if run.partition("-")[0] == name), "") for name, _ in needs}
    return {run: lacking(name) for name, run in own.items() if run}


def read_puzzles(path: Path) -> Outcome:
    """Read what `run --json` wrote."""
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    except (OSError, ValueError, KeyError):
        return Outcome("puzzles", missing=True)
    broken = [
        Broken(case["case"], case["verdict"], _first_line(case["reason"] or _reason_of(case)))
        for case in cases
        if case["verdict"] not in _GOOD
    ]
    counted = [case for case in cases if case["verdict"] != "SKIPPED"]
    return Outcome("puzzles", len(counted) - len(broken), len(counted), tuple(broken))


def _reason_of(case: dict[str, object]) -> str:
    """The line of the compiler, else the sentence of a case's first finding."""
    findings = case.get("findings")
    first = findings[0] if isinstance(findings, list) and findings else {}
    items = first.get("items") or []
    return str(items[0] if items else first.get("message", ""))


def read_tests(kind: str, path: Path) -> Outcome:
    """Read what pytest's `--junitxml` wrote."""
    try:
        tests = list(ET.parse(path).getroot().iter("testcase"))
    except (OSError, ET.ParseError):
        return Outcome(kind, missing=True)
    skipped = sum(test.find("skipped") is not None for test in tests)
    broken = []
    for test in tests:
        for failed in (*test.findall("failure"), *test.findall("error")):
            broken.append(Broken(_test_name(kind, test), failed.tag, _first_line(failed.get("message", ""))))
            break
    return Outcome(kind, len(tests) - skipped - len(broken), len(tests) - skipped, tuple(broken))


def _test_name(kind: str, test: ET.Element) -> str:
    name = test.get("name", "")
    if kind == "programs":
        return name.partition("[")[2].removesuffix("]").removesuffix("-nvidia") or name
    return f"{test.get('classname', '')}.{name}"


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "")[:_SHOWN]


def report(pair: str, outcomes: Sequence[Outcome], unable: Mapping[str, str] | None = None) -> str:
    """Return the report as Markdown: a line for each kind, then a table of what broke.

    Args:
        pair: What is installed, for people.
        outcomes: Of the steps.
        unable: By program, why the pair cannot run it.
    """
    lines = [f"# {pair or 'MAX or Mojo is not installed'}", ""]
    for outcome in outcomes:
        said = "ended without a report" if outcome.missing else f"{outcome.passed} of {outcome.total} pass"
        lines.append(f"- {outcome.kind}: {said}")
    lines += [f"- not run: {name} ({why})" for name, why in (unable or {}).items()]
    for outcome in outcomes:
        if outcome.broken:
            lines += ["", f"## What broke: {outcome.kind}", "", "| name | verdict | reason |", "| --- | --- | --- |"]
            lines += [f"| {one.name} | {one.verdict} | {_cell(one.reason)} |" for one in outcome.broken]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
