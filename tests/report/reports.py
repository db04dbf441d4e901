"""Reports of runs that nobody made."""

from __future__ import annotations

from typing import Any

from harness.model.case import Launch
from harness.model.launch_plan import LaunchPlan
from harness.model.messages import make_finding
from harness.model.report import CaseReport, DatasetReport, RunReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.simt.findings import Finding

__all__ = ["PASSED", "WRONG", "report", "told"]


def told(reason: str) -> Finding:
    """Something wrong, said in words of its own."""
    first, *lines = reason.split("\n")
    return make_finding("run.compile-error", reason=first, items=tuple({"line": line} for line in lines))


PASSED = DatasetReport("documented", "PASS")
WRONG = DatasetReport("one-hot", "MISMATCH", (told("expected 1, got 2"),))


def report(
    verdict: Verdict,
    *datasets: DatasetReport,
    reason: str = "",
    findings: tuple[Finding, ...] = (),
    sources: Sources | None = None,
    **fields: Any,
) -> RunReport:
    """A run of one case; the reason is that of a finding, with a line for each further one of its own."""
    case = CaseReport(
        case="p15",
        target="nvidia:sm_90",
        backend="simulator",
        device="d",
        verdict=verdict,
        launches=(Launch(grid=(1, 1, 1), block=(1, 1, 1)),),
        datasets=datasets,
        findings=(told(reason),) if reason else findings,
        **fields,
    )
    return RunReport(
        plan=LaunchPlan(Target.parse("nvidia"), "simulator", "D", ""), kernels="k", cases=(case,), sources=sources
    )
