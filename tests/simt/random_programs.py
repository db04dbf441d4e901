"""Random programs by the thousand: `python -m tests.simt.random_programs --seeds 0:20000 --jobs 8`.

Each kind has a comparison of its own: `structured` and `graph` with one lane at a time, `octets` with a byte at a
time, `mojo` with NumPy, `machine-code` the engine in Python with machine code, `machine-code-unoptimised` the same
kernels in a fifth of the time, without LLVM's optimiser, `calls` both again with calls of intrinsics of one definition
and flags that may make poison, `touched` the same two with kernels for every vendor that touch memory of all kinds and
are not all right, `extremes` kernels of sizes, addresses and types at their edges by the same two and an exact model of
bounds, `counted` what both count, `lockstep` everything, by warps in lockstep, `gpu` with an NVIDIA GPU: the structured
ones again, compiled as they are written; `gpu-optimised` as the driver compiles what it is not told about.
A difference is printed whole, with the command that repeats it. `--log FILE` has a line for each program; the programs
of such a file are not run again. Exits 1 if any differs, hangs or ends its process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.simt import compare, compare_extremes, compare_lockstep, compare_touches

__all__ = ["main"]

KINDS: dict[str, Callable[[Sequence[int]], Iterator[Callable[[], None]]]] = {
    "structured": compare.structured,
    "graph": compare.graph,
    "octets": compare.octets,
    "mojo": compare.mojo,
    "machine-code": compare.machine_code,
    "machine-code-unoptimised": partial(compare.machine_code, optimised=False),
    "calls": compare.calls,
    "touched": compare_touches.touched,
    "extremes": compare_extremes.extremes,
    "counted": compare.counted,
    "lockstep": compare_lockstep.lockstep,
    "gpu": compare.gpu,
    "gpu-optimised": partial(compare.gpu, optimised=4),
}
CHUNK = 100  # programs of one process, or Mojo kernels of one compilation
OUTCOMES = ("same", "different", "hung", "ended")
MODULE = "tests.simt.random_programs"


class Log:
    """What became of each program, as lines `kind seed outcome`; printed are those that are not the same."""

    def __init__(self, path: Path | None) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.done: set[tuple[str, int]] = set()
        self._lock = threading.Lock()
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                kind, seed, outcome = line.split()
                self._count(kind, int(seed), outcome)
        self._file = path.open("a", encoding="utf-8") if path is not None else None

    def close(self) -> None:
        """Notes no more."""
        if self._file is not None:
            self._file.close()

    def _count(self, kind: str, seed: int, outcome: str) -> None:
        self.done.add((kind, seed))
        self.counts[kind, outcome] += 1

    def add(self, kind: str, seed: int, outcome: str, text: str = "") -> None:
        """Notes a program, and prints it unless it is the same."""
        with self._lock:
            self._count(kind, seed, outcome)
            if self._file is not None:
                print(kind, seed, outcome, file=self._file, flush=True)
            if outcome != "same":
                again = f"python -m {MODULE} --kinds {kind} --seeds {seed}:{seed + 1}"
                print(f"{outcome.upper()}: {again}\n{text}", flush=True)


def run_chunk(kind: str, seeds: Sequence[int], log: Log, limit: float, end: float) -> None:
    """Runs programs in a process of their own; the one that hangs or ends it is noted, and the next ones go on."""
    left = list(seeds)
    while left and time.monotonic() < end:
        command = [sys.executable, "-m", MODULE, "--kinds", kind, "--child", *map(str, left)]
        text: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
            assert child.stdout is not None
            watch = _Watch(child, limit)
            for line in child.stdout:
                words = line.split()
                if words[:1] != ["RESULT"]:
                    text.append(line)
                    continue
                watch.again()
                log.add(kind, left.pop(0), words[1], "".join(text))
                text.clear()
            watch.stop()
        if left:
            log.add(kind, left.pop(0), "hung" if watch.barked else "ended", "".join(text))


class _Watch:
    """Ends a child that says nothing for a while."""

    def __init__(self, child: subprocess.Popen[str], limit: float) -> None:
        self._child, self._limit, self.barked = child, limit, False
        self.again()

    def again(self) -> None:
        """Begins to wait anew."""
        if hasattr(self, "_timer"):
            self._timer.cancel()
        self._timer = threading.Timer(self._limit, self._bark)
        self._timer.start()

    def stop(self) -> None:
        """Waits no more."""
        self._timer.cancel()

    def _bark(self) -> None:
        self.barked = True
        self._child.kill()


def child(kind: str, seeds: Sequence[int]) -> None:
    """Runs programs one after another; says of each `RESULT` and whether it is the same, after what differs."""
    for compared in KINDS[kind](seeds):
        outcome = "same"
        try:
            compared()
        except Exception:
            traceback.print_exc(file=sys.stdout)
            outcome = "different"
        print("RESULT", outcome, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what the command line asks for, and says by kind what became of it."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", default="0:1000", metavar="A:B", help="from A to before B, of each kind")
    parser.add_argument(
        "--kinds", default="structured,graph,octets", help=f"of {', '.join(KINDS)}; the first three if left out"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="for one program")
    parser.add_argument("--within", type=float, default=1e9, metavar="SECONDS", help="nothing new begins after it")
    parser.add_argument("--log", type=Path, metavar="FILE", help="a line for each program, which is not run again")
    parser.add_argument("--child", nargs="*", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    kinds = options.kinds.split(",")
    if unknown := set(kinds) - KINDS.keys():
        parser.error(f"--kinds has {', '.join(sorted(unknown))}: choose from {', '.join(KINDS)}.")
    if options.child is not None:
        child(kinds[0], options.child)
        return 0
    first, _, stop = options.seeds.partition(":")
    started = time.monotonic()
    with closing(Log(options.log)) as log, ThreadPoolExecutor(options.jobs) as pool:
        for kind in kinds:
            seeds = [seed for seed in range(int(first), int(stop)) if (kind, seed) not in log.done]
            for at in range(0, len(seeds), CHUNK):
                pool.submit(run_chunk, kind, seeds[at : at + CHUNK], log, options.limit, started + options.within)
    for kind in dict.fromkeys(kind for kind, _ in log.counts):
        print(f"{kind}: " + ", ".join(f"{log.counts[kind, outcome]} {outcome}" for outcome in OUTCOMES))
    print(f"{time.monotonic() - started:.0f} s", flush=True)
    return 1 if any(outcome != "same" for _, outcome in log.counts) else 0


if __name__ == "__main__":
    sys.exit(main())
