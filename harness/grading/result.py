"""Collect the files to judge; assemble people's modes with points, and groups of similar files; their records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.build.cache import sha256_hex
from harness.grading.normal import normalize
from harness.grading.scheme import Scheme
from harness.grading.submissions import Submission, SubmittedFile
from harness.grading.work import (
    Job,
    JobResult,
    ModeResult,
    Settings,
    is_graded,
    original_python,
    original_text,
    solution_python,
    solution_text,
)
from harness.model.target import Target
from harness.model.verdict import Verdict

__all__ = ["GradedMode", "Grading", "PersonResult", "SimilarFiles", "assemble_grading", "collect_jobs"]


@dataclass(frozen=True, slots=True)
class GradedMode:
    """One mode of one person.

    Attributes:
        result: The result.
        file: The name of the file, inside of what was handed in; empty if there is none.
        points: The points that it gives.
        most: The points that it could give.
        data_seed: The seed of the fresh data of its file.
    """

    result: ModeResult
    file: str
    points: float
    most: float
    data_seed: int = 0


@dataclass(frozen=True, slots=True)
class PersonResult:
    """The results of one submission.

    Attributes:
        person: The person's name.
        modes: The result of each mode.
        files: The files that were handed in, by puzzle.
    """

    person: str
    modes: tuple[GradedMode, ...]
    files: Mapping[str, SubmittedFile] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """The points of all modes together."""
        return round(sum(mode.points for mode in self.modes), 6)

    @property
    def most(self) -> float:
        """The points that all modes could give."""
        return round(sum(mode.most for mode in self.modes), 6)

    @property
    def graded(self) -> bool:
        """True if each mode has a verdict on the submission."""
        return all(is_graded(mode.result.verdict) for mode in self.modes)


@dataclass(frozen=True, slots=True)
class SimilarFiles:
    """Files that differ in comments and blank lines at most.

    Attributes:
        puzzle: The puzzle.
        people: The people who handed them in.
        solution: Whether our own solution is one of them.
    """

    puzzle: str
    people: tuple[str, ...]
    solution: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """A whole grading.

    Attributes:
        settings: The settings that all results share.
        sandbox: The description of the sandbox, for people.
        people: The results of each person, by name.
        alike: Groups of two or more files, our solutions among them.
        figures: The costs of the grading (seconds, files and such), by name.
    """

    settings: Settings
    sandbox: str
    people: tuple[PersonResult, ...]
    alike: tuple[SimilarFiles, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the fresh data, each once: that of the first run, then those of later files."""
        handed_in = (mode for person in self.people for mode in person.modes if mode.file)
        return tuple(dict.fromkeys((self.settings.data_seed, *(mode.data_seed for mode in handed_in))))

    @property
    def complete(self) -> bool:
        """True if everybody is graded."""
        return all(person.graded for person in self.people)


def collect_jobs(submissions: Sequence[Submission]) -> dict[str, Job]:
    """Return the jobs of all files that are complete and readable, by key; equal files are one job.

    A job's `people` is a digest of the names of all who handed it in.
    """
    people: dict[Job, list[str]] = {}
    for submission in submissions:
        for puzzle, file in submission.files.items():
            if not (file.lack or file.missing):
                people.setdefault(_job(puzzle, file), []).append(submission.person)
    return {job.key: replace(job, people=sha256_hex(json.dumps(sorted(who)).encode())) for job, who in people.items()}


def _job(puzzle: str, file: SubmittedFile) -> Job:
    return Job(puzzle, file.text, python=file.python)


def assemble_grading(
    submissions: Sequence[Submission],
    results: Mapping[str, JobResult],
    scheme: Scheme,
    settings: Settings,
    sandbox: str,
    figures: Mapping[str, float],
    seeds: Mapping[str, int] | None = None,
) -> Grading:
    """Assemble everybody's results from those of the files; modes that the target does not run are left out.

    Args:
        submissions: Everybody's submissions.
        results: The results of the files, by the job's key; what is missing counts as not graded.
        scheme: The points of each mode.
        settings: The settings that all results share.
        sandbox: The description of the sandbox, for people.
        figures: The costs of the grading, by name.
        seeds: The seeds of the fresh data, by the job's key; without one it is that of the settings.
    """
    people = tuple(_person(submission, results, scheme, settings, seeds or {}) for submission in submissions)
    return Grading(
        settings=settings,
        sandbox=sandbox,
        people=people,
        alike=_find_similar_files(submissions, results),
        figures=figures,
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
        file = submission.files.get(case.puzzle)
        result = _mode(case.id, case.puzzle, submission, file, results)
        seed = seeds.get(_job(case.puzzle, file).key if file else "", settings.data_seed)
        name, points = file.name if file else "", scheme.points(result)
        modes.append(GradedMode(result, name, points, scheme.most(case.id), seed))
    return PersonResult(submission.person, tuple(modes), submission.files)


def _mode(
    case: str, puzzle: str, submission: Submission, file: SubmittedFile | None, results: Mapping[str, JobResult]
) -> ModeResult:
    if submission.lack and (file is None or file.missing):  # it may be what could not be read
        return ModeResult.without_a_run(case, Verdict.UNREADABLE, submission.lack)
    if file is None:
        return ModeResult.without_a_run(case, Verdict.NOT_ATTEMPTED, f"there is no {puzzle}.mojo")
    if file.lack:
        return ModeResult.without_a_run(case, Verdict.UNREADABLE, file.lack)
    if file.missing:
        return ModeResult.without_a_run(case, Verdict.NOT_ATTEMPTED, f"there is no {file.missing}")
    judged = results.get(_job(puzzle, file).key)
    if judged is None:
        return ModeResult.without_a_run(case, Verdict.NOT_GRADED, "the grading was stopped before; run it again")
    return next(mode for mode in judged.modes if mode.case == case)


def _find_similar_files(
    submissions: Sequence[Submission], results: Mapping[str, JobResult]
) -> tuple[SimilarFiles, ...]:
    groups: dict[tuple[str, tuple[str, str]], list[str]] = {}
    puzzles = {puzzle for submission in submissions for puzzle in submission.files}
    ours = {puzzle: (normalize(solution_text(puzzle)), normalize(solution_python(puzzle))) for puzzle in puzzles}
    original = {puzzle: (normalize(original_text(puzzle)), normalize(original_python(puzzle))) for puzzle in puzzles}
    for submission in submissions:
        for puzzle, file in submission.files.items():
            judged = None if file.missing else results.get(_job(puzzle, file).key)
            # The file as it was handed out is everybody's.
            was_attempted = judged and any(mode.verdict != Verdict.NOT_ATTEMPTED for mode in judged.modes)
            form = normalize(file.text), normalize(file.python)
            if not file.lack and was_attempted and form != original[puzzle]:
                groups.setdefault((puzzle, form), []).append(submission.person)
    similar = (SimilarFiles(puzzle, tuple(people), ours[puzzle] == form) for (puzzle, form), people in groups.items())
    return tuple(sorted((group for group in similar if group.solution or len(group.people) > 1), key=_order))


def _order(group: SimilarFiles) -> tuple[str, tuple[str, ...]]:
    return group.puzzle, group.people
