"""Why a learner's result is wrong, beside its verdict."""

from __future__ import annotations

from dataclasses import replace

from harness.model.case import Case
from harness.model.report import CaseReport, Plan
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.report.findings import renderer

__all__ = ["tell_indices", "with_indices"]


def tell_indices(case: Case, plan: Plan, sources: Sources) -> None:
    """Prints the indices that arrays' shapes do not have."""
    from harness.learning.indices import indices

    show = renderer(sources)
    for outside in indices(case, plan, sources):
        for line in show.block(outside):
            print(f"  {line}", flush=True)


def with_indices(case: Case, plan: Plan, sources: Sources, told: CaseReport) -> CaseReport:
    """The report of what was never right before: it is right only if its indices are inside of their arrays' shapes."""
    from harness.learning.indices import indices

    outside = indices(case, plan, sources) if plan.backend == "simulator" and told.ok else ()
    if not outside:
        return told
    dataset = replace(told.datasets[0], verdict=Verdict.FINDING, findings=outside)
    return replace(told, verdict=Verdict.FINDING, datasets=(dataset, *told.datasets[1:]), findings=outside)
