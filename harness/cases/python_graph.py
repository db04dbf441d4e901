"""The graph that a puzzle's Python builds, beside the verdict on its kernels: a case is right if both are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from harness.build.cache import Cache
from harness.build.graph_check import check
from harness.errors import CompileError, CompileTimeout
from harness.model.case import Case
from harness.model.messages import finding
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.process.box import WarmBoxes, strongest
from harness.simt.findings import Finding

__all__ = ["Checked", "checked", "with_graph"]


class Checked(NamedTuple):
    """What became of a graph: a verdict, and what decided it."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()


def checked(cases: Iterable[Case], sources: Sources, width: int) -> Mapping[str, Checked]:
    """What became of the graphs of those cases that have one, by id.

    Args:
        cases: With a graph or without.
        sources: Whose Python; it runs in boxes.
        width: The target's warp width.

    Raises:
        UsageError: There is no Python file, or it is no text.
        EnvironmentFault: This machine is to blame.
    """
    wanted = [case for case in cases if case.graph]
    if not wanted:
        return {}
    with WarmBoxes(strongest()) as boxes:
        return {case.id: _checked(case, sources, width, boxes) for case in wanted}


def _checked(case: Case, sources: Sources, width: int, boxes: WarmBoxes) -> Checked:
    assert case.graph is not None
    try:
        found = check(case.graph, case.geometry(width), sources.python_file(case), Cache.default(), boxes)
    except CompileError as error:
        lines = tuple({"line": line} for line in error.diagnostics.splitlines())
        told = finding("run.no-graph", reason=str(error), items=lines)
        return Checked(Verdict.TIMEOUT if isinstance(error, CompileTimeout) else Verdict.COMPILE_ERROR, (told,))
    return Checked(Verdict.FINDING if found else Verdict.PASS, found)


def with_graph(report: CaseReport, graph: Checked, case: Case) -> CaseReport:
    """The report of a case's kernels, and of its graph."""
    assert case.graph is not None
    if report.verdict == Verdict.SKIPPED:
        return report
    if graph.verdict != Verdict.PASS:
        verdict = graph.verdict if report.ok else report.verdict
        ordered = (graph.findings, report.findings) if report.ok else (report.findings, graph.findings)
        return replace(report, verdict=verdict, findings=(*ordered[0], *ordered[1]))
    if report.ok and report.backend == "simulator":
        told = finding("graph.asserted", "information", function=case.graph.name)
        return replace(report, findings=(*report.findings, told))
    return report
