"""What the run-time library counts of requests, threads and elements, beside models of a few lines."""

from __future__ import annotations

import ctypes
import random
from collections import defaultdict

import numpy as np
import pytest

from harness.simt.arrays import address_of
from harness.simt.native.emit.context import ALLOCATION_FACTS, SLOTS
from harness.simt.native.runtime.counts import (
    BANK_RECORD_BYTES,
    BLOCK_COUNTS,
    ELEMENT_COUNTS,
    REQUEST_FIELDS,
    ROW_BYTES,
    STRUCTS,
)
from harness.simt.native.runtime.kernel_tables import constant_function
from harness.simt.native.runtime.library import FOLDER
from tests.generate.runtime_library import counts_header
from tests.simt.runtime_library import function

THREADS, WORDS, CELL = 6, 12, 2  # of a block, of a variable; bytes of a cell
SHARED = "(ptr, i64, i64, i64, i32, ptr)"
COUNTING = (
    f"void count_shared_load{SHARED}",
    f"void count_shared_store{SHARED}",
    *(f"void {name}(ptr)" for name in ("begin_block", "end_step", "end_block")),
    "void end_lane(ptr, ptr)",
)


def test_the_structs_of_c_are_those_of_python():
    header = (FOLDER / "counts.h").read_text(encoding="utf-8")

    assert header == counts_header()
    assert all(f"struct {name} {{" in header for name in STRUCTS)


class Requests:
    """A site and a request of it, beside the sets of sectors that it must come to."""

    def __init__(self) -> None:
        self.site, self.request = np.zeros(2, np.int64), np.zeros(len(REQUEST_FIELDS) + 64, np.int64)
        self.sectors = defaultdict[int, set[int]](set)
        self._count = function("requests", "void count_request(ptr, ptr, i64, i64, i64)")

    def count(self, when: int, first: int, last: int) -> int:
        """Count an access; returns the sectors of all requests so far."""
        self.sectors[when] |= set(range(first, last + 1))
        self._count(address_of(self.site), address_of(self.request), when, first, last)
        return int(self.site[1])


@pytest.mark.parametrize("seed", range(20))
def test_each_sector_of_a_request_is_counted_once(seed):
    rng, requests = random.Random(seed), Requests()
    for when in sorted(rng.sample(range(1, 100), 6)):
        for _ in range(rng.randint(1, 32)):
            first = rng.randrange(rng.choice((2, 8, 1 << 40)))
            found = requests.count(when, first, first + rng.randrange(2))
            assert found == sum(map(len, requests.sectors.values()))
    assert requests.site[0] == 0  # how often threads came there is counted beside it


