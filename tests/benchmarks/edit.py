"""From an edited kernel to its verdict, beside what the compiler takes for an empty program.

`python -m tests.benchmarks.edit [CASE ...] [--base FOLDER]` times a learner's command on a file
that was never compiled before, `puzzles watch` on a save, and `mojo build` of `def main(): pass`
with a fresh cache, in turns, so that a machine that slows down slows both. What counts is the ratio
of the medians. `--base` names another checkout of this repository, timed in the same turns.
`device-code` as a case is the device code of all cases for a target of each kind, with an empty
cache. `--processor` counts the processors' time in place of the clock's, for a machine that others
use too: of a command with all that it waited for, of the watch with all that runs below it. Each
time is told as it is taken, so that what was cut short is not lost: five cases take 16 runs of two
or three seconds in each of the six rounds, some five minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice, product
from pathlib import Path

from harness.build import toolchain
from harness.catalogue import CASES
from harness.model.case import Case
from harness.model.target import Target
from harness.process.reaper import list_descendants

ROOT = Path(__file__).resolve().parents[2]
EMPTY = "def main():\n    pass\n"
KINDS = ("solved", "unsolved")
DEVICE_CODE = "device-code"
STRIDE = 3  # jobs by which each round begins later
TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")
# Prints how many kernels it has compiled; the second form is that of the checkouts before builds had a package.
EVERYTHING = """
import sys
from harness.catalogue import CASES
try:
    from harness.build import device_code
    from harness.build.unit import Build
    from harness.model.target import Target
    builds = [Build(target=Target.parse(name)) for name in sys.argv[1:]]
    compile_code = getattr(device_code, "build_device_code", None) or device_code.device_code
    device_code.compile_ahead(CASES, builds)
    codes = [compile_code(CASES, build, "llvm") for build in builds]
except ImportError:
    from harness.device_code import device_code
    from harness.sources import Sources
    from harness.target import Target
    codes = [device_code(CASES, Target.parse(name), Sources(), "llvm") for name in sys.argv[1:]]
print(sum("!dbg" in text for code in codes for text in code.values()))
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.edit", description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"what to time (default: all cases), or {DEVICE_CODE}")
    parser.add_argument("--base", type=Path, metavar="FOLDER", help="another checkout to time in the same turns")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--processor", action="store_true", help="count the processors' time, not the clock's")
    options = parser.parse_args(argv)
    checkouts = {"here": ROOT, **({"base": options.base.resolve()} if options.base else {})}
    with tempfile.TemporaryDirectory(prefix="edit-") as folder:
        work = Path(folder)
        jobs: dict[tuple[str, str], Callable[[int], None]] = {("empty program", ""): lambda _: _empty(work)}
        for (name, root), case, kind in product(checkouts.items(), CASES, KINDS):
            if case.id in (options.cases or [case.id]):
                jobs[f"{case.id}, {kind}", name] = _job(root, case, kind, work)
        for name, root in checkouts.items():
            if DEVICE_CODE in options.cases:
                jobs[f"device code for {len(TARGETS)} targets", name] = _everything(root, work)
        watches = {case.id: _Watch(case, work) for case in CASES if case.id in (options.cases or [case.id])}
        jobs |= {(f"{name}, watched", "here"): watch for name, watch in watches.items()}
        try:
            clock = _Processors(watches.values()).seconds if options.processor else time.perf_counter
            seconds = _in_turns(jobs, options.rounds, clock)
        finally:
            for watch in watches.values():
                watch.close()
    middle = {key: statistics.median(values) for key, values in seconds.items()}
    empty = middle.pop(("empty program", ""))
    print(f"an empty program: {empty:.2f} s (median of {options.rounds}, load {os.getloadavg()[0]:.1f})\n")
    print(f"| case | {' | '.join(f'{name}, s | {name}, ratio' for name in checkouts)} |")
    print(f"| --- |{' --- | --- |' * len(checkouts)}")
    for row in dict.fromkeys(row for row, _ in middle):
        held = [middle.get((row, name)) for name in checkouts]  # only here is watched
        cells = ("| " if value is None else f"{value:.2f} | {value / empty:.2f}" for value in held)
        print(f"| {row} | {' | '.join(cells)} |")
    return 0


