"""Judges that need no compiler: the verdict stands in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.grading.submissions import Submission, SubmittedFile
from harness.grading.work import Job, JobResult, ModeResult, Settings

__all__ = ["SETTINGS", "person", "said", "say"]

SETTINGS = Settings(target="nvidia:sm_90", backend="simulator", data_seed=5, versions={"mojo": "1"})


def say(job: Job) -> JobResult:
    """Each mode gets the verdict that the text names: `verdict = "FINDING"`."""
    verdict = (re.search(r'verdict = "(\w+)"', job.text) or ["", "PASS"])[1]
    line = job.text.count("\n", 0, job.text.find("verdict")) + 1
    modes = (
        ModeResult(
            case=case,
            verdict=verdict,
            reason="" if verdict == "PASS" else f"{job.puzzle}.mojo:{line}:5: it is so",
            lines=(f"{case}: {verdict} at {job.puzzle}.mojo:{line}", f"{line:6} | verdict"),
            unkept=("it goes another way",) if "another" in job.text else (),
        )
        for case in job.cases
    )
    return JobResult(key=job.key, people=job.people, modes=tuple(modes), compile_seconds=1.0, peak_bytes=1 << 20)


def said(jobs: Iterable[Job], _settings: Settings) -> Iterator[JobResult]:
    """`say` for several."""
    yield from map(say, jobs)


def person(name: str, **files: str) -> Submission:
    """A submission, by puzzle."""
    return Submission(name, {puzzle: SubmittedFile(f"{puzzle}.mojo", text) for puzzle, text in files.items()})
