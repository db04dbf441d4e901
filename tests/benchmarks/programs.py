"""Whole programs: the first run and the second beside `mojo build`, and what a launch costs above its simulation.

`python -m tests.benchmarks.programs` times, in turns and each with caches of its own, `mojo build` of a program for
sm_90, `puzzles exec` of it for the first time, and `puzzles exec` again: whole commands, by the wall clock. What counts
is the ratio of the medians. Then a program launches a small kernel 200 times, and not at all: the difference, less what
the launches' own simulation took, is the price of a launch.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from harness.build import toolchain
from harness.programs import Options, execute

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs" / "programs"
TYPICAL = {"p15_axis_sum": (), "p26_butterfly": ("--parallel-max",), "matmul_tiled": (), "scan": ()}
LAUNCHES = 200
EVERY = 1 << 30  # launches, all of them observed
# The limits: the first run against the build, seconds of the second run, milliseconds of a launch.
FIRST_RATIO, SECOND_SECONDS, LAUNCH_MS = 1.3, 1.0, 3.0


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables; 1 where a limit is passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.programs", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(TYPICAL)} (all)")
    options = parser.parse_args(argv)
    names = options.programs or list(TYPICAL)
    kept = True
    print(f"Medians of {options.rounds}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before.\n")
    print("| program | `mojo build`, s | first run, s | ratio | second run, s |\n| --- | --- | --- | --- | --- |")
    for name in names:
        build, first, second = (statistics.median(times) for times in _runs(name, options.rounds))
        print(f"| {name} | {build:.2f} | {first:.2f} | {first / build:.2f} | {second:.2f} |", flush=True)
        kept &= first / build <= FIRST_RATIO and second <= SECOND_SECONDS
    print("\n| launches observed | of a launch's simulation, ms | above it, ms |\n| --- | --- | --- |")
    for observed in (Options().observed_launches, EVERY):
        own, above = launch_ms(options.rounds, observed)
        print(f"| {'all' if observed == EVERY else observed} of {LAUNCHES} | {own:.2f} | {above:.2f} |")
        kept &= above <= LAUNCH_MS
    return 0 if kept else 1


def _runs(name: str, rounds: int) -> tuple[list[float], list[float], list[float]]:
    """Seconds of the build, of the first run and of the second, in turns; the first round warms the disk's cache."""
    source = PROGRAMS / f"{name}.mojo"
    seconds: tuple[list[float], list[float], list[float]] = ([], [], [])
    for number in range(-1, rounds):
        with tempfile.TemporaryDirectory(prefix="programs-") as folder:
            flags = ["--target-accelerator", "sm_90", str(source), "-o", f"{folder}/program"]
            build = [str(toolchain.require_mojo()), "build", *flags]
            run = [sys.executable, "-m", "harness", "exec", "--target", "nvidia:sm_90", "--backend", "simulator"]
            run += [str(source), "--", *TYPICAL[name]]
            jobs: list[Callable[[], float]] = [
                lambda: _timed(build, {"MODULAR_CACHE_DIR": f"{folder}/compiler"}),  # noqa: B023 - called at once
                *[lambda: _timed(run, {"HARNESS_CACHE": f"{folder}/harness"})] * 2,  # noqa: B023
            ]
            for times, job in zip(seconds, jobs, strict=True):
                taken = job()
                if number >= 0:
                    times.append(taken)
    return seconds


def _timed(command: Sequence[str], environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True)
    return time.perf_counter() - started


def launch_ms(rounds: int, observed: int) -> tuple[float, float]:
    """Milliseconds of a launch in Python's simulator, and of everything around it: the least of some runs.

    Args:
        observed: How many of the launches have all checks.
    """
    options = Options(observed_launches=observed, engine="reference")
    none, many, own = [], [], []
    for number in range(-1, rounds):
        for count, totals in ((0, none), (LAUNCHES, many)):
            execution = execute(
                PROGRAMS / "many_kernels.mojo",
                arguments=[str(count)],
                target="nvidia:sm_90",
                backend="simulator",
                options=options,
            )
            assert len(execution.launches) == count and execution.status == 0
            if number >= 0:
                totals.append(execution.seconds)
        own.append(sum(launch.seconds for launch in execution.launches))
    simulated = min(own)
    return simulated / LAUNCHES * 1e3, max(0.0, min(many) - min(none) - simulated) / LAUNCHES * 1e3


if __name__ == "__main__":
    sys.exit(main())
