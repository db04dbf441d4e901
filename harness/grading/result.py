"""What a grading came to: for each person each mode, with points, and whose files are alike."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.build.cache import digest
from harness.grading.normal import normal
from harness.grading.scheme import Scheme
from harness.grading.submissions import Handed, Submission
from harness.grading.work import (
    Job,
    JobResult,
    ModeResult,
    Settings,
    graded,
    handed_out,
    python_handed_out,
    python_solution,
    solution,
)
from harness.model.target import Target
from harness.model.verdict import Verdict

__all__ = ["Alike", "Graded", "Grading", "PersonResult", "assembled", "jobs_of"]


@dataclass(frozen=True, slots=True)
class Graded:
    """One mode of one person.

    Attributes:
        result: What became of it.
        file: The name of the file, inside of what was handed in; empty if there is none.
        points: What it is worth.
        most: What it could be.
        data_seed: Of the fresh data of its file.
    """

    result: ModeResult
    file: str
    points: float
    most: float
    data_seed: int = 0


@dataclass(frozen=True, slots=True)
class PersonResult:
    """What became of a submission.

    Attributes:
        person: Whose.
        modes: What became of each.
        files: What was handed in, by puzzle.
    """

    person: str
    modes: tuple[Graded, ...]
    files: Mapping[str, Handed] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """Of all modes."""
        return round(sum(mode.points for mode in self.modes), 6)

    @property
    def most(self) -> float:
        """What all modes are worth."""
        return round(sum(mode.most for mode in self.modes), 6)

    @property
    def graded(self) -> bool:
        """Whether each mode has a verdict on the submission."""
        return all(graded(mode.result.verdict) for mode in self.modes)


@dataclass(frozen=True, slots=True)
class Alike:
    """Files that differ in comments and blank lines at most.

    Attributes:
        puzzle: Whose.
        people: Who handed them in.
        solution: Whether our own solution is one of them.
    """

    puzzle: str
    people: tuple[str, ...]
    solution: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """A whole grading.

    Attributes:
        settings: What all results have in common.
        sandbox: How submissions were shut in, for people.
        people: By name.
        alike: Groups of two or more files, our solutions among them.
        figures: What it took, by name.
    """

    settings: Settings
    sandbox: str
    people: tuple[PersonResult, ...]
    alike: tuple[Alike, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Of the fresh data: that of the first run, then those of files that came later."""
        handed_in = (mode for person in self.people for mode in person.modes if mode.file)
        return tuple(dict.fromkeys((self.settings.data_seed, *(mode.data_seed for mode in handed_in))))

    @property
    def complete(self) -> bool:
        """Whether everybody is graded."""
        return all(person.graded for person in self.people)


def jobs_of(submissions: Sequence[Submission]) -> dict[str, Job]:
    """What is to be judged, each once, by its key."""
    people: dict[Job, list[str]] = {}
    for submission in submissions:
        for puzzle, handed in submission.files.items():
            if not (handed.lack or handed.missing):
                people.setdefault(_job(puzzle, handed), []).append(submission.person)
    return {job.key: replace(job, people=digest(json.dumps(sorted(who)).encode())) for job, who in people.items()}


def _job(puzzle: str, handed: Handed) -> Job:
    return Job(puzzle, handed.text, python=handed.python)


def assembled(
    submissions: Sequence[Submission],
    results: Mapping[str, JobResult],
    scheme: Scheme,
    settings: Settings,
    sandbox: str,
    figures: Mapping[str, float],
    seeds: Mapping[str, int] | None = None,
) -> Grading:
    """Everybody's results, from those of the files.

    Args:
        submissions: Of everybody.
        results: By the job's key; what is missing is told as not graded.
        scheme: What modes are worth.
        settings: What all results have in common.
        sandbox: For people.
        figures: What it took.
        seeds: Of the fresh data, by the job's key; that of the settings unless told.
    """
    people = tuple(_person(submission, results, scheme, settings, seeds or {}) for submission in submissions)
    return Grading(
        settings=settings, sandbox=sandbox, people=people, alike=_alike(submissions, results), figures=figures
    )


def _person(
    submission: Submission,
    results: Mapping[str, JobResult],
    scheme: Scheme,
    settings: Settings,
    seeds: Mapping[str, int],
) -> PersonResult:
    target, modes = Target.parse(settings.target), []
    for case in scheme.cases:
        if case.refusal(target) is not None:
            continue  # nobody can be asked for what the target does not run
        handed = submission.files.get(case.puzzle)
        result = _mode(case.id, case.puzzle, submission, handed, results)
        seed = seeds.get(_job(case.puzzle, handed).key if handed else "", settings.data_seed)
        name, points = handed.name if handed else "", scheme.points(result)
        modes.append(Graded(result, name, points, scheme.most(case.id), seed))
    return PersonResult(submission.person, tuple(modes), submission.files)


def _mode(
    case: str, puzzle: str, submission: Submission, handed: Handed | None, results: Mapping[str, JobResult]
) -> ModeResult:
    if submission.lack and (handed is None or handed.missing):  # it may be what could not be read
        return ModeResult.without_a_run(case, Verdict.UNREADABLE, submission.lack)
    if handed is None:
        return ModeResult.without_a_run(case, Verdict.NOT_ATTEMPTED, f"there is no {puzzle}.mojo")
    if handed.lack:
        return ModeResult.without_a_run(case, Verdict.UNREADABLE, handed.lack)
    if handed.missing:
        return ModeResult.without_a_run(case, Verdict.NOT_ATTEMPTED, f"there is no {handed.missing}")
    judged = results.get(_job(puzzle, handed).key)
    if judged is None:
        return ModeResult.without_a_run(case, Verdict.NOT_GRADED, "the grading was stopped before; run it again")
    return next(mode for mode in judged.modes if mode.case == case)


def _alike(submissions: Sequence[Submission], results: Mapping[str, JobResult]) -> tuple[Alike, ...]:
    groups: dict[tuple[str, tuple[str, str]], list[str]] = {}
    puzzles = {puzzle for submission in submissions for puzzle in submission.files}
    ours = {puzzle: (normal(solution(puzzle)), normal(python_solution(puzzle))) for puzzle in puzzles}
    given = {puzzle: (normal(handed_out(puzzle)), normal(python_handed_out(puzzle))) for puzzle in puzzles}
    for submission in submissions:
        for puzzle, handed in submission.files.items():
            judged = None if handed.missing else results.get(_job(puzzle, handed).key)
            # The file as it was handed out is everybody's.
            own = judged and any(mode.verdict != Verdict.NOT_ATTEMPTED for mode in judged.modes)
            form = normal(handed.text), normal(handed.python)
            if not handed.lack and own and form != given[puzzle]:
                groups.setdefault((puzzle, form), []).append(submission.person)
    found = (Alike(puzzle, tuple(people), ours[puzzle] == form) for (puzzle, form), people in groups.items())
    return tuple(sorted((group for group in found if group.solution or len(group.people) > 1), key=_order))


def _order(group: Alike) -> tuple[str, tuple[str, ...]]:
    return group.puzzle, group.people
