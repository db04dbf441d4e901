"""The report of a wrong result, with why it is wrong."""

from __future__ import annotations

from dataclasses import replace

from harness.backends.base import Backend
from harness.backends.simulator import SimulatorBackend
from harness.cases.case_run import further_name
from harness.cases.fresh import instance_of
from harness.cases.reasons import reason
from harness.model.case import Case
from harness.model.report import CaseReport, Plan
from harness.model.sources import Sources

__all__ = ["with_reason"]


def with_reason(
    report: CaseReport, case: Case, plan: Plan, backend: Backend, sources: Sources, data_seed: int | None
) -> CaseReport:
    """The report of a case with a wrong result, and behind that finding what its first wrong element is made of.

    Args:
        report: Of the case.
        case: Which.
        plan: The simulator's.
        backend: That of the plan.
        sources: Whose kernels.
        data_seed: With which data was drawn beside the documented sets.
    """
    wrong = next((at for at, told in enumerate(report.findings) if told.id.startswith("check.wrong-value")), None)
    if wrong is None or report.decisive is None or case.called or not isinstance(backend, SimulatorBackend):
        return report
    width = plan.target.warp_width
    for size in plan.sized(case).sizes:
        instance = instance_of(size, width, data_seed)
        for dataset in instance.datasets:
            named = dataset.name if size.id == case.id else further_name(dataset.name, size, width)
            if report.decisive.name == named:
                lines = sources.kernel_file(case).read_text(encoding="utf-8").split("\n")
                told = reason(size, instance, dataset, backend, report.findings[wrong].argument or "", lines)
                behind = () if told is None else (told,)
                return replace(report, findings=(*report.findings[: wrong + 1], *behind, *report.findings[wrong + 1 :]))
    return report
