"""The documented kernels, as compiled for four targets, give the documented results."""

import numpy as np
import pytest

from harness import simt
from tests.solutions.stored import TARGETS, text_of

WIDTH = {"amd:gfx942": 64}
SEEDS = [None, 1, 2, 3]


def module(op, target):
    """The decoded IR of a case."""
    return simt.decode(text_of(op, target))


@pytest.fixture(params=TARGETS)
def target(request):
    """Each target in turn."""
    return request.param


@pytest.mark.parametrize("seed", SEEDS)
def test_axis_sum_gives_the_row_sums(target, seed):
    """Puzzle 15: one block for each row."""
    matrix = np.arange(24, dtype=np.float32).reshape(4, 6)
    sums = np.full((4, 1), np.nan, np.float32)
    result = simt.launch(
        module("p15", target),
        target=target,
        grid=(1, 4),
        block=8,
        args=[sums, matrix, 6],
        options=simt.Options(seed=seed),
    )

    assert result.verdict == "clean"
    assert sums.ravel().tolist() == [15, 51, 87, 123]


@pytest.mark.parametrize("seed", SEEDS)
def test_conditional_max_alternates_maximum_and_minimum(target, seed):
    """Puzzle 26: even lanes get the maximum of their warp, odd lanes its minimum."""
    width = WIDTH.get(target, 32)
    values = np.arange(64, dtype=np.float32)
    values[:9] = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    values[9:32] = np.arange(9, 32) % 10
    output = np.full(64, np.nan, np.float32)
    result = simt.launch(
        module("p26_conditional_max", target),
        target=target,
        grid=2,
        block=width,
        args=[output, values],
        options=simt.Options(seed=seed),
    )
    warps = values.reshape(-1, width)
    expected = np.repeat(np.stack([warps.max(1), warps.min(1)], 1)[:, None], width // 2, 1)

    assert result.verdict == "clean"
    np.testing.assert_array_equal(output, expected.ravel())


def test_pair_swap_and_parallel_max(target):
    """Puzzle 26: the butterfly's first step, and all of its steps."""
    width = WIDTH.get(target, 32)
    values = np.arange(width, dtype=np.float32)
    output = np.full(width, np.nan, np.float32)
    launch = {"target": target, "grid": 1, "block": width, "args": [output, values]}

    assert simt.launch(module("p26_pair_swap", target), **launch).verdict == "clean"
    np.testing.assert_array_equal(output, values.reshape(-1, 2)[:, ::-1].ravel())
    assert simt.launch(module("p26_parallel_max", target), **launch).verdict == "clean"
    assert (output == width - 1).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_cluster_sum_is_exact(seed):
    """Puzzle 34: four blocks of a cluster, one writer."""
    total, partial = np.zeros(1, np.float32), np.full(4, np.nan, np.float32)
    result = simt.launch(
        module("p34_reduction", "nvidia:sm_90"),
        target="nvidia:sm_90",
        grid=4,
        block=256,
        cluster=4,
        args=[total, np.arange(1024, dtype=np.float32), partial, 1024],
        options=simt.Options(seed=seed),
    )

    assert result.verdict == "clean"
    assert total[0] == 523776
    assert partial.tolist() == [32640, 98176, 163712, 229248]


def test_a_launch_leaves_nothing_behind(target):
    """The same module gives the same result again after a fault."""
    decoded = module("p15", target)
    matrix = np.arange(24, dtype=np.float32).reshape(4, 6)
    for _ in range(2):
        short = np.zeros(2, np.float32)
        faulty = simt.launch(decoded, target=target, grid=(1, 4), block=8, args=[short, matrix, 6])
        sums = np.zeros(4, np.float32)
        result = simt.launch(decoded, target=target, grid=(1, 4), block=8, args=[sums, matrix, 6])

        assert faulty.verdict == "findings"
        assert [finding.kind for finding in faulty.findings] == ["out-of-bounds"]
        assert faulty.findings[0].count == 2
        assert faulty.findings[0].sites[0].file == "mojo/p15/solution.mojo"
        assert (result.verdict, sums.tolist()) == ("clean", [15, 51, 87, 123])
