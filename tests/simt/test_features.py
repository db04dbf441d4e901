"""What the puzzles compute with, compiled for each target, agrees with NumPy.

See `kernels/features.mojo`.
"""

import math

import numpy as np
import pytest

from harness import simt
from harness.simt.ir.values import bfloat_bits, bfloat_round
from tests.simt.built import kernels, needs_mojo

TARGETS = {"nvidia:sm_90": 32, "amd:gfx942": 64, "amd:gfx1100": 32, "apple:apple-m4": 32}
pytestmark = needs_mojo
F32 = np.float32


@pytest.fixture(scope="module", params=TARGETS)
def run(request):
    """Launches a kernel of the file, with every observer; gives the width of a warp too."""
    texts = kernels(request.param, "features")

    def launch(name, grid, block, *args):
        code = texts[name]
        result = simt.launch(code, target=request.param, grid=grid, block=block, args=args, observers=simt.observers())
        assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]

    launch.width = TARGETS[request.param]
    return launch


def empty(*shape):
    """An output that the kernel must write."""
    return np.full(shape, np.nan, F32)


@pytest.fixture
def rng():
    """Random numbers, the same in every test."""
    return np.random.default_rng(7)


@pytest.mark.slow
def test_block_sum_maximum_broadcast_and_scan(run, rng):
    """Two blocks of 128, small integers: exact."""
    x, out = rng.integers(-9, 9, (2, 128)).astype(F32), empty(2, 128, 4)
    run("block_operations", 2, 128, out, x)
    total = np.repeat(x.sum(1), 128).reshape(2, 128)
    largest = np.repeat(x.max(1), 128).reshape(2, 128)

    np.testing.assert_array_equal(out, np.stack([total, largest, total, x.cumsum(1) - x], -1))


def test_every_exchange_of_a_warp(run, rng):
    """Sums, extremes, scan, broadcast, shuffles down, up and to a lane."""
    width = run.width
    x, out = rng.integers(-9, 9, 64).astype(F32), empty(64, 8)
    run("warp_operations", 1, 64, out, x)
    x, lane = x.reshape(-1, width), np.arange(width)

    def all_lanes(values):
        return np.repeat(values[:, None], width, 1)

    expected = [
        all_lanes(x.sum(1)),
        all_lanes(x.max(1)),
        all_lanes(x.min(1)),
        x.cumsum(1),
        all_lanes(x[:, 0]),
        x[:, np.minimum(lane + 1, width - 1)],
        x[:, np.maximum(lane - 1, 0)],
        all_lanes(x[:, 3]),
    ]
    np.testing.assert_array_equal(out, np.stack(expected, -1).reshape(64, 8))


def test_exchanges_of_other_types(run, rng):
    """32 and 64-bit integers, half precision."""
    ints = rng.integers(-99, 99, 64).astype(np.int32)
    out, halves = np.full((64, 4), -12345, np.int32), ints.astype(np.float16)
    run("warp_types", 1, 64, out, halves, ints)
    x, lane = ints.reshape(-1, run.width), np.arange(run.width)
    total = np.repeat(x.sum(1), run.width)

    np.testing.assert_array_equal(out, np.stack([total, x[:, lane ^ 5].ravel(), x[:, lane ^ 1].ravel(), total], 1))


def test_histogram_by_atomics(run, rng):
    """In shared memory, then in global memory; sums of multiples of 1/64 are exact."""
    x = (np.round(rng.random(200) * 64) / 64).astype(F32)
    counts, sums = np.zeros(8, np.int32), np.zeros(8, F32)
    run("histogram", 2, 128, counts, sums, x, np.int32(200))
    bins = np.clip(np.floor(x * 8), 0, 7).astype(int)

    assert counts.tolist() == np.bincount(bins, minlength=8).tolist()
    assert sums.tolist() == np.bincount(bins, x, minlength=8).tolist()


def test_vector_loads_and_stores(run, rng):
    """Four elements at a time."""
    a, b, out = rng.random(256).astype(F32), rng.random(256).astype(F32), empty(256)
    run("vector_copy", 2, 32, out, a, b)

    np.testing.assert_array_equal(out, (a + b) * F32(2))


def test_functions(run):
    """Approximate ones within the bounds of the fastest hardware instructions."""
    x, out = np.linspace(0.1, 3, 32).astype(F32), empty(32, 12)
    run("functions", 1, 32, out, x)
    d = x.astype(float)
    expected = [
        np.exp(d),
        np.log(d),
        np.sqrt(d),
        1 / np.sqrt(d),
        np.sin(d),
        np.cos(d),
        np.tanh(d),
        [math.erf(v) for v in d],
        np.exp2(d),
        np.log2(d),
        d * d - d,
        1 / d,
    ]

    np.testing.assert_allclose(out, np.stack(expected, 1), rtol=3e-5, atol=3e-5)


def test_softmax(run, rng):
    """100 of 128 threads have an element."""
    x, out = (rng.standard_normal(100) * 3).astype(F32), empty(100)
    run("softmax", 1, 128, out, x, np.int32(100))
    e = np.exp(x.astype(float) - x.max())

    np.testing.assert_allclose(out, e / e.sum(), rtol=1e-5)


def test_layernorm(run, rng):
    """A row for each thread."""
    x, out = rng.standard_normal((64, 24)).astype(F32), empty(64, 24)
    run("layernorm", 2, 32, out, x, np.int32(24))
    d = x.astype(float)
    expected = (d - d.mean(1, keepdims=True)) / np.sqrt(d.var(1, keepdims=True) + 1e-5)

    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)


def test_tiled_product(run, rng):
    """Matrices whose size is no multiple of the tile; small integers: exact."""
    a, b, out = rng.integers(-4, 4, (19, 19)).astype(F32), rng.integers(-4, 4, (19, 19)).astype(F32), empty(19, 19)
    run("matmul_tiled", (3, 3), (8, 8), out, a, b, np.int32(19))

    np.testing.assert_array_equal(out, a @ b)


def test_small_types(run, rng):
    """Half, bfloat and integer arithmetic; a compiler may keep products wide."""
    ints, out = rng.integers(-9999, 9999, 64).astype(np.int32), empty(64, 8)
    halves, brains = (ints / 64).astype(np.float16), bfloat_round(ints.astype(F32) / F32(3))
    run("small_types", 1, 64, out, halves, bfloat_bits(brains), ints)
    expected = [
        halves * halves + halves,
        bfloat_round(bfloat_round(brains * brains) + brains),
        ints // 7,
        ints % 7,
        ints >> 2,
        ints & 255,
        brains.astype(np.int32),
        bfloat_round(ints.astype(F32) * F32(1.01)),
    ]

    np.testing.assert_array_equal(out[:, 2:], np.stack(expected[2:], 1).astype(F32))
    np.testing.assert_allclose(out[:, :2], np.stack(expected[:2], 1).astype(F32), rtol=2**-7)


def test_local_arrays_and_early_returns(run, rng):
    """An index that is known only at run time; threads from 100 on do nothing."""
    x, out = rng.integers(0, 9, 8).astype(F32), np.full(128, -1, F32)
    run("local_array", 1, 128, out, x)
    expected = np.full(128, -1, F32)
    for i in range(100):
        values = np.zeros(8)
        values[(np.arange(8) * 3 + i) % 8] = x + i
        expected[i] = values[: i % 8 + 1].sum()

    np.testing.assert_array_equal(out, expected)
