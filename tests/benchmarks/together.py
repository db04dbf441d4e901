"""How long a class is graded whose people hand in all puzzles, their files compiled together and each alone.

`python -m tests.benchmarks.together [--people N] [--hostile N] [--alone N] [--workers N]` makes N people (20) with all
puzzles, no two the same file, some of them hostile (2), and grades them both ways, the first of them alone (all), as
many people at a time as there are workers, and in turns; what one way compiles the other never sees. Seconds are those
of the processor: what else the machine does hardly changes them. It fails where a verdict is not what it must be.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.build import toolchain
from harness.build.cache import Cache
from harness.grading import judge, local
from harness.grading.result import collect_jobs
from harness.grading.work import Settings
from harness.process import box as boxes
from tests.grading.whole import came_to_what_they_must_come_to, everybody

WAYS = {"together": judge.compile_together, "alone": lambda *_: {}}


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each way; 1 where a verdict is not what it must be."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.together", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--people", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--hostile", type=int, default=2, metavar="N", help="how many of them are (2)")
    parser.add_argument("--alone", type=int, metavar="N", help="how many are graded both ways (all)")
    parser.add_argument("--workers", type=int, default=local.default_workers(), metavar="N", help="files at a time")
    options = parser.parse_args(argv)
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions=toolchain.package_versions())
    shut = boxes.choose_sandbox("bwrap")  # some end all that they can reach
    used, compiler, graded = (dict.fromkeys(WAYS, 0.0) for _ in range(3))
    verdicts: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    people, wrong = everybody(options.people, options.hostile), False
    both = len(people) if options.alone is None else options.alone
    with tempfile.TemporaryDirectory(prefix="together-") as folder:
        caches = {way: Cache(Path(folder) / way, lambda _: None) for way in WAYS}
        for first in range(0, len(people), options.workers):
            part = people[first : first + options.workers]
            jobs = collect_jobs(part)
            for way, compiled in WAYS.items():
                if way == "alone" and first >= both:
                    continue
                before, modes = _processor_seconds(), {}
                for result in local.judge_all(
                    jobs.values(), settings, shut, caches[way], options.workers, compiled=compiled
                ):
                    modes[result.key] = result.modes
                    verdicts[way].update(mode.verdict for mode in result.modes)
                    compiler[way] += result.compile_seconds
                used[way] += _processor_seconds() - before
                graded[way] += len(part)
                for person in part:
                    own = [mode for job in collect_jobs([person]).values() for mode in modes[job.key]]
                    for case, told in came_to_what_they_must_come_to(person, own).items():
                        print(f"{way}: {person.person}, {case} is not as it must be: {told}", flush=True)
                        wrong = True
            each = {way: used[way] / max(1, graded[way]) for way in WAYS}
            print(
                f"{first + len(part)} people: " + ", ".join(f"{way} {each[way]:.0f} s each" for way in WAYS), flush=True
            )
    for way in WAYS:
        said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts[way].items()))
        print(
            f"{way}: {graded[way]:.0f} people, {used[way]:.0f} s of the processor, "
            f"of which {compiler[way]:.0f} s in the compiler ({said})"
        )
    if each["alone"]:
        print(f"together takes {each['together'] / each['alone']:.2f} of the time for each")
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
