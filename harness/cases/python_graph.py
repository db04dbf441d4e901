"""The graph that a puzzle's Python builds, beside the verdict on its kernels: a case is right if both are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import versions
from harness.build.blame import find_solution
from harness.build.cache import Cache
from harness.build.graph_check import check_graph
from harness.build.graph_reading import make_no_graph_error, quote
from harness.cases import python_stage
from harness.cases.python_stage import PythonOrder
from harness.errors import CompileError, CompileTimeout, EnvironmentFault, PythonError
from harness.model.case import Case
from harness.model.messages import make_finding
from harness.model.project import installed_version
from harness.model.report import CaseReport
from harness.model.sources import PYTHON, Sources, display_path
from harness.model.verdict import Verdict
from harness.process.box import AnySandbox, SandboxPool, choose_strongest
from harness.simt.findings import Finding

__all__ = ["Checked", "checked", "graph_of", "with_graph"]


@dataclass(frozen=True, slots=True)
class Checked:
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
    with SandboxPool(choose_strongest()) as boxes:
        files = [sources.python_file(case) for case in wanted]
        cache = Cache.default()
        return {
            case.id: graph_of(case, file, None, width, cache, boxes) for case, file in zip(wanted, files, strict=True)
        }


def graph_of(case: Case, file: Path, text: str | None, width: int, cache: Cache, box: AnySandbox) -> Checked:
    """What became of the graph of a case.

    Args:
        case: With a graph.
        file: The Python.
        text: What that holds, where there is no such file.
        width: The target's warp width.
        cache: Where what it did may be, and goes.
        box: What it is run in.

    Raises:
        EnvironmentFault: This machine is to blame.
    """
    assert case.graph is not None
    seen = _graph_of(case, file, text, width, cache, box)
    own = find_solution(case)
    if (
        seen.verdict == Verdict.PASS
        or not versions.untested_warning()
        or own is None
        or own.with_suffix(PYTHON) == file
    ):
        return seen
    # A pair that is not tested may write graphs in another way: our own solution tells whose fault it is.
    if _graph_of(case, own.with_suffix(PYTHON), None, width, cache, box).verdict not in (Verdict.PASS, Verdict.SKIPPED):
        named = display_path(own.with_suffix(PYTHON))
        raise EnvironmentFault(
            f"the graph of our own {named} is not understood with {versions.installed_pair()} either."
        )
    return seen


def _graph_of(case: Case, file: Path, text: str | None, width: int, cache: Cache, box: AnySandbox) -> Checked:
    assert case.graph is not None
    try:
        if case.graph.torch and not installed_version("torch"):
            return _without_torch(case, file, file.read_text(encoding="utf-8") if text is None else text, box)
        found = check_graph(case.graph, case.geometry(width), file, cache, box, text)
    except CompileError as error:
        told = make_finding("run.no-graph", reason=str(error), items=error.items)
        return Checked(_verdict_on(error), (told,))
    return Checked(Verdict.FINDING if found else Verdict.PASS, found)


def _verdict_on(error: CompileError) -> Verdict:
    if isinstance(error, CompileTimeout):
        return Verdict.TIMEOUT
    return Verdict.LAUNCH_ERROR if isinstance(error, PythonError) else Verdict.COMPILE_ERROR


def _without_torch(case: Case, file: Path, text: str, box: AnySandbox) -> Checked:
    """Of Python that cannot be run it is seen whether it is some, and filled in. What becomes of it is known of our own
    alone: any other is not judged, rather than right.
    """
    graph = case.graph
    assert graph is not None
    solution = Sources().python_file(case).read_text(encoding="utf-8")
    order = PythonOrder(
        text=text,
        handed_out=graph.handout.problem(solution),
        solution=solution,
        function=graph.name,
        limits=python_stage.LIMITS,
    )
    done = python_stage.STAGE.ask(order, box)
    if done.result is None:
        if done.blame == "machine":
            raise EnvironmentFault(f"{display_path(file)} could not be read: {done.reason}.")
        raise make_no_graph_error(graph, file, done.reason)
    if done.result.error:
        place = f"{display_path(file)}:{max(done.result.line, 1)}:1"
        raise make_no_graph_error(graph, file, "it ends with an error", f"{place}: error: {quote(done.result.error)}")
    if done.result.empty:
        return Checked(Verdict.FINDING, (make_finding("graph.uncalled", function=graph.name),))
    told = make_finding("graph.no-torch", "information", function=graph.name, op=graph.op)
    return Checked(Verdict.PASS if done.result.solved else Verdict.SKIPPED, (told,))


def with_graph(report: CaseReport, graph: Checked, case: Case) -> CaseReport:
    """The report of a case's kernels, and of its graph."""
    assert case.graph is not None
    if report.verdict == Verdict.SKIPPED:
        return report
    if graph.verdict != Verdict.PASS:
        verdict = graph.verdict if report.ok else report.verdict
        ordered = (graph.findings, report.findings) if report.ok else (report.findings, graph.findings)
        return replace(report, verdict=verdict, findings=(*ordered[0], *ordered[1]))
    if graph.findings:
        return replace(report, findings=(*report.findings, *graph.findings))
    if report.ok and report.backend == "simulator":
        told = make_finding("graph.checked_devices", "information", function=case.graph.name)
        return replace(report, findings=(*report.findings, told))
    return report
