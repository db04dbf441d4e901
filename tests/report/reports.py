"""Reports of runs that nobody made."""

from __future__ import annotations

from typing import Any

from harness.model.case import Launch
from harness.model.report import CaseReport, DatasetReport, Plan, RunReport, Verdict
from harness.model.target import Target

__all__ = ["PASSED", "WRONG", "report"]

PASSED = DatasetReport("documented", "PASS")
WRONG = DatasetReport("one-hot", "MISMATCH", "expected 1, got 2")


def report(verdict: Verdict, *datasets: DatasetReport, reason: str = "", findings: tuple[Any, ...] = ()) -> RunReport:
    """A run of one case."""
    case = CaseReport(
        case="p15",
        target="nvidia:sm_90",
        backend="simulator",
        device="d",
        verdict=verdict,
        reason=reason,
        launch=Launch(grid=(1, 1, 1), block=(1, 1, 1)),
        datasets=datasets,
        findings=findings,
    )
    return RunReport(plan=Plan(Target.parse("nvidia"), "simulator", "D", ""), kernels="k", cases=(case,))
