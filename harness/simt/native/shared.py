"""The memory that blocks of a launch share, as native code sees it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, at
from harness.simt.ir.values import FIRST
from harness.simt.native.declined import Declined
from harness.simt.native.layout import CELL, COUNTED
from harness.simt.native.places import given
from harness.simt.native.reached import reached
from harness.simt.observe import RunningLaunch
from harness.simt.state.allocation import Allocation

if TYPE_CHECKING:
    from harness.simt.native.module import Written

__all__ = ["Common", "Seen", "Shared"]

SEVERAL = 0xFFFF  # blocks: see `cells`
ONES = np.ones(32, np.uint8)  # what is written of memory that is so as a whole
WRITTEN = at(ONES)
READING = Struct("3q")
UNCOUNTED: Integers = np.zeros((2, 0), np.int32)
UNASKED: Integers = np.zeros((0, 2), np.int64)


class Common(NamedTuple):
    """An allocation that blocks share.

    Attributes:
        row: Its row in the code's table.
        data, written: Addresses of its bytes, and of what says which of them are written.
        mask: Of an index into the latter.
        first, stop: Its cells, of those of all; none where nobody may store.
        counted: The first of those that tell how often each part is touched, or None.
        writable: Whether the code may store there, as far as it tells.
        writers: Which threads of the grid store there, where that is noted.
    """

    allocation: Allocation
    row: int
    data: int
    written: int
    mask: int
    first: int
    stop: int
    counted: int | None
    writable: bool
    writers: Booleans | None


@dataclass(slots=True, eq=False)
class Seen:
    """What a worker noted of it.

    Attributes:
        cells: Who touched it: (n, 4), see `CELL`.
        counts: How often each part was loaded, and stored to: (2, n); empty where nobody asks.
        sites: What the places in the code that make requests came to, see `counting`.
        spans: Of each block that was not proved clean its first epoch, and the first behind it.
        ways: Blocks, and which way each went, as numbers; none where nobody asks.
    """

    cells: Integers
    counts: Integers = field(default_factory=lambda: UNCOUNTED)
    sites: Integers = field(default_factory=lambda: UNASKED)
    spans: list[int] = field(default_factory=list)
    ways: list[tuple[Integers, Integers]] = field(default_factory=list)

    def unsettled(self, time: int) -> Array:
        """Which cells a block that is left touched last, by the column of the epoch."""
        found: Array = np.searchsorted(self.spans, self.cells[:, time], "right") & 1 == 1
        return found


class Shared:
    """That memory as a launch begins.

    Args:
        registers: What it begins with.
        most: The host's memory that it may take, in bytes.

    Attributes:
        rows: Its allocations, by their numbers in the code's table; None for one that it cannot come to.
        shadow, spare: Bytes that each worker takes for them, and that are left when one has taken that.
        common: Those that blocks share.
        cells, counts: How many cells of race detection they have, and parts whose touches are counted.
        slots: What lies in some from the start, by the first: parameters, and of what is only read data, first address
            and bytes.
        replays: Whether blocks may be run by `replay`: all of the latter is written, and stays as it is.

    Raises:
        Declined: It is too large.
    """

    def __init__(self, engine: RunningLaunch, module: Written, registers: list[tuple[int, Array]], most: int) -> None:
        self.engine, self._notes, self._grain = engine, module.notes, module.layout.grain
        own, values = engine.memory.allocations, dict(registers)
        lasting = reached(engine.memory.device, values.values(), own)
        self.rows: list[Allocation | None] = [*own]
        if lasting:
            self.rows += [lasting.get(number) for number in range(FIRST, max(lasting) + 1)]
        slots, find = engine.program.slots, engine.memory.find
        parameters = {(number, leaf): values[slots[number] + leaf].tobytes() for number, leaf in module.layout.params}
        self.slots = [(slot, parameters[param]) for param, slot in module.layout.params.items()]
        stored, shadowed = self._stored_to(module, parameters), 0
        self.cells = self.counts = 0
        self._written: dict[int, tuple[Allocation, Array]] = {}
        self.common: list[Common] = []
        for row, allocation in enumerate(self.rows):
            if allocation is not None:
                writable = allocation.writable and (stored is None or allocation.number in stored)
                shadowed += allocation.size * writable
                if allocation.rows == "grid" and row:
                    self.common.append(self._common(allocation, row, writable))
        self.shadow = shadowed * CELL // self._grain
        self.spare = most - self.shadow - shadowed * 2 // self._grain
        if self.spare < 0:
            raise Declined("the memory that it takes")
        self._before = [(one, one.allocation.data.copy(), one.allocation.shadow) for one in self.common if one.writable]
        read = {one.allocation.number: one for one in self.common if not one.writable and not one.mask}
        self.replays = module.replays
        for place, slot in module.layout.readings.items():
            one = read.get(given(place, parameters, find))
            if one is None:
                self.replays = False
            else:
                self.slots.append((slot, READING.pack(one.data, one.allocation.base, one.allocation.size)))

    def _common(self, allocation: Allocation, row: int, writable: bool) -> Common:
        written, mask = WRITTEN, 0
        if allocation.shadow is not None and allocation.shadow.any():
            marks, mask = (allocation.shadow == 0).view(np.uint8), -1
            self._written[allocation.number], written = (allocation, marks), at(marks)
        counted = writers = None
        first, parts = self.cells, allocation.size // self._grain + 2
        self.cells += parts * writable
        if self._notes & COUNTED and allocation.space == "global":
            if "elements" in self._notes and allocation.argument is not None:
                counted = self.counts
                self.counts += parts
            if "global" in self._notes:
                writers = np.zeros(math.prod(self.engine.grid) * math.prod(self.engine.block), bool)
        data = at(allocation.data)
        return Common(allocation, row, data, written, mask, first, self.cells, counted, writable, writers)

    def _stored_to(self, module: Written, parameters: Mapping[tuple[int, int], bytes]) -> set[int] | None:
        """The numbers of the allocations that the code may store to, where others may be in its way; None for all."""
        if None in module.stored or "reads" in self._notes:
            return None
        found = {given(place, parameters, self.engine.memory.find) for place in module.stored if place is not None}
        return None if 0 in found else found

    def touched(self, counts: Integers) -> dict[int, tuple[Integers, Integers]]:
        """See `Proof`."""
        found: dict[int, tuple[Integers, Integers]] = {}
        loads, stores = counts
        for one in self.common:
            if one.counted is not None:
                parts = slice(one.counted, one.counted + (-(-one.allocation.size // self._grain) or 1))
                found[one.allocation.number] = loads[parts], stores[parts]
        return found

    def writers(self) -> dict[int, Booleans]:
        """See `Proof`."""
        return {one.allocation.number: one.writers for one in self.common if one.writers is not None}

    @contextmanager
    def before(self) -> Iterator[None]:
        """Memory is as it was when the launch began."""
        after = [(one.allocation, one.allocation.data.copy(), one.allocation.shadow) for one, *_ in self._before]
        self.undo()
        for allocation, *_ in after:
            allocation.shadow = allocation.kept()
        try:
            yield
        finally:
            for allocation, data, shadow in after:
                allocation.data[:] = data
                allocation.shadow = shadow

    def settle(self, seen: Sequence[Seen]) -> None:
        """Memory is as if the blocks that are left had not begun: nobody else wrote where they did."""
        for each in seen:
            cells, stored, loaded = each.cells, each.unsettled(1), each.unsettled(3)
            for one, data, shadow in self._before:
                places = np.flatnonzero(stored[one.first : one.stop])[:, None] * self._grain + np.arange(self._grain)
                one.allocation.data[places] = data[places]
                if shadow is not None and one.allocation.number in self._written:
                    self._written[one.allocation.number][1][places] = shadow[places] == 0
            cells[stored, :2] = 0
            cells[loaded & (cells[:, 2] & 0xFFFF != SEVERAL), 2:] = 0

    def users(self, seen: Sequence[Seen]) -> dict[int, Integers]:
        """See `Proof.cells`."""
        users = reduce(np.bitwise_or, [each.cells for each in seen])
        return {one.allocation.number: users[one.first : one.stop] for one, _, _ in self._before}

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
