"""Locate a finding in a trace, as JSON: line, step, lane and cell of each access, or last writes of wrong cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.learning.expected import REASON, writers
from harness.learning.replay import DecodedTrace
from harness.simt.findings import Finding, Who
from harness.simt.render import PAIRED, Renderer

__all__ = ["locate_finding"]

WRONG = 5  # cells of a result that are named, as many as a check names


def locate_finding(finding: Finding, show: Renderer, data: Mapping[str, Any], replay: DecodedTrace) -> dict[str, Any]:
    """Return a finding as JSON: its texts, `buffer` (an index into the trace's buffers, or None) and its `sides`.

    Each side is a dict of `file`, `line`, `at` (the line's index in the trace), `lane` (in the grid), `who`, `step` and
    `cell`; what is unknown is None. `at` and `step` count from 0. The sides of a wrong result (`check.*`) are not the
    finding's sites: they are the last writes of its first wrong cells (of one that nobody wrote, `file` is empty and
    `line` 0), or the lines that make up the wrong element (`check.reason.*`).

    Args:
        finding: A finding of the recorded launch.
        show: Renders it in the user's language.
        data: The trace's data without its findings.
        replay: The same trace, decoded.
    """
    record = show.record(finding)
    paired = finding.kind in PAIRED
    sides: list[dict[str, Any]] = []
    for number, site in enumerate(finding.sites):
        who = finding.who[min(number, len(finding.who) - 1) if paired else 0] if finding.who else None
        if number and finding.id == "deadlock":
            who = None  # the first thread waits at the first of the barriers alone
        line = _find_line(data, site.file, site.line)
        lane = None if who is None else _lane_number(data, who)
        sides.append({"file": site.file, "line": site.line, "at": line, "lane": lane, "who": who and str(who)})
    names = (finding.argument, record["variable"])
    candidates = enumerate({candidate["name"], candidate["called"]} for candidate in data["buffers"])
    buffer = next((at for at, buffer_names in candidates if buffer_names & {*names}), None)
    keys = ("id", "severity", "title", "message", "items", "remedy", "count", "variable")
    summary = {key: record[key] for key in keys} | {"buffer": buffer}
    if finding.id.startswith(REASON):
        return summary | {"sides": _locate_contributions(finding, data, replay)}
    if finding.id.startswith("check."):
        return summary | {"sides": _locate_last_writes(data, replay, buffer)}
    cell = None
    if buffer is not None and finding.offset is not None:
        cell = finding.offset // np.dtype(data["buffers"][buffer]["dtype"]).itemsize
    limit = len(replay.steps)
    for side in reversed(sides):  # the later one first: the earlier is the last before it
        side["step"], side["cell"] = _find_step(
            replay, side, buffer, cell, data, limit, last=side is not sides[-1] or not paired
        )
        if paired and side["step"] is not None:
            limit = side["step"] + 1
    return summary | {"sides": sides}


def _locate_last_writes(data: Mapping[str, Any], replay: DecodedTrace, buffer: int | None) -> list[dict[str, Any]]:
    """Return where the first wrong cells of a result, at most `WRONG` (5), were written last: one side of a finding
    each.

    A cell that nobody wrote has a side without file, step and lane. Empty if `buffer` is None or has no wrong cells.
    """
    cells: list[int] = next((entry["cells"] for entry in data["expected"] if entry["buffer"] == buffer), [])[:WRONG]
    last = writers(replay, buffer, cells) if buffer is not None else {}
    sides = []
    for cell in cells:
        step, lane = last.get(cell, (None, None))
        side = {"file": "", "line": 0, "at": None, "who": None, "step": step, "lane": lane, "cell": cell}
        if step is not None:
            file, side["line"] = data["lines"][replay.steps[step].line]
            side |= {"file": data["files"][file]["name"], "at": replay.steps[step].line}
        sides.append(side)
    return sides


def _locate_contributions(finding: Finding, data: Mapping[str, Any], replay: DecodedTrace) -> list[dict[str, Any]]:
    """Return a side for each line that makes up a wrong element, as the finding's `items` name them with a thread.

    `step` is the last step at which that thread ran the line, or None; `cell` is always None. Empty if the finding has
    no site.
    """
    threads = {item["line"]: item["who"] for item in finding.values.get("items", ())}
    sides = []
    for number, who in threads.items() if finding.sites else ():
        file = finding.sites[0].file
        line, lane = _find_line(data, file, number), _lane_number(data, who)
        side = {"file": file, "line": number, "at": line, "lane": lane, "who": str(who), "cell": None}
        ran = [at for at, step in enumerate(replay.steps) if step.line == line and lane in step.active.tolist()]
        sides.append(side | {"step": ran[-1] if ran else None})
    return sides


def _find_line(data: Mapping[str, Any], file: str, line: int) -> int | None:
    names = [file["name"] for file in data["files"]]
    if file not in names or [names.index(file), line] not in data["lines"]:
        return None
    at: int = data["lines"].index([names.index(file), line])
    return at


def _lane_number(data: Mapping[str, Any], who: Who) -> int:
    """Return the number of a thread in the grid: block after block, x fastest in both."""
    (gx, gy, _), (x, y, z) = data["grid"], data["block"]
    block = who.block[0] + gx * (who.block[1] + gy * who.block[2])
    return int(block * x * y * z + who.thread[0] + x * (who.thread[1] + y * who.thread[2]))


def _find_step(
    replay: DecodedTrace,
    side: Mapping[str, Any],
    buffer: int | None,
    cell: int | None,
    data: Mapping[str, Any],
    limit: int,
    last: bool,
) -> tuple[int | None, int | None]:
    """Return the index of the step at which a side happened, below `limit`, and the cell that its lane touched there.

    It is the last step if `last` is true, else the first, in which the lane runs the line and touches the cell. If
    there is none, it is the last in which the lane runs the line, and the cell is None. If `buffer` or `cell` is None,
    it is the last or first step in which the lane runs the line. Both are None if the lane never runs it.
    """
    nearest: tuple[int | None, int | None] = (None, None)
    for number, step in enumerate(replay.steps[:limit]):
        if step.line != side["at"] or side["lane"] not in step.active:
            continue
        touched = _find_cell(step, side["lane"], buffer, cell, data)
        if buffer is not None and cell is not None and touched is None:
            if nearest[1] is None:
                nearest = number, None
            continue
        if last or nearest[1] is None:
            nearest = number, touched
        if not last:
            break
    return nearest


def _find_cell(step: Any, lane: int, buffer: int | None, cell: int | None, data: Mapping[str, Any]) -> int | None:
    """Return the recorded index of the cell that a lane touches in a step, or None if it does not touch it.

    `cell` is counted within its block or lane; the index that is returned counts through all of them. None also if
    `buffer` or `cell` is None.
    """
    for access in step.accesses:
        where = np.flatnonzero(access.lanes == lane)
        if access.buffer != buffer or not len(where) or cell is None:
            continue
        cells = access.cells[where[0]]
        count = data["buffers"][buffer]["cells"]
        fits = np.flatnonzero(cells % count == cell)
        if len(fits):
            return int(cells[fits[0]])
    return None
