"""What a kernel did, step by step: a case's launch in the simulator, recorded.

Named variables need a debug build, which is other code: the recording is of that one, the
verdict of the normal build, and whether both agree is checked and told.
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
from harness.cases.case_run import further_name
from harness.cases.explained import with_cause
from harness.cases.frame_check import without_frame
from harness.cases.prepare import CompiledCases, compile_cases
from harness.cases.runner import Runner
from harness.errors import EnvironmentFault
from harness.learning.expected import check_findings, expected_cells, wrong_cells
from harness.learning.findings import located
from harness.learning.replay import Replay
from harness.model.case import Case, Instance
from harness.model.language import chosen
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.report.findings import make_renderer
from harness.simt.findings import Finding
from harness.simt.observing.cells import MAX_INITIAL_CELLS
from harness.simt.observing.recorded import recording_to_dict
from harness.simt.observing.recording import LIMIT, Recorder
from harness.simt.render import Renderer

__all__ = ["FORMAT", "LANES", "Limits", "Trace", "of_case", "recorded", "shown_blocks"]

FORMAT = 1
LANES = 4096  # at most so many are shown: whole clusters, those with findings first
Notify = Callable[[str], None]
Dim = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded launch, as plain data that becomes JSON.

    Attributes:
        data: What a page needs; `docs/pictures.md` has its fields.
    """

    data: dict[str, Any]

    def packed(self) -> bytes:
        """Compressed; equal traces give equal bytes."""
        text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return gzip.compress(text.encode(), 9, mtime=0)


class Shape(Protocol):
    """The shape of a launch."""

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
    """What is recorded of a launch at most.

    Attributes:
        lanes: Of whole clusters, of which one is recorded at least.
        cells: Of a buffer whose first contents are kept.
        size: Bytes that the steps take compressed.
    """

    lanes: int = LANES
    cells: int = MAX_INITIAL_CELLS
    size: int = LIMIT


