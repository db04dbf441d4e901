"""The simulator's speed beside that of another checkout of this repository.

`python -m tests.benchmarks.compare FOLDER` runs the rows of `docs/simulator-benchmark.md` in both
checkouts, in turns and in processes of their own, with the kernels of FOLDER, and prints the ratios
of the least times.  The least is what the code takes; what lies above it is the machine's doing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1024, 4096, 16384, 65536, 262144, 1048576)
SUMS = ("axis_sum", "block_sum")
OBSERVERS = ("none", "Uninitialised", "Sync", "Races", "Unwritten", "Redundant", "Counters", "all")
# The simulator of one checkout, the workloads of the other.
PROBE = """
import importlib, json, sys, time
code, kernels, name, observed, seconds = sys.argv[1:6]
sys.path.insert(0, code)
from harness import simt
sys.path.insert(0, kernels)
from tests.benchmarks.workloads import CASES, large
workload = CASES[name]() if name in CASES else large(name)
def observers():
    found = [] if observed == "none" else simt.observers()
    return [one for one in found if observed in ("all", type(one).__name__)]
workload.check(workload.run(observers()))
least, started = float("inf"), time.perf_counter()
while True:
    begin = time.perf_counter()
    workload.run(observers())
    least = min(least, time.perf_counter() - begin)
    if time.perf_counter() - started > float(seconds):
        break
print(json.dumps(least))
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a row for each workload and set of observers."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare", description=__doc__.splitlines()[0])
    parser.add_argument("base", type=Path, metavar="FOLDER", help="the other checkout")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="processes of each (3)")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="launches of each process (1 s)")
    options = parser.parse_args(argv)
    base = options.base.resolve()
    print("| workload | observers | base, ms | here, ms | ratio |\n| --- | --- | --- | --- | --- |")
    for name, observed in _rows(base):
        least = {ROOT: float("inf"), base: float("inf")}
        for _ in range(options.rounds):
            for code in least:
                command = [sys.executable, "-c", PROBE, str(code), str(base), name, observed, str(options.seconds)]
                done = subprocess.run(command, cwd=base, capture_output=True, text=True, check=True)
                least[code] = min(least[code], json.loads(done.stdout))
        before, after = 1000 * least[base], 1000 * least[ROOT]
        print(f"| {name} | {observed} | {before:.2f} | {after:.2f} | {after / before:.3f} |", flush=True)
    return 0


def _rows(base: Path) -> Iterator[tuple[str, str]]:
    cases = [sys.executable, "-c", "from tests.benchmarks.workloads import CASES; print(*CASES, sep='\\n')"]
    names = subprocess.run(cases, cwd=base, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in names:
        for observed in OBSERVERS:
            yield name, observed
    for name in SUMS:
        for size in SIZES:
            yield f"{name}:{size}", "none"
            yield f"{name}:{size}", "all"


if __name__ == "__main__":
    sys.exit(main())
