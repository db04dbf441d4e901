"""What a grading came to: for each person each mode, with points, and whose files are alike."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.catalogue import CASES
from harness.grading.normal import normal, same_place
from harness.grading.scheme import Scheme
from harness.grading.submissions import Handed, Submission
from harness.grading.work import NOT_ATTEMPTED, NOT_GRADED, UNREADABLE, Job, JobResult, ModeResult, Settings, graded
from harness.model.target import Target

__all__ = ["Alike", "Graded", "Grading", "PersonResult", "assembled", "jobs_of"]


@dataclass(frozen=True, slots=True)
class Graded:
    """One mode of one person.

    Attributes:
        result: What became of it.
        file: The name of the file, inside of what was handed in; empty if there is none.
        points: What it is worth.
        most: What it could be.
    """

    result: ModeResult
    file: str
    points: float
    most: float


@dataclass(frozen=True, slots=True)
class PersonResult:
    """What became of a submission."""

    person: str
    modes: tuple[Graded, ...]

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
    """

    puzzle: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """A whole grading.

    Attributes:
        settings: What all results have in common.
        sandbox: How submissions were shut in, for people.
        people: By name.
        alike: Groups of two or more.
        figures: What it took, by name.
    """

    settings: Settings
    sandbox: str
    people: tuple[PersonResult, ...]
    alike: tuple[Alike, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everybody is graded."""
        return all(person.graded for person in self.people)


def jobs_of(submissions: Sequence[Submission]) -> dict[str, Job]:
    """What is to be judged, each once, by its key."""
    jobs: dict[str, Job] = {}
    for submission in submissions:
        for puzzle, handed in submission.files.items():
            if not handed.lack:
                job = Job(puzzle, handed.text)
                jobs.setdefault(job.key, job)
    return jobs


def assembled(
    submissions: Sequence[Submission],
    results: Mapping[str, JobResult],
    scheme: Scheme,
    settings: Settings,
    sandbox: str,
    figures: Mapping[str, float],
) -> Grading:
    """Everybody's results, from those of the files.

    Args:
        submissions: Of everybody.
        results: By the job's key; what is missing is told as not graded.
        scheme: What modes are worth.
        settings: What all results have in common.
        sandbox: For people.
        figures: What it took.
    """
    people = tuple(_person(submission, results, scheme, settings) for submission in submissions)
    return Grading(
        settings=settings, sandbox=sandbox, people=people, alike=_alike(submissions, results), figures=figures
    )


def _person(
    submission: Submission, results: Mapping[str, JobResult], scheme: Scheme, settings: Settings
) -> PersonResult:
    target, modes = Target.parse(settings.target), []
    for case in CASES:
        if case.refusal(target) is not None:
            continue  # nobody can be asked for what the target does not run
        handed = submission.files.get(case.puzzle)
        result = _mode(case.id, case.puzzle, submission, handed, results)
        modes.append(Graded(result, handed.name if handed else "", scheme.points(result), scheme.most(case.id)))
    return PersonResult(submission.person, tuple(modes))


def _mode(
    case: str, puzzle: str, submission: Submission, handed: Handed | None, results: Mapping[str, JobResult]
) -> ModeResult:
    if submission.lack:
        return _told(case, UNREADABLE, submission.lack)
    if handed is None:
        return _told(case, NOT_ATTEMPTED, f"there is no {puzzle}.mojo")
    if handed.lack:
        return _told(case, UNREADABLE, handed.lack)
    job = Job(puzzle, handed.text)
    judged = results.get(job.key)
    if judged is None:
        return _told(case, NOT_GRADED, "the grading was stopped before; run it again")
    result = next(mode for mode in judged.modes if mode.case == case)
    return result if judged.text == handed.text else _moved(result, puzzle, judged.text, handed.text)


def _told(case: str, verdict: str, reason: str) -> ModeResult:
    return ModeResult(case=case, verdict=verdict, reason=reason, lines=(f"{case}: {reason}",))


def _moved(result: ModeResult, puzzle: str, judged: str, own: str) -> ModeResult:
    """The result with the lines of a file that differs in comments from the one that was judged."""
    # As a place, and in front of a line that is shown.
    place = re.compile(rf"(\b{re.escape(puzzle)}\.mojo:)(\d{{1,6}})|^( *)(\d{{1,6}})(?= \| )")
    theirs, mine = normal(judged), normal(own)

    def moved(match: re.Match[str]) -> str:
        line = same_place(int(match[2] or match[4]), theirs, mine)
        return f"{match[1]}{line}" if match[2] else f"{line:{len(match[0])}}"

    def here(text: str) -> str:
        return place.sub(moved, text)

    return replace(result, reason=here(result.reason), lines=tuple(map(here, result.lines)))


def _alike(submissions: Sequence[Submission], results: Mapping[str, JobResult]) -> tuple[Alike, ...]:
    groups: dict[tuple[str, str], list[str]] = {}
    for submission in submissions:
        for puzzle, handed in submission.files.items():
            key = Job(puzzle, handed.text).key
            judged = results.get(key)
            # The file as it was handed out is everybody's.
            if not handed.lack and judged and any(mode.verdict != NOT_ATTEMPTED for mode in judged.modes):
                groups.setdefault((puzzle, key), []).append(submission.person)
    return tuple(Alike(puzzle, tuple(people)) for (puzzle, _), people in sorted(groups.items()) if len(people) > 1)
