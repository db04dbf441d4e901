"""`Worker`, a host thread that runs blocks: its context struct, private memory, shadow cells, counters, geometry."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array, Integers, address_of
from harness.simt.compile import registry
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Type, dtype_of
from harness.simt.native.analysis.block_invariance import geometry_scope
from harness.simt.native.analysis.notes import COUNTED, LOCKSTEP
from harness.simt.native.emit.context import ALLOCATION_FACTS, LOOPED, MARKS, NEVER, SHADOW_CELL_BYTES, SLOTS
from harness.simt.native.execution.lane_counts import LaneTables, add_lane_counts
from harness.simt.native.execution.launch_key import LaunchKey, SharedAllocation
from harness.simt.native.execution.launch_memory import LaunchMemory, WorkerNotes
from harness.simt.native.jit.compiler import Code
from harness.simt.native.sanitize.counting import UNDONE, request_words
from harness.simt.native.sanitize.exact_sums import begin_sums, merge
from harness.simt.observe import RunningLaunch
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import Geometry

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["CannotRestart", "Worker", "geometry_values"]

THREADS = 65_533  # of a cluster: see `cells`
ROW = Struct(f"{len(ALLOCATION_FACTS)}q")
WAYS = 256  # intervals of a block in which its lanes may take different control paths
COUNTS = [ALLOCATION_FACTS[name] for name in ("loads", "stores", "writers")]
PLACED = 2  # sets of blocks of which it keeps where they are: of most launches the first few, and all others
KEPT = 1 << 17  # blocks of which it keeps that for the next launch
LATE = 1 << 30  # epochs after which a worker is not used again
FIRST: Integers = np.zeros(1, np.int64)  # the block that stands for all where lanes are asked for


class CannotRestart(Exception):
    """A block took another control path than the one before it, and had already stored to memory that others see."""


def geometry_values(engine: RunningLaunch, name: str, blocks: Integers = FIRST) -> Array:
    """Return a geometry intrinsic's values: one a lane of `blocks`, one a block, or a single one, by its scope."""
    block, warp = ((1, 1, 1), 1) if geometry_scope(name) == "block" else (engine.block, engine.target.warp)
    handler = registry.TABLE[name].handler
    assert handler is not None
    return np.ascontiguousarray(handler(engine, Geometry(blocks, engine.grid, block, engine.cluster, warp).root))


