"""What launches of a kernel have in common that differ in the bytes of their memory alone: found once for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from harness.simt.arrays import Array, Booleans, address_of
from harness.simt.native.analysis.provenance import given_allocation
from harness.simt.observe import RunningLaunch
from harness.simt.state.allocation import Allocation

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["AllocationCells", "LaunchKey", "SharedAllocation", "launch_key_of"]

FACTS = attrgetter("size", "writable", "rows", "space", "argument")
PARAM = "param"
ONES = np.ones(32, np.uint8)  # what is written of memory that is so as a whole
WRITTEN = address_of(ONES)
READING = Struct("3q")
KEPT = 16  # forms of a kernel: a number that each launch is given anew makes one each time


class AllocationCells(NamedTuple):
    """What launches of a form have in common of an allocation that blocks share.

    Attributes:
        row: Its row in the code's table.
        first, stop: Its cells, of those of all; none where nobody may store.
        counted: The first of those that tell how often each part is touched, or None.
        writable: Whether the code may store there, as far as it tells.
    """

    row: int
    first: int
    stop: int
    counted: int | None
    writable: bool


class SharedAllocation(NamedTuple):
    """An allocation that blocks share.

    Attributes:
        data, written: Addresses of its bytes, and of what says which of them are written.
        mask: Of an index into the latter.
        writers: Which threads of the grid store there, where that is noted.
    """

    allocation: Allocation
    part: AllocationCells
    data: int
    written: int = WRITTEN
    mask: int = 0
    writers: Booleans | None = None

    @property
    def reading(self) -> bytes:
        """What the code is told of one that is only read: data, first address and bytes."""
        return READING.pack(self.data, self.allocation.base, self.allocation.size)


class LaunchKey(NamedTuple):
    """That, by what a launch begins with.

    Attributes:
        sizes: Bytes of its own allocations, in the order of their rows; -1 of those that blocks share.
        parts: Of those that blocks share, but for parameters in memory.
        fixed: Those, which are the same ones each time.
        cells, counts: How many cells of race detection they have, and parts whose touches are counted.
        stored: Bytes of all that the code may store to.
        slots: What lies in some from the start, by the first: the parameters, and of those in memory where they are.
        readings: By the first of its slots which of the parts is only read; None where the code does not tell.
    """

    sizes: list[int]
    parts: list[AllocationCells]
    fixed: list[SharedAllocation]
    cells: int
    counts: int
    stored: int
    slots: list[tuple[int, bytes]]
    readings: list[tuple[int, int | None]]


def launch_key_of(
    engine: RunningLaunch,
    module: KernelModule,
    registers: Sequence[tuple[int, Array]],
    rows: Sequence[Allocation | None],
) -> LaunchKey:
    """The form of a launch.

    Args:
        registers: What it begins with.
        rows: Its allocations, by their numbers in the code's table; None for one that it cannot come to.
    """
    # Nobody writes to parameters in memory: that which is the same one has the same bytes, at the same place.
    facts = [one if one is None or one.space == PARAM else FACTS(one) for one in rows]
    key = (*facts, *[value.tobytes() for _, value in registers])
    found: LaunchKey | None = module.forms.get(key)
    if found is None:
        if len(module.forms) >= KEPT:
            module.forms.clear()
        found = module.forms[key] = _form(engine, module, dict(registers), rows)
    return found


def _form(
    engine: RunningLaunch, module: KernelModule, values: Mapping[int, Array], rows: Sequence[Allocation | None]
) -> LaunchKey:
    slots, find, layout = engine.program.slots, engine.memory.allocation_of, module.layout
    parameters = {(number, leaf): values[slots[number] + leaf].tobytes() for number, leaf in layout.params}
    written = _stored_to(module, parameters, find)
    parts: list[AllocationCells] = []
    fixed: list[SharedAllocation] = []
    read: dict[int, int | SharedAllocation] = {}
    cells = counts = stored = 0
    for row, one in enumerate(rows):
        if one is None:
            continue
        writable = one.writable and (written is None or one.number in written)
        stored += one.size * writable
        if one.rows == "grid" and row:
            asked = "elements" in module.notes and one.space == "global" and one.argument is not None
            counted = counts if asked else None
            each = one.size // layout.cell_bytes + 2
            part = AllocationCells(row, cells, cells + each * writable, counted, writable)
            cells, counts = part.stop, counts if counted is None else counts + each
            common: int | SharedAllocation = len(parts)
            if one.space == PARAM:
                fixed.append(common := SharedAllocation(one, part, address_of(one.data)))
            else:
                parts.append(part)
            if not writable:
                read[one.number] = common
    sizes = [-1 if one.rows == "grid" else one.size for one in engine.memory.allocations]
    first = [(slot, parameters[one]) for one, slot in layout.params.items()]
    readings: list[tuple[int, int | None]] = []
    for place, slot in layout.readings.items():
        found = read.get(given_allocation(place, parameters, find))
        if isinstance(found, SharedAllocation):
            first.append((slot, found.reading))
        else:
            readings.append((slot, found))
    return LaunchKey(sizes, parts, fixed, cells, counts, stored, first, readings)


def _stored_to(
    module: KernelModule, parameters: Mapping[tuple[int, int], bytes], find: Callable[[int], Allocation | None]
) -> set[int] | None:
    """The numbers of the allocations that the code may store to, where others may be in its way; None for all."""
    if None in module.stored or "reads" in module.notes:
        return None
    found = {given_allocation(place, parameters, find) for place in module.stored if place is not None}
    return None if 0 in found else found
