"""The race detector of the run-time library alone: which accesses of a cell race, and what a cell has after them."""

from __future__ import annotations

import ctypes
from dataclasses import astuple, dataclass, replace

import pytest

from harness.simt.native.runtime.library import UNITS, shadow_cell_unit
from tests.simt.runtime_library import function

ALL, THREADS, BLOCKS_OF_CLUSTER, OF_WARP = 65535, 65534, 65533, 32768
OTHERS_READ, MIXED = 1 << 16, 1 << 31
ADD, MAX = 1 << 16, 2 << 16  # kinds of updates
PLAIN = shadow_cell_unit(clusters=False, warp=0, needs=False)
NEEDS = shadow_cell_unit(clusters=False, warp=0, needs=True)
CLUSTERS = shadow_cell_unit(clusters=True, warp=0, needs=False)
WARPS = shadow_cell_unit(clusters=False, warp=32, needs=False)


@dataclass(frozen=True)
class At:
    """What orders an access of a thread: epochs, by the names of the library."""

    now: int = 10
    birth: int = 10
    begins: int = 0
    since: int = 0
    mark: int = 10
    phase: int = 10
    open: int = 5


class Cell:
    """A shadow cell: the last writer and the last reader, each with its epoch."""

    def __init__(self, unit: str) -> None:
        self.unit, self.words, self.need = unit, (ctypes.c_uint32 * 4)(), (ctypes.c_uint8 * 3)()

    def __getattr__(self, kind: str):
        assert kind in ("load", "store", "update")
        epochs = 7 if "clusters" in self.unit else 5 if "warp" in self.unit else 4
        names = [f"i1 {one}_cells(ptr, i64, {', '.join(['i32'] * 5)}, ptr{', i32' * (epochs - 4)})" for one in _KINDS]
        (own,) = (name for name in names if f" {kind}_" in name)
        call = function(self.unit, own, all_exported=tuple(names))

        def access(who: int, at: At = At()) -> bool:
            now, birth, begins, since, *marks = astuple(at)
            need = ctypes.addressof(self.need)
            return bool(
                call(ctypes.addressof(self.words), 1, who, now, birth, begins, since, need, *marks[: epochs - 4])
            )

        return access

    @property
    def write(self) -> tuple[int, int]:
        return self.words[0], self.words[1]

    @property
    def read(self) -> tuple[int, int]:
        return self.words[2], self.words[3]


_KINDS = ("load", "store", "update")
LATER = At(now=11, mark=11)


@pytest.mark.parametrize("unit", [name for name in UNITS if name.startswith("shadow_cells.")])
@pytest.mark.parametrize(
    ("first", "second", "races"),
    [("load", "load", False), ("load", "store", True), ("store", "load", True), ("store", "store", True)],
)
def test_two_threads_of_an_epoch_race_if_one_of_them_stores(unit, first, second, races):
    cell = Cell(unit)

    assert not getattr(cell, first)(1)
    assert getattr(cell, second)(2) is races


@pytest.mark.parametrize("first", _KINDS)
@pytest.mark.parametrize("second", _KINDS)
def test_a_barrier_orders_all_accesses_of_a_block(first, second):
    cell = Cell(PLAIN)

    assert not getattr(cell, first)(1)
    assert not getattr(cell, second)(2, LATER)


def test_a_thread_does_not_race_with_itself():
    cell = Cell(PLAIN)

    assert not any((cell.store(1), cell.load(1), cell.store(1), cell.load(1)))
    assert (cell.write, cell.read) == ((1, 10), (1, 10))


def test_a_store_after_several_readers_races_with_them():
    cell = Cell(PLAIN)
    cell.load(1), cell.load(2)

    assert cell.read == (THREADS, 10)
    assert cell.store(1)


def test_several_cells_race_if_the_last_does():
    words, need = (ctypes.c_uint32 * 8)(0, 0, 0, 0, 7, 10, 0, 0), (ctypes.c_uint8 * 3)()
    store = function(PLAIN, f"i1 store_cells(ptr, i64, {', '.join(['i32'] * 5)}, ptr)")
    now, at = 10, ctypes.addressof

    assert not store(at(words), 1, 1, now, now, 0, 0, at(need))
    assert store(at(words), 2, 1, now, now, 0, 0, at(need))
    assert not store(at(words), 0, 2, now, now, 0, 0, at(need))