class Worker:
    """A thread of the host with the memory in which blocks of one shape run; one launch after another may take it.

    Args:
        allocations: The allocations of a launch, by row.

    Attributes:
        bytes, asked: The host's memory that it takes besides its notes; and more while requests are counted.
        facts: What compiled code notes: a row for each line with a barrier, or a byte for each segment.

    Raises:
        Declined: A block has too many threads, or an incomplete warp.
    """

    def __init__(self, engine: RunningLaunch, module: KernelModule, allocations: list[Allocation | None]) -> None:
        size, self._module, self._cluster = math.prod(engine.block), module, engine.cluster_size
        self._threads = threads = size * self._cluster
        width = engine.target.warp if module.warps else size
        if (module.warps and size % width) or threads > THREADS:
            raise Declined(Reason.PARTIAL_WARP if size % width else Reason.BLOCK_SIZE, threads=size, limit=THREADS)
        self._kept: list[Array] = []
        self._table: Integers = np.zeros((len(allocations), len(ALLOCATION_FACTS)), np.int64)
        used = ((row, item) for row, item in enumerate(allocations) if item and item.number not in module.removed)
        for row, allocation in (private := [(row, item) for row, item in used if item.rows != "grid"]):
            self._reserve(self._table[row], allocation)
        self._tables = LaneTables(self._table, module, allocations) if LOCKSTEP in module.notes else None
        self._rows = memoryview(self._table.data).cast("B")
        slots = np.zeros(module.layout.slots, np.int64)
        self._at, self.slots = address_of(slots), memoryview(slots.data)  # which NumPy takes longer to look at
        self._octets = self.slots.cast("B")
        lanes = max(1, module.layout.kept) * threads
        may_restart = bool(module.compares_paths and module.replays and module.notes & COUNTED)
        self._undo: Integers = np.empty(1 + UNDONE * may_restart, np.int64)  # few of its pages are ever touched
        self.facts: dict[str, Array] = {
            "needed": np.zeros((len(module.lines) + 1, MARKS), np.uint8),
            "passed": np.full(len(module.lines) + 1, -1, np.int64),  # none where no block has run
            "reached": np.zeros(len(engine.program.segments), np.uint8),
        }
        lasting = self._rows[ROW.size * len(engine.memory.allocations) :]
        changed = lasting, *(memoryview(array.data).cast("B") for array in self.facts.values())
        self._clean = [(octets, bytes(octets)) for octets in changed]  # as launches of a form find it
        self._set(
            table=address_of(self._table),
            own=len(engine.memory.allocations),
            count=len(allocations),
            threads=threads,
            size=size,
            cluster=self._cluster,
            width=width if self._tables is None else engine.target.warp,
            clears=any(item.number not in module.invariant_variables for _, item in private),
            **self._reserve_paths(bool(module.compares_paths)),
            undo=address_of(self._undo),
            spill=address_of(self._keep(np.empty(lanes, np.uint8))),
            snapshot=address_of(self._keep(np.empty(lanes, np.uint8))),
            **{name: address_of(array) for name, array in self.facts.items()},
        )
        self._placed: dict[tuple[int, int], dict[int, Array]] = {}  # by the first block and how many, by slot
        self._here, self._whole = (0, 0), True  # those of the last, and whether the launch runs all blocks
        self._form: LaunchKey | None = None  # of the launch before
        self._lanes: dict[str, Array] = {}
        self._last = 0  # which way its last block went
        self.bytes = sum(array.nbytes for array in self._kept)
        self._request = request_words(engine.target.warp)
        self.asked = 8 * self._request * (module.single + LOOPED * module.asks_in_loops)

    @property
    def is_worn_out(self) -> bool:
        """True if the worker has used over 2^30 epochs, half of those that its slots can hold."""
        return self.slots[SLOTS["time"]] > LATE

    def _keep(self, array: Array) -> Array:
        self._kept.append(array)
        return array

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self.slots[SLOTS[name]] = value

    def _reserve(self, row: Integers, allocation: Allocation) -> None:
        """Reserve memory of an allocation for each lane or block, and shadow cells; write the allocation's row."""
        lanes = allocation.rows == "lane"
        copies, layout = self._threads if lanes else self._cluster, self._module.layout
        size, pitch = copies * allocation.stride, (allocation.size // layout.cell_bytes + 2) * SHADOW_CELL_BYTES
        cells = np.zeros(0 if lanes or not allocation.writable else copies * pitch, np.uint8)
        facts = {
            "data": address_of(self._keep(np.empty(size + 16, np.uint8))),
            "size": 0 if allocation.number in self._module.hidden else allocation.size,  # code knows those of variables
            "stride": allocation.stride if lanes else 0,
            "writable": allocation.writable,
            "cells": address_of(self._keep(cells)) if len(cells) else 0,
            "written": address_of(self._keep(np.zeros(size + 16, np.uint8))),
            "mask": -1,
            "fresh": size,
            "pitch": 0 if lanes else allocation.stride,
            "cell pitch": 0 if lanes else pitch,
            "common": not lanes and allocation.writable,
        }
        for name, value in facts.items():
            row[ALLOCATION_FACTS[name]] = value

    def begin(
        self,
        memory: LaunchMemory,
        limits: tuple[int, int],
        credit: int,
        on_unproved: Callable[[Integers], None],
        *,
        all_blocks: bool,
    ) -> WorkerNotes:
        """Prepare the tables, slots and `facts` for a launch, and return the worker's notes of it, which are empty.

        Args:
            limits: The barrier intervals and the rounds of loops that the launch may run; see `spent`.
            credit: How many blocks may be run as if they went as others before; see `CREDIT`.
            on_unproved: Called with the blocks of each cluster that is not proved clean.
            all_blocks: False if the launch leaves out blocks; kept positions of blocks are dropped before and after.
        """
        if not (all_blocks and self._whole):
            self._placed.clear()
            self._here = 0, 0
        self._whole, self._engine, self._limits, self._on_unproved = all_blocks, memory.engine, limits, on_unproved
        self._notes = notes = WorkerNotes(np.zeros((memory.form.cells, 4), np.int32))
        self._requests: list[Integers] = []
        if self._module.notes & COUNTED:
            self._count(memory)
        before, self._form = self._form, None  # until it has begun
        if before is not memory.form:
            self._share(memory.form.fixed)
            self._fill(memory.form.slots)
        if before is not memory.form or not self._module.is_launch_invariant:
            for changed, clean in self._clean:
                changed[:] = clean
            self._set(again=0, exchanged=0, strong=0)
        self._share(memory.common)
        self._fill(memory.slots)
        self._form = memory.form
        self._set(replays=memory.replays, rounds=limits[0], fuel=limits[1], credit=credit)
        begin_sums(self.slots)
        return notes

    def _count(self, memory: LaunchMemory) -> None:
        """Reserve `counts` and `sites` of the notes and `_requests`, in lockstep also its tables; set their slots."""
        module, notes, width = self._module, self._notes, self._request
        notes.counts = np.zeros((2, memory.form.counts), np.int32)
        notes.sites = np.zeros((len(module.traced), 2), np.int64)
        self._requests = [np.zeros((n, width), np.int64) for n in (module.single, LOOPED * module.asks_in_loops)]
        if self._tables is not None:
            self._set(**self._tables.begin(notes, self._threads))
        single, looped, sites = map(address_of, (*self._requests, notes.sites))
        self._set(sites=sites, requests=single, looped=looped, counted=NEVER, warp=0, round=0, apart=0)

    def _fill(self, slots: Iterable[tuple[int, bytes]]) -> None:
        for slot, octets in slots:
            self._octets[8 * slot : 8 * slot + len(octets)] = octets

    def _share(self, common: Iterable[SharedAllocation]) -> None:
        """Write the table's rows of allocations that blocks share, with their shadow cells and counts."""
        notes = self._notes
        cells, counts, sizes = address_of(notes.cells), notes.counts, address_of(notes.sizes) if self._tables else 0
        for allocation, (row, first, _, counted, writable), data, written, mask, writers in common:
            shadow = cells + first * SHADOW_CELL_BYTES if writable else 0
            each = (0, 0) if counted is None else (address_of(counts[0, counted:]), address_of(counts[1, counted:]))
            facts = data, allocation.size, 0, writable, shadow, 1, written, mask, 0
            by = 0 if writers is None else address_of(writers)
            ROW.pack_into(self._rows, row * ROW.size, *facts, *each, by, 0, 0, allocation.writable, sizes + 8 * row)

    def _reserve_paths(self, is_needed: bool) -> dict[str, int]:
        """Reserve `_went` for control paths of lanes, empty unless `is_needed`; return slots for its start and end."""
        self._went: Integers = np.zeros(WAYS * self._threads * is_needed, np.int64)  # few of its pages are ever touched
        return {"ways first": address_of(self._went), "ways end": address_of(self._went) + self._went.nbytes}

    def joins(self, other: Worker) -> None:
        """Take over from another worker that a block was proved clean, unless blocks are compared by control path."""
        if not self._module.compares_paths:
            self._set(again=other.slots[SLOTS["again"]])

    @property
    def spent(self) -> tuple[int, int]:
        """The number of barrier intervals that ran, and of rounds that lanes made within them."""
        return self._limits[0] - self.slots[SLOTS["rounds"]], self._limits[1] - self.slots[SLOTS["fuel"]]

    def add(self, other: Worker) -> None:
        """Add another worker's facts, flags, counts, sums and what it spent; not its cells, spans and paths."""
        self.facts["needed"] |= other.facts["needed"]
        self.facts["reached"] |= other.facts["reached"]
        self.facts["passed"] &= other.facts["passed"]
        self._notes.counts += other._notes.counts
        self._notes.sites += other._notes.sites
        add_lane_counts(self._notes, other._notes)
        waits, rounds = other.spent
        slots = self.slots
        slots[SLOTS["rounds"]] -= waits
        slots[SLOTS["fuel"]] -= rounds
        for name in ("apart", "exchanged", "strong"):
            slots[SLOTS[name]] |= other.slots[SLOTS[name]]
        merge(slots, other.slots)

    def slot_value(self, name: str) -> int:
        """Return the value of a slot that changes."""
        return self.slots[SLOTS[name]]

    def run(self, code: Code, blocks: Integers) -> None:
        """Run some blocks, whole clusters; `on_unproved` of `begin` gets each cluster that is not proved clean.

        Raises:
            Declined: They reach a limit, epochs run out, a geometry value has another type, or `on_unproved` raises it.
            CannotRestart: A block has to start again, but others have seen its stores.
        """
        self._set_positions(blocks)
        count, start = len(blocks), 0
        paths = self._reserve_block_paths(blocks) if self._module.notes & COUNTED else None
        while (stop := code(self._at, start, count)) != count:
            if stop < 0:
                raise CannotRestart
            birth, time = self.slots[SLOTS["birth"]], self.slots[SLOTS["time"]]
            self._notes.spans += [birth, time + 1]
            if not self.slots[SLOTS["rounds"]] or time >= 1 << 31:
                raise Declined(Reason.DOUBT)
            start = stop + self._cluster
            self._table[:, COUNTS] = 0  # what it came to is in what was counted, which is worth nothing any more
            if self._tables is not None:
                self._tables.write_rows()
            self._on_unproved(blocks[stop:start])
            if start == count:
                break
        self._last = 0 if paths is None else int(paths[-1])

    def _reserve_block_paths(self, blocks: Integers) -> Integers:
        """Return an array: the last block's control path and, if `ways` is noted, zeros for `blocks`; notes `paths`."""
        paths: Integers = np.zeros(1 + (len(blocks) if "ways" in self._module.notes else 0), np.int64)
        paths[0] = self._last
        self._notes.paths.append((blocks, paths[1:]))
        self._set(went=address_of(paths[1:]), numbers=address_of(blocks))
        return paths

    def _set_positions(self, blocks: Integers) -> None:
        """Set the slots of all geometry intrinsics; their values for the last two sets of blocks stay in `_placed`."""
        key = int(blocks[0]), len(blocks)
        if key == self._here:
            return
        if key not in self._placed:
            places = {slot: self._read(*of, blocks) for of, slot in self._module.layout.geometry.items()}
            self._placed = dict([*self._placed.items()][1 - PLACED :]) | {key: places}
        for slot, values in self._placed[key].items():
            self.slots[slot] = address_of(values)
            self.slots[slot + 1] = 0 if len(values) == 1 else values.itemsize
        self._here = key

    def _read(self, name: str, ty: Type, blocks: Integers) -> Array:
        """Return a geometry intrinsic's values, as many as its scope needs; Declined if they are of another type."""
        what = geometry_scope(name)
        if what == "lane" and name in self._lanes:
            return self._lanes[name]
        values = geometry_values(self._engine, name, blocks[: self._cluster] if what in ("lane", "launch") else blocks)
        if values.dtype != dtype_of(ty) or values.ndim != 1:
            raise Declined(Reason.INTRINSIC, name=name)
        return self._lanes.setdefault(name, values) if what == "lane" else values

    def end(self) -> None:
        """Drop what belongs to the launch, also if `begin` failed, and the positions of blocks if they are many."""
        if self._here[1] > KEPT:
            self._placed.clear()
            self._here = 0, 0
        for name in ("_engine", "_notes", "_on_unproved", "_requests"):
            self.__dict__.pop(name, None)
