"""Allocations that blocks share: copies to undo a launch, written-byte marks; each worker's cells and counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, address_of, distinct
from harness.simt.declined import Declined, Reason
from harness.simt.ir.values import FIRST, MASK, SHIFT
from harness.simt.native.emit.context import SHADOW_CELL_BYTES
from harness.simt.native.execution.launch_key import AllocationCells, SharedAllocation, launch_key_of
from harness.simt.observe import RunningLaunch
from harness.simt.state.allocation import Allocation, Snapshot

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["LaunchMemory", "WorkerNotes", "reachable_allocations"]

SEVERAL = 0xFFFF  # blocks: see `cells`
UNCOUNTED: Integers = np.zeros((2, 0), np.int32)
UNASKED: Integers = np.zeros((0, 2), np.int64)
UNTALLIED: Integers = np.zeros((2, 0), np.int64)


@dataclass(slots=True, eq=False)
class WorkerNotes:
    """Notes that a worker takes of a launch.

    Attributes:
        cells: The shadow cells: (n, 4), see `SHADOW_CELL_BYTES`.
        counts: The number of loads of each cell, and of stores: (2, n); empty if they are not counted.
        sites: The counts of each request site, see `counting`.
        spans: For each block that was not proved clean, its first epoch and the first after it.
        paths: Blocks and the control path of each, as numbers; empty if they are not counted.
        sums: In lockstep, the sums over all threads by `TALLIED`, and the largest of one thread: (2, 8).
        blocks: In lockstep, by `BLOCK_COUNTS`.
        sizes: In lockstep, the sizes and offsets of accesses, as bits, of each row of the code's table.
    """

    cells: Integers
    counts: Integers = field(default_factory=lambda: UNCOUNTED)
    sites: Integers = field(default_factory=lambda: UNASKED)
    spans: list[int] = field(default_factory=list)
    paths: list[tuple[Integers, Integers]] = field(default_factory=list)
    sums: Integers = field(default_factory=lambda: UNTALLIED)
    blocks: Integers = field(default_factory=lambda: UNTALLIED[0])
    sizes: Integers = field(default_factory=lambda: UNTALLIED[0])

    def unsettled(self, time: int) -> Array:
        """Return, as booleans, which cells were accessed last by a block that was not proved clean.

        Args:
            time: The column of `cells` that has the epoch: 1 for writers, 3 for readers.
        """
        is_unproved: Array = np.searchsorted(self.spans, self.cells[:, time], "right") & 1 == 1
        return is_unproved


class LaunchMemory:
    """The memory that blocks of a launch share, from the launch's start to its end.

    Args:
        registers: The values that the launch begins with.
        most: The host's memory that it may take, in bytes.

    Attributes:
        rows: Its allocations, by their rows in the code's table; None for one that it cannot reach.
        form: The launch key.
        shadow, spare: Bytes of shadow memory that each worker takes, and that are left when one has taken them.
        common: The allocations that blocks share, except those that the key has.
        slots: The initial bytes of slots, by the first slot: of a read-only allocation, its data, first address and
            size.
        replays: Whether blocks may be batched: all that is only read is initialised.

    Raises:
        Declined: It is too large.
    """

    def __init__(
        self, engine: RunningLaunch, module: KernelModule, registers: list[tuple[int, Array]], most: int
    ) -> None:
        self.engine, self._notes, self._grain = engine, module.notes, module.layout.cell_bytes
        allocations = engine.memory.allocations
        lasting = reachable_allocations(engine.memory.device, (value for _, value in registers), allocations)
        self.rows: list[Allocation | None] = [*allocations]
        if lasting:
            self.rows += [lasting.get(number) for number in range(FIRST, max(lasting) + 1)]
        self.form = form = launch_key_of(engine, module, registers, self.rows)
        self.shadow = form.stored * SHADOW_CELL_BYTES // self._grain
        self.spare = most - self.shadow - form.stored * 2 // self._grain
        if self.spare < 0:
            raise Declined(Reason.MEMORY)
        self._written: dict[int, tuple[Allocation, Array]] = {}
        self.common = [self._make_shared(part) for part in form.shared]
        stored = [shared for shared in self.common if shared.part.writable]
        self._before = [(shared, shared.allocation.data.copy(), shared.allocation.shadow) for shared in stored]
        self.slots, self.replays = list[tuple[int, bytes]](), module.replays
        for slot, number in form.readings:
            if number is None or (shared := self.common[number]).mask:
                self.replays = False
            else:
                self.slots.append((slot, shared.reading))

    def _make_shared(self, part: AllocationCells) -> SharedAllocation:
        """Return a shared allocation with the addresses of its data and of the marks of written bytes.

        Marks are made, and kept in `_written`, if the allocation is partly uninitialised. If `global` is noted, one of
        global memory gets a table of the threads that store, in `writers`.
        """
        allocation = self.rows[part.row]
        assert allocation is not None
        common = SharedAllocation(allocation, part, address_of(allocation.data))
        if allocation.shadow is not None and allocation.shadow.any():
            marks = (allocation.shadow == 0).view(np.uint8)
            self._written[allocation.number] = allocation, marks
            common = common._replace(written=address_of(marks), mask=-1)
        if "global" in self._notes and allocation.space == "global":
            threads = math.prod(self.engine.grid) * math.prod(self.engine.block)
            common = common._replace(writers=np.zeros(threads, bool))
        return common

    def touched(self, counts: Integers) -> dict[int, tuple[Integers, Integers]]:
        """Return `Proof.touched`: by counted allocation the loads and the stores of each cell, as views of `counts`.

        Args:
            counts: The counts of loads and of stores of all cells: (2, n).
        """
        counts_by_allocation: dict[int, tuple[Integers, Integers]] = {}
        loads, stores = counts
        for shared in self.common:
            if (first := shared.part.counted) is not None:
                cells = slice(first, first + (-(-shared.allocation.size // self._grain) or 1))
                counts_by_allocation[shared.allocation.number] = loads[cells], stores[cells]
        return counts_by_allocation

    def units(self, sizes: Integers) -> dict[int, int]:
        """Return `Proof.units`: by accessed allocation the lowest bit of its `sizes`, see `WorkerNotes`."""
        return {
            shared.allocation.number: bits & -bits for shared in self.common if (bits := int(sizes[shared.part.row]))
        }

    def writers(self) -> dict[int, Booleans]:
        """Return `Proof.writers`: by allocation in global memory which threads stored there; empty if not noted."""
        return {shared.allocation.number: shared.writers for shared in self.common if shared.writers is not None}

    @contextmanager
    def before(self) -> Iterator[None]:
        """Restore memory to the launch's start for the duration of the context; its content is put back afterwards.

        Only the shared allocations that the code may store to are concerned.
        """
        stored = [shared.allocation for shared, *_ in self._before]
        after = Snapshot(stored)
        self.undo()
        for allocation in stored:
            allocation.shadow = allocation.copy_shadow()
        try:
            yield
        finally:
            after.restore()

    def settle(self, worker_notes: Sequence[WorkerNotes]) -> None:
        """Undo the stores of the blocks that were not proved clean; no other block wrote to those locations.

        Also clears these blocks' accesses in the shadow cells of the notes, except reads of cells that several blocks
        have read.
        """
        steps = np.arange(self._grain)
        for each in worker_notes:
            cells, stored, loaded = each.cells, each.unsettled(1), each.unsettled(3)
            for shared, data, shadow in self._before:
                places = np.flatnonzero(stored[shared.part.first : shared.part.stop])[:, None] * self._grain + steps
                shared.allocation.data[places] = data[places]
                if shadow is not None and shared.allocation.number in self._written:
                    self._written[shared.allocation.number][1][places] = shadow[places] == 0
            cells[stored, :2] = 0
            cells[loaded & (cells[:, 2] & 0xFFFF != SEVERAL), 2:] = 0

    def users(self, worker_notes: Sequence[WorkerNotes]) -> dict[int, Integers]:
        """Return `Proof.cells`: by allocation that the code may store to, the shadow cells of all workers together."""
        users = reduce(np.bitwise_or, [each.cells for each in worker_notes])
        return {shared.allocation.number: users[shared.part.first : shared.part.stop] for shared, _, _ in self._before}

    def undo(self) -> None:
        """Restore the shared allocations that the code may store to, and their shadow, to the launch's start."""
        for shared, data, shadow in self._before:
            shared.allocation.data[:] = data
            shared.allocation.shadow = shadow

    def finish(self) -> None:
        """Clear the shadow of allocations where the launch wrote; drop it where all bytes are defined."""
        for allocation, marks in self._written.values():
            assert allocation.shadow is not None
            allocation.shadow = None if marks.all() else np.where(marks != 0, np.int32(0), allocation.shadow)


