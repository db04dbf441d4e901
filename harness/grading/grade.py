"""Grade all submissions, resuming earlier work: settings, files still to judge, progress lines, report files."""

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
from harness.grading.result import Grading, PersonResult, assemble_grading, collect_jobs
from harness.grading.scheme import Scheme
from harness.grading.store import Store, open_store, write
from harness.grading.submissions import Submission
from harness.grading.work import Job, JobResult, Settings
from harness.model.language import current_language
from harness.model.launch_plan import LaunchPlan

__all__ = ["FILES", "PUZZLES", "grade", "settings_for", "write_reports"]

Notify = Callable[[str], None]
Judges = Callable[[Iterable[Job], Settings], Iterator[JobResult]]
FILES = {
    "results.json": tables.as_json,
    "results.csv": tables.as_csv,
    "junit.xml": tables.as_junit,
    "index.html": page.as_page,
}


def settings_for(plan: LaunchPlan, data_seed: int | None) -> Settings:
    """Return the settings of a new grading: those passed, the installed packages' versions, the current language.

    Args:
        plan: The plan: target and backend.
        data_seed: The seed of the fresh data; None to draw one.
    """
    seed = new_seed() if data_seed is None else data_seed
    return Settings(
        target=plan.target.name,
        backend=plan.backend,
        data_seed=seed,
        versions=package_versions(),
        language=current_language(),
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
    """Grade submissions, continuing where an earlier grading in the folder stopped, and return the grading.

    Stored results are used if they are graded; files as handed out are not judged. Each result is stored as it comes,
    and the reports are written even if judging raises or is interrupted.

    Args:
        submissions: Everybody's submissions.
        folder: The folder for results; see `harness.grading.store`.
        settings: For a new grading; one that goes on keeps its own language, and for the files that it has seen its
            seed. Its other files get the seed of `settings`.
        scheme: The points of each mode.
        sandbox: The description of the sandbox, for people.
        judges: Judges files, here or elsewhere. It is called once for each seed, with the files and settings of that
            seed.
        seeded: Whether the user named the seed; then it must be that of the earlier grading.
        notify: Gets a line when something was done.

    Raises:
        UsageError: The folder is of another grading, or in use; see `open_store`.
        EnvironmentFault: It cannot be written to.
    """
    with open_store(folder, settings, seeded=seeded) as store:
        jobs = collect_jobs(submissions)
        results = {key: result for key, result in store.results(jobs).items() if result.graded}
        seeds = store.assign_seeds(jobs, results)
        before = len(results)
        results |= {
            key: unattempted_result
            for key, job in jobs.items()
            if key not in results and (unattempted_result := unattempted(job))
        }
        already_judged, started = len(results), time.monotonic()
        notify(_to_do(len(jobs) - already_judged, before, already_judged - before))
        try:
            for result in _judge_rest(jobs, results, seeds, store, judges, notify):
                results[result.key] = result
        finally:  # what there is counts, whatever stopped it
            spent = time.monotonic() - started
            figures = _figures(submissions, jobs, results, already_judged, spent)
            grading = assemble_grading(submissions, results, scheme, store.settings, sandbox, figures, seeds)
            write_reports(grading, folder)
    return grading


def _judge_rest(
    jobs: dict[str, Job],
    results: dict[str, JobResult],
    seeds: Mapping[str, int],
    store: Store,
    judges: Judges,
    notify: Notify,
) -> Iterator[JobResult]:
    remaining = [job for key, job in jobs.items() if key not in results]
    started, count = time.monotonic(), 0
    for seed in dict.fromkeys(seeds[job.key] for job in remaining):
        settings = replace(store.settings, data_seed=seed)
        for result in judges([job for job in remaining if seeds[job.key] == seed], settings):
            store.save_result(result)
            count += 1
            rest = (time.monotonic() - started) / count * (len(remaining) - count)
            notify(f"{count} of {len(remaining)} files judged, about {_duration(rest)} left")
            yield result


def _to_do(to_judge: int, before: int, untouched: int) -> str:
    """Return a line that counts files: to judge, and if there are some, judged in an earlier run and as handed out."""
    parts_of_line = [f"to judge: {to_judge}"]
    parts_of_line += [f"judged in an earlier run: {before}"] if before else []
    parts_of_line += [f"as handed out, so nothing to judge: {untouched}"] if untouched else []
    return ", ".join(parts_of_line)


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _figures(
    submissions: Sequence[Submission],
    jobs: dict[str, Job],
    results: dict[str, JobResult],
    already_judged: int,
    seconds: float,
) -> dict[str, float]:
    return {
        "submissions": len(submissions),
        "files": sum(len({file.name for file in submission.files.values()}) for submission in submissions),
        "different_files": len(jobs),
        "judged_now": len(results) - already_judged,
        "seconds": round(seconds, 3),
        "compiler_seconds": round(sum(result.compile_seconds for result in results.values()), 3),
        "judge_seconds": round(sum(result.judge_seconds for result in results.values()), 3),
        "peak_mib": round(max((result.peak_bytes for result in results.values()), default=0) / (1 << 20), 1),
    }


def write_reports(grading: Grading, folder: Path) -> None:
    """Write every report of `FILES` into a folder, and a page for each person; delete pages of people who are gone.

    If making a person's page fails, the page says so instead, and nothing is raised.

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
    """Return the page of a person, or a page with the error if making it fails, so that others get theirs."""
    try:
        return page.as_person(grading, person)
    except Exception as error:  # a defect of ours that one file met
        return page.failure_page(person, error)
