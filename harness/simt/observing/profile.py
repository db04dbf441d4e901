"""The observer `Profile`: requests, bytes, sectors, passes, divergence and flops of each source line and column.

`harness.simt.traffic` defines the counts. An asynchronous copy is a load and a store, each counted once: the store
at the beginning of the copy, since it may be written in parts.
"""

import re
from collections import Counter

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.compile.graph import Op
from harness.simt.events import AccessEvent, BranchEvent, CopyEvent, SegmentEvent
from harness.simt.ir.site import Site
from harness.simt.ir.types import Vector
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.observing.requests import count_divided_warps, group_by_pass, warps
from harness.simt.rows import Row, sum_rows
from harness.simt.state.lanes import LaneSet
from harness.simt.traffic import (
    LINE,
    SECTOR,
    count_conflicts,
    count_units,
    first_byte_keys,
    least_sectors,
    split_access,
)

__all__ = ["Profile"]

MEMORIES = ("global", "shared")
_ONE = ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg")
_TWO = re.compile(r"llvm\.(fma|fmuladd)\.|llvm\.nvvm\.fma\.|llvm\.amdgcn\.fma")
# Rows, columns and depth of a matrix product of a warp.
_PRODUCT = re.compile(r"\.m(\d+)n(\d+)k(\d+)\.|\.mfma\.\w+\.(\d+)x(\d+)x(\d+)|\.wmma\.\w+\.(\d+)x(\d+)x(\d+)")


class Profile(Observer):
    """Put rows of counts into the launch's `profile`, and `elements_written`, of global memory, into its counters."""

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Start with no rows, no copies and no written elements."""
        self._rows: dict[tuple[int, str], tuple[Site, Row]] = {}
        self._copies: set[int] = set()
        self._lane_counts: Counter[int] = Counter()
        self._written: dict[int, Booleans] = {}  # of an allocation each byte at which an element begins
        self._segments: dict[int, tuple[Op, ...]] = {}
        self._target = engine.target

    def segment(self, event: SegmentEvent) -> None:
        """Count the lanes that run a segment; `launch_end` makes rows of its arithmetic."""
        if event.number not in self._segments:
            self._segments[event.number] = event.ops
        self._lane_counts[event.number] += event.lanes.n

    def branch(self, event: BranchEvent) -> None:
        """Add to a branch's row its warps (as requests), its lanes, and the warps that it divides."""
        row = self._row_of(event.site, "branch")
        row.requests += len(warps(event.lanes)[0])
        row.lanes += event.lanes.n
        row.divergent += count_divided_warps(event.lanes, event.taken)

    def access(self, event: AccessEvent) -> None:
        """Count an access to global or shared memory, and note the elements of global memory that are written.

        Other address spaces are ignored, and stores of asynchronous copies: `copy` counts these, but not as elements.
        """
        space = event.allocation.space
        if space not in MEMORIES or (event.kind == "store" and event.site.index in self._copies):
            return
        row = self._row_of(event.site, f"{space} {event.kind}")
        elements = event.elements
        bytes_each, first_bytes = split_access(event.size, elements, event.site.align, self._target.vendor)
        for first in first_bytes:
            self._count(row, event.lanes, space, event.offsets + first, bytes_each)
        if space == "global" and event.kind != "load":
            written = self._written.get(event.allocation.number)
            if written is None:
                written = self._written[event.allocation.number] = np.zeros(len(event.allocation.data), bool)
            written[event.offsets[:, None] + np.arange(elements) * (event.size // elements)] = True

    def copy(self, event: CopyEvent) -> None:
        """Count the stores of an asynchronous copy when it begins; nothing for matrix products."""
        for places in event.places if event.kind == "begin" and not event.product else ():
            space = places.allocation.space
            if places.role == "target" and space in MEMORIES:
                self._copies.add(event.site.index)
                row, lanes = self._row_of(event.site, f"{space} store"), event.lanes.sub(places.positions)
                self._count(row, lanes, space, np.asarray(places.starts) % places.allocation.stride, places.size)

    def launch_end(self, engine: RunningLaunch) -> None:
        """Add the rows of arithmetic; set `engine.observation.profile` and the counter `elements_written`.

        The profile has one row for each source location and kind of work, in the order of the source.
        """
        for number, lanes in self._lane_counts.items():
            for op in self._segments[number]:
                if operations := self._operations(op):
                    row = self._row_of(op.site, "arithmetic")
                    row.lanes += lanes
                    row.operations += round(operations * lanes)
        written = sum(int(np.count_nonzero(starts)) for starts in self._written.values())
        engine.observation.counters["elements_written"] = written
        engine.observation.profile = sum_rows(row for _, row in self._rows.values())

    def _row_of(self, site: Site, what: str) -> Row:
        """Return the row of one instruction for a kind of work, such as `global load`; the first call makes it.

        `launch_end` adds up the rows of one source location.
        """
        entry = self._rows.get((site.index, what))
        if entry is None:
            location = site.place
            entry = self._rows[site.index, what] = site, Row(location.file, location.line, location.column, what)
        return entry[1]

    def _count(self, row: Row, lanes: LaneSet, space: str, offsets: Integers, size: int) -> None:
        """Add an access of some lanes to a row: a request for each warp, the lanes and their bytes.

        If `space` is `shared`, also passes and the least passes; else sectors, the least sectors, and lines.

        Args:
            offsets: The first byte of each lane, (n,), or (1,) if all agree.
            size: Bytes of each lane.
        """
        row.requests += len(warps(lanes)[0])
        row.lanes += lanes.n
        row.bytes += lanes.n * size
        if space == "shared":
            groups, least_passes = group_by_pass(lanes, size)
            row.passes += least_passes + count_conflicts(groups, offsets, size, atomic=row.what == "shared atomic")
            row.least_passes += least_passes
        else:
            first, times = first_byte_keys(lanes.get("warp"), offsets)
            row.sectors += times * count_units(first, size, SECTOR)
            row.lines += times * count_units(first, size, LINE)
            row.least_sectors += times * least_sectors(first, size)

    def _operations(self, op: Op) -> float:
        """Return the floating-point operations of one lane, 0 if there are none; of a warp's matrix product its share.

        A multiply-add counts as two; a vector counts each element.
        """
        if op.opcode == "call":
            if product := _PRODUCT.search(op.callee):
                rows, columns, depth = (int(extent) for extent in product.groups() if extent)
                return 2 * rows * columns * depth / self._target.warp
            per_element = 2 if _TWO.search(op.callee) else 0
        else:
            per_element = int(op.opcode in _ONE)
        return per_element * (op.type.length if per_element and isinstance(op.type, Vector) else 1)