def reachable_allocations(
    device: Mapping[int, Allocation], values: Iterable[Array], launch_allocations: Iterable[Allocation]
) -> dict[int, Allocation]:
    """Return the allocations that outlive the launch and that it can reach, by number; freed ones are left out.

    It reaches them from aligned addresses in its values, in its own memory that blocks share, and in memory so reached.
    A number that only looks like an address does no harm. An address that a kernel computes from anything else is out
    of bounds for compiled code, and is left to the interpreter.

    Args:
        device: All allocations that outlive launches, by number.
        values: The values that the launch begins with.
        launch_allocations: The launch's own allocations.
    """
    reachable: dict[int, Allocation] = {}
    pending = (
        [*values, *(allocation.data for allocation in launch_allocations if allocation.rows == "grid")]
        if device
        else []
    )
    while pending:
        octets = np.ascontiguousarray(pending.pop()).reshape(-1).view(np.uint8)
        words: Integers = octets[: len(octets) // 8 * 8].view(np.int64)
        likely = (words - (FIRST << SHIFT)).view(np.uint64) < np.uint64(MASK + 1 - FIRST << SHIFT)
        for number in distinct(words[likely] >> SHIFT).tolist():
            allocation = device.get(number)
            if allocation is not None and number not in reachable and not allocation.freed:
                reachable[number] = allocation
                pending.append(allocation.data)
    return reachable
