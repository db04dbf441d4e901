"""One case on one backend: every data set, what only repetition shows, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from harness.backends.base import Backend, Fill, Outcome, Request
from harness.backends.guarded import poisoned
from harness.cases import claims as promises
from harness.cases.check import judge
from harness.model.case import Case, Dataset, Instance
from harness.model.report import CaseReport, DatasetReport, Plan

__all__ = ["run_case"]

# On hardware uninitialised memory shows only in what comes of it, so every data set
# runs on memory that holds something else each time.
_FILLS: tuple[Fill, ...] = ("poison", "poison-2", "poison-3")


def run_case(
    case: Case, plan: Plan, backend: Backend, *, build_seconds: float = 0.0, code: str | None = None
) -> CaseReport:
    """Runs a case on all of its data sets.

    On hardware each data set runs once for each poison, and the documented one is
    repeated `case.repetitions` times; the simulator sees uninitialised reads and
    races themselves, and repeats itself exactly.

    Args:
        case: What the plan's target does not refuse.
        plan: On what.
        backend: Executes it.
        build_seconds: Spent on building it.
        code: Its assembly, for the claims about it.
    """
    instance = case.instance(plan.target.warp_width)
    datasets: list[DatasetReport] = []
    outcomes: list[Outcome] = []
    for dataset in instance.datasets:
        report, outcome = _judged(case, instance, dataset, backend, first=not datasets)
        datasets.append(report)
        outcomes.append(outcome)
        if outcome.failure is not None and outcome.failure.kind != "INCOMPLETE":
            break  # a fault or a hang would only repeat itself
    number = next((n for n, dataset in enumerate(datasets) if dataset.verdict not in ("PASS", "REFERENCE")), 0)
    worst = datasets[number]
    verdict, reason = worst.verdict, f"{worst.name}: {worst.reason}" if worst.reason else ""
    documented = outcomes[0]
    checked: tuple[promises.ClaimReport, ...] = ()
    if documented.counters and documented.failure is None:
        checked = promises.check(case, plan.target, documented.counters, code)
    if verdict == "PASS" and (broken := promises.broken(checked)):
        verdict, reason = "FINDING", broken
    return CaseReport(
        case=case.id,
        target=plan.target.name,
        backend=plan.backend,
        device=backend.device,
        verdict=verdict,
        reason=reason,
        launch=instance.launch,
        build_seconds=build_seconds,
        datasets=tuple(datasets),
        run_seconds=sum(dataset.run_seconds for dataset in datasets),
        findings=outcomes[number].findings,
        counters=documented.counters,
        claims=checked,
    )


def _judged(
    case: Case, instance: Instance, dataset: Dataset, backend: Backend, first: bool
) -> tuple[DatasetReport, Outcome]:
    """The verdict of a data set, and the outcome that it rests on."""
    kept: tuple[DatasetReport, Outcome] | None = None
    for request in _requests(case, instance, dataset, backend, first):
        outcome = backend.launch(request)
        report = judge(request, outcome, reference=not backend.executes_kernel)
        if kept and outcome.failure is None and (reason := _followed(instance, kept[1], outcome, request)):
            return DatasetReport(dataset.name, "MISMATCH", reason, report.run_seconds), outcome
        if report.verdict not in ("PASS", "REFERENCE"):
            return report, outcome
        kept = kept or (report, outcome)
    assert kept is not None
    return kept


def _requests(case: Case, instance: Instance, dataset: Dataset, backend: Backend, first: bool) -> Iterator[Request]:
    hardware = backend.name == "max"
    for fill in _FILLS if hardware else _FILLS[:1]:
        repeats = case.repetitions if hardware and first and fill == _FILLS[0] else 1
        yield Request(case=case, instance=instance, dataset=dataset, fill=fill, repeats=repeats)


def _followed(instance: Instance, before: Outcome, after: Outcome, request: Request) -> str:
    """How a result changed with the poison, apart from what nobody wrote."""
    for buffer in instance.results:
        first, other = before.results[buffer.name].values, after.results[buffer.name].values
        unwritten = poisoned(first, _FILLS[0]) & poisoned(other, request.fill)
        changed = np.argwhere((_bits(first) != _bits(other)) & ~unwritten)
        if changed.size:
            index = tuple(int(part) for part in changed[0])
            return (
                f"{buffer.name}{list(index)} is {first[index]} or {other[index]}, "
                "depending on what memory held before the launch"
            )
    return ""


def _bits(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
