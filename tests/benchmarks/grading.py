"""How fast a made class is graded, and how much of the processors' time the compiler gets.

`python -m tests.benchmarks.grading FOLDER [--submissions N] [--seed S] [--cheap] [-- FLAGS]` makes N submissions
(`tests/grading/people.py`) in FOLDER, grades them with an empty cache of its own, and prints what it took; FLAGS are
further ones of `grade`. Stop it as you like: the same command goes on, and its figures are of all runs together.
`--cheap` leaves out the submissions that take the compiler to its limits. To compare two versions of the harness, copy
`people` and `made` out of the one's FOLDER into the other's: the kernels that a class is made from may have changed.

Of the processors that it may use (`taskset` gives it fewer) the compiler's share is the seconds that `mojo` used, with
the small process above each, over the seconds that there were. Files that were judged before or are as they were handed
out cost no compiler, and no time here.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.cli.main import main as harness
from harness.grading.work import is_graded
from harness.process.reaper import list_descendants
from tests.grading.people import make

EVERY = 1.0  # seconds between two looks at the memory
HOW = ("--target", "nvidia", "--backend", "simulator")


@dataclass
class Figures:
    """What all runs together took.

    Attributes:
        processors: That it could use.
        submissions: That there are.
        graded: Submissions that are graded.
        judged: Files that were compiled and run.
        seconds: By the clock.
        compiler_seconds: Of the processor, in the compiler.
        all_seconds: Of the processor, in all processes.
        process_mib: The most that one process had.
        tree_mib: The most that all of them had at a time, what they share counted once for each.
    """

    processors: int = 0
    submissions: int = 0
    graded: int = 0
    judged: int = 0
    seconds: float = 0.0
    compiler_seconds: float = 0.0
    all_seconds: float = 0.0
    process_mib: float = 0.0
    tree_mib: float = 0.0

    @property
    def share(self) -> float:
        """Of the processors' time, the compiler's."""
        return self.compiler_seconds / (self.processors * self.seconds)

    @property
    def share_of_work(self) -> float:
        """Of the time that all processes used, the compiler's: the share without what others do on the machine."""
        return self.compiler_seconds / self.all_seconds


def measure(
    folder: Path, submissions: int, seed: int = 500, *, dear: bool = True, flags: Sequence[str] = ()
) -> Figures:
    """Grades a made class, or goes on with one.

    Args:
        folder: Gets submissions, results, the cache, and the figures so far.
        submissions: How many.
        seed: The same one makes the same.
        dear: Whether those are among them that take the compiler to its limits.
        flags: Further ones of `grade`.
    """
    place, results = folder / "figures.json", folder / "results" / "results.json"
    if not (folder / "made").exists():
        make(folder / "people", submissions, seed, dear=dear)
        (folder / "made").touch()
    figures = Figures(**json.loads(place.read_text())) if place.exists() else Figures()
    os.environ["HARNESS_CACHE"] = str(folder / "cache")
    words = ["grade", str(folder / "people"), "--out", str(folder / "results"), "--seed", str(seed), *HOW]
    words += ["--sandbox", "bwrap", *flags]  # some end all that they can reach
    known = _compiler_seconds(folder / "results")  # a run that was killed told nothing: what it did counts nowhere
    started, used = time.monotonic(), _processor_seconds()
    with _Memory() as memory:
        try:
            harness(words)
        finally:
            if results.exists():
                figures.seconds += time.monotonic() - started
                figures.all_seconds += _processor_seconds() - used
                _add(figures, json.loads(results.read_text()), memory, known)
                place.write_text(json.dumps(asdict(figures)))
    return figures


def _compiler_seconds(results: Path) -> float:
    """Of the files that were graded before."""
    seconds = 0.0
    for path in results.glob("jobs/*.json"):
        record = json.loads(path.read_bytes())
        if all(is_graded(mode["verdict"]) for mode in record["modes"]):
            seconds += record["compile_seconds"]
    return seconds


def _add(figures: Figures, results: dict[str, Any], memory: _Memory, known: float) -> None:
    told = results["figures"]
    figures.processors = len(os.sched_getaffinity(0))
    figures.submissions, figures.graded = told["submissions"], sum(person["graded"] for person in results["people"])
    figures.judged += told["judged_now"]
    figures.compiler_seconds += told["compiler_seconds"] - known
    figures.process_mib = max(figures.process_mib, told["peak_mib"])
    figures.tree_mib = max(figures.tree_mib, memory.most_bytes / (1 << 20))


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class _Memory:
    """Watches what this process and all below it have."""

    def __init__(self) -> None:
        self.most_bytes = 0
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Memory:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watch.join()

    def _look(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._ended.wait(EVERY):
            pages = 0
            for pid in [os.getpid(), *list_descendants(os.getpid())]:
                with suppress(OSError, IndexError):
                    pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            self.most_bytes = max(self.most_bytes, pages * page)


def told(figures: Figures) -> str:
    """The figures in words."""
    minutes = figures.seconds / 60
    each = f"{figures.graded / minutes:.1f} submissions and {figures.judged / minutes:.1f} files a minute"
    return "\n".join(
        (
            f"{figures.graded} of {figures.submissions} submissions graded, {figures.judged} files judged",
            f"{minutes:.1f} min: {each}",
            f"the compiler's share of {figures.processors} processors: {figures.share:.3f}; "
            f"of what all processes used: {figures.share_of_work:.3f}",
            f"processor seconds: {figures.compiler_seconds:.0f} in the compiler, "
            f"{figures.all_seconds - figures.compiler_seconds:.0f} elsewhere",
            f"memory at most: {figures.process_mib:.0f} MiB in one process, {figures.tree_mib:.0f} MiB in all at once",
        )
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grading", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where all of it goes, and from where it goes on")
    parser.add_argument("--submissions", type=int, default=500, metavar="N", help="how many (500)")
    parser.add_argument("--seed", type=int, default=500, metavar="S", help="of the made class (500)")
    parser.add_argument("--cheap", action="store_true", help="without those that take the compiler to its limits")
    words = list(sys.argv[1:] if argv is None else argv)
    at = words.index("--") if "--" in words else len(words)
    options, flags = parser.parse_args(words[:at]), words[at + 1 :]
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        measure(folder, options.submissions, options.seed, dear=not options.cheap, flags=flags)
    finally:
        place = folder / "figures.json"
        if place.exists():
            print(told(Figures(**json.loads(place.read_text()))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
