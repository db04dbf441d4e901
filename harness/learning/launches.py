"""What the launches of a program did, step by step.

The program runs twice: as it is, which gives the verdict, and with kernels of a debug build, which name their variables
and are recorded. Whether each launch did the same in both is checked and told.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.learning.trace import Trace, recorded, shown_blocks
from harness.model.target import Target
from harness.programs import Execution, Launched, Options, execute
from harness.report.programs import renderer
from harness.simt.findings import Finding

__all__ = ["MOST", "of_program"]

MOST = 12  # launches of a page


def of_program(
    file: Path, *, target: Target | str | None = None, launch: int | None = None, **how: Any
) -> tuple[list[Trace], Execution]:
    """Runs a program, and records its launches: those with findings first, then one of each kernel.

    Args:
        file: The program.
        target: As for `execute`.
        launch: The number of the only launch to record, from 1.
        how: The other arguments of `execute`.

    Returns:
        What was recorded, in the order of the launches, and the run of the program as it is.

    Raises:
        UsageError: There is nothing to show.
        CompileError: It does not compile.
        EnvironmentFault: It could not be run.
    """
    options = how.pop("options", None) or Options(counters=False)
    normal = execute(file, target=target, backend="simulator", options=options, **how)
    numbers = _chosen(normal, launch)
    wanted = [(number, shown_blocks(made, made.findings)) for number, made in _numbered(normal) if number in numbers]
    options = replace(options, recorded=tuple((number, blocks and tuple(blocks)) for number, blocks in wanted))
    debug = execute(file, target=normal.target, backend="simulator", options=options, **how)
    show = renderer([normal])
    of_host = [finding for finding in normal.findings if not finding.kernel]
    traces = []
    for number, data in debug.recorded.items():
        before, after = normal.launches[number - 1], debug.launches[number - 1]
        head = _head(normal, number, len(debug.recorded), after) | {"agrees": _same(before, after)}
        traces.append(Trace(recorded(data, show, [*after.findings, *of_host], head, data.pop("shapes"))))
    return traces, normal


def _numbered(execution: Execution) -> list[tuple[int, Launched]]:
    return list(enumerate(execution.launches, 1))


def _chosen(execution: Execution, launch: int | None) -> set[int]:
    """The numbers of the launches to record."""
    count, name = len(execution.launches), execution.file.name
    if not count:
        raise UsageError(f"{name} launched no kernel{_why(execution)}: there are no steps to show.")
    if launch is not None:
        if launch > count:
            raise UsageError(f"{name} has no launch {launch}: it made {count}.")
        return {launch}
    told = [number for number, made in _numbered(execution) if any(map(_bad, made.findings))]
    kernels = {made.symbol: number for number, made in reversed(_numbered(execution))}
    order = dict.fromkeys([*told, *sorted(kernels.values()), *range(1, count + 1)])
    return set(list(order)[:MOST])


def _why(execution: Execution) -> str:
    return f" ({execution.reason})" if execution.reason else ""


def _bad(finding: Finding) -> bool:
    return finding.severity != "information"


def _same(normal: Launched, debug: Launched) -> bool:
    """Whether both builds did the same: results, and the findings by what and where, as far as both were observed."""
    both = normal.observed and debug.observed

    def seen(launch: Launched) -> object:
        told = {
            (finding.id, tuple((place.file, place.line) for place in finding.sites))
            for finding in launch.findings
            if _bad(finding)
        }
        return launch.kernel, launch.grid, launch.block, *((launch.results, told) if both else ())

    return seen(normal) == seen(debug)


def _head(execution: Execution, number: int, shown: int, launch: Launched) -> dict[str, Any]:
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
            "shown": shown,
            "place": launch.place.removeprefix(f"{execution.file.resolve().parent}/"),
            "bad": any(map(_bad, launch.findings)),
        },
    }
