"""How long a class is graded whose people hand in several puzzles each, their files compiled together and each alone.

`python -m tests.benchmarks.together [--people N] [--workers N]` makes N people (20) with the same eight puzzles, each
file another one, and grades them both ways, with empty caches, a part of the people at a time and in turns: what else
the machine does then slows down both.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.build import toolchain
from harness.build.cache import Cache
from harness.grading import judge, local
from harness.grading.result import jobs_of
from harness.grading.submissions import Handed, Submission
from harness.grading.work import Settings, solution
from harness.process.box import strongest

PUZZLES = ("p01", "p03", "p05", "p08", "p12", "p13", "p14", "p15")
WAYS = {"together": judge.compiled, "alone": lambda *_: {}}
PART = 5  # people


def people(count: int) -> list[Submission]:
    """Everybody solved all of it; no two files are the same."""
    texts = {puzzle: solution(puzzle) for puzzle in PUZZLES}
    return [
        Submission(
            f"person{number}",
            {
                puzzle: Handed(f"{puzzle}.mojo", f"{text}\ncomptime PERSON = {number}\n")
                for puzzle, text in texts.items()
            },
        )
        for number in range(count)
    ]


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each way."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.together", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--people", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--workers", type=int, default=local.default_workers(), metavar="N", help="files at a time")
    options = parser.parse_args(argv)
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions=toolchain.package_versions())
    clock, used, compiler = (dict.fromkeys(WAYS, 0.0) for _ in range(3))
    verdicts: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    everybody = people(options.people)
    for first in range(0, options.people, PART):
        jobs = list(jobs_of(everybody[first : first + PART]).values())
        for way, compiled in WAYS.items():
            started, before = time.monotonic(), _processor_seconds()
            with tempfile.TemporaryDirectory(prefix="together-") as folder:
                cache = Cache(Path(folder), lambda _: None)
                for result in local.judged(jobs, settings, strongest(), cache, options.workers, compiled=compiled):
                    verdicts[way].update(mode.verdict for mode in result.modes)
                    compiler[way] += result.compile_seconds
            clock[way] += time.monotonic() - started
            used[way] += _processor_seconds() - before
    for way in WAYS:
        said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts[way].items()))
        print(
            f"{way}: {clock[way]:.0f} s by the clock, {used[way]:.0f} s of the processor, "
            f"of which {compiler[way]:.0f} s in the compiler ({said})"
        )
    print(f"together takes {clock['together'] / clock['alone']:.2f} of the time by the clock")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
