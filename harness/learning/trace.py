"""Record a case's launches in the simulator as JSON traces: steps, chosen blocks, findings, wrong elements.

Named variables need a debug build, which is other code. The recording is of the debug build and the verdict of the
normal build; the trace says whether both agree.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from harness import simt
from harness.backends.base import Outcome, Request
from harness.backends.simulator import SimulatorBackend
from harness.build.unit import Build
from harness.cases.explained import add_cause, find_decisive
from harness.cases.frame_check import drop_frame_remarks
from harness.cases.prepare import CompiledCases, compile_cases
from harness.cases.runner import Runner
from harness.errors import EnvironmentFault
from harness.learning.expected import check_findings, expected_cells, wrong_cells
from harness.learning.findings import locate_finding
from harness.learning.replay import DecodedTrace
from harness.model.case import Case, Instance
from harness.model.language import current_words
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.report.findings import make_renderer
from harness.simt.findings import Finding
from harness.simt.observing.cells import MAX_INITIAL_CELLS
from harness.simt.observing.recorded import recording_to_dict
from harness.simt.observing.recording import LIMIT, Recorder
from harness.simt.render import Renderer

__all__ = ["FORMAT", "LANES", "Limits", "Trace", "build_trace_data", "choose_blocks", "record_case"]

FORMAT = 1
LANES = 4096  # at most so many are shown: whole clusters, those with findings first
Notify = Callable[[str], None]
Dim = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded launch, as plain data for JSON.

    Attributes:
        data: The fields that `docs/pictures.md` describes.
    """

    data: dict[str, Any]

    def compress(self) -> bytes:
        """Return the data as JSON, compressed by gzip; equal traces give equal bytes."""
        text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return gzip.compress(text.encode(), 9, mtime=0)


class LaunchShape(Protocol):
    """The extents of a launch."""

    @property
    def grid(self) -> Dim:
        """Blocks in x, y and z."""

    @property
    def block(self) -> Dim:
        """Threads in x, y and z."""

    @property
    def cluster(self) -> Dim:
        """Blocks of a cluster in x, y and z."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is recorded of a launch.

    Attributes:
        lanes: The most lanes; whole clusters are recorded, and one at least.
        cells: The most cells of a buffer whose first contents are kept.
        size: The most bytes that the steps take compressed.
    """

    lanes: int = LANES
    cells: int = MAX_INITIAL_CELLS
    size: int = LIMIT


