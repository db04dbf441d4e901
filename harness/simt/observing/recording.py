"""What a launch did, step by step: for pictures and traces.

A step is a line of the source that some lanes run together. Kept are, in columns that
compress well: the lanes that run, wait and have ended; what they read and wrote, with
values; who got what from whom in shuffles; barriers; what named variables hold.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.events import (
    AccessEvent,
    BarrierEvent,
    ClusterEvent,
    PhaseEvent,
    SegmentEvent,
    ShuffleEvent,
    VariableEvent,
    WarpEvent,
)
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.observing.cells import MOST, Cells, Texts, runs
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE, fresh, packed
from harness.simt.observing.source_lines import Line, SourceLines, is_pointer
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["LIMIT", "PART", "Recorder"]

ACCESSES = {"load": LOAD, "store": STORE, "atomic": ATOMIC}
LIMIT = 1 << 20  # bytes of a compressed trace
PART = 64  # steps of a part
_Types: TypeAlias = Mapping[str, np.dtype[Any]]
_Placed: TypeAlias = AccessEvent | VariableEvent | ShuffleEvent | ClusterEvent | PhaseEvent | WarpEvent


class Recorder(Observer):
    """Keeps the steps of a launch.

    Args:
        blocks: Numbers in the grid of the blocks to keep; all if None.
        dtypes: The elements of arguments by name; of others the first access tells.
        limit: Bytes that the steps may take compressed; what comes later is counted only.
        most: Cells of a buffer whose first contents are kept.

    Attributes:
        parts: The steps, `PART` at a time; each part's columns are plain lists.
        lines, variables: The lines that steps are at, and the named variables.
        cells: The buffers.
        steps: How many there were, kept or not.
        kept: How many are kept.
        size: Bytes that these take compressed.
    """

    def __init__(
        self, blocks: Sequence[int] | None = None, dtypes: _Types | None = None, limit: int = LIMIT, most: int = MOST
    ) -> None:
        self._blocks = None if blocks is None else np.asarray(sorted(blocks))
        self._dtypes, self._limit, self._most = dict(dtypes or {}), limit, most
        self.parts: list[dict[str, Any]] = []
        self.lines: dict[Line, int] = {}
        self.variables: dict[tuple[str, str, int], int] = {}
        self.steps = self.kept = self.size = 0
        self._sets: dict[tuple[int, ...], int] = {}
        self._kept_by = object()  # what sets of lanes keep for this recording alone
        self._texts = Texts()
        self._new_sets: list[tuple[int, ...]] = []
        self._columns = fresh()
        self._last: tuple[Any, ...] | None = None
        self._todo: list[Line] = []
        self._at = -1
        self._states = (0, 0)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self.cells = Cells(engine, self._texts, self._dtypes, self._most)
        self._threads = engine.block[0] * engine.block[1] * engine.block[2]
        self._source = SourceLines(engine.program)

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._shown = None
        if self._blocks is not None:
            shown = np.isin(geometry.blocks, self._blocks)
            self._shown = None if shown.all() else np.repeat(shown, geometry.threads)

    # Steps.

    @property
    def blocks(self) -> list[int] | None:
        """The numbers in the grid of the blocks that are kept; None where all are."""
        return None if self._blocks is None else self._blocks.tolist()

    @property
    def sets(self) -> list[tuple[int, ...]]:
        """The sets of lanes, each as where runs of neighbours begin and how long they are."""
        return list(self._sets)

    @property
    def texts(self) -> list[str]:
        """The values as they are printed, in the order of their numbers."""
        return self._texts.every

    @property
    def full(self) -> bool:
        """Whether nothing more is kept."""
        return self.size >= self._limit

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        self._run_out()
        plan = self._source.plan(event.number)
        chunk = self.engine.chunk
        waiting = [lanes.idx for sets in chunk.parked.values() for lanes in sets]
        ended = np.flatnonzero(~chunk.live.mask)
        self._states = (
            self._numbers_set(np.sort(np.concatenate(waiting)) if waiting else ended[:0]),
            self._numbers_set(ended),
        )
        self._lanes, self._plan, self._todo, self._at = event.lanes, plan, plan.lines, -1

    def _run_out(self) -> None:
        """The lines that are left of a segment: nothing was told of them."""
        if self._todo:
            self._reach(len(self._todo) - 1)
            self._todo = []

    def _reach(self, place: int) -> None:
        while self._at < place:
            self._at += 1
            self._step(self._todo[self._at], self._lanes)

    def _be_at(self, event: _Placed) -> None:
        """Takes the steps up to an instruction."""
        site = event.site
        if self._todo and site.index in self._plan.place:
            self._reach(self._plan.place[site.index])
        if self._last is None and (line := self._source.line(site)):
            self._step(line, event.lanes)

    def _step(self, line: Line, lanes: LaneSet) -> None:
        """A step begins, unless it goes on with the one before."""
        active = self._set(lanes)
        now = line, active
        if now == self._last or active == self._set_of(()):
            return
        if self._last is not None:
            self._settle()
        self._last = now
        self.steps += 1
        if len(self._columns["steps"]["line"]) == PART:
            self._close()
        if self.full:
            return
        self.kept += 1
        self._add("steps", self.lines.setdefault(line, len(self.lines)), "line", active, *self._states)

    def _settle(self) -> None:
        for buffer, cells, values in self.cells.settled():
            self._add("accesses", self.kept - 1, SETTLED, buffer, self._set_of(()), 1, cells, values)

    def _mark(self, kind: str) -> None:
        """What the last step is."""
        if not self.full and self._columns["steps"]["kind"]:
            self._columns["steps"]["kind"][-1] = kind

    def _add(self, table: str, *row: Any) -> None:
        if self.full or (table not in ("steps", "variables") and not self.kept):
            return
        for column, value in zip(self._columns[table].values(), row, strict=True):
            column.append(value)

    def _close(self) -> None:
        """Ends a part."""
        part = packed(self._columns)
        new = [self._texts.taken(), self._new_sets, part]
        self.size += len(zlib.compress(json.dumps(new).encode(), 6))
        self.parts.append(part)
        self._columns, self._new_sets = fresh(), []

    # Sets of lanes, by their numbers in the grid.

    def _set_of(self, key: tuple[int, ...]) -> int:
        number = self._sets.get(key)
        if number is None:
            number = self._sets[key] = len(self._sets)
            self._new_sets.append(key)
        return number

    def _numbers(self, idx: Integers) -> Integers:
        """The numbers in the grid of lanes of the chunk; those that are not kept are left out."""
        if self._shown is not None:
            idx = idx[self._shown[idx]]
        blocks = np.asarray(self.engine.geometry.blocks)
        return np.asarray(blocks[idx // self._threads] * self._threads + idx % self._threads)

    def _numbers_set(self, idx: Integers) -> int:
        return self._set_of(runs(self._numbers(idx)))

    def _set(self, lanes: LaneSet) -> int:
        return lanes.kept(self._kept_by, lambda: self._numbers_set(lanes.idx))

    def _here(
        self, event: AccessEvent | VariableEvent | ShuffleEvent
    ) -> tuple[LaneSet, Integers | None] | tuple[None, None]:
        """Takes the steps up to an event: its lanes that are kept, and their positions, None for all; or nothing."""
        self._be_at(event)
        lanes, positions = event.lanes, None
        if self._shown is not None:
            positions = np.flatnonzero(self._shown[lanes.idx])
            lanes = lanes.sub(positions)
        return (lanes, positions) if lanes.n and not self.full else (None, None)

    # What happens in a step.

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        buffer = self.cells.buffer(event.allocation, event)
        if buffer is None:
            return
        lanes, positions = self._here(event)
        if lanes is None:
            return
        span, cells, values = self.cells.touched(buffer, event, lanes, positions)
        kind = ACCESSES[event.kind]
        self._add("accesses", self.kept - 1, kind, buffer.number, self._set(lanes), span, cells, values)

    def variable(self, event: VariableEvent) -> None:
        """See `Observer`."""
        variable = event.variable
        if is_pointer(event.site.instruction.operands[0].type):
            self.cells.name(int(event.values[0]), variable.name)
            return
        lanes, positions = self._here(event)
        if lanes is None:
            return
        key = variable.name, variable.file, variable.line
        number = self.variables.setdefault(key, len(self.variables))
        values = self.cells.values(_part(event.values, positions), _whole(event.taint, positions))
        self._add("variables", max(0, self.kept - 1), number, self._set(lanes), values)

    def shuffle(self, event: ShuffleEvent) -> None:
        """See `Observer`."""
        lanes, positions = self._here(event)
        if lanes is None:
            return
        self._mark("shuffle")
        sources: list[int] = []
        if event.sources is not None:
            spots = event.sources if positions is None else event.sources[positions]
            spots = np.broadcast_to(spots, (lanes.n,))
            numbers = np.broadcast_to(np.asarray(event.lanes.get("lane_id")), (event.lanes.n,))
            sources = np.where(spots < 0, -1, numbers[np.maximum(spots, 0)]).tolist()
        # AMD's exchanges hand over words, be they floats or not.
        both = (self._source.as_used(event.site, _part(of, positions)) for of in (event.values, event.results))
        given, got = map(self._texts.many, both)
        self._add("shuffles", self.kept - 1, self._set(lanes), sources, given, got, event.operation)

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        self._run_out()
        for site, lanes in event.groups:
            self._meet(site, lanes, "barrier")

    def cluster(self, event: ClusterEvent) -> None:
        """See `Observer`."""
        self._be_at(event)
        self._meet(event.site, event.lanes, f"cluster.{event.kind}")

    def phase(self, event: PhaseEvent) -> None:
        """See `Observer`."""
        barrier = "mbarrier" if "mbarrier" in event.site.text else "barrier"
        if (barrier, event.kind) != ("barrier", "wait"):  # `barrier` has those that wait at one of the block
            self._be_at(event)
            self._meet(event.site, event.lanes, f"{barrier}.{event.kind}")

    def warp_sync(self, event: WarpEvent) -> None:
        """See `Observer`."""
        self._be_at(event)
        self._meet(event.site, event.lanes, "warp")

    def _meet(self, site: Site, lanes: LaneSet, kind: str) -> None:
        if line := self._source.line(site):
            self._step(line, lanes)
            own = self._set(lanes)
            if own != self._set_of(()):
                self._mark(kind)
                self._add("barriers", self.kept - 1, kind, own)

    def chunk_end(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._run_out()
        self._settle()
        self._last = None

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        if not self.engine.finished and self._last is not None:
            self._settle()
        if self._columns["steps"]["line"] or self._new_sets:
            self._close()


def _part(values: Array, positions: Integers | None) -> Array:
    """The values at some positions; one value stands for all."""
    return values if positions is None or len(values) == 1 else values[positions]


def _whole(taint: Taint, positions: Integers | None) -> Array | None:
    if taint is None or not taint.any():
        return None
    marks: Booleans = np.not_equal(taint if taint.ndim == 1 else taint.max(1), 0)
    return _part(marks, positions)
