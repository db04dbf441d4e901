"""Facts of launches, cached by parameters and sizes: shared allocations, read-only or not, initial slots."""

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
KEPT = 16  # keys of a kernel: an argument that is different in each launch makes a new one each time


class AllocationCells(NamedTuple):
    """Facts of an allocation that blocks share, the same for all launches of a key.

    Attributes:
        row: Its row in the code's table.
        first, stop: The range of its shadow cells among all of them; empty if no code may store to it.
        counted: The first of its counts of loads and stores; None if they are not counted.
        writable: Whether the code may store to it.
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
        """The data's address, the first address in the kernel and the size, as the code of a read-only allocation reads
        them.
        """
        return READING.pack(self.data, self.allocation.base, self.allocation.size)


class LaunchKey(NamedTuple):
    """Facts that follow from what a launch begins with.

    Attributes:
        sizes: Bytes of the launch's own allocations, in the order of their rows; -1 for those that blocks share.
        shared: The allocations that blocks share, except parameters in memory.
        fixed: Parameters in memory, which are the same allocations each time.
        cells, counts: The number of shadow cells that they have, and of counts.
        stored: Bytes of all that the code may store to.
        slots: The initial bytes of slots, by the first slot: the parameters, and the locations of those in memory.
        readings: By the first of its slots, the index of the shared allocation that is only read; None if the code does
            not show it.
    """

    sizes: list[int]
    shared: list[AllocationCells]
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
    allocations: Sequence[Allocation | None],
) -> LaunchKey:
    """Return the `LaunchKey` of a launch: facts that follow from its registers and allocations.

    Launches that begin alike get the same object: the registers have the same bytes, and the allocations the same size,
    owner (`rows`), space and argument, and are writable alike; parameters in memory are the same ones. The module keeps
    them for at most 16 such beginnings; the next one replaces all of them.

    Args:
        registers: The slots and the values that it begins with.
        allocations: Its allocations, by their rows in the code's table; None for one that it cannot reach.
    """
    # Nobody writes to parameters in memory: that which is the same one has the same bytes, at the same place.
    facts = [
        allocation if allocation is None or allocation.space == PARAM else FACTS(allocation)
        for allocation in allocations
    ]
    key = (*facts, *[value.tobytes() for _, value in registers])
    launch_key: LaunchKey | None = module.forms.get(key)
    if launch_key is None:
        if len(module.forms) >= KEPT:
            module.forms.clear()
        launch_key = module.forms[key] = _make_launch_key(engine, module, dict(registers), allocations)
    return launch_key


def _make_launch_key(
    engine: RunningLaunch, module: KernelModule, values: Mapping[int, Array], allocations: Sequence[Allocation | None]
) -> LaunchKey:
    """Return the key of a launch whose parameters have some values; nothing is kept.

    Args:
        values: By slot of the program's registers.
    """
    slots, find, layout = engine.program.slots, engine.memory.allocation_of, module.layout
    parameters = {(number, leaf): values[slots[number] + leaf].tobytes() for number, leaf in layout.params}
    written = _stored_to(module, parameters, find)
    shared: list[AllocationCells] = []
    fixed: list[SharedAllocation] = []
    read: dict[int, int | SharedAllocation] = {}
    cells = counts = stored = 0
    for row, allocation in enumerate(allocations):
        if allocation is None:
            continue
        writable = allocation.writable and (written is None or allocation.number in written)
        stored += allocation.size * writable
        if allocation.rows == "grid" and row:
            is_counted = "elements" in module.notes and allocation.space == "global" and allocation.argument is not None
            counted = counts if is_counted else None
            each = allocation.size // layout.cell_bytes + 2
            part = AllocationCells(row, cells, cells + each * writable, counted, writable)
            cells, counts = part.stop, counts if counted is None else counts + each
            common: int | SharedAllocation = len(shared)
            if allocation.space == PARAM:
                fixed.append(common := SharedAllocation(allocation, part, address_of(allocation.data)))
            else:
                shared.append(part)
            if not writable:
                read[allocation.number] = common
    sizes = [-1 if allocation.rows == "grid" else allocation.size for allocation in engine.memory.allocations]
    first = [(slot, parameters[allocation]) for allocation, slot in layout.params.items()]
    readings: list[tuple[int, int | None]] = []
    for place, slot in layout.readings.items():
        reading = read.get(given_allocation(place, parameters, find))
        if isinstance(reading, SharedAllocation):
            first.append((slot, reading.reading))
        else:
            readings.append((slot, reading))
    return LaunchKey(sizes, shared, fixed, cells, counts, stored, first, readings)


def _stored_to(
    module: KernelModule, parameters: Mapping[tuple[int, int], bytes], find: Callable[[int], Allocation | None]
) -> set[int] | None:
    """Return the numbers of the allocations that blocks share and the code may store to; None if it may be any of them.

    None also if loads of read-only memory are noted (`reads`).
    """
    if None in module.stored or "reads" in module.notes:
        return None
    numbers = {given_allocation(place, parameters, find) for place in module.stored if place is not None}
    return None if 0 in numbers else numbers
