"""Random kernels of what lanes do together, by both engines."""

from __future__ import annotations

import pytest

from tests.simt import compare
from tests.simt.compare_touches import touched_natively

pytestmark = pytest.mark.slow

BATCH = 10
SEEDS = [pytest.param(0), *(pytest.param(first, marks=pytest.mark.full) for first in range(BATCH, 200, BATCH))]


@pytest.mark.parametrize(
    ("first", "count"), [(0, BATCH), *(pytest.param(at, 60, marks=pytest.mark.full) for at in (10, 70, 130))]
)
def test_random_kernels_are_the_same_and_most_run_as_machine_code(first, count):
    seeds = range(first, first + count)
    ran = [kind(seed) for kind in (compare.plain_natively, compare.graph_natively) for seed in seeds]

    assert sum(ran) >= 0.8 * len(ran)


@pytest.mark.parametrize("first", SEEDS)
def test_random_kernels_that_lack_a_barrier_or_go_out_of_bounds_are_found_out(first):
    """What they leave and what is said of them is Python's, and some of them are wrong."""
    ran = [compare.broken_natively(seed) for seed in range(first, first + BATCH)]

    assert ran.count(False) >= BATCH // 4


@pytest.mark.parametrize("first", SEEDS)
def test_random_kernels_that_touch_memory_of_all_kinds_are_the_same(first):
    """For each vendor, counted or not, by a worker that ran a launch before, or begun anew; some are not clean."""
    ran = [touched_natively(seed) > 0 for seed in range(first, first + 2 * BATCH)]

    assert BATCH // 5 <= sum(ran) < len(ran)
