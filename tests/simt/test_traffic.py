"""Sectors, lines and passes of accesses that are counted by hand."""

import numpy as np
import pytest

from harness.simt.traffic import LINE, SECTOR, count_conflicts, count_units, first_byte_keys, group_lanes, least_sectors

ALL = np.arange(32)


def passes(
    warp: np.ndarray, lane: np.ndarray, offsets: np.ndarray, size: int, *, atomic: bool = False
) -> tuple[int, int]:
    """The passes over shared memory, and those without conflicts."""
    part, least = group_lanes(warp, lane, size)
    return least + count_conflicts(part, offsets, size, atomic=atomic), least


# What the lanes of one warp ask for: their first bytes, the bytes of each; sectors, lines, least sectors.
GLOBAL = {
    "4 bytes side by side": (4 * ALL, 4, (4, 1, 4)),
    "the same backwards": (4 * ALL[::-1], 4, (4, 1, 4)),
    "the same in another order": (4 * (ALL ^ 5), 4, (4, 1, 4)),
    "every second word": (8 * ALL, 4, (8, 2, 4)),
    "a sector each": (32 * ALL, 4, (32, 8, 4)),
    "a line each": (128 * ALL, 4, (32, 32, 4)),
    "rows of 4 kB": (4096 * ALL, 4, (32, 32, 4)),
    "one word for all": (0 * ALL, 4, (1, 1, 1)),
    "one word for two": (4 * (ALL // 2), 4, (2, 1, 2)),
    "one word further": (4 * ALL + 4, 4, (5, 2, 4)),
    "the second half of a sector first": (4 * ALL + 16, 4, (5, 2, 4)),
    "bytes": (ALL, 1, (1, 1, 1)),
    "bytes over a sector's end": (ALL + 16, 1, (2, 1, 1)),
    "2 bytes": (2 * ALL, 2, (2, 1, 2)),
    "8 bytes": (8 * ALL, 8, (8, 2, 8)),
    "8 bytes, one further": (8 * ALL + 8, 8, (9, 3, 8)),
    "16 bytes": (16 * ALL, 16, (16, 4, 16)),
    "16 bytes, every second": (32 * ALL, 16, (32, 8, 16)),
    "16 bytes that begin at a word": (16 * ALL + 4, 16, (17, 5, 16)),
    "16 bytes that overlap": (4 * ALL, 16, (5, 2, 5)),
    "8 lanes": (4 * ALL[:8], 4, (1, 1, 1)),
    "20 lanes": (4 * ALL[:20], 4, (3, 1, 3)),
    "16 bytes of a lane over a sector's end": (ALL[:1] + 24, 16, (2, 1, 1)),
    "8 bytes of a lane over a line's end": (ALL[:1] + 124, 8, (2, 2, 1)),
    "1,024 bytes of a lane": (ALL[:1], 1024, (32, 8, 32)),
}


@pytest.mark.parametrize("pattern", GLOBAL)
def test_global_memory_moves_whole_sectors(pattern: str):
    offsets, size, counted = GLOBAL[pattern]
    first, times = first_byte_keys(np.zeros(len(offsets), np.int64), offsets)

    assert times == 1
    assert (count_units(first, size, SECTOR), count_units(first, size, LINE), least_sectors(first, size)) == counted


# The first bytes of the lanes of one warp of 32, the bytes of each; passes, and those without conflicts.
SHARED = {
    "a bank each": (4 * ALL, 4, (1, 1)),
    "two lanes for a bank": (8 * ALL, 4, (2, 1)),
    "odd strides": (12 * ALL, 4, (1, 1)),
    "eight lanes for a bank": (32 * ALL, 4, (8, 1)),
    "a column of a tile 32 wide": (128 * ALL, 4, (32, 1)),
    "a column of a tile 33 wide": (132 * ALL, 4, (1, 1)),
    "one word for all": (0 * ALL, 4, (1, 1)),
    "two words of one bank": (128 * (ALL // 16), 4, (2, 1)),
    "bytes": (ALL, 1, (1, 1)),
    "bytes of words apart": (4 * ALL + 3, 1, (1, 1)),
    "bytes of one bank": (128 * ALL, 1, (32, 1)),
    "2 bytes": (2 * ALL, 2, (1, 1)),
    "8 bytes": (8 * ALL, 8, (2, 2)),
    "8 bytes, every second": (16 * ALL, 8, (4, 2)),
    "8 bytes of lanes next to each other": (8 * np.array([0, 16]), 8, (2, 1)),
    "16 bytes": (16 * ALL, 16, (4, 4)),
    "16 bytes, every second": (32 * ALL, 16, (8, 4)),
    "16 bytes, 8 lanes": (16 * ALL[:8], 16, (1, 1)),
    "20 lanes, two for some banks": (8 * ALL[:20], 4, (2, 1)),
    "1,024 bytes of a lane": (ALL[:1], 1024, (8, 8)),
}


@pytest.mark.parametrize("pattern", SHARED)
def test_a_bank_gives_a_word_in_a_pass(pattern: str):
    offsets, size, counted = SHARED[pattern]

    assert passes(np.zeros(len(offsets), np.int64), ALL[: len(offsets)], offsets, size) == counted


@pytest.mark.parametrize(
    ("offsets", "counted"),
    [
        pytest.param(4 * ALL, (1, 1), id="a word each"),
        pytest.param(0 * ALL, (32, 1), id="one word for all"),
        pytest.param(np.zeros(1, int), (32, 1), id="one word that all agree on"),
        pytest.param(4 * (ALL // 2), (2, 1), id="one word for two"),
        pytest.param(4 * (ALL % 4), (8, 1), id="four words"),
    ],
)
def test_atomics_take_turns_at_a_word(offsets: np.ndarray, counted: tuple[int, int]):
    assert passes(0 * ALL, ALL, offsets, 4, atomic=True) == counted


def test_what_all_lanes_agree_on_is_asked_for_by_each_warp():
    warp = np.repeat(np.arange(3), (32, 32, 5))
    first, times = first_byte_keys(warp, np.array([60]))

    assert (times, times * count_units(first, 8, SECTOR)) == (3, 6)
    assert passes(warp, np.r_[ALL, ALL, ALL[:5]], np.array([60]), 4) == (3, 3)


def test_warps_share_no_request():
    """Two warps that touch the same line touch it twice; each has its own passes."""
    warp, lane = np.repeat([0, 1], 32), np.tile(ALL, 2)
    first, _ = first_byte_keys(warp, 4 * lane)

    assert (count_units(first, 4, SECTOR), count_units(first, 4, LINE), least_sectors(first, 4)) == (8, 2, 8)
    assert passes(warp, lane, 128 * lane, 4) == (64, 2)


def test_a_wave_of_64_lanes_is_one_request_and_two_passes():
    warp, lane = np.zeros(64, np.int64), np.arange(64)
    first, _ = first_byte_keys(warp, 4 * lane)
    twice, _ = first_byte_keys(warp, 4 * (lane % 32))

    assert (count_units(first, 4, SECTOR), count_units(first, 4, LINE)) == (8, 2)
    assert (count_units(twice, 4, SECTOR), count_units(twice, 4, LINE)) == (4, 1)
    assert passes(warp, lane, 4 * lane, 4) == (2, 2)
    assert passes(warp, lane, 8 * lane, 4) == (4, 2)
