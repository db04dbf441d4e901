"""The documented data of all puzzles on a GPU, from artifacts: how long it takes beside MAX's own start.

    python -m harness build --target nvidia --out DIR      # here or elsewhere
    python -m tests.benchmarks.artifacts DIR [--times N] [--json FILE]

MAX's start is a process that imports its driver and engine and opens the device. Beside it stands a process that runs
every case of DIR whose steps are kernels on its documented data, on three poisons, as `run --artifacts` does before it
goes on to other data. What a case takes is told too, since at the documented sizes some move a gigabyte.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

__all__ = ["main"]

ALLOWED = 3.0  # seconds beside MAX's start
SLOWEST = 12
START = "from max.driver import Accelerator; from max.engine import InferenceSession; InferenceSession([Accelerator()])"


def _documented(folder: Path, report: Path) -> int:
    """The command of the README, of these cases on the first data set of each."""
    from harness.cases import case_run
    from harness.catalogue import CASES
    from harness.cli.parser import execute

    drawn = case_run.add_fresh_data

    def first(*how):
        made = drawn(*how)
        return replace(made, datasets=made.datasets[:1])

    case_run.add_fresh_data = first
    cases = [case.id for case in CASES if case.kernel_steps and not case.called]
    return execute(["run", "--artifacts", str(folder), "--json", str(report), *cases])


def _seconds(*command: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *command], capture_output=True, check=True)
    return time.perf_counter() - begun


def main() -> int:
    """Measures in turns and prints; 1 where a case does not pass."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        return _documented(given.folder, given.json)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        one = ("-m", "tests.benchmarks.artifacts", str(given.folder), "--one", "--json", str(report))
        _seconds(*one)  # what is compiled to bytecode once
        starts, runs = zip(*((_seconds("-c", START), _seconds(*one)) for _ in range(given.times)), strict=True)
        cases = json.loads(report.read_text())["cases"]
    start, whole = statistics.median(starts), statistics.median(runs)
    print(f"MAX's start {start:.2f} s, and {whole - start:.2f} s more for all {len(cases)} cases; asked: {ALLOWED}")
    for case in sorted(cases, key=lambda case: -case["run_seconds"])[:SLOWEST]:
        print(f"{case['verdict']:9} {case['case']:24} {case['run_seconds']:.3f} s")
    if given.json:
        given.json.write_text(json.dumps({"starts": starts, "runs": runs, "cases": cases}, indent=1))
    return int(any(case["verdict"] == "MISMATCH" for case in cases))


if __name__ == "__main__":
    sys.exit(main())
