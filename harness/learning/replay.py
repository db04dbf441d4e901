"""A trace read again: its steps, what happened in each, and what everything held then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, unpack_rows

__all__ = ["Access", "Meeting", "Numbers", "Replay", "Shuffle", "State", "Step", "Value"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Access:
    """Lanes read or write cells.

    Attributes:
        kind: 0 a load, 1 a store, 2 an atomic, 3 what cells hold afterwards.
        buffer: The number of the buffer.
        lanes: Their numbers in the grid, (n,).
        cells: (n, span).
        values: The texts, (n, span), or None where the accesses were not of whole cells.
    """

    kind: int
    buffer: int
    lanes: Numbers
    cells: Numbers
    values: Numbers | None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Lanes exchange values: `sources` are lanes, -1 one that is inactive; None where each reads all."""

    lanes: Numbers
    sources: Numbers | None
    given: Numbers
    got: Numbers
    operation: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Lanes pass a barrier, or arrive there and go on: `barrier`, `barrier.arrive`, `cluster.arrive`, `cluster.wait`,
    `mbarrier.arrive`, `mbarrier.wait` or `warp`.
    """

    kind: str
    lanes: Numbers


@dataclass(frozen=True, slots=True)
class Value:
    """A named variable gets a value in some lanes."""

    variable: int
    lanes: Numbers
    values: Numbers


@dataclass(slots=True)
class Step:
    """Lanes run a line.

    Attributes:
        line: The number of the line among the trace's.
        kind: `line`, `shuffle`, or what lanes meet at, as `Meeting` has it.
        active, waiting, ended: The lanes that run it, wait elsewhere, and have ended.
        accesses, shuffles, meetings, values: What happens, in order.
    """

    line: int
    kind: str
    active: Numbers
    waiting: Numbers
    ended: Numbers
    accesses: list[Access] = field(default_factory=list)
    shuffles: list[Shuffle] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class State:
    """What everything holds after a step, as numbers of texts; what nobody wrote is not there.

    Attributes:
        cells: By buffer and cell.
        variables: By variable and lane.
    """

    cells: dict[int, dict[int, int]]
    variables: dict[int, dict[int, int]]


class Replay:
    """The steps of a trace.

    Args:
        data: Of the trace.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self._sets = [_lanes(runs) for runs in data["sets"]]
        self.steps: list[Step] = []
        for part in data["parts"]:
            self._read(part)

    def text(self, number: int) -> str:
        """A value as it is printed."""
        text: str = self.data["texts"][number]
        return text

    def source(self, line: int) -> str:
        """What stands at a line of the trace, by its number there."""
        file, number = self.data["lines"][line]
        source = self.data["files"][file]
        at = number - source["from"]
        text: str = source["lines"][at] if 0 <= at < len(source["lines"]) else ""
        return text.strip()

    def _read(self, part: Mapping[str, Mapping[str, list[Any]]]) -> None:
        for row in unpack_rows(part, "steps"):
            sets = (self._sets[row[name]] for name in ("active", "waiting", "ended"))
            self.steps.append(Step(row["line"], row["kind"], *sets))
        for row in unpack_rows(part, "accesses"):
            self.steps[row["step"]].accesses.append(self._access(row))
        for row in unpack_rows(part, "shuffles"):
            lanes = self._sets[row["set"]]
            given, got = (np.broadcast_to(np.asarray(row[name]), lanes.shape) for name in ("given", "got"))
            sources = np.asarray(row["sources"]) if row["sources"] else None
            self.steps[row["step"]].shuffles.append(Shuffle(lanes, sources, given, got, row["operation"]))
        for row in unpack_rows(part, "barriers"):
            self.steps[row["step"]].meetings.append(Meeting(row["kind"], self._sets[row["set"]]))
        for row in unpack_rows(part, "variables"):
            lanes = self._sets[row["set"]]
            values = np.broadcast_to(np.asarray(row["values"]), lanes.shape)
            self.steps[row["step"]].values.append(Value(row["variable"], lanes, values))

    def _access(self, row: Mapping[str, Any]) -> Access:
        lanes, span, first = self._sets[row["set"]], row["span"], np.asarray(row["cells"], np.int64)
        count = len(first) if row["kind"] == SETTLED else len(lanes)
        cells = np.broadcast_to(first, (count,))[:, None] + np.arange(span)
        values = None
        if row["values"]:
            wide = 1 if len(row["values"]) == 1 else span
            values = np.broadcast_to(np.asarray(row["values"]).reshape(-1, wide), cells.shape)
        return Access(row["kind"], row["buffer"], lanes, cells, values)

    def states(self) -> Iterator[State]:
        """What everything holds after each step; the same object, changed from step to step."""
        state = State(defaultdict(dict), defaultdict(dict))
        for number, buffer in enumerate(self.data["buffers"]):
            first = buffer["first"] or ()
            state.cells[number] = {cell: text for cell, text in enumerate(first) if text is not None}
        for step in self.steps:
            for access in step.accesses:
                # What an atomic leaves is told when the step ends.
                if access.kind not in (LOAD, ATOMIC) and access.values is not None:
                    held = zip(access.cells.reshape(-1).tolist(), access.values.reshape(-1).tolist(), strict=True)
                    state.cells[access.buffer].update(held)
            for value in step.values:
                state.variables[value.variable].update(zip(value.lanes.tolist(), value.values.tolist(), strict=True))
            yield state


def _lanes(runs: list[int]) -> Numbers:
    pairs = [np.arange(first, first + count) for first, count in zip(runs[::2], runs[1::2], strict=True)]
    return np.concatenate(pairs) if pairs else np.empty(0, np.int64)
