"""Random kernels: the simulator agrees with one lane, or one byte, at a time."""

import pytest

from tests.simt import compare

pytestmark = pytest.mark.slow

STRUCTURED, GRAPHS, OCTETS, MORE = 40, 40, 40, 2000
BATCH = 20


def batches(usual):
    """The first seed of each batch: the usual ones, and more in the nightly run."""
    marks = {True: (), False: pytest.mark.full}
    return [pytest.param(first, marks=marks[first < usual]) for first in range(0, MORE, BATCH)]


def check(kind, first):
    """Compares a batch of a kind."""
    seeds = range(first, first + BATCH)
    for seed, compared in zip(seeds, kind(seeds), strict=True):
        try:
            compared()
        except Exception as error:
            error.add_note(f"{kind.__name__}({seed})")
            raise


@pytest.mark.parametrize("first", batches(STRUCTURED))
def test_structured_kernels_agree_with_one_lane_at_a_time(first):
    """Ifs, switches, loops, early exits, barriers, shuffles, calls, all widths."""
    check(compare.structured, first)


@pytest.mark.parametrize("first", batches(GRAPHS))
def test_graphs_of_blocks_agree_with_one_lane_at_a_time(first):
    """Blocks joined at random: loops with several entries, blocks nobody reaches."""
    check(compare.graph, first)


@pytest.mark.parametrize("first", batches(OCTETS))
def test_undefined_bytes_agree_with_one_byte_at_a_time(first):
    """Loads and stores of all types, block moves, elements by variable index, shifts, masks, packed structs."""
    check(compare.octets, first)


@pytest.mark.parametrize("first", batches(BATCH))
def test_calls_of_one_definition_and_flags_agree_in_both_engines_and_with_one_lane_at_a_time(first):
    """Functions of the prelude, approximate functions, and flags that may make poison."""
    check(compare.calls, first)
