"""The simulator's speed beside that of another checkout of this repository.

`python -m tests.benchmarks.compare FOLDER [ROW ...]` runs the rows of `docs/simulator-benchmark.md` in
both checkouts, with the kernels of FOLDER, and prints the ratios of the least times.  The least is what
the code takes; what lies above it is the machine's doing.  Each checkout has one process, and they take
turns, so that both see the same machine; a row ends when neither gets any faster.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.workloads import SIZES

ROOT = Path(__file__).resolve().parents[2]
OBSERVERS = ("none", "Uninitialised", "Sync", "Races", "Unwritten", "Redundant", "Counters", "all")
SETTLED = 3  # turns without a new least: the row's figures are clear
NEWS = 0.99  # a new least is smaller than that part of the one before
# The simulator of one checkout, the workloads of the other; reads rows and writes least times.
PROBE = """
import importlib, json, sys, time
code, kernels = sys.argv[1:]
sys.path.insert(0, code)
from harness import simt
sys.path.insert(0, kernels)
from tests.benchmarks.workloads import CASES, large
print(json.dumps(list(CASES)), flush=True)
def observers(observed):
    every = [] if observed == "none" else simt.observers()
    return [observer for observer in every if observed in ("all", type(observer).__name__)]
warm = {}
for line in sys.stdin:
    name, observed, seconds = json.loads(line)
    if name not in warm:
        warm = {name: CASES[name]() if name in CASES else large(name)}
    workload = warm[name]
    workload.check(workload.run(observers(observed)))
    least, started = float("inf"), time.perf_counter()
    while True:
        watched = observers(observed)
        begin = time.perf_counter()
        workload.run(watched)
        least = min(least, time.perf_counter() - begin)
        if time.perf_counter() - started > seconds:
            break
    print(json.dumps(least), flush=True)
"""


class Checkout:
    """A process with the simulator of one checkout.

    Attributes:
        cases: The names of the documented cases.
    """

    def __init__(self, code: Path, kernels: Path) -> None:
        command = [sys.executable, "-c", PROBE, str(code), str(kernels)]
        self._process = subprocess.Popen(command, cwd=kernels, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.cases: list[str] = self._reply()

    def least(self, name: str, observed: str, seconds: float) -> float:
        """The least time of one launch among those of some seconds, in seconds."""
        assert self._process.stdin is not None
        print(json.dumps([name, observed, seconds]), file=self._process.stdin, flush=True)
        return self._reply()

    def _reply(self):
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a checkout's process ended: its message stands above")
        return json.loads(line)

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each row; returns 1 if one is slower than the limit."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare", description=__doc__.splitlines()[0])
    parser.add_argument("base", type=Path, metavar="FOLDER", help="the other checkout")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="parts of `workload/observers`, such as p15/ or /all")
    parser.add_argument("--turns", type=int, default=12, metavar="N", help="at most so many of each (12)")
    parser.add_argument("--seconds", type=float, default=0.25, metavar="S", help="launches of a turn (0.25 s)")
    parser.add_argument("--limit", type=float, default=1.05, metavar="R", help="ratio that is too slow (1.05)")
    options = parser.parse_args(argv)
    base = options.base.resolve()
    before, here = Checkout(base, base), Checkout(ROOT, base)
    slow = 0
    print("| workload | observers | base, ms | here, ms | ratio |\n| --- | --- | --- | --- | --- |")
    for name, observed in rows(before.cases, options.rows):
        old, new = measured((before, here), name, observed, options.turns, options.seconds)
        slow += new / old > options.limit
        print(f"| {name} | {observed} | {1000 * old:.2f} | {1000 * new:.2f} | {new / old:.3f} |", flush=True)
    before.close()
    here.close()
    return int(slow > 0)


def measured(
    checkouts: tuple[Checkout, Checkout], name: str, observed: str, turns: int, seconds: float
) -> tuple[float, float]:
    """The least times of both checkouts, which take turns until neither gets faster."""
    least, last = [float("inf"), float("inf")], 0
    for turn in range(turns):
        for number, checkout in enumerate(checkouts):
            time = checkout.least(name, observed, seconds)
            if time < NEWS * least[number]:
                last = turn
            least[number] = min(least[number], time)
        if turn - last >= SETTLED:
            break
    return least[0], least[1]


def rows(cases: Sequence[str], parts: Sequence[str]) -> list[tuple[str, str]]:
    """Workload and observers of each row whose name has one of some parts; of all rows if there are none."""
    every = [(name, observed) for name in cases for observed in OBSERVERS]
    every += [
        (f"{name}:{size}", observed) for name, sizes in SIZES.items() for size in sizes for observed in ("none", "all")
    ]
    return [row for row in every if not parts or any(part in "/".join(row) for part in parts)]


if __name__ == "__main__":
    sys.exit(main())