@pytest.mark.parametrize(("kind", "races"), [(ADD, False), (MAX, True)])
def test_updates_of_one_kind_commute(kind, races):
    cell = Cell(PLAIN)

    assert not cell.update(1 | ADD)
    assert cell.update(2 | kind) is races
    assert races or cell.write == (ADD | THREADS, 10)


def test_a_store_between_updates_makes_a_cell_mixed_for_other_blocks():
    cell = Cell(PLAIN)
    of_block, of_next = At(begins=10), At(now=20, birth=20, begins=20)
    cell.store(1, of_block)

    assert not cell.update(1 | ADD, replace(of_block, now=11))
    assert cell.write == (MIXED | ADD | 1, 11)
    assert cell.update(1 | ADD, of_next)


def test_an_update_of_the_scope_of_a_block_races_with_that_of_another_block():
    own, device = Cell(PLAIN), Cell(PLAIN)
    first, second = At(begins=10), At(now=20, birth=20, begins=20)

    assert not device.update(1 | ADD, first) and not device.update(1 | ADD, second)
    assert device.write == (ADD | ALL, 20)
    assert not own.update(1 | ADD | MIXED, first) and own.update(1 | ADD | MIXED, second)


@pytest.mark.parametrize(("begins", "races"), [(20, True), (0, False)])
def test_another_block_is_unordered_where_blocks_share_memory(begins, races):
    cell = Cell(PLAIN)
    cell.store(1, At(begins=10 if begins else 0))

    assert cell.load(1, At(now=20, birth=20, begins=begins)) is races


def test_readers_of_several_blocks_are_kept_as_such():
    cell = Cell(PLAIN)
    cell.load(1, At(begins=10)), cell.load(1, At(now=20, birth=20, begins=20))

    assert cell.read == (ALL, 20)
    assert cell.store(1, At(now=20, birth=20, begins=20))


@pytest.mark.parametrize(("at", "since", "need"), [(10, 10, [1, 0, 0]), (9, 10, [0, 0, 1])])
def test_an_exchange_needs_the_barrier_that_orders_it(at, since, need):
    """It needs the last one if that alone is between, else it or one before it."""
    cell = Cell(NEEDS)
    cell.store(1, At(now=at, birth=5))
    cell.load(2, At(now=11, birth=5, since=since))

    assert list(cell.need) == need


def test_an_exchange_with_a_reader_who_is_no_longer_known_may_need_a_barrier():
    cell = Cell(NEEDS)
    cell.load(1), cell.load(2, LATER)

    assert cell.read == (2 | OTHERS_READ, 11)
    cell.store(2, At(now=11, since=11))
    assert list(cell.need) == [0, 1, 0]


def test_blocks_of_a_cluster_are_unordered_between_two_waits():
    cell = Cell(CLUSTERS)
    first, second = At(now=11, birth=11, mark=11), At(now=12, birth=12, mark=12)

    assert not cell.load(1, first) and not cell.load(300, second)
    assert cell.read == (BLOCKS_OF_CLUSTER, 12)
    assert cell.store(300, second)


def test_a_wait_of_the_cluster_orders_its_blocks():
    cell = Cell(CLUSTERS)
    cell.store(1, At(now=11, birth=11, mark=11))

    assert not cell.load(300, At(now=14, birth=14, mark=14, phase=13, open=10))


def test_what_a_thread_does_between_arrival_and_wait_is_unordered_with_the_next_interval():
    arrived, cell = At(now=11, birth=11, mark=10), Cell(CLUSTERS)
    cell.store(1, arrived)
    following = At(now=14, birth=14, mark=14, phase=13, open=10)

    assert cell.write == (1, 10)
    assert cell.load(300, following)


@pytest.mark.parametrize(("who", "races"), [(2, False), (40, True)])
def test_threads_of_a_warp_are_ordered_once_it_has_synchronised(who, races):
    cell = Cell(WARPS)
    cell.store(1, At(mark=10))

    assert cell.load(who, At(mark=12)) is races


def test_several_threads_of_a_warp_are_kept_with_its_number():
    cell = Cell(WARPS)
    cell.load(33), cell.load(34)

    assert cell.read == (OF_WARP | 1, 10)
    assert not cell.store(35, At(mark=12))
    other = Cell(WARPS)
    other.load(33), other.load(34)
    assert other.store(2, At(mark=12))
