"""`grade`: the submissions of many people, or of one for a course's own service."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.backends import devices
from harness.build import versions
from harness.build.cache import Cache
from harness.cases import pipeline
from harness.catalogue import select
from harness.cli.files import require_folders
from harness.cli.names import spread
from harness.errors import UsageError, unknown
from harness.grading import formats, local, scheme, submissions
from harness.grading.concerns import TITLES, concerns
from harness.grading.grade import FILES, grade, settings_for
from harness.grading.result import Grading
from harness.grading.scheme import Scheme
from harness.grading.unpack_stage import unpack_in_box
from harness.grading.work import Job, JobResult, Settings, is_graded
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import told as in_language
from harness.model.launch_plan import LaunchPlan
from harness.model.verdict import Verdict
from harness.process import box as boxes
from harness.process.child import temporary_folder
from harness.report import console
from harness.simt.plain import printable

__all__ = ["ends_when_terminated", "run"]

_REFERENCE = "--backend cpu runs the reference, not what was handed in: choose simulator or max."
NAMED = 10  # people that the summary names for one thing
EVERY = 10.0  # seconds between two lines of progress, where no terminal shows one in the place of the other


def run(arguments: Namespace) -> int:
    """Grades; exit code 0 if everybody was graded, whatever the verdicts."""
    if arguments.format:
        formats.require_format(arguments.format)
    if arguments.out is None:
        raise UsageError("--out is missing: say which folder the results go to, or with --format which file.")
    points = scheme.read(arguments.assignment, _named_cases) if arguments.assignment else Scheme()
    cache = Cache.default()
    cache.require_writable()
    versions.warn_once()  # what compiles is in boxes, whose own words nobody reads
    with contextlib.ExitStack() as held:
        place = _there(arguments, cache, held) if arguments.scheduler else _here(arguments, cache)
        settings = settings_for(place.plan, arguments.seed)
        held.enter_context(ends_when_terminated())

        def grading_of(handed: list[submissions.Submission], folder: Path, seeded: bool) -> Grading:
            where = f"for {place.plan.target}, {place.plan.device}; sandbox: {place.sandbox}"
            print(in_language(where), file=sys.stderr)
            with console.show_progress() as notify:
                return grade(
                    handed,
                    folder,
                    settings,
                    points,
                    place.sandbox,
                    place.judges,
                    seeded=seeded,
                    notify=notify if sys.stderr.isatty() else _now_and_then(notify),
                )

        if arguments.format:
            require_folders(arguments.out)
            with temporary_folder() as folder:
                (one,) = _handed_in(arguments, points.puzzles)
                grading = grading_of([one], folder / "grading", True)
            formats.write(arguments.format, grading, arguments.out)
        else:
            grading = grading_of(_handed_in(arguments, points.puzzles), arguments.out, arguments.seed is not None)
    return _summed_up(grading, arguments.out, arguments.format)


def _named_cases(names: list[str]) -> tuple[Case, ...]:
    """Return the cases of an assignment's names, among which may be `p01-p08`."""
    return select(spread(names))


