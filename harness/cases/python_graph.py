"""Check the graphs that puzzles' Python builds, or only its text without torch; merge the verdicts into reports."""

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

__all__ = ["GraphVerdict", "check_case_graph", "check_case_graphs", "merge_graph_verdict"]


@dataclass(frozen=True, slots=True)
class GraphVerdict:
    """The verdict on a graph, with the findings that decided it."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()


def check_case_graphs(cases: Iterable[Case], sources: Sources, width: int) -> Mapping[str, GraphVerdict]:
    """Check the graphs of the cases that have one; return the verdicts by case id, empty if none has one.

    Args:
        cases: The cases, with a graph or without.
        sources: The files with the Python; it runs in boxes.
        width: The target's warp width.

    Raises:
        UsageError: There is no Python file, or it is no text.
        EnvironmentFault: This machine is to blame.
    """
    graph_cases = [case for case in cases if case.graph]
    if not graph_cases:
        return {}
    with SandboxPool(choose_strongest()) as boxes:
        files = [sources.python_file(case) for case in graph_cases]
        cache = Cache.default()
        return {
            case.id: check_case_graph(case, file, None, width, cache, boxes)
            for case, file in zip(graph_cases, files, strict=True)
        }


def check_case_graph(
    case: Case, file: Path, text: str | None, width: int, cache: Cache, box: AnySandbox
) -> GraphVerdict:
    """Check the graph of one case and return its verdict.

    PASS or FINDING is the result of the check; SKIPPED means that torch is missing. If the Python builds no graph, the
    verdict is TIMEOUT, LAUNCH_ERROR if it ended with an error, or else COMPILE_ERROR: its errors are not raised.

    Args:
        case: The case; it has a graph.
        file: The Python file.
        text: The file's text if there is no such file here; None to read it.
        width: The target's warp width.
        cache: The cache of what the Python did.
        box: The sandbox in which it runs.

    Raises:
        EnvironmentFault: This machine is to blame; or an untested pair of versions, if our own solution's graph is not
            understood either.
    """
    assert case.graph is not None
    outcome = _check_graph(case, file, text, width, cache, box)
    solution = find_solution(case)
    if (
        outcome.verdict == Verdict.PASS
        or not versions.untested_warning()
        or solution is None
        or solution.with_suffix(PYTHON) == file
    ):
        return outcome
    # A pair that is not tested may write graphs in another way: our own solution tells whose fault it is.
    if _check_graph(case, solution.with_suffix(PYTHON), None, width, cache, box).verdict not in (
        Verdict.PASS,
        Verdict.SKIPPED,
    ):
        shown_path = display_path(solution.with_suffix(PYTHON))
        raise EnvironmentFault(
            f"the graph of our own {shown_path} is not understood with {versions.installed_pair()} either."
        )
    return outcome


def _check_graph(case: Case, file: Path, text: str | None, width: int, cache: Cache, box: AnySandbox) -> GraphVerdict:
    assert case.graph is not None
    try:
        if case.graph.torch and not installed_version("torch"):
            return _judge_without_torch(case, file, file.read_text(encoding="utf-8") if text is None else text, box)
        findings = check_graph(case.graph, case.geometry(width), file, cache, box, text)
    except CompileError as error:
        failure = make_finding("run.no-graph", reason=str(error), items=error.items)
        return GraphVerdict(_verdict_on(error), (failure,))
    return GraphVerdict(Verdict.FINDING if findings else Verdict.PASS, findings)


def _verdict_on(error: CompileError) -> Verdict:
    if isinstance(error, CompileTimeout):
        return Verdict.TIMEOUT
    return Verdict.LAUNCH_ERROR if isinstance(error, PythonError) else Verdict.COMPILE_ERROR


def _judge_without_torch(case: Case, file: Path, text: str, box: AnySandbox) -> GraphVerdict:
    """Judge Python that needs torch, which is missing here.

    A function that is still as handed out is a FINDING (`graph.uncalled`). Our own solution is a PASS, anything else
    SKIPPED, since it cannot be run; both with the remark `graph.no-torch`.

    Raises:
        EnvironmentFault: This machine is to blame.
        CompileError: The Python ends its box, does not parse, or lacks the function.
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
    reply = python_stage.STAGE.ask(order, box)
    if reply.result is None:
        if reply.blame == "machine":
            raise EnvironmentFault(f"{display_path(file)} could not be read: {reply.reason}.")
        raise make_no_graph_error(graph, file, reply.reason)
    if reply.result.error:
        place = f"{display_path(file)}:{max(reply.result.line, 1)}:1"
        raise make_no_graph_error(graph, file, "it ends with an error", f"{place}: error: {quote(reply.result.error)}")
    if reply.result.empty:
        return GraphVerdict(Verdict.FINDING, (make_finding("graph.uncalled", function=graph.name),))
    remark = make_finding("graph.no-torch", "information", function=graph.name, op=graph.op)
    return GraphVerdict(Verdict.PASS if reply.result.solved else Verdict.SKIPPED, (remark,))


def merge_graph_verdict(report: CaseReport, graph: GraphVerdict, case: Case) -> CaseReport:
    """Return the report of a case's kernels with the verdict on its graph merged in.

    A skipped report is returned as it is. A graph's verdict other than PASS, SKIPPED too, decides if the kernels are
    right; else its findings come after theirs. In the simulator a right report says that the graph was
    checked, not executed.
    """
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
        remark = make_finding("graph.asserted", "information", function=case.graph.name)
        return replace(report, findings=(*report.findings, remark))
    return report
