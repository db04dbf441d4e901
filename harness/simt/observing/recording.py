"""Record a launch by source line, up to a size: lanes that run or wait, accesses, shuffles, barriers, variables.

A step is a source line that some lanes run together. The recording keeps, in columns that compress well: the lanes that
run, wait and have ended; what they read and wrote; the values that shuffles pass; barriers; values of named variables.
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
from harness.simt.observing.cells import MAX_INITIAL_CELLS, Cells, Texts, to_runs
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE, make_tables, pack
from harness.simt.observing.source_lines import Line, SourceLines, is_pointer
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["LIMIT", "PART", "Recorder"]

ACCESSES = {"load": LOAD, "store": STORE, "atomic": ATOMIC}
LIMIT = 1 << 20  # bytes of a compressed trace
PART = 64  # steps in a part
_Types: TypeAlias = Mapping[str, np.dtype[Any]]
_SiteEvent: TypeAlias = AccessEvent | VariableEvent | ShuffleEvent | ClusterEvent | PhaseEvent | WarpEvent


class Recorder(Observer):
    """Record the steps of a launch.

    Args:
        blocks: Numbers in the grid of the blocks to record; all if None.
        dtypes: The element types of arguments, by name; for others the first access decides.
        limit: Bytes that the steps may take compressed; later steps are only counted.
        max_initial_cells: Cells of a buffer up to which its initial contents are recorded.

    Attributes:
        parts: The steps, `PART` at a time; each part's columns are plain lists.
        lines, variables: The source lines of the steps, and the named variables, each with its number.
        cells: The buffers.
        steps, kept: How many steps there were, and how many are recorded.
        size: Bytes that these take compressed.
    """

    def __init__(
        self, blocks: Sequence[int] | None = None, dtypes: _Types | None = None, limit: int = LIMIT,
        max_initial_cells: int = MAX_INITIAL_CELLS,
    ) -> None:  # fmt: skip
        self._blocks = None if blocks is None else np.asarray(sorted(blocks))
        self._dtypes, self._limit, self._max_initial_cells = dict(dtypes or {}), limit, max_initial_cells
        self.parts: list[dict[str, Any]] = []
        self.lines: dict[Line, int] = {}
        self.variables: dict[tuple[str, str, int], int] = {}
        self.steps = self.kept = self.size = 0
        self._sets: dict[tuple[int, ...], int] = {}
        self._cache_key = object()  # under which sets of lanes cache their numbers for this recording
        self._texts = Texts()
        self._new_sets: list[tuple[int, ...]] = []
        self._columns = make_tables()
        self._last: tuple[Any, ...] | None = None
        self._lines: list[Line] = []
        self._line_index = -1
        self._lane_states = (0, 0)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Copy the initial contents of buffers, and find the program's source lines. A recorder serves one launch."""
        self.cells = Cells(engine, self._texts, self._dtypes, self._max_initial_cells)
        self._threads = engine.block[0] * engine.block[1] * engine.block[2]
        self._source = SourceLines(engine.program)

    def chunk_begin(self, geometry: Geometry) -> None:
        """Note which lanes of the chunk are recorded."""
        self._is_recorded = None
        if self._blocks is not None:
            is_recorded = np.isin(geometry.blocks, self._blocks)
            self._is_recorded = None if is_recorded.all() else np.repeat(is_recorded, geometry.threads)

    @property
    def blocks(self) -> list[int] | None:
        """The numbers in the grid of the recorded blocks; None for all."""
        return None if self._blocks is None else self._blocks.tolist()

    @property
    def sets(self) -> list[tuple[int, ...]]:
        """The sets of lanes, each as runs of neighbours: first, length, first, length, ..."""
        return list(self._sets)

    @property
    def texts(self) -> list[str]:
        """The texts of printed values, in the order of their numbers."""
        return self._texts.all_texts

    @property
    def is_full(self) -> bool:
        """True if the limit is reached, so that nothing more is recorded."""
        return self.size >= self._limit

    def segment(self, event: SegmentEvent) -> None:
        """Finish the steps of the previous segment; note lanes and lines of this one, and who waits and has ended."""
        self._finish_segment()
        plan = self._source.lines_of(event.number)
        chunk = self.engine.chunk
        waiting = [lanes.idx for sets in chunk.parked.values() for lanes in sets]
        ended = np.flatnonzero(~chunk.live.mask)
        waiters = np.sort(np.concatenate(waiting)) if waiting else ended[:0]
        self._lane_states = self._set_of_numbers(waiters), self._set_of_numbers(ended)
        self._lanes, self._plan, self._lines, self._line_index = event.lanes, plan, plan.lines, -1

    def _finish_segment(self) -> None:
        """Record the remaining lines of a segment, for which there were no events."""
        if self._lines:
            self._advance_to(len(self._lines) - 1)
            self._lines = []

    def _advance_to(self, index: int) -> None:
        while self._line_index < index:
            self._line_index += 1
            self._begin_step(self._lines[self._line_index], self._lanes)

    def _advance_to_site(self, event: _SiteEvent) -> None:
        """Record the steps of the segment up to an instruction's line; begin one there if the chunk has none yet."""
        site = event.site
        if self._lines and site.index in self._plan.last_line:
            self._advance_to(self._plan.last_line[site.index])
        if self._last is None and (line := self._source.line(site)):
            self._begin_step(line, event.lanes)

    def _begin_step(self, line: Line, lanes: LaneSet) -> None:
        """Begin a step, after ending the last one, unless it continues that or none of its lanes is recorded.

        If the recording is full, only count it. A part that has `PART` steps is closed first.
        """
        active = self._set_of_lanes(lanes)
        step = line, active
        if step == self._last or active == self._number_of_set(()):
            return
        if self._last is not None:
            self._record_pending()
        self._last = step
        self.steps += 1
        if len(self._columns["steps"]["line"]) == PART:
            self._close_part()
        if self.is_full:
            return
        self.kept += 1
        self._add("steps", self.lines.setdefault(line, len(self.lines)), "line", active, *self._lane_states)

    def _record_pending(self) -> None:
        for buffer, cells, values in self.cells.read_pending():
            self._add("accesses", self.kept - 1, SETTLED, buffer, self._number_of_set(()), 1, cells, values)

    def _set_kind(self, kind: str) -> None:
        """Set the kind of the last step, if it is in the current part and the recording is not full."""
        if not self.is_full and self._columns["steps"]["kind"]:
            self._columns["steps"]["kind"][-1] = kind

    def _add(self, table: str, *row: Any) -> None:
        if self.is_full or (table not in ("steps", "variables") and not self.kept):
            return
        for column, value in zip(self._columns[table].values(), row, strict=True):
            column.append(value)

    def _close_part(self) -> None:
        """End a part: pack its columns into `parts`, add its compressed bytes to `size`, and begin an empty one."""
        part = pack(self._columns)
        new = [self._texts.pop_new(), self._new_sets, part]
        self.size += len(zlib.compress(json.dumps(new).encode(), 6))
        self.parts.append(part)
        self._columns, self._new_sets = make_tables(), []

    def _number_of_set(self, key: tuple[int, ...]) -> int:
        number = self._sets.get(key)
        if number is None:
            number = self._sets[key] = len(self._sets)
            self._new_sets.append(key)
        return number

    def _grid_numbers(self, idx: Integers) -> Integers:
        """Return the numbers in the grid of lanes of the chunk, without those that are not recorded."""
        if self._is_recorded is not None:
            idx = idx[self._is_recorded[idx]]
        blocks = np.asarray(self.engine.geometry.blocks)
        return np.asarray(blocks[idx // self._threads] * self._threads + idx % self._threads)

    def _set_of_numbers(self, idx: Integers) -> int:
        return self._number_of_set(to_runs(self._grid_numbers(idx)))

    def _set_of_lanes(self, lanes: LaneSet) -> int:
        return lanes.cached(self._cache_key, lambda: self._set_of_numbers(lanes.idx))

    def _recorded_lanes(
        self, event: AccessEvent | VariableEvent | ShuffleEvent
    ) -> tuple[LaneSet, Integers | None] | tuple[None, None]:
        """Record the steps up to an event; return its recorded lanes and their positions in it, None for all of them.

        Return (None, None) if it has none, or if the recording is full.
        """
        self._advance_to_site(event)
        lanes, positions = event.lanes, None
        if self._is_recorded is not None:
            positions = np.flatnonzero(self._is_recorded[lanes.idx])
            lanes = lanes.sub(positions)
        return (lanes, positions) if lanes.n and not self.is_full else (None, None)

    def access(self, event: AccessEvent) -> None:
        """Record an access: which cells, and their values; memory that is not shown is ignored."""
        buffer = self.cells.buffer_of(event.allocation, event)
        if buffer is None:
            return
        lanes, positions = self._recorded_lanes(event)
        if lanes is None:
            return
        span, cells, values = self.cells.describe_access(buffer, event, positions)
        kind = ACCESSES[event.kind]
        self._add("accesses", self.kept - 1, kind, buffer.number, self._set_of_lanes(lanes), span, cells, values)

    def variable(self, event: VariableEvent) -> None:
        """Record the value of a variable. A pointer is not recorded: it names the allocation of its first value."""
        variable = event.variable
        if is_pointer(event.site.instruction.operands[0].type):
            self.cells.set_name(int(event.values[0]), variable.name)
            return
        lanes, positions = self._recorded_lanes(event)
        if lanes is None:
            return
        key = variable.name, variable.file, variable.line
        number = self.variables.setdefault(key, len(self.variables))
        undefined = _undefined_at(event.taint, positions)
        values = self.cells.number_values(_pick_positions(event.values, positions), undefined)
        self._add("variables", max(0, self.kept - 1), number, self._set_of_lanes(lanes), values)

    def shuffle(self, event: ShuffleEvent) -> None:
        """Record a shuffle: the lane that each reads, in the grid or -1 (empty: all read all), values sent and got."""
        lanes, positions = self._recorded_lanes(event)
        if lanes is None:
            return
        self._set_kind("shuffle")
        sources: list[int] = []
        if event.sources is not None:
            chosen = event.sources if positions is None else event.sources[positions]
            positions_read = np.broadcast_to(chosen, (lanes.n,))
            numbers = np.broadcast_to(np.asarray(event.lanes.get("lane_id")), (event.lanes.n,))
            sources = np.where(positions_read < 0, -1, numbers[np.maximum(positions_read, 0)]).tolist()
        # AMD's exchanges pass words, also if these are floats.
        picked = (_pick_positions(values, positions) for values in (event.values, event.results))
        words = (self._source.reinterpret_floats(event.site, values) for values in picked)
        sent, received = map(self._texts.numbers_of, words)
        self._add("shuffles", self.kept - 1, self._set_of_lanes(lanes), sources, sent, received, event.operation)

    def barrier(self, event: BarrierEvent) -> None:
        """Record a barrier for the lanes at each instruction, after the remaining lines of their segment."""
        self._finish_segment()
        for site, lanes in event.groups:
            self._add_barrier(site, lanes, "barrier")

    def cluster(self, event: ClusterEvent) -> None:
        """Record an arrival or a wait at a cluster's barrier."""
        self._advance_to_site(event)
        self._add_barrier(event.site, event.lanes, f"cluster.{event.kind}")

    def phase(self, event: PhaseEvent) -> None:
        """Record an arrival or a wait at an mbarrier, or an arrival at a barrier of the block."""
        barrier = "mbarrier" if "mbarrier" in event.site.text else "barrier"
        if (barrier, event.kind) != ("barrier", "wait"):  # `barrier` records waits at barriers of the block
            self._advance_to_site(event)
            self._add_barrier(event.site, event.lanes, f"{barrier}.{event.kind}")

    def warp_sync(self, event: WarpEvent) -> None:
        """Record that lanes of warps synchronise."""
        self._advance_to_site(event)
        self._add_barrier(event.site, event.lanes, "warp")

    def _add_barrier(self, site: Site, lanes: LaneSet, kind: str) -> None:
        if line := self._source.line(site):
            self._begin_step(line, lanes)
            set_number = self._set_of_lanes(lanes)
            if set_number != self._number_of_set(()):
                self._set_kind(kind)
                self._add("barriers", self.kept - 1, kind, set_number)

    def chunk_end(self, geometry: Geometry) -> None:
        """Finish the steps of the chunk, and record what its last step changed in memory."""
        self._finish_segment()
        self._record_pending()
        self._last = None

    def launch_end(self, engine: RunningLaunch) -> None:
        """Close the last part; first record what its last step changed in memory, if the launch ended early."""
        if not self.engine.finished and self._last is not None:
            self._record_pending()
        if self._columns["steps"]["line"] or self._new_sets:
            self._close_part()


def _pick_positions(values: Array, positions: Integers | None) -> Array:
    """Return the values at some positions; one value stands for all."""
    return values if positions is None or len(values) == 1 else values[positions]


def _undefined_at(taint: Taint, positions: Integers | None) -> Array | None:
    """Return for each position whether its value is undefined, (1,) if all agree; None if no lane's is."""
    if taint is None or not taint.any():
        return None
    is_undefined: Booleans = np.not_equal(taint if taint.ndim == 1 else taint.max(1), 0)
    return _pick_positions(is_undefined, positions)
