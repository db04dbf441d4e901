"""`grade`: the submissions of many people, or of one for a course's own service."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from harness.build.cache import Cache
from harness.cases import pipeline
from harness.cli.files import require_folders
from harness.errors import UsageError, unknown
from harness.grading import formats, local, scheme, submissions
from harness.grading.grade import FILES, PUZZLES, grade, settings_for
from harness.grading.result import Grading
from harness.grading.scheme import Scheme
from harness.grading.work import Job, JobResult, Settings
from harness.model import exit_code
from harness.process import box as boxes
from harness.process.child import temporary_folder
from harness.report import console
from harness.simt.plain import printable

__all__ = ["run"]

EVERY = 10.0  # seconds between two lines of progress, where no terminal shows one in the place of the other


def run(arguments: Namespace) -> int:
    """Grades; exit code 0 if everybody was graded, whatever the verdicts."""
    if arguments.format and arguments.format not in formats.FORMATS:
        raise unknown("format", arguments.format, formats.FORMATS)
    if arguments.out is None:
        raise UsageError("--out is missing: say which folder the results go to, or with --format which file.")
    points = scheme.read(arguments.points) if arguments.points else Scheme()
    plan = pipeline.plan(arguments.target, arguments.backend)
    if plan.backend == "cpu":
        raise UsageError("--backend cpu runs the reference, not what was handed in: choose simulator or max.")
    settings, box = settings_for(plan, arguments.seed), boxes.box(arguments.sandbox)
    cache = Cache.default()
    cache.require_writable()

    def judges(jobs: Iterable[Job], settings: Settings) -> Iterator[JobResult]:
        workers = 1 if plan.backend == "max" else arguments.workers or local.default_workers()
        return local.judged(jobs, settings, box, cache, workers)

    def graded(handed: list[submissions.Submission], folder: Path, seeded: bool) -> Grading:
        print(f"for {plan.target}, {plan.device}; sandbox: {box.described}", file=sys.stderr)
        with console.progress() as notify:
            return grade(
                handed,
                folder,
                settings,
                points,
                box.described,
                judges,
                seeded=seeded,
                notify=notify if sys.stderr.isatty() else _now_and_then(notify),
            )

    with _reports_when_terminated():
        if arguments.format:
            require_folders(arguments.out)
            with temporary_folder() as folder:
                grading = graded([submissions.read_one(arguments.submissions, PUZZLES)], folder / "grading", True)
            formats.write(arguments.format, grading, arguments.out)
        else:
            everybody = submissions.read(arguments.submissions, PUZZLES)
            grading = graded(everybody, arguments.out, arguments.seed is not None)
    return _told(grading, arguments.out, arguments.format)


@contextlib.contextmanager
def _reports_when_terminated() -> Iterator[None]:
    """Meanwhile SIGTERM ends this process as Ctrl-C does: what is graded is reported first."""

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _now_and_then(notify: Callable[[str], None]) -> Callable[[str], None]:
    last = -EVERY

    def told(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            notify(line)

    return told


def _told(grading: Grading, out: Path, form: str | None) -> int:
    people = grading.people
    done = sum(person.graded for person in people)
    verdicts: dict[str, int] = {}
    for person in people:
        for mode in person.modes:
            verdicts[mode.result.verdict] = verdicts.get(mode.result.verdict, 0) + 1
    shown = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{done} of {len(people)} graded: {shown}")
    if grading.alike:
        print(f"{len(grading.alike)} groups of files are alike: {', '.join(group.puzzle for group in grading.alike)}")
    print(f"the fresh data had seed {grading.settings.data_seed} (--seed repeats it)")
    if not form:
        print(f"results: {printable(str(out / 'index.html'))} ({', '.join(FILES)})")
    elif grading.complete:  # a service is given whole results or none
        print(f"results: {printable(str(out))}")
    if grading.complete:
        return exit_code.OK
    for person in [person for person in people if not person.graded][:10]:
        reason = next(mode.result.reason for mode in person.modes if mode.result.verdict != "PASS")
        print(printable(f"error: {person.person} is not graded: {reason}"), file=sys.stderr)
    print("error: not everybody is graded: the same command goes on where this one stopped.", file=sys.stderr)
    return exit_code.ENVIRONMENT