def _handed_in(arguments: Namespace, puzzles: Sequence[str]) -> list[submissions.Submission]:
    """Everybody's files of some puzzles, or with a service's form one person's; archives are read in a box."""
    with boxes.SandboxPool(boxes.choose_strongest()) as warm:
        unpack = functools.partial(unpack_in_box, box=warm)
        if arguments.format:
            return [submissions.read_one(arguments.submissions, puzzles, unpack)]
        own = arguments.out
        return submissions.read(arguments.submissions, puzzles, results=own, notify=_to_stderr, unpack=unpack)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where files are judged: what runs on what, how each is shut in, and who judges."""

    plan: LaunchPlan
    sandbox: str
    judges: Callable[[Iterable[Job], Settings], Iterator[JobResult]]


def _here(arguments: Namespace, cache: Cache) -> _Place:
    plan = pipeline.plan(arguments.target, arguments.backend)
    if plan.backend == "cpu":
        raise UsageError(_REFERENCE)
    box = boxes.choose_sandbox(arguments.sandbox)
    workers = 1 if plan.backend == "max" else arguments.workers or local.default_workers()
    shut = box.description
    if plan.gpus:
        shut += f"; one process for each file on {plan.device} ({devices.shared_by(plan.target, plan.gpus[0])})"
    return _Place(plan, shut, lambda jobs, settings: local.judge_all(jobs, settings, box, cache, workers))


def _there(arguments: Namespace, cache: Cache, held: contextlib.ExitStack) -> _Place:
    from harness.cluster import grading, resources
    from harness.cluster.orders import LOCAL, Cluster

    if arguments.backend == "cpu":
        raise UsageError(_REFERENCE)
    if arguments.sandbox not in boxes.KINDS:
        raise unknown("sandbox", arguments.sandbox, boxes.KINDS)
    if arguments.workers and arguments.scheduler != LOCAL:
        raise UsageError("--workers is for this machine: a worker's own `--simulators` says how many it judges.")
    slots = arguments.workers or local.default_workers()
    cluster = held.enter_context(Cluster(arguments.scheduler, slots, cache, _to_stderr))
    plan, need = resources.choose_plan(arguments.target, arguments.backend, cluster.sum_resources())
    needs = [need, *([resources.sandbox_resource(arguments.sandbox)] if arguments.sandbox in ("auto", "bwrap") else [])]
    chosen = arguments.sandbox != "auto"
    return _Place(
        plan,
        boxes.describe_sandbox(arguments.sandbox)
        if chosen
        else resources.describe_sandboxes(cluster.list_workers(), need),
        lambda jobs, settings: grading.judge_files(jobs, settings, arguments.sandbox, cluster, needs),
    )


def _to_stderr(line: str) -> None:
    print(printable(in_language(line)), file=sys.stderr)


@contextlib.contextmanager
def ends_when_terminated() -> Iterator[None]:
    """Meanwhile SIGTERM ends this process as Ctrl-C does: what is to be done last is done."""

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


def _counted(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def _summed_up(grading: Grading, out: Path, form: str | None) -> int:
    people = grading.people
    done = sum(person.graded for person in people)
    verdicts = Counter(mode.result.verdict for person in people for mode in person.modes)
    summary = [f"{done} of {len(people)} graded: {_counted(verdicts)}"]
    if grading.alike:
        summary.append(f"groups of files that are alike: {_counted(Counter(group.puzzle for group in grading.alike))}")
    for concern, by_person in concerns(grading).items():
        names = [f"{name} ({', '.join(cases)})" for name, cases in list(by_person.items())[:NAMED]]
        more = [f"... ({len(by_person)})"] if len(by_person) > NAMED else []
        summary.append(printable(f"{TITLES[concern]}: {', '.join([*names, *more])}"))
    if incomplete := verdicts[Verdict.INCOMPLETE]:
        why = "the simulator could not run all of it; --backend max grades it on a GPU"
        summary.append(f"{incomplete} INCOMPLETE: {why}")
    first, *later = grading.seeds
    summary.append(f"the fresh data had seed {first} (--data-seed repeats it)")
    if later:
        summary.append(f"that of files that came after it was told had another one: {', '.join(map(str, later))}")
    if not form:
        summary.append(f"results: {printable(str(out / 'index.html'))} ({', '.join(FILES)})")
    elif grading.complete:  # a service is given whole results or none
        summary.append(f"results: {printable(str(out))}")
    for line in summary:
        print(in_language(line))
    if grading.complete:
        return exit_code.OK
    for person in [person for person in people if not person.graded][:10]:
        lack = next(mode.result for mode in person.modes if not is_graded(mode.result.verdict))
        refusal = f"error: {person.person} is not graded, {lack.case}: {lack.reason}"
        print(printable(in_language(refusal)), file=sys.stderr)
    stopped = "error: not everybody is graded: the same command goes on where this one stopped."
    print(in_language(stopped), file=sys.stderr)
    return exit_code.ENVIRONMENT
