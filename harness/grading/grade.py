"""Grades everybody: reads, judges what is not judged yet, and writes the reports."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.build.toolchain import package_versions
from harness.cases.fresh import new_seed
from harness.catalogue import PUZZLES
from harness.grading import page, tables
from harness.grading.judge import unattempted
from harness.grading.result import Grading, PersonResult, assembled, jobs_of
from harness.grading.scheme import Scheme
from harness.grading.store import Store, opened, write
from harness.grading.submissions import Submission
from harness.grading.work import Job, JobResult, Settings
from harness.model.language import language
from harness.model.report import Plan

__all__ = ["FILES", "PUZZLES", "grade", "settings_for", "write_reports"]

Notify = Callable[[str], None]
Judges = Callable[[Iterable[Job], Settings], Iterator[JobResult]]
FILES = {
    "results.json": tables.as_json,
    "results.csv": tables.as_csv,
    "junit.xml": tables.as_junit,
    "index.html": page.as_page,
}


def settings_for(plan: Plan, data_seed: int | None) -> Settings:
    """What all results of a grading have in common.

    Args:
        plan: What runs on what.
        data_seed: Of the fresh data; drawn unless told.
    """
    seed = new_seed() if data_seed is None else data_seed
    return Settings(
        target=plan.target.name,
        backend=plan.backend,
        data_seed=seed,
        versions=package_versions(),
        language=language(),
    )


def grade(
    submissions: Sequence[Submission],
    folder: Path,
    settings: Settings,
    scheme: Scheme,
    sandbox: str,
    judges: Judges,
    *,
    seeded: bool = False,
    notify: Notify = lambda _: None,
) -> Grading:
    """Grades submissions, going on where an earlier grading in the folder stopped.

    Args:
        submissions: Of everybody.
        folder: Where results go; see `harness.grading.store`.
        settings: For a new grading; one that goes on keeps its own language, and for the files that it has seen its
            seed. Its other files get the seed of `settings`.
        scheme: What modes are worth.
        sandbox: How submissions are shut in, for people.
        judges: Judges files, here or elsewhere.
        seeded: Whether the seed was asked for.
        notify: Gets a line when something was done.

    Raises:
        UsageError: The folder is of another grading.
        EnvironmentFault: It cannot be written to.
    """
    with opened(folder, settings, seeded=seeded) as store:
        jobs = jobs_of(submissions)
        results = {key: result for key, result in store.results(jobs).items() if result.graded}
        seeds = store.assign_seeds(jobs, results)
        before = len(results)
        results |= {key: done for key, job in jobs.items() if key not in results and (done := unattempted(job))}
        kept, started = len(results), time.monotonic()
        notify(_to_do(len(jobs) - kept, before, kept - before))
        try:
            for result in _judged(jobs, results, seeds, store, judges, notify):
                results[result.key] = result
        finally:  # what there is counts, whatever stopped it
            spent = time.monotonic() - started
            figures = _figures(submissions, jobs, results, kept, spent)
            grading = assembled(submissions, results, scheme, store.settings, sandbox, figures, seeds)
            write_reports(grading, folder)
    return grading


def _judged(
    jobs: dict[str, Job],
    results: dict[str, JobResult],
    seeds: Mapping[str, int],
    store: Store,
    judges: Judges,
    notify: Notify,
) -> Iterator[JobResult]:
    left = [job for key, job in jobs.items() if key not in results]
    started, done = time.monotonic(), 0
    for seed in dict.fromkeys(seeds[job.key] for job in left):
        settings = replace(store.settings, data_seed=seed)
        for result in judges([job for job in left if seeds[job.key] == seed], settings):
            store.put(result)
            done += 1
            rest = (time.monotonic() - started) / done * (len(left) - done)
            notify(f"{done} of {len(left)} files judged, about {_duration(rest)} left")
            yield result


def _to_do(left: int, before: int, untouched: int) -> str:
    """What there is to do of the files that differ, and what is done: judged earlier, or as it was handed out."""
    told = [f"to judge: {left}"]
    told += [f"judged in an earlier run: {before}"] if before else []
    told += [f"as handed out, so nothing to judge: {untouched}"] if untouched else []
    return ", ".join(told)


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _figures(
    submissions: Sequence[Submission],
    jobs: dict[str, Job],
    results: dict[str, JobResult],
    kept: int,
    seconds: float,
) -> dict[str, float]:
    return {
        "submissions": len(submissions),
        "files": sum(len({handed.name for handed in submission.files.values()}) for submission in submissions),
        "different_files": len(jobs),
        "judged_now": len(results) - kept,
        "seconds": round(seconds, 3),
        "compiler_seconds": round(sum(result.compile_seconds for result in results.values()), 3),
        "judge_seconds": round(sum(result.judge_seconds for result in results.values()), 3),
        "peak_mib": round(max((result.peak_bytes for result in results.values()), default=0) / (1 << 20), 1),
    }


def write_reports(grading: Grading, folder: Path) -> None:
    """Writes every report into a folder, and a page for each person.

    Raises:
        EnvironmentFault: It is read-only or full.
    """
    for name, make in FILES.items():
        write(folder / name, make(grading))
    places = {folder / page.place_of(number): person for number, person in enumerate(grading.people, 1)}
    for place, person in places.items():
        write(place, _page(grading, person))
    for former in (folder / page.place_of(1)).parent.glob("*.html"):  # of a grading of more people
        if former not in places:
            former.unlink()


def _page(grading: Grading, person: PersonResult) -> bytes:
    """The page of a person; one that nothing can be made of tells why, and costs nobody else theirs."""
    try:
        return page.as_person(grading, person)
    except Exception as error:  # a defect of ours that one file met
        return page.unmade(person, error)
