"""The steps of a trace that a figure shows: those in which lanes touch memory, exchange values or meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.learning.replay import Access, Replay, Step
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE

__all__ = ["Flow", "Moment", "moments", "short", "threads_of"]


@dataclass(frozen=True, slots=True)
class Flow:
    """What one lane reads and another one wrote before: the moments and the lanes, by their numbers in the grid."""

    written: int
    writer: int
    read: int
    reader: int


@dataclass(slots=True)
class Moment:
    """A step that a figure shows.

    Attributes:
        number: Among the moments.
        step: The step.
        meeting: `barrier`, `cluster` or `warp`, or empty.
        does: What each lane does, in order: `R`, `W`, `RW`, or an arrow where it exchanges.
        writes: The text that each lane writes last, to global memory.
    """

    number: int
    step: Step
    meeting: str = ""
    does: dict[int, str] = field(default_factory=dict)
    writes: dict[int, str] = field(default_factory=dict)


def threads_of(data: Mapping[str, Any]) -> int:
    """The threads of a block."""
    x, y, z = data["block"]
    return int(x * y * z)


def short(text: str) -> str:
    """A number without the `.0` of a float that is whole."""
    return text.removesuffix(".0")


def moments(replay: Replay) -> tuple[list[Moment], list[Flow]]:
    """The moments of a trace, and what flows between lanes through memory."""
    shown: list[Moment] = []
    flows: list[Flow] = []
    writers: dict[tuple[int, int], tuple[int, int]] = {}
    buffers = {at for at, buffer in enumerate(replay.data["buffers"]) if buffer["space"] != "local"}
    spaces = [buffer["space"] for buffer in replay.data["buffers"]]
    for step in replay.steps:
        moment = Moment(len(shown), step, _meeting(step))
        for access in step.accesses:
            if access.buffer not in buffers or access.kind == SETTLED:
                continue
            for lane, cells, texts in _touched(replay, access):
                _mark(moment, lane, access.kind)
                if access.kind != LOAD and spaces[access.buffer] == "global" and texts:
                    moment.writes[lane] = texts[-1]
                for cell in cells:
                    place = access.buffer, cell
                    if access.kind != STORE and place in writers and writers[place][1] != lane:
                        flows.append(Flow(*writers[place], moment.number, lane))
                    if access.kind != LOAD:
                        writers[place] = moment.number, lane
        for shuffle in step.shuffles:
            for lane in () if shuffle.sources is None else shuffle.lanes.tolist():
                moment.does[lane] = "↔"  # what it reads or writes beside that, its line says
        if moment.does or moment.meeting:
            shown.append(moment)
    return shown, flows


def _meeting(step: Step) -> str:
    kinds = [meeting.kind for meeting in step.meetings]
    if "cluster.wait" in kinds:  # who has arrived goes on to here
        return "cluster"
    return next((kind for kind in kinds if kind in ("barrier", "warp")), "")


def _mark(moment: Moment, lane: int, kind: int) -> None:
    sign = {LOAD: "R", STORE: "W", ATOMIC: "RW"}[kind]
    held = moment.does.get(lane, "")
    moment.does[lane] = held if held.endswith(sign) else (held + sign).replace("WRW", "RW")


def _touched(replay: Replay, access: Access) -> Iterator[tuple[int, list[int], list[str]]]:
    """(lane, cells, values) of an access."""
    for at, lane in enumerate(access.lanes.tolist()):
        texts = [] if access.values is None else [short(replay.text(int(value))) for value in access.values[at]]
        yield lane, access.cells[at].tolist(), texts
