"""What a profiler shows of a kernel, by line and column of its source.

`harness.simt.traffic` says what is counted. An asynchronous copy is a load and a store, each once: the store is counted
where the copy begins, since it may land in parts.
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
from harness.simt.observing.requests import parted, served, warps
from harness.simt.rows import Row, summed
from harness.simt.state.lanes import LaneSet
from harness.simt.traffic import LINE, SECTOR, begins, conflicts, least_sectors, pieces, units

__all__ = ["Profile"]

MEMORIES = ("global", "shared")
_ONE = ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg")
_TWO = re.compile(r"llvm\.(fma|fmuladd)\.|llvm\.nvvm\.fma\.|llvm\.amdgcn\.fma")
# Rows, columns and depth of a product that a warp computes together.
_PRODUCT = re.compile(r"\.m(\d+)n(\d+)k(\d+)\.|\.mfma\.\w+\.(\d+)x(\d+)x(\d+)|\.wmma\.\w+\.(\d+)x(\d+)x(\d+)")


class Profile(Observer):
    """Puts its rows into the launch's `profile`, and `elements_written`, of global memory, into its counters."""

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._rows: dict[tuple[int, str], tuple[Site, Row]] = {}
        self._copies: set[int] = set()
        self._ran: Counter[int] = Counter()
        self._written: dict[int, Booleans] = {}  # of an allocation each byte at which an element begins
        self._segments: dict[int, tuple[Op, ...]] = {}
        self._target = engine.target

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        if event.number not in self._segments:
            self._segments[event.number] = event.ops
        self._ran[event.number] += event.lanes.n

    def branch(self, event: BranchEvent) -> None:
        """See `Observer`."""
        row = self._row(event.site, "branch")
        row.requests += len(warps(event.lanes)[0])
        row.lanes += event.lanes.n
        row.divergent += parted(event.lanes, event.taken)

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        space = event.allocation.space
        if space not in MEMORIES or (event.kind == "store" and event.site.index in self._copies):
            return
        row = self._row(event.site, f"{space} {event.kind}")
        elements = event.elements
        each, begin = pieces(event.size, elements, event.site.align, self._target.vendor)
        for first in begin:
            self._count(row, event.lanes, space, event.offsets + first, each)
        if space == "global" and event.kind != "load":
            written = self._written.get(event.allocation.number)
            if written is None:
                written = self._written[event.allocation.number] = np.zeros(len(event.allocation.data), bool)
            written[event.offsets[:, None] + np.arange(elements) * (event.size // elements)] = True

    def copy(self, event: CopyEvent) -> None:
        """See `Observer`."""
        for places in event.places if event.kind == "begin" and not event.product else ():
            space = places.allocation.space
            if places.role == "target" and space in MEMORIES:
                self._copies.add(event.site.index)
                row, lanes = self._row(event.site, f"{space} store"), event.lanes.sub(places.positions)
                self._count(row, lanes, space, np.asarray(places.starts) % places.allocation.stride, places.size)

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        for number, lanes in self._ran.items():
            for op in self._segments[number]:
                if each := self._operations(op):
                    row = self._row(op.site, "arithmetic")
                    row.lanes += lanes
                    row.operations += round(each * lanes)
        written = sum(int(np.count_nonzero(starts)) for starts in self._written.values())
        engine.observation.counters["elements_written"] = written
        engine.observation.profile = summed(row for _, row in self._rows.values())

    def _row(self, site: Site, what: str) -> Row:
        held = self._rows.get((site.index, what))
        if held is None:
            place = site.place
            held = self._rows[site.index, what] = site, Row(place.file, place.line, place.column, what)
        return held[1]

    def _count(self, row: Row, lanes: LaneSet, space: str, offsets: Integers, size: int) -> None:
        row.requests += len(warps(lanes)[0])
        row.lanes += lanes.n
        row.bytes += lanes.n * size
        if space == "shared":
            part, least = served(lanes, size)
            row.passes += least + conflicts(part, offsets, size, atomic=row.what == "shared atomic")
            row.least_passes += least
        else:
            first, times = begins(lanes.get("warp"), offsets)
            row.sectors += times * units(first, size, SECTOR)
            row.lines += times * units(first, size, LINE)
            row.least_sectors += times * least_sectors(first, size)

    def _operations(self, op: Op) -> float:
        """Floating-point operations of one lane; of a warp's product its share."""
        if op.opcode == "call":
            if product := _PRODUCT.search(op.callee):
                rows, columns, depth = (int(part) for part in product.groups() if part)
                return 2 * rows * columns * depth / self._target.warp
            each = 2 if _TWO.search(op.callee) else 0
        else:
            each = int(op.opcode in _ONE)
        return each * (op.type.length if each and isinstance(op.type, Vector) else 1)
