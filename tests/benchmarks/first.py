"""First launches: of each workload one in a process of its own, with all observers but counters.

`python -m tests.benchmarks.first WORKLOAD ENGINE` prints the seconds of one, from IR that is read to a result.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence

from harness import simt
from tests.benchmarks import measure
from tests.benchmarks.workloads import CASES, large

__all__ = ["first_launches"]

CACHES = ("empty", "full")
ENGINES = ("auto", "reference")


def first_launches(workloads: Sequence[str], repeats: int) -> dict[tuple[str, str], float]:
    """Seconds of all of them together by what the cache is, and by engine: of each the least of so many; in turns."""
    seconds = defaultdict(list)
    for workload in workloads:
        for _ in range(repeats):
            for engine in ENGINES:
                with tempfile.TemporaryDirectory(prefix="first-") as folder:
                    for cache in CACHES:
                        seconds[workload, cache, engine].append(_first(workload, engine, folder))
    return {
        (cache, engine): sum(min(seconds[workload, cache, engine]) for workload in workloads)
        for cache in CACHES
        for engine in ENGINES
    }


def _first(workload: str, engine: str, cache: str) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.first", workload, engine]
    env = os.environ | {"HARNESS_CACHE": cache}
    return float(subprocess.run(command, cwd=measure.ROOT, env=env, check=True, capture_output=True, text=True).stdout)


def main(name: str, engine: simt.Engine) -> None:
    """The launch."""
    workload = CASES[name]() if name in CASES else large(name)
    start = time.perf_counter()
    result = workload.run(simt.observers(counters=False), engine=engine, max_seconds=600)
    seconds = time.perf_counter() - start
    workload.check(result)
    print(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