def record_case(
    case: Case,
    *,
    plan: LaunchPlan,
    sources: Sources,
    notify: Notify = lambda _: None,
    limits: Limits | None = None,
) -> tuple[list[Trace], CaseReport]:
    """Run a case on all data sets, then record the first launch of each step in a debug build.

    It is recorded on one data set: the first that is wrong, or else the documented one.

    Args:
        case: The case to run.
        plan: A plan for the simulator.
        sources: The kernels' files.
        notify: Called with a line of progress when something is compiled.
        limits: The limits of what is recorded; the usual ones if None.

    Returns:
        The traces, one for each step that ran, and the report of the normal build. A trace's field `agrees` says
        whether both builds did the same; nothing is raised if not.

    Raises:
        CompileError: The kernel does not compile, normally or as a debug build.
        EnvironmentFault: The case does not run on the target.
    """
    case, refusal = plan.case_to_run(case), case.refusal(plan.target)
    if refusal is not None:
        raise EnvironmentFault(f"{case.id} does not run on {plan.target}: {refusal}.")
    debug_options = Build(target=plan.target, sources=sources, notify=notify, debug=True)
    with ThreadPoolExecutor(1) as pool:  # both builds at once
        debug_build = pool.submit(compile_cases, [case], debug_options)
        with Runner([case], plan, sources, notify) as runner:
            if error := runner.find_compile_error(case):
                raise error
            report = add_cause(runner.report(case), case, plan, runner.backend, sources)
            documented = case.instance(plan.target.warp_width)
            size, instance, dataset = find_decisive(report, case, plan) or (case, documented, documented.datasets[0])
            request = Request(case=size, instance=instance, dataset=dataset, fill="poison")
            normal = runner.backend.launch(request)
        compiled = debug_build.result() if size is case else compile_cases([size], debug_options)
        compiled.require(size)
    recorders, outcome = _record(size, instance, plan, compiled, request, normal, limits or Limits())
    findings = drop_frame_remarks(outcome.findings or normal.findings, case, sources)
    if sources.kind == "solutions" and case.puzzle not in sources.overrides and report.ok:
        # Our solution is as it should be, and a remark on it looks like a fault.
        findings = tuple(finding for finding in findings if finding.severity != "information")
    show = make_renderer(sources)
    head = {
        "case": case.id,
        "title": current_words().word("title", case.title),
        "kernel": "",
        "target": plan.target.name,
        "dataset": current_words().word("dataset", dataset.name),
        "catches": request.dataset.catches,
        "program": None,
        "verdict": report.verdict,
        "agrees": _agree(normal, outcome),
        "fault": outcome.failure.reason if outcome.failure else None,
    }
    shapes = {tensor.name: list(tensor.shape) for tensor in instance.tensors}
    checked = () if report.ok else check_findings(report)
    wrong = wrong_cells(request, outcome, {finding.argument for finding in checked})
    traces = []
    last = max((number for number, recorder in recorders.items() if recorder.steps), default=0)
    for number, recorder in recorders.items():
        if not recorder.steps:  # a step before it did not end well
            continue
        launched = outcome.host_launches.get(number)
        kernel = launched[0][0] if launched else case.steps[number].name
        final = number == last  # the results are judged as the last launch leaves them
        judged = checked if final else ()
        # Of what both say, the check names the elements.
        repeated = {finding.id.removeprefix("check.") for finding in judged}
        launch_findings = [
            finding for finding in findings if finding.kernel in ("", kernel) and finding.kind not in repeated
        ]
        heading = head | {"kernel": kernel}
        data = build_trace_data(
            recording_to_dict(recorder), show, [*launch_findings, *judged], heading, shapes, wrong if final else {}
        )
        traces.append(Trace(data))
    return traces, report


def _record(
    case: Case,
    instance: Instance,
    plan: LaunchPlan,
    compiled: CompiledCases,
    request: Request,
    normal: Outcome,
    limits: Limits,
) -> tuple[dict[int, Recorder], Outcome]:
    """Run the debug build and record the first launch of each step (`normal` says what a host function launched).

    Returns:
        The recorders by the index of the step, and the outcome.
    """
    modules = [simt.decode(text, variables=True) for text in compiled.texts[case.id]]
    dtypes = {tensor.name: tensor.dtype for tensor in instance.tensors}
    launches = {number: step.geometries(instance.width)[:1] for number, step in enumerate(case.steps)}
    launches |= {
        number: tuple(launch for _, launch in launched[:1]) for number, launched in normal.host_launches.items()
    }
    recorders = {
        number: Recorder(choose_blocks(launch, normal.findings, limits.lanes), dtypes, limits.size, limits.cells)
        for number, step_launches in launches.items()
        for launch in step_launches
    }
    observed = LaunchPlan(plan.target, plan.backend)
    backend = SimulatorBackend(observed, {case.id: modules}, recorders=recorders, calls=compiled.calls)
    return recorders, backend.launch(request)