class _Watch:
    """`puzzles watch` over a workspace of its own: kept warm, told of each edit, timed to the end of the verdict."""

    def __init__(self, case: Case, work: Path) -> None:
        self._case, self._folder = case, work / f"watched-{case.op}"
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "HARNESS_CACHE": str(work / "cache-watch"), "PYTHONPATH": path}
        run = [sys.executable, "-m", "harness"]
        subprocess.run([*run, "start", str(self._folder)], env=environment, check=True, capture_output=True)
        self._process = subprocess.Popen(
            [*run, "watch", case.id, "--target", "nvidia:sm_90"],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._until("Ctrl-C")
        time.sleep(1)  # it watches from here on

    def __call__(self, number: int) -> None:
        """Saves the solution with a comment that no build has seen, and waits for its verdict."""
        text = (ROOT / "mojo" / self._case.puzzle / "solution.mojo").read_text()
        (self._folder / self._case.puzzle / "problem.mojo").write_text(f"{text}\n# edit {number} in the watch\n")
        if not self._until("Ctrl-C"):
            raise RuntimeError(f"the watch of {self._case.id} ended")

    def _until(self, text: str) -> bool:
        return self._process.stdout is not None and any(text in line for line in self._process.stdout)

    def processor_seconds(self) -> float:
        """Return what the watch and all that runs below it have used of the processors, ended processes included."""
        ticks = 0
        for pid in (self._process.pid, *list_descendants(self._process.pid)):
            with suppress(OSError):
                ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


class _Processors:
    """Counts the processors' time of all commands that have ended, and of the watches that go on."""

    def __init__(self, watches: Iterable[_Watch]) -> None:
        self._watches = tuple(watches)

    def seconds(self) -> float:
        """Return the seconds so far; nothing but the job that is timed adds much to them."""
        ended = os.times()
        used = ended.children_user + ended.children_system
        return used + sum(watch.processor_seconds() for watch in self._watches)


def _in_turns(
    jobs: dict[tuple[str, str], Callable[[int], None]], rounds: int, clock: Callable[[], float]
) -> dict[tuple[str, str], list[float]]:
    seconds: dict[tuple[str, str], list[float]] = {key: [] for key in jobs}
    for number in range(-1, rounds):  # the first round warms the disk's cache and is not counted
        begin = STRIDE * number % len(jobs)  # what runs before a job costs it something: each round begins elsewhere
        for key, run in [*islice(jobs.items(), begin, None), *islice(jobs.items(), begin)]:
            started = clock()
            run(number)
            took = clock() - started
            print(
                f"{f'round {number + 1}' if number >= 0 else 'warm-up'}: {' '.join(key)} {took:.2f} s", file=sys.stderr
            )
            if number >= 0:
                seconds[key].append(took)
    return seconds


def _empty(work: Path) -> None:
    source = work / "empty.mojo"
    source.write_text(EMPTY)
    with tempfile.TemporaryDirectory(dir=work) as private:
        command = [
            shutil.which("mojo") or str(toolchain.require_mojo()),
            "build",
            "--emit",
            "llvm",
            "-g1",
            "--target-accelerator",
            "sm_90",
        ]
        subprocess.run(
            [*command, str(source), "-o", f"{private}/empty.ll"],
            env={**os.environ, "MODULAR_CACHE_DIR": f"{private}/cache"},
            check=True,
            capture_output=True,
        )


def _job(root: Path, case: Case, kind: str, work: Path) -> Callable[[int], None]:
    """Writes the file anew, with a comment that no build has seen, and asks for its verdict."""
    wanted = "solution" if kind == "solved" else "problem"
    own = root / "mojo" / case.puzzle / f"{wanted}.mojo"
    before = root / "mojo" / f"{wanted}s" / f"{case.puzzle}.mojo"  # where the files lay at first
    text = (own if own.exists() else before).read_text()
    flags = [f"--{case.mode}"] if case.mode else []

    def run(number: int) -> None:
        file = work / f"{case.puzzle}.mojo"
        file.write_text(f"{text}\n# edit {number} of {root.name} {case.id} {kind}\n")
        subprocess.run(
            [sys.executable, "-m", "harness", case.puzzle, *flags, "--target", "nvidia:sm_90", "--file", str(file)],
            cwd=root,
            env={**os.environ, "HARNESS_CACHE": str(work / f"cache-{root.name}")},
            check=kind == "solved",
            capture_output=True,
        )

    return run


def _everything(root: Path, work: Path) -> Callable[[int], None]:
    """The device code of every case, for every target that takes it."""
    wanted = sum(case.refusal(Target.parse(name)) is None for case, name in product(CASES, TARGETS))

    def run(_: int) -> None:
        with tempfile.TemporaryDirectory(dir=work) as cache:
            told = subprocess.run(
                [sys.executable, "-c", EVERYTHING, *TARGETS],
                cwd=root,
                env={**os.environ, "HARNESS_CACHE": cache},
                check=True,
                capture_output=True,
                text=True,
            )
        assert int(told.stdout) == wanted, f"{told.stdout} of {wanted} kernels were compiled"

    return run


if __name__ == "__main__":
    sys.exit(main())