def test_a_request_holds_the_sectors_in_the_order_in_which_threads_came_to_them():
    requests = Requests()
    for first, last in ((7, 8), (7, 7), (3, 3), (8, 8)):
        requests.count(5, first, last)

    assert requests.request[: len(REQUEST_FIELDS) + 3].tolist() == [5, 8, 3, 7, 8, 3]


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_a_part_of_a_warp_takes_as_many_passes_as_it_asks_a_bank_for_different_words(seed, alone):
    rng = random.Random(seed)
    count = function("bank_conflicts", "void count_bank_conflicts(ptr, ptr, i64, i64, i64, i64, i64, i1)")
    site, record, conflicts = np.zeros(2, np.int64), np.zeros(BANK_RECORD_BYTES, np.uint8), 0
    for when in range(1, 5):
        for part in range(2):
            words, asked, least = rng.choice((1, 2, 4)), list[int](), rng.choice((1, 2))
            for _ in range(rng.randint(1, 32 // words)):
                first = rng.randrange(0, rng.choice((32, 512)), words)
                asked += range(first, first + words)
                count(address_of(site), address_of(record), when, part, first, words, least, alone)
            kinds = asked if alone else set(asked)
            most = max(sum(word % 32 == bank for word in kinds) for bank in range(32))
            conflicts += max(most - least, 0)
            assert site[1] == conflicts


class Block:
    """A block with one variable in shared memory, whose threads load and store."""

    def __init__(self) -> None:
        self.counts = np.zeros(len(BLOCK_COUNTS) + THREADS // 4 + 1, np.int64)
        self.variable = np.zeros(2 * len(ELEMENT_COUNTS) + WORDS, np.int32)
        rows = np.zeros((2, len(ALLOCATION_FACTS)), np.int64)
        rows[0, ALLOCATION_FACTS["start"]] = 1  # memory that blocks share has counts of another kind
        rows[:, ALLOCATION_FACTS["loads"]] = 8, address_of(self.variable)
        rows[:, ALLOCATION_FACTS["stores"]] = 8, 4 * WORDS
        slots = np.zeros(len(SLOTS), np.int64)
        for name, value in {
            "table": address_of(rows),
            "own": 2,
            "size": THREADS,
            "blocks": address_of(self.counts),
        }.items():
            slots[SLOTS[name]] = value
        self._kept, self._context = (rows, slots), address_of(slots)
        self._given = {"more": "\n".join(constant_function("cell_bytes", "i64", CELL)), "all_exported": COUNTING}

    def _call(self, name: str, *arguments: int) -> None:
        (signature,) = (one for one in COUNTING if f" {name}(" in one)
        function("lane_counts", signature, **self._given)(*arguments)

    def __getattr__(self, name: str):
        """Return a function that takes the context alone."""
        return lambda: self._call(name, self._context)

    def __getitem__(self, name: str) -> int:
        return int(self.counts[BLOCK_COUNTS[name]])

    def touch(self, kind: str, thread: int, first: int, count: int = 1, size: int = CELL) -> None:
        """Load or store cells: elements of a size."""
        sizes = first * CELL | size
        self._call(
            f"count_shared_{kind}", address_of(self.variable), first, count, sizes, thread, address_of(self.counts)
        )


@pytest.mark.parametrize("seed", range(20))
def test_elements_are_counted_once_and_steps_by_what_threads_load_of_others(seed):
    rng, block = random.Random(seed), Block()
    most = [0, 0, 0]
    for _ in range(3):
        block.begin_block()
        touched, writer, reading = {"load": set[int](), "store": set[int]()}, dict[int, int](), list[set[int]]()
        for _ in range(rng.randint(1, 5)):
            readers = set[int]()
            for _ in range(rng.randint(0, 6)):
                kind, thread, count = rng.choice(("load", "store")), rng.randrange(THREADS), rng.choice((1, 2))
                first = rng.randrange(0, WORDS, count)
                block.touch(kind, thread, first, count, CELL)
                cells = range(first, first + count)
                touched[kind] |= set(cells)
                if kind == "store":
                    writer |= dict.fromkeys(cells, thread)
                elif any(writer.get(cell, thread) != thread for cell in cells):
                    readers.add(thread)
            reading += [readers] if readers else []
            block.end_step()
        block.end_block()
        handed_on = len(reading) > 1 and not reading[-1] & reading[-2]
        own = [len(touched["load"]), len(touched["store"]), len(reading) - handed_on]
        most = [*map(max, most, own)]
        assert [block[name] for name in ("loads", "stores", "steps")] == own
        assert [block[f"most {name}"] for name in ("loads", "stores", "steps")] == most
    assert not block["mixed"]


def test_elements_are_as_large_as_the_smallest_access_or_its_offset():
    block = Block()
    block.begin_block()
    block.touch("store", 0, 0, 4, size=8)
    block.touch("load", 0, 2, 2, size=4)
    block.end_block()

    assert (block["stores"], block["loads"], block["mixed"]) == (2, 1, 0)
    block.begin_block()
    block.touch("store", 0, 0, 4, size=8)
    block.end_block()
    assert block["stores"] == 1 and block["mixed"]  # in other elements than the block before


def test_what_a_thread_did_is_added_and_compared_with_the_most():
    own, sums = np.array([3, 0, 7, 1, 0, 0, 2, 5]), np.zeros((2, ROW_BYTES // 8), np.int64)
    sums[:] = [[10] * 8, [2] * 8]
    row = own.copy()
    function("lane_counts", COUNTING[-1], all_exported=COUNTING, more=Block()._given["more"])(
        address_of(row), address_of(sums)
    )

    assert sums.tolist() == [(10 + own).tolist(), np.maximum(2, own).tolist()]
    assert not row.any() and ctypes.sizeof(ctypes.c_int64) * len(row) == ROW_BYTES
