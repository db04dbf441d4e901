"""Decode a trace: its steps, what happened in each, and what memory and variables held afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, unpack_rows

__all__ = [
    "DecodedTrace",
    "Numbers",
    "RecordedAccess",
    "RecordedShuffle",
    "RecordedState",
    "Step",
    "Synchronization",
    "Value",
]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RecordedAccess:
    """Lanes read or write cells of a buffer.

    Attributes:
        kind: 0 a load, 1 a store, 2 an atomic, 3 what cells hold afterwards.
        buffer: The index of the buffer.
        lanes: The lanes' numbers in the grid, (n,).
        cells: The cells' indices, (n, span).
        values: Indices of texts, (n, span); None if the accesses were not of whole cells.
    """

    kind: int
    buffer: int
    lanes: Numbers
    cells: Numbers
    values: Numbers | None


@dataclass(frozen=True, slots=True)
class RecordedShuffle:
    """Lanes exchange values.

    Attributes:
        lanes: The lanes, (n,).
        sources: The lanes they read from, -1 for an inactive one; None if each reads all.
        sent, received: Indices of the texts that each lane gives and gets, (n,).
        operation: The name of the exchange.
    """

    lanes: Numbers
    sources: Numbers | None
    sent: Numbers
    received: Numbers
    operation: str


@dataclass(frozen=True, slots=True)
class Synchronization:
    """Lanes pass a synchronisation point, or arrive there and go on.

    Attributes:
        kind: `barrier`, `barrier.arrive`, `cluster.arrive`, `cluster.wait`, `mbarrier.arrive`, `mbarrier.wait` or
            `warp`.
        lanes: The lanes' numbers in the grid.
    """

    kind: str
    lanes: Numbers


@dataclass(frozen=True, slots=True)
class Value:
    """A named variable is set in some lanes, which hold the texts with the indices `values`."""

    variable: int
    lanes: Numbers
    values: Numbers


@dataclass(slots=True)
class Step:
    """One source line, run by some lanes.

    Attributes:
        line: The line's index in the trace.
        kind: `line`, `shuffle`, or a kind of `Synchronization`.
        active, waiting, finished: The lanes that run it, that wait elsewhere, and that have ended.
        accesses, shuffles, synchronizations, values: The events, in order.
    """

    line: int
    kind: str
    active: Numbers
    waiting: Numbers
    finished: Numbers
    accesses: list[RecordedAccess] = field(default_factory=list)
    shuffles: list[RecordedShuffle] = field(default_factory=list)
    synchronizations: list[Synchronization] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class RecordedState:
    """The contents of memory and variables after a step, as indices of texts; what nobody wrote is missing.

    Attributes:
        cells: The texts' indices by buffer, then by cell.
        variables: The texts' indices by variable, then by lane.
    """

    cells: dict[int, dict[int, int]]
    variables: dict[int, dict[int, int]]


class DecodedTrace:
    """The decoded steps of a trace.

    Args:
        data: The trace's data.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self._sets = [_lanes(runs) for runs in data["sets"]]
        self.steps: list[Step] = []
        for part in data["parts"]:
            self._read(part)

    def text(self, number: int) -> str:
        """Return the text with this index: a value as it is printed."""
        text: str = self.data["texts"][number]
        return text

    def source(self, line: int) -> str:
        """Return the source text of a line, by its index in the trace, without blanks around it; empty if it is not
        there.
        """
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
            sent, received = (np.broadcast_to(np.asarray(row[name]), lanes.shape) for name in ("given", "got"))
            sources = np.asarray(row["sources"]) if row["sources"] else None
            self.steps[row["step"]].shuffles.append(RecordedShuffle(lanes, sources, sent, received, row["operation"]))
        for row in unpack_rows(part, "barriers"):
            self.steps[row["step"]].synchronizations.append(Synchronization(row["kind"], self._sets[row["set"]]))
        for row in unpack_rows(part, "variables"):
            lanes = self._sets[row["set"]]
            values = np.broadcast_to(np.asarray(row["values"]), lanes.shape)
            self.steps[row["step"]].values.append(Value(row["variable"], lanes, values))

    def _access(self, row: Mapping[str, Any]) -> RecordedAccess:
        lanes, span, first = self._sets[row["set"]], row["span"], np.asarray(row["cells"], np.int64)
        count = len(first) if row["kind"] == SETTLED else len(lanes)
        cells = np.broadcast_to(first, (count,))[:, None] + np.arange(span)
        values = None
        if row["values"]:
            width = 1 if len(row["values"]) == 1 else span
            values = np.broadcast_to(np.asarray(row["values"]).reshape(-1, width), cells.shape)
        return RecordedAccess(row["kind"], row["buffer"], lanes, cells, values)

    def states(self) -> Iterator[RecordedState]:
        """Yield the state after each step; it is one object that changes from step to step.

        Before the first step, cells hold what the buffer's `first` says. An atomic changes nothing itself: what it
        leaves is an access of its own, of kind `SETTLED`.
        """
        state = RecordedState(defaultdict(dict), defaultdict(dict))
        for number, buffer in enumerate(self.data["buffers"]):
            first = buffer["first"] or ()
            state.cells[number] = {cell: text for cell, text in enumerate(first) if text is not None}
        for step in self.steps:
            for access in step.accesses:
                # What an atomic leaves is told when the step ends.
                if access.kind not in (LOAD, ATOMIC) and access.values is not None:
                    cell_texts = zip(access.cells.reshape(-1).tolist(), access.values.reshape(-1).tolist(), strict=True)
                    state.cells[access.buffer].update(cell_texts)
            for value in step.values:
                state.variables[value.variable].update(zip(value.lanes.tolist(), value.values.tolist(), strict=True))
            yield state


def _lanes(runs: list[int]) -> Numbers:
    pairs = [np.arange(first, first + count) for first, count in zip(runs[::2], runs[1::2], strict=True)]
    return np.concatenate(pairs) if pairs else np.empty(0, np.int64)
