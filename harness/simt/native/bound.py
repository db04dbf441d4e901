"""A launch's memory as native code sees it, and the blocks that it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile import registry
from harness.simt.ir.types import dtype_of
from harness.simt.native.declined import Declined
from harness.simt.native.layout import ALLOCATION, CELL, ENTRY, FIXED, MARKS
from harness.simt.native.machine import Code
from harness.simt.native.reached import reached
from harness.simt.native.requests import WORDS, Requests
from harness.simt.observe import RunningLaunch
from harness.simt.state.allocation import Allocation
from harness.simt.state.allocations import FIRST
from harness.simt.state.lanes import Geometry

if TYPE_CHECKING:
    from harness.simt.native.module import Written

__all__ = ["DOUBT", "Bound"]

DOUBT = "something that may have to be told"
THREADS = 65_533  # of a cluster: see `cells`
SEVERAL = 0xFFFF  # blocks: see there
WAITS = 1 << 24  # how many a chunk may pass before Python looks whether that ever ends
TRACE = 1 << 22  # accesses that are noted at once
FEW = 2  # blocks that may be left though they are more than half of those that ran


class Bound:
    """A launch's memory, as native code sees it.

    Args:
        registers: What a launch begins with.
        most: The host's memory that it may take, in bytes.

    Attributes:
        facts: What native code notes: a byte for each line with a barrier, or each segment.
        left: The blocks that were not proved clean.
        waits: How many stretches from wait to wait ran.
        touched, totals: As of a `Proof`, where that is noted.

    Raises:
        Declined: Native code does not know such a launch.
    """

    def __init__(self, engine: RunningLaunch, module: Written, registers: list[tuple[int, Array]], most: int) -> None:
        self.engine, self.module, self.waits, self.ran = engine, module, 0, 0
        self.left: list[int] = []
        self._fitting = 1  # clusters of which all can be noted that is
        self._spans: list[int] = []  # the first epoch of each of these, and the first behind it
        self.kept: list[Array] = []
        size, self.cluster = int(np.prod(engine.block)), engine.cluster_size
        self.threads = size * self.cluster
        width = engine.target.warp if module.warps else size
        if size % width or self.threads > THREADS:
            raise Declined("a warp that is not full" if size % width else "its threads in a block")
        self.touched: dict[int, Integers] = {}
        memory = engine.memory
        own, device = memory.allocations, memory.device
        self.rows: list[Allocation | None] = [*own]
        begins = [values for _, values in registers] + [one.data for one in own if one.rows == "grid"]
        lasting = reached(device, begins)
        self.rows += [lasting.get(number) for number in range(FIRST, max(lasting, default=0) + 1)]
        self._before: list[tuple[Allocation, Array, Array | None, Array]] = []
        self._written: dict[int, tuple[Allocation, Array]] = {}
        shadowed = sum(allocation.size for allocation in self.rows if allocation is not None and allocation.writable)
        if shadowed * (CELL + 2) // module.layout.grain > most:
            raise Declined("the memory that it takes")
        self.table: Integers = np.zeros((len(self.rows), len(ALLOCATION)), np.int64)
        self.ones = self._keep(np.ones(32, np.uint8))
        for number, allocation in enumerate(self.rows):
            if allocation is not None:
                self._allocation(self.table[number], allocation)
        self.slots: Integers = np.zeros(module.layout.slots, np.int64)
        lanes = max(1, module.layout.kept) * self.threads
        self.facts = {
            "needed": self._keep(np.zeros((len(module.lines) + 1, MARKS), np.uint8)),
            "passed": self._keep(np.full(len(module.lines) + 1, -1)),
            "reached": self._keep(np.zeros(len(engine.program.segments), np.uint8)),
        }
        given = {
            "table": _at(self.table),
            "own": len(own),
            "count": len(self.rows),
            "threads": self.threads,
            "size": size,
            "cluster": self.cluster,
            "width": width,
            "spill": _at(self._keep(np.empty(lanes, np.uint8))),
            "snapshot": _at(self._keep(np.empty(lanes, np.uint8))),
            **{name: _at(array) for name, array in self.facts.items()},
        }
        for name, value in given.items():
            self.slots[FIXED[name]] = value
        blocks = int(np.prod(engine.grid))
        self._requests = Requests(module.traced, self.rows, engine.target, self.threads, blocks)
        self._trace: Integers = np.empty(TRACE * WORDS if module.traced else 0, np.int64)
        if module.traced:
            self.slots[FIXED["trace end"]] = _at(self._trace) + self._trace.nbytes
        values, raw = dict(registers), self.slots.view(np.uint8)
        for (number, leaf), slot in module.layout.params.items():
            octets = np.ascontiguousarray(values[engine.program.slots[number] + leaf]).reshape(-1).view(np.uint8)
            raw[8 * slot : 8 * slot + len(octets)] = octets

    def _keep(self, array: Array) -> Array:
        self.kept.append(array)
        return array

    def _allocation(self, row: Integers, allocation: Allocation) -> None:
        rows = {"grid": 0, "block": self.cluster, "lane": self.threads}[allocation.rows]
        data = self._keep(np.empty(rows * allocation.stride + 16, np.uint8)) if rows else allocation.data
        written, mask = self.ones, 0
        if rows:
            written, mask = self._keep(np.zeros(len(data), np.uint8)), -1
        elif allocation.shadow is not None and allocation.shadow.any():
            written, mask = self._keep((allocation.shadow == 0).astype(np.uint8)), -1
            self._written[allocation.number] = allocation, written
        cells = np.zeros(0, np.uint8)
        if allocation.writable and allocation.rows != "lane":
            cells = self._keep(np.zeros(self._cells_of(allocation) * CELL * (rows or 1), np.uint8))
        if allocation.writable and not rows:
            self._before.append(
                (allocation, allocation.data.copy(), allocation.shadow, cells.view(np.int32).reshape(-1, 4))
            )
        facts = {
            "data": _at(data) if len(data) else _at(self.ones),
            "size": allocation.size,
            "stride": allocation.stride if allocation.rows == "lane" else 0,
            "writable": allocation.writable,
            "cells": _at(cells) if len(cells) else 0,
            "start": rows == 0,
            "written": _at(written) if len(written) else _at(self.ones),
            "mask": mask,
            "fresh": rows * allocation.stride,
            "counts": 0,
            "traced": allocation.space in self.module.notes,
            "pitch": allocation.stride if allocation.rows == "block" else 0,
            "cell pitch": self._cells_of(allocation) * CELL if allocation.rows == "block" else 0,
        }
        if "elements" in self.module.notes and allocation.argument is not None and allocation.space == "global":
            grain = self.module.layout.grain
            counts: Integers = np.zeros((-(-allocation.size // grain) or 1, 2), np.int32)
            self.touched[allocation.number], facts["counts"] = counts, _at(self._keep(counts))
        for name, value in facts.items():
            row[ALLOCATION[name]] = value

    def _cells_of(self, allocation: Allocation) -> int:
        """Those of a row."""
        return allocation.size // self.module.layout.grain + 2

    def run(self, code: Code, blocks: Integers) -> None:
        """Runs some blocks; those that are not proved clean are `left`.

        Raises:
            Declined: They are too many, or go on for too long.
        """
        engine = self.engine
        geometry = Geometry(blocks, engine.grid, engine.block, engine.cluster, engine.target.warp)
        held = []
        for (name, ty), slot in self.module.layout.geometry.items():
            handler = registry.TABLE[name].handler
            assert handler is not None
            values = np.ascontiguousarray(handler(engine, geometry.root))
            if values.dtype != dtype_of(ty) or values.ndim != 1:
                raise Declined(name)
            held.append(values)
            self.slots[slot] = _at(values)
            self.slots[slot + 1] = 0 if len(values) == 1 else values.itemsize
        self.slots[FIXED["rounds"]] = WAITS
        start = 0
        while start < len(blocks):
            stop = len(blocks) if not self.module.traced else min(start + self._fitting * self.cluster, len(blocks))
            self.slots[FIXED["trace"]] = _at(self._trace)
            at = code(_at(self.slots), start, stop)
            if at == stop:
                self._request((stop - start) // self.cluster)
                start = stop
                continue
            self.left += blocks[at : at + self.cluster].tolist()
            birth, time = (int(self.slots[FIXED[name]]) for name in ("birth", "time"))
            self._spans += [birth, time + 1]
            spent = not self.slots[FIXED["rounds"]] or time >= 1 << 31
            if spent or len(self.left) > FEW * self.cluster + (self.ran + at) // 2:
                raise Declined(DOUBT)
            start = at + self.cluster
        self.ran += len(blocks)
        self.waits += WAITS - int(self.slots[FIXED["rounds"]])

    def _request(self, clusters: int) -> None:
        """Looks at what was noted of so many clusters."""
        if self.module.traced:
            used = (int(self.slots[FIXED["trace"]]) - _at(self._trace)) // ENTRY
            self._requests.add(self._trace[: used * WORDS])
            self._fitting = max(1, TRACE * clusters // (2 * used or 1))

    @property
    def totals(self) -> dict[str, int]:
        """See the class."""
        return self._requests.totals if self.module.traced else {}

    def settle(self) -> None:
        """Memory is as if the blocks that are left had not begun: nobody else wrote where they did."""
        if self.left:
            for allocation, data, shadow, cells in self._before:
                stored, loaded = (np.searchsorted(self._spans, cells[:, at], "right") & 1 == 1 for at in (1, 3))
                grain = self.module.layout.grain
                places = np.flatnonzero(stored)[:, None] * grain + np.arange(grain)
                allocation.data[places] = data[places]
                if shadow is not None and allocation.number in self._written:
                    self._written[allocation.number][1][places] = shadow[places] == 0
                cells[stored, :2] = 0
                cells[loaded & (cells[:, 2] & 0xFFFF != SEVERAL), 2:] = 0

    def cells(self) -> dict[int, Integers]:
        """Who touched global memory, by the number of the allocation; a row is a cell, see `CELL`."""
        return {allocation.number: cells for allocation, _, _, cells in self._before}

    def undo(self) -> None:
        """Memory is as it was."""
        for allocation, data, shadow, _ in self._before:
            allocation.data[:] = data
            allocation.shadow = shadow

    def finish(self) -> None:
        """What was written is no longer undefined."""
        for allocation, marks in self._written.values():
            assert allocation.shadow is not None
            allocation.shadow = np.where(marks != 0, np.int32(0), allocation.shadow)


def _at(array: Array) -> int:
    return int(array.__array_interface__["data"][0])
