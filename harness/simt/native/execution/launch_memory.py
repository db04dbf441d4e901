"""The memory that blocks of a launch share, as native code sees it."""

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
    """What a worker noted of it.

    Attributes:
        cells: Who touched it: (n, 4), see `SHADOW_CELL_BYTES`.
        counts: How often each part was loaded, and stored to: (2, n); empty where nobody asks.
        sites: What the places in the code that make requests came to, see `counting`.
        spans: Of each block that was not proved clean its first epoch, and the first behind it.
        ways: Blocks, and which way each went, as numbers; none where nobody asks.
        sums: In lockstep, what all threads did by `TALLIED`, and the most that one did: (2, 8).
        blocks: In lockstep, by `BLOCK_COUNTS`.
        sizes: In lockstep, the sizes and offsets of accesses, as bits, of each row of the code's table.
    """

    cells: Integers
    counts: Integers = field(default_factory=lambda: UNCOUNTED)
    sites: Integers = field(default_factory=lambda: UNASKED)
    spans: list[int] = field(default_factory=list)
    ways: list[tuple[Integers, Integers]] = field(default_factory=list)
    sums: Integers = field(default_factory=lambda: UNTALLIED)
    blocks: Integers = field(default_factory=lambda: UNTALLIED[0])
    sizes: Integers = field(default_factory=lambda: UNTALLIED[0])

    def unsettled(self, time: int) -> Array:
        """Which cells a block that is left touched last, by the column of the epoch."""
        found: Array = np.searchsorted(self.spans, self.cells[:, time], "right") & 1 == 1
        return found


class LaunchMemory:
    """That memory as a launch begins.

    Args:
        registers: What it begins with.
        most: The host's memory that it may take, in bytes.

    Attributes:
        rows: Its allocations, by their numbers in the code's table; None for one that it cannot come to.
        form: What it has in common with others.
        shadow, spare: Bytes that each worker takes for them, and that are left when one has taken that.
        common: Those that blocks share, but for the form's.
        slots: What lies in some from the start, by the first: of what is only read data, first address and bytes.
        replays: Whether blocks may be run by `replay`: all of that is written, and stays as it is.

    Raises:
        Declined: It is too large.
    """

    def __init__(
        self, engine: RunningLaunch, module: KernelModule, registers: list[tuple[int, Array]], most: int
    ) -> None:
        self.engine, self._notes, self._grain = engine, module.notes, module.layout.cell_bytes
        own = engine.memory.allocations
        lasting = reachable_allocations(engine.memory.device, (value for _, value in registers), own)
        self.rows: list[Allocation | None] = [*own]
        if lasting:
            self.rows += [lasting.get(number) for number in range(FIRST, max(lasting) + 1)]
        self.form = form = launch_key_of(engine, module, registers, self.rows)
        self.shadow = form.stored * SHADOW_CELL_BYTES // self._grain
        self.spare = most - self.shadow - form.stored * 2 // self._grain
        if self.spare < 0:
            raise Declined(Reason.MEMORY)
        self._written: dict[int, tuple[Allocation, Array]] = {}
        self.common = [self._common(part) for part in form.parts]
        stored = [one for one in self.common if one.part.writable]
        self._before = [(one, one.allocation.data.copy(), one.allocation.shadow) for one in stored]
        self.slots, self.replays = list[tuple[int, bytes]](), module.replays
        for slot, number in form.readings:
            if number is None or (one := self.common[number]).mask:
                self.replays = False
            else:
                self.slots.append((slot, one.reading))

    def _common(self, part: AllocationCells) -> SharedAllocation:
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
        """See `Proof`."""
        found: dict[int, tuple[Integers, Integers]] = {}
        loads, stores = counts
        for one in self.common:
            if (first := one.part.counted) is not None:
                parts = slice(first, first + (-(-one.allocation.size // self._grain) or 1))
                found[one.allocation.number] = loads[parts], stores[parts]
        return found

    def units(self, sizes: Integers) -> dict[int, int]:
        """See `Proof`."""
        return {one.allocation.number: bits & -bits for one in self.common if (bits := int(sizes[one.part.row]))}

    def writers(self) -> dict[int, Booleans]:
        """See `Proof`."""
        return {one.allocation.number: one.writers for one in self.common if one.writers is not None}

    @contextmanager
    def before(self) -> Iterator[None]:
        """Memory is as it was when the launch began."""
        stored = [one.allocation for one, *_ in self._before]
        after = Snapshot(stored)
        self.undo()
        for allocation in stored:
            allocation.shadow = allocation.copy_shadow()
        try:
            yield
        finally:
            after.restore()

    def settle(self, seen: Sequence[WorkerNotes]) -> None:
        """Memory is as if the blocks that are left had not begun: nobody else wrote where they did."""
        steps = np.arange(self._grain)
        for each in seen:
            cells, stored, loaded = each.cells, each.unsettled(1), each.unsettled(3)
            for one, data, shadow in self._before:
                places = np.flatnonzero(stored[one.part.first : one.part.stop])[:, None] * self._grain + steps
                one.allocation.data[places] = data[places]
                if shadow is not None and one.allocation.number in self._written:
                    self._written[one.allocation.number][1][places] = shadow[places] == 0
            cells[stored, :2] = 0
            cells[loaded & (cells[:, 2] & 0xFFFF != SEVERAL), 2:] = 0

    def users(self, seen: Sequence[WorkerNotes]) -> dict[int, Integers]:
        """See `Proof.cells`."""
        users = reduce(np.bitwise_or, [each.cells for each in seen])
        return {one.allocation.number: users[one.part.first : one.part.stop] for one, _, _ in self._before}

    def undo(self) -> None:
        """Memory is as it was."""
        for one, data, shadow in self._before:
            one.allocation.data[:] = data
            one.allocation.shadow = shadow

    def finish(self) -> None:
        """What was written is no longer undefined."""
        for allocation, marks in self._written.values():
            assert allocation.shadow is not None
            allocation.shadow = None if marks.all() else np.where(marks != 0, np.int32(0), allocation.shadow)


def reachable_allocations(
    device: Mapping[int, Allocation], given: Iterable[Array], own: Iterable[Allocation]
) -> dict[int, Allocation]:
    """Those whose addresses the launch is given, or that lie in memory which it can come to, and that are not freed.

    A number that only looks like an address does no harm; an address that a kernel makes of anything else leads
    nowhere, which is for Python to tell.

    Args:
        device: All of them, by number.
        given: The values that it begins with.
        own: The launch's own.
    """
    found: dict[int, Allocation] = {}
    left = [*given, *(one.data for one in own if one.rows == "grid")] if device else []
    while left:
        octets = np.ascontiguousarray(left.pop()).reshape(-1).view(np.uint8)
        words: Integers = octets[: len(octets) // 8 * 8].view(np.int64)
        likely = (words - (FIRST << SHIFT)).view(np.uint64) < np.uint64(MASK + 1 - FIRST << SHIFT)
        for number in distinct(words[likely] >> SHIFT).tolist():
            allocation = device.get(number)
            if allocation is not None and number not in found and not allocation.freed:
                found[number] = allocation
                left.append(allocation.data)
    return found
