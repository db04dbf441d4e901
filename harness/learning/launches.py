"""Record traces of a Mojo program's launches in the simulator, at most 12, faulty ones first; `trace` has cases.

The program runs twice: as it is, which gives the verdict, and with kernels of a debug build, which name their variables
and are recorded. The trace says whether each launch did the same in both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.learning.trace import Trace, build_trace_data, choose_blocks
from harness.model.target import Target
from harness.programs import Execution, Launched, Options, execute
from harness.report.programs import renderer
from harness.simt.findings import Finding

__all__ = ["MOST", "record_program"]

MOST = 12  # launches of a page


def record_program(
    file: Path, *, target: Target | str | None = None, launch: int | None = None, **execute_arguments: Any
) -> tuple[list[Trace], Execution]:
    """Run a program twice in the simulator, as it is and as a debug build, and record up to `MOST` (12) launches.

    Launches with findings (other than information) are chosen first, then the first of each kernel, then the others.

    Args:
        file: The program.
        target: As in `execute`.
        launch: The number, from 1, of the only launch to record; None for any.
        execute_arguments: The other arguments of `execute`; without `options`, nothing is counted.

    Returns:
        The traces, of the debug build, in the order of the launches, and the execution of the normal build. A trace's
        field `agrees` says whether the launch did the same in both.

    Raises:
        UsageError: The program launched no kernel, or has no launch with that number.
        CompileError: The program does not compile.
        EnvironmentFault: The program could not be run.
    """
    options = execute_arguments.pop("options", None) or Options(counters=False)
    normal = execute(file, target=target, backend="simulator", options=options, **execute_arguments)
    numbers = _choose_launches(normal, launch)
    recorded_blocks = [
        (number, choose_blocks(launched, launched.findings))
        for number, launched in _number_launches(normal)
        if number in numbers
    ]
    options = replace(options, recorded=tuple((number, blocks and tuple(blocks)) for number, blocks in recorded_blocks))
    debug = execute(file, target=normal.target, backend="simulator", options=options, **execute_arguments)
    show = renderer([normal])
    host_findings = [finding for finding in normal.findings if not finding.kernel]
    traces = []
    for number, data in debug.recorded.items():
        before, after = normal.launches[number - 1], debug.launches[number - 1]
        head = _describe_launch(normal, number, len(debug.recorded), after) | {"agrees": _agree(before, after)}
        traces.append(Trace(build_trace_data(data, show, [*after.findings, *host_findings], head, data.pop("shapes"))))
    return traces, normal


def _number_launches(execution: Execution) -> list[tuple[int, Launched]]:
    return list(enumerate(execution.launches, 1))


def _choose_launches(execution: Execution, launch: int | None) -> set[int]:
    """Return the numbers, from 1, of the launches to record: `launch` alone, or else up to `MOST` (12).

    Launches with findings (other than information) are taken first, then the first of each kernel, then the others.

    Raises:
        UsageError: The program launched nothing, or has no launch with this number.
    """
    count, name = len(execution.launches), execution.file.name
    if not count:
        raise UsageError(f"{name} launched no kernel{_reason_suffix(execution)}: there are no steps to show.")
    if launch is not None:
        if launch > count:
            raise UsageError(f"{name} has no launch {launch}: it made {count}.")
        return {launch}
    with_findings = [
        number for number, launched in _number_launches(execution) if any(map(_is_fault, launched.findings))
    ]
    kernels = {launched.symbol: number for number, launched in reversed(_number_launches(execution))}
    order = dict.fromkeys([*with_findings, *sorted(kernels.values()), *range(1, count + 1)])
    return set(list(order)[:MOST])


def _reason_suffix(execution: Execution) -> str:
    return f" ({execution.reason})" if execution.reason else ""


def _is_fault(finding: Finding) -> bool:
    return finding.severity != "information"


def _agree(normal: Launched, debug: Launched) -> bool:
    """Return whether a launch has the same kernel, grid and block in both builds and, if both were observed, the same
    results and the same findings by id and source location. Findings for information do not count.
    """
    both = normal.observed and debug.observed

    def summarize(launch: Launched) -> object:
        findings = {
            (finding.id, tuple((place.file, place.line) for place in finding.sites))
            for finding in launch.findings
            if _is_fault(finding)
        }
        return launch.kernel, launch.grid, launch.block, *((launch.results, findings) if both else ())

    return summarize(normal) == summarize(debug)


def _describe_launch(execution: Execution, number: int, shown_count: int, launch: Launched) -> dict[str, Any]:
    return {
        "case": "",
        "title": "",
        "kernel": launch.kernel,
        "target": execution.target.name,
        "dataset": "",
        "catches": "",
        "verdict": execution.verdict,
        "fault": None,
        "program": {
            "name": " ".join([execution.file.name, *execution.arguments]),
            "launch": number,
            "launches": len(execution.launches),
            "shown": shown_count,
            "place": launch.place.removeprefix(f"{execution.file.resolve().parent}/"),
            "bad": any(map(_is_fault, launch.findings)),
        },
    }
