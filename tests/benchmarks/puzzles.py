"""What `nox -s puzzles` takes: `python -m tests.benchmarks.puzzles [--write]` prints it, or writes it down.

All modes run as the session runs them, first with an empty cache and then with what that left there. Seconds are those
of the processor.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.cases import pipeline
from harness.cases.runner import Runner
from harness.catalogue import CASES
from harness.model.sources import ROOT, Sources
from harness.process.child import wait_for_abandoned

PAGE = ROOT / "docs" / "puzzles-benchmark.md"
_HEAD = """# All puzzles at once

This page says how long all puzzles together take.

Made by `python -m tests.benchmarks.puzzles --write`: all {count} modes as `nox -s puzzles` runs them, for {target} in
the simulator, first with an empty cache and then with what that left there. Seconds are those of the processor, of the
whole command, which does one thing at a time but for the compiler.

| cache | seconds |
| --- | ---: |
| empty | {cold:.0f} |
| full | {warm:.0f} |

The aim is 3 minutes by the clock with an empty cache and 40 s with a full one, on two cores. What each mode takes with
a full cache, of the processor, with the processes that its host functions run in:

| mode | seconds | share |
| --- | ---: | ---: |
"""


def whole(cache: Path) -> float:
    """The seconds that the command takes.

    Raises:
        CalledProcessError: A mode is not right.
    """
    before, command = _used(), [sys.executable, "-m", "harness", "run", "--backend", "simulator"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "HARNESS_CACHE": str(cache)}, check=True, capture_output=True)
    return _used() - before


def each(cache: Path) -> tuple[str, dict[str, float]]:
    """The target, and the seconds that each mode takes, by its id; what all of them need is loaded before."""
    os.environ["HARNESS_CACHE"] = str(cache)
    plan, seconds = pipeline.plan(None, "simulator"), {}
    with Runner(CASES, replace(plan, data_seed=1), Sources()) as runner:
        runner.report(CASES[0])
        for case in CASES:
            before = _used()
            runner.report(case)
            seconds[case.id] = _used() - before
    return str(plan.target), seconds


def page(cold: float, warm: float, target: str, own: Mapping[str, float]) -> str:
    """The document: what both runs took, and what each mode takes, the dearest first."""
    head = _HEAD.format(target=target, count=len(own), cold=cold, warm=warm)
    ordered, total = sorted(own.items(), key=lambda entry: -entry[1]), sum(own.values())
    return head + "".join(f"| {name} | {seconds:.2f} | {seconds / total:.1%} |\n" for name, seconds in ordered)


def _used() -> float:
    wait_for_abandoned()  # what was forked counts when the one that forks has ended
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the document, or writes it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.puzzles", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="puzzles-") as name:
        cache = Path(name) / "cache"
        text = page(whole(cache), whole(cache), *each(cache))
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