def choose_blocks(launch: LaunchShape, findings: Sequence[Finding], lanes: int = LANES) -> list[int] | None:
    """Return the numbers of the blocks to show, ascending, x fastest; None if the whole grid fits.

    As many whole clusters as fit into `lanes` threads, at least one: those with findings first, then in the grid's
    order.
    """
    (gx, gy, gz), (cx, cy, cz) = launch.grid, launch.cluster
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    cluster_limit = max(1, lanes // (threads * cx * cy * cz))
    if gx * gy * gz <= cluster_limit * cx * cy * cz:
        return None

    def cluster(x: int, y: int, z: int) -> tuple[int, int, int]:
        return z // cz, y // cy, x // cx

    with_findings = [cluster(*who.block) for finding in findings for who in finding.who]
    all_clusters = [(z, y, x) for z in range(gz // cz) for y in range(gy // cy) for x in range(gx // cx)]
    selected = set(list(dict.fromkeys([*with_findings, *all_clusters]))[:cluster_limit])
    return [
        x + gx * (y + gy * z) for z in range(gz) for y in range(gy) for x in range(gx) if cluster(x, y, z) in selected
    ]


def _agree(normal: Outcome, debug: Outcome) -> bool:
    """Return whether both builds did the same: kind of failure, results, and findings by id and source location.

    Findings for information, and those that only a shuffled order of threads shows, do not count.
    """

    def summarize(outcome: Outcome) -> object:
        values = {name: observed.values.tobytes() for name, observed in outcome.results.items()}
        # What only another order of the threads shows depends on how the code is cut into pieces.
        bad = [
            finding
            for finding in outcome.findings
            if finding.severity != "information" and "seed" not in finding.values
        ]
        summaries = {(finding.id, tuple((place.file, place.line) for place in finding.sites)) for finding in bad}
        failure = outcome.failure.kind if outcome.failure else None
        return failure, values, summaries

    return summarize(normal) == summarize(debug)


def build_trace_data(
    launch: Mapping[str, Any],
    show: Renderer,
    findings: Sequence[Finding],
    head: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int]],
    wrong: Mapping[str, Mapping[int, str]] | None = None,
) -> dict[str, Any]:
    """Build the data of a trace, as `docs/pictures.md` describes it, from a recorded launch.

    Args:
        launch: The recorder's facts, as `recording_to_dict` returns them.
        show: Renders findings, and reads the source lines.
        findings: The launch's findings.
        head: The fields about the launch as a whole.
        shapes: The arguments' shapes, by name.
        wrong: By result and flat index, the expected value of each element that differs from it.
    """
    lines = [(file, line) for file, line in launch["lines"]]
    files = sorted({file for file, _ in lines})
    data = {
        "format": FORMAT,
        **head,
        **launch,
        "files": [
            {"name": file, "from": _first_line(show, file, lines), "lines": _source_lines(show, file, lines)}
            for file in files
        ],
        "lines": [[files.index(file), line] for file, line in lines],
        "buffers": [{**buffer, "shape": _buffer_shape(buffer, shapes)} for buffer in launch["buffers"]],
    }
    replay = DecodedTrace(data)
    data["expected"] = expected_cells(data, wrong or {})
    return data | {"findings": [locate_finding(finding, show, data, replay) for finding in findings]}


def _buffer_shape(buffer: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the shape of a buffer by its name; only its number of cells if that is unknown or does not match."""
    shape = list(shapes.get(buffer["name"], ()))
    return shape if shape and math.prod(shape) == buffer["cells"] else [buffer["cells"]]


def _first_line(show: Renderer, file: str, lines: Sequence[tuple[str, int]]) -> int:
    """Return the line, from 1, of the `def` or `fn` at or above a file's first line that ran; 1 if there is none.

    If the source is not there, it is the first line that ran.
    """
    source, first = show.source(file), min(line for name, line in lines if name == file)
    if not source:
        return first
    first = min(first, len(source))  # the file may be shorter than it was when the code was compiled
    while first > 1 and not source[first - 1].lstrip().startswith(("def ", "fn ")):
        first -= 1
    return first


def _source_lines(show: Renderer, file: str, lines: Sequence[tuple[str, int]]) -> list[str]:
    source, last = list(show.source(file)), max(line for name, line in lines if name == file)
    while last < len(source) and source[last].startswith((" ", "\t")):
        last += 1
    return source[_first_line(show, file, lines) - 1 : last]
