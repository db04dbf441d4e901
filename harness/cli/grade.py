"""`grade`: read submissions, judge them here or on a cluster, write results or a service's file, print a summary."""

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
from harness.catalogue import select_cases
from harness.cli.files import require_writable_reports
from harness.cli.names import expand_names
from harness.errors import UsageError, unknown_name
from harness.grading import formats, local, scheme, submissions
from harness.grading.concerns import TITLES, concerns
from harness.grading.grade import FILES, grade, settings_for
from harness.grading.result import Grading
from harness.grading.scheme import Scheme
from harness.grading.unpack_stage import unpack_in_box
from harness.grading.work import Job, JobResult, Settings, is_graded
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import translate as in_language
from harness.model.launch_plan import LaunchPlan
from harness.model.verdict import Verdict
from harness.process import box as boxes
from harness.process.child import temporary_folder
from harness.report import console
from harness.simt.plain import printable

__all__ = ["exit_on_sigterm", "run"]

_REFERENCE = "--backend cpu runs the reference, not what was handed in: choose simulator or max."
NAMED = 10  # people that the summary names for one thing
EVERY = 10.0  # seconds between two lines of progress, where no terminal shows one in the place of the other


def run(arguments: Namespace) -> int:
    """Grade submissions; exit code 0 if everybody was graded, whatever the verdicts, else 3.

    Results go to the folder `--out`, where the same command continues a stopped one. With `--format`, grades one
    person's submission in a temporary folder, and writes only the service's file `--out`, if all is graded.

    Raises:
        UsageError: `--out` is missing, or an argument is wrong.
        EnvironmentFault: The cache, the results, the sandbox or the target cannot be used.
    """
    if arguments.format:
        formats.require_format(arguments.format)
    if arguments.out is None:
        raise UsageError("--out is missing: say which folder the results go to, or with --format which file.")
    points = scheme.read(arguments.assignment, _select_named) if arguments.assignment else Scheme()
    cache = Cache.default()
    cache.require_writable()
    versions.warn_once()  # what compiles is in boxes, whose own words nobody reads
    with contextlib.ExitStack() as resources:
        place = _judge_on_cluster(arguments, cache, resources) if arguments.scheduler else _judge_here(arguments, cache)
        settings = settings_for(place.plan, arguments.seed)
        resources.enter_context(exit_on_sigterm())

        def grade_submissions(
            submissions_to_grade: list[submissions.Submission], folder: Path, seeded: bool
        ) -> Grading:
            where = f"for {place.plan.target}, {place.plan.device}; sandbox: {place.sandbox}"
            print(in_language(where), file=sys.stderr)
            with console.show_progress() as notify:
                return grade(
                    submissions_to_grade,
                    folder,
                    settings,
                    points,
                    place.sandbox,
                    place.judges,
                    seeded=seeded,
                    notify=notify if sys.stderr.isatty() else _throttle(notify),
                )

        if arguments.format:
            require_writable_reports(arguments.out)
            with temporary_folder() as folder:
                (submission,) = _read_submissions(arguments, points.puzzles)
                grading = grade_submissions([submission], folder / "grading", True)
            formats.write(arguments.format, grading, arguments.out)
        else:
            grading = grade_submissions(
                _read_submissions(arguments, points.puzzles), arguments.out, arguments.seed is not None
            )
    return _print_summary(grading, arguments.out, arguments.format)


def _select_named(names: list[str]) -> tuple[Case, ...]:
    """Return the cases of an assignment's names, among which may be `p01-p08`."""
    return select_cases(expand_names(names))


def _read_submissions(arguments: Namespace, puzzles: Sequence[str]) -> list[submissions.Submission]:
    """Read everybody's files of some puzzles, or with a service's form one person's; archives are read in a sandbox."""
    with boxes.SandboxPool(boxes.choose_strongest()) as warm:
        unpack = functools.partial(unpack_in_box, box=warm)
        if arguments.format:
            return [submissions.read_one(arguments.submissions, puzzles, unpack)]
        results = arguments.out
        return submissions.read(arguments.submissions, puzzles, results=results, notify=_to_stderr, unpack=unpack)


@dataclass(frozen=True, slots=True)
class _JudgingPlace:
    """A place that judges files: the plan, a description of the sandbox, and the function that judges jobs."""

    plan: LaunchPlan
    sandbox: str
    judges: Callable[[Iterable[Job], Settings], Iterator[JobResult]]


def _judge_here(arguments: Namespace, cache: Cache) -> _JudgingPlace:
    plan = pipeline.plan(arguments.target, arguments.backend)
    if plan.backend == "cpu":
        raise UsageError(_REFERENCE)
    box = boxes.choose_sandbox(arguments.sandbox)
    workers = 1 if plan.backend == "max" else arguments.workers or local.default_workers()
    sandbox_description = box.description
    if plan.gpus:
        sandbox_description += (
            f"; one process for each file on {plan.device} ({devices.describe_sharing(plan.target, plan.gpus[0])})"
        )
    return _JudgingPlace(
        plan, sandbox_description, lambda jobs, settings: local.judge_all(jobs, settings, box, cache, workers)
    )


def _judge_on_cluster(arguments: Namespace, cache: Cache, resources_to_close: contextlib.ExitStack) -> _JudgingPlace:
    from harness.cluster import grading, resources
    from harness.cluster.orders import LOCAL, Cluster

    if arguments.backend == "cpu":
        raise UsageError(_REFERENCE)
    if arguments.sandbox not in boxes.KINDS:
        raise unknown_name("sandbox", arguments.sandbox, boxes.KINDS)
    if arguments.workers and arguments.scheduler != LOCAL:
        raise UsageError("--workers is for this machine: a worker's own `--simulators` says how many it judges.")
    slots = arguments.workers or local.default_workers()
    cluster = resources_to_close.enter_context(Cluster(arguments.scheduler, slots, cache, _to_stderr))
    plan, need = resources.choose_plan(arguments.target, arguments.backend, cluster.sum_resources())
    needs = [need, *([resources.sandbox_resource(arguments.sandbox)] if arguments.sandbox in ("auto", "bwrap") else [])]
    is_chosen = arguments.sandbox != "auto"
    return _JudgingPlace(
        plan,
        boxes.describe_sandbox(arguments.sandbox)
        if is_chosen
        else resources.describe_sandboxes(cluster.list_workers(), need),
        lambda jobs, settings: grading.judge_files(jobs, settings, arguments.sandbox, cluster, needs),
    )


def _to_stderr(line: str) -> None:
    print(printable(in_language(line)), file=sys.stderr)


@contextlib.contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Let SIGTERM raise `SystemExit(143)` in the block, so that cleanup runs; afterwards the former handler is back."""

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _throttle(notify: Callable[[str], None]) -> Callable[[str], None]:
    last = -EVERY

    def notify_rarely(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            notify(line)

    return notify_rarely


def _format_counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def _print_summary(grading: Grading, out: Path, form: str | None) -> int:
    people = grading.people
    graded_count = sum(person.graded for person in people)
    verdicts = Counter(mode.result.verdict for person in people for mode in person.modes)
    summary = [f"{graded_count} of {len(people)} graded: {_format_counts(verdicts)}"]
    if grading.alike:
        summary.append(
            f"groups of files that are alike: {_format_counts(Counter(group.puzzle for group in grading.alike))}"
        )
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