def of_case(
    case: Case,
    *,
    plan: LaunchPlan,
    sources: Sources,
    notify: Notify = lambda _: None,
    limits: Limits | None = None,
) -> tuple[list[Trace], CaseReport]:
    """Runs a case on all of its data sets, and records each launch on the first that fails, or else the documented one.

    Args:
        case: What to run.
        plan: For the simulator.
        sources: Whose kernel.
        notify: Gets one line when something is compiled.
        limits: What is recorded at most; the usual limits if None.

    Raises:
        CompileError: The kernel does not compile.
        EnvironmentFault: The target refuses the case.
    """
    case, refusal = plan.sized(case), case.refusal(plan.target)
    if refusal is not None:
        raise EnvironmentFault(f"{case.id} does not run on {plan.target}: {refusal}.")
    debug = Build(target=plan.target, sources=sources, notify=notify, debug=True)
    with ThreadPoolExecutor(1) as pool:  # both builds at once
        named = pool.submit(compile_cases, [case], debug)
        with Runner([case], plan, sources, notify) as runner:
            if error := runner.failed(case):
                raise error
            report = with_cause(runner.report(case), case, plan, runner.backend, sources)
            size, dataset = _decisive(case, report, plan.target.warp_width)
            instance = size.instance(plan.target.warp_width)
            request = Request(case=size, instance=instance, dataset=instance.dataset(dataset), fill="poison")
            normal = runner.backend.launch(request)
        compiled = named.result() if size is case else compile_cases([size], debug)
        compiled.require(size)
    recorders, outcome = _record(size, instance, plan, compiled, request, normal, limits or Limits())
    findings = without_frame(outcome.findings or normal.findings, case, sources)
    if sources.kind == "solutions" and case.puzzle not in sources.overrides and report.ok:
        # Our solution is as it should be, and a remark on it looks like a fault.
        findings = tuple(finding for finding in findings if finding.severity != "information")
    show = make_renderer(sources)
    head = {
        "case": case.id,
        "title": chosen().word("title", case.title),
        "kernel": "",
        "target": plan.target.name,
        "dataset": chosen().word("dataset", dataset),
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
        made = outcome.made.get(number)
        kernel = made[0][0] if made else case.steps[number].name
        final = number == last  # the results are judged as the last launch leaves them
        judged = checked if final else ()
        # Of what both say, the check names the elements.
        repeated = {finding.id.removeprefix("check.") for finding in judged}
        own = [finding for finding in findings if finding.kernel in ("", kernel) and finding.kind not in repeated]
        heading = head | {"kernel": kernel}
        data = recorded(recording_to_dict(recorder), show, [*own, *judged], heading, shapes, wrong if final else {})
        traces.append(Trace(data))
    return traces, report


def _decisive(case: Case, report: CaseReport, width: int) -> tuple[Case, str]:
    """The case at the launch at which a data set decided its verdict, and that data set; the first if all is right."""
    name = report.decisive.name if report.decisive else case.instance(width).datasets[0].name
    beside = ((size, dataset.name) for size in case.sizes[1:] for dataset in size.instance(width).datasets)
    return next(((size, own) for size, own in beside if name == further_name(own, size, width)), (case, name))


def _record(
    case: Case,
    instance: Instance,
    plan: LaunchPlan,
    compiled: CompiledCases,
    request: Request,
    normal: Outcome,
    limits: Limits,
) -> tuple[dict[int, Recorder], Outcome]:
    """Record the launches of the debug build: of a host function the first, if it made one."""
    modules = [simt.decode(text, variables=True) for text in compiled.texts[case.id]]
    dtypes = {tensor.name: tensor.dtype for tensor in instance.tensors}
    launches = {number: step.made(instance.width)[:1] for number, step in enumerate(case.steps)}
    launches |= {number: tuple(launch for _, launch in made[:1]) for number, made in normal.made.items()}
    recorders = {
        number: Recorder(shown_blocks(launch, normal.findings, limits.lanes), dtypes, limits.size, limits.cells)
        for number, own in launches.items()
        for launch in own
    }
    observed = LaunchPlan(plan.target, plan.backend)
    backend = SimulatorBackend(observed, {case.id: modules}, recorders=recorders, calls=compiled.calls)
    return recorders, backend.launch(request)


def shown_blocks(launch: Shape, findings: Sequence[Finding], lanes: int = LANES) -> list[int] | None:
    """The blocks to show where not all can be: whole clusters, those that findings name first; else None."""
    (gx, gy, gz), (cx, cy, cz) = launch.grid, launch.cluster
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    room = max(1, lanes // (threads * cx * cy * cz))
    if gx * gy * gz <= room * cx * cy * cz:
        return None

    def cluster(x: int, y: int, z: int) -> tuple[int, int, int]:
        return z // cz, y // cy, x // cx

    named = [cluster(*who.block) for finding in findings for who in finding.who]
    every = [(z, y, x) for z in range(gz // cz) for y in range(gy // cy) for x in range(gx // cx)]
    wanted = set(list(dict.fromkeys([*named, *every]))[:room])
    return [
        x + gx * (y + gy * z) for z in range(gz) for y in range(gy) for x in range(gx) if cluster(x, y, z) in wanted
    ]


def _agree(normal: Outcome, debug: Outcome) -> bool:
    """Whether both builds did the same: results, and the findings by what and where."""

    def seen(outcome: Outcome) -> object:
        values = {name: observed.values.tobytes() for name, observed in outcome.results.items()}
        # What only another order of the threads shows depends on how the code is cut into pieces.
        bad = [
            finding
            for finding in outcome.findings
            if finding.severity != "information" and "seed" not in finding.values
        ]
        told = {(finding.id, tuple((place.file, place.line) for place in finding.sites)) for finding in bad}
        failure = outcome.failure.kind if outcome.failure else None
        return failure, values, told

    return seen(normal) == seen(debug)


def recorded(
    launch: Mapping[str, Any],
    show: Renderer,
    findings: Sequence[Finding],
    head: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int]],
    wrong: Mapping[str, Mapping[int, str]] | None = None,
) -> dict[str, Any]:
    """The data of a trace.

    Args:
        launch: What was recorded.
        show: Shows findings, and knows the lines of the sources.
        findings: What was found in the launch.
        head: What there is to say of the launch as a whole.
        shapes: Of the arguments, by name.
        wrong: By result and flat index, the expected value of each element that differs from it.
    """
    lines = [(file, line) for file, line in launch["lines"]]
    files = sorted({file for file, _ in lines})
    data = {
        "format": FORMAT,
        **head,
        **launch,
        "files": [
            {"name": file, "from": _first(show, file, lines), "lines": _lines(show, file, lines)} for file in files
        ],
        "lines": [[files.index(file), line] for file, line in lines],
        "buffers": [{**buffer, "shape": _shape(buffer, shapes)} for buffer in launch["buffers"]],
    }
    replay = Replay(data)
    data["expected"] = expected_cells(data, wrong or {})
    return data | {"findings": [located(finding, show, data, replay) for finding in findings]}


def _shape(buffer: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> list[int]:
    """The shape of a buffer, flat where the source has none that it fills."""
    shape = list(shapes.get(buffer["name"], ()))
    return shape if shape and math.prod(shape) == buffer["cells"] else [buffer["cells"]]


def _first(show: Renderer, file: str, lines: Sequence[tuple[str, int]]) -> int:
    """Where the functions that ran begin in a file."""
    source, first = show.source(file), min(line for name, line in lines if name == file)
    while first > 1 and first - 2 < len(source) and not source[first - 1].lstrip().startswith(("def ", "fn ")):
        first -= 1
    return first


def _lines(show: Renderer, file: str, lines: Sequence[tuple[str, int]]) -> list[str]:
    source, last = list(show.source(file)), max(line for name, line in lines if name == file)
    while last < len(source) and source[last].startswith((" ", "\t")):
        last += 1
    return source[_first(show, file, lines) - 1 : last]
