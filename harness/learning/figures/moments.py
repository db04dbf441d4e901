"""Select a trace's steps to draw (accesses, shuffles, barriers), and values that pass between lanes via memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.learning.replay import DecodedTrace, RecordedAccess, Step
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE

__all__ = ["Flow", "Moment", "find_moments", "shorten_number", "threads_per_block"]


@dataclass(frozen=True, slots=True)
class Flow:
    """A value that one lane wrote and another lane read.

    Attributes:
        written, read: The numbers of the moments.
        writer, reader: The lanes, by their numbers in the grid.
    """

    written: int
    writer: int
    read: int
    reader: int


@dataclass(slots=True)
class Moment:
    """A step that a figure shows.

    Attributes:
        number: Its number among the moments.
        step: The step.
        synchronization: `barrier`, `cluster` or `warp`, or empty.
        actions: What each lane does, in order: `R`, `W`, `RW`, or an arrow for an exchange.
        writes: The text that each lane writes last to global memory.
    """

    number: int
    step: Step
    synchronization: str = ""
    actions: dict[int, str] = field(default_factory=dict)
    writes: dict[int, str] = field(default_factory=dict)


def threads_per_block(data: Mapping[str, Any]) -> int:
    """Return the number of threads in a block."""
    x, y, z = data["block"]
    return int(x * y * z)


def shorten_number(text: str) -> str:
    """Remove the `.0` of a whole float."""
    return text.removesuffix(".0")


def find_moments(replay: DecodedTrace) -> tuple[list[Moment], list[Flow]]:
    """Return the moments of a trace, and the values that pass between lanes through memory.

    A moment is a step in which lanes access memory other than local, shuffle values, or pass a barrier of a block, a
    warp or a cluster (but no mbarrier). A flow joins a lane's read with the last write of the same cell, if another
    lane made it; an atomic is both.
    """
    selected: list[Moment] = []
    flows: list[Flow] = []
    writers: dict[tuple[int, int], tuple[int, int]] = {}
    buffers = {at for at, buffer in enumerate(replay.data["buffers"]) if buffer["space"] != "local"}
    spaces = [buffer["space"] for buffer in replay.data["buffers"]]
    for step in replay.steps:
        moment = Moment(len(selected), step, _synchronization_of(step))
        for access in step.accesses:
            if access.buffer not in buffers or access.kind == SETTLED:
                continue
            for lane, cells, texts in _by_lane(replay, access):
                _add_action(moment, lane, access.kind)
                if access.kind != LOAD and spaces[access.buffer] == "global" and texts:
                    moment.writes[lane] = texts[-1]
                for cell in cells:
                    location = access.buffer, cell
                    if access.kind != STORE and location in writers and writers[location][1] != lane:
                        flows.append(Flow(*writers[location], moment.number, lane))
                    if access.kind != LOAD:
                        writers[location] = moment.number, lane
        for shuffle in step.shuffles:
            for lane in () if shuffle.sources is None else shuffle.lanes.tolist():
                moment.actions[lane] = "↔"  # what it reads or writes beside that, its line says
        if moment.actions or moment.synchronization:
            selected.append(moment)
    return selected, flows


def _synchronization_of(step: Step) -> str:
    kinds = [meeting.kind for meeting in step.synchronizations]
    if "cluster.wait" in kinds:  # who has arrived goes on to here
        return "cluster"
    return next((kind for kind in kinds if kind in ("barrier", "warp")), "")


def _add_action(moment: Moment, lane: int, kind: int) -> None:
    sign = {LOAD: "R", STORE: "W", ATOMIC: "RW"}[kind]
    actions = moment.actions.get(lane, "")
    moment.actions[lane] = actions if actions.endswith(sign) else (actions + sign).replace("WRW", "RW")


def _by_lane(replay: DecodedTrace, access: RecordedAccess) -> Iterator[tuple[int, list[int], list[str]]]:
    """Yield, for each lane of an access, the lane, its cells, and the texts of the values (empty if they are not
    known).
    """
    for at, lane in enumerate(access.lanes.tolist()):
        texts = (
            [] if access.values is None else [shorten_number(replay.text(int(value))) for value in access.values[at]]
        )
        yield lane, access.cells[at].tolist(), texts
