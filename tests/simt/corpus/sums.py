"""Reductions, scans, sorts and histograms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tests.simt.corpus.launching import Recorder, halves, numbers, program

I32, U32, U8, F32 = np.int32, np.uint32, np.uint8, np.float32


def same(found: np.ndarray, expected: object) -> None:
    """Assert that two arrays have the same elements."""
    np.testing.assert_array_equal(found, np.asarray(expected))


@program("reductions")
def sum_tree(run: Recorder) -> None:
    data, out = numbers(1000, -50, 50), np.zeros(1, I32)
    run("sum_tree", 4, 256, data, out, 1000)
    same(out, [data.sum()])


@program("reductions")
def sum_floats(run: Recorder) -> None:
    data, out = halves(3000), np.zeros(1, F32)
    run("sum_floats", 4, 128, data, out, 3000)
    same(out, [data.sum()])


@program("reductions")
def maximum(run: Recorder) -> None:
    data, out = numbers(3000, -(1 << 30), 1 << 30), np.full(1, -(1 << 31), I32)
    run("maximum", 4, 128, data, out, 3000)
    same(out, [data.max()])


@program("reductions")
def dot_partial(run: Recorder) -> None:
    a, b, out = (part.astype(float) for part in (halves(2000), halves(2001)[1:], np.zeros(4)))
    run("dot_partial", 4, 128, a, b, out, 2000)
    same(out.sum(), a @ b)


@program("reductions")
def argmin(run: Recorder) -> None:
    data, out = halves(6 * 500).reshape(6, 500), np.zeros(6, I32)
    run("argmin", 6, 128, data, out, 500)
    same(out, data.argmin(1))


@program("reductions")
def variance(run: Recorder) -> None:
    data, out = halves(10 * 100).reshape(10, 100), np.zeros((10, 2), F32)
    run("variance", 3, 128, data, out, 10, 100)
    np.testing.assert_allclose(out, np.stack([data.mean(1), data.var(1)], 1), rtol=1e-4, atol=1e-5)


@program("reductions")
def sum_last_block(run: Recorder) -> None:
    data, partial, ticket, out = numbers(1500, -9, 9), np.zeros(4, I32), np.zeros(1, U32), np.zeros(1, I32)
    for _ in range(2):
        run("sum_last_block", 4, 128, data, partial, ticket, out, 1500)
    same(out, [data.sum()])


@program("reductions")
def sum_segments(run: Recorder) -> None:
    first = np.concatenate([[0], numbers(100, 0, 20).cumsum()]).astype(I32)
    data, out = numbers(int(first[-1]), -99, 99), np.zeros(100, I32)
    run("sum_segments", 2, 64, first, data, out, 100)
    same(out, [data[a:b].sum() for a, b in pairwise(first)])


@program("scans")
def scan_doubling(run: Recorder) -> None:
    data, out = numbers(512, -9, 9), np.zeros(512, I32)
    run("scan_doubling", 4, 128, data, out)
    same(out, data.reshape(4, 128).cumsum(1).reshape(-1))


@program("scans")
def scan_tree(run: Recorder) -> None:
    data, out = numbers(1024, -9, 9), np.zeros(1024, I32)
    run("scan_tree", 4, 128, data, out)
    same(out, (data.reshape(4, 256).cumsum(1) - data.reshape(4, 256)).reshape(-1))


@program("scans")
def scan_in_two_launches(run: Recorder) -> None:
    data, out, sums = numbers(1024, -9, 9), np.zeros(1024, I32), np.zeros(8, I32)
    run("scan_warps", 8, 128, data, out, sums)
    run("add_before", 8, 128, out, sums)
    same(out, data.cumsum())


@program("scans")
def scan_lookback(run: Recorder) -> None:
    data, out = numbers(512, -9, 9), np.zeros(512, I32)
    run("scan_lookback", 4, 128, data, out, np.zeros(4, I32), np.zeros(4, I32))
    same(out, data.cumsum())


@program("scans")
def compact(run: Recorder) -> None:
    data, out, count = numbers(500, 0, 999), np.full(500, -1, I32), np.zeros(1, I32)
    run("compact", 4, 128, data, out, count, 500)
    same(np.sort(out[: count[0]]), np.sort(data[data % 3 == 0]))


@program("scans")
def run_lengths(run: Recorder) -> None:
    data, out = np.sort(numbers(400, 0, 40)), np.zeros(400, I32)
    run("heads", 4, 128, data, out, 400)
    same(out[out > 0], np.unique(data, return_counts=True)[1])


@program("sorts")
def sort_bitonic(run: Recorder) -> None:
    data = numbers(1024, -999, 999)
    expected = np.sort(data.reshape(4, 256), 1).reshape(-1)
    run("sort_bitonic", 4, 256, data)
    same(data, expected)


@program("sorts")
def sort_odd_even(run: Recorder) -> None:
    data = numbers(30, -999, 999)
    expected = np.sort(data)
    for phase in range(30):
        run("sort_odd_even", 1, 32, data, phase % 2, 30)
    same(data, expected)


@program("sorts")
def sort_by_digits(run: Recorder) -> None:
    data, out = numbers(1024, 0, 256, U32), np.zeros(1024, U32)
    expected = np.sort(data)
    for shift in (0, 4):
        counts = np.zeros(64, U32)
        run("digit_counts", 4, 256, data, counts, shift)
        before = (counts.cumsum() - counts).astype(U32)
        run("digit_scatter", 4, 256, data, before, out, shift)
        data[:] = out
    same(data, expected)


@program("sorts")
def merge(run: Recorder) -> None:
    a, b, out = np.sort(numbers(200, 0, 99)), np.sort(numbers(200, 0, 98)), np.zeros(400, I32)
    run("merge", 4, 128, a, b, out, 200)
    same(out, np.sort(np.concatenate([a, b])))


@program("sorts")
def sort_by_rank(run: Recorder) -> None:
    data, out = numbers(200, 0, 99), np.zeros(200, I32)
    run("sort_by_rank", 2, 128, data, out, 200)
    same(out, np.sort(data))


@program("sorts")
def sort_inserting(run: Recorder) -> None:
    data = numbers(60 * 16, 0, 999)
    expected = np.sort(data.reshape(60, 16), 1).reshape(-1)
    run("sort_inserting", 2, 32, data, 60)
    same(data, expected)


@program("histograms")
def count_shared(run: Recorder) -> None:
    data, bins = numbers(3000, 0, 256, U8), np.zeros(64, I32)
    run("count_shared", 4, 128, data, bins, 3000)
    same(bins, np.bincount(data & 63, minlength=64))


@program("histograms")
def count_private(run: Recorder) -> None:
    data, bins = numbers(64 * 20, 0, 256, U8), np.zeros((64, 8), I32)
    run("count_private", 1, 64, data, bins, 20)
    same(bins, [np.bincount(row & 7, minlength=8) for row in data.reshape(64, 20)])


@program("histograms")
def count_wrapping(run: Recorder) -> None:
    data, bins = numbers(500, 0, 256, U8), np.zeros(16, U32)
    run("count_wrapping", 4, 128, data, bins, 9, 500)
    same(bins, np.bincount(data & 15, minlength=16) % 10)


@program("histograms")
def count_matched(run: Recorder) -> None:
    data, bins = numbers(512, 0, 20), np.zeros(20, I32)
    run("count_matched", 4, 128, data, bins)
    same(bins, np.bincount(data, minlength=20))


@program("histograms")
def weights(run: Recorder) -> None:
    data, weight, bins = numbers(900, 0, 256, U8), halves(900), np.zeros(32, F32)
    run("weights", 4, 64, data, weight, bins, 900)
    same(bins, np.bincount(data & 31, weights=weight, minlength=32))


@program("histograms")
def bounds(run: Recorder) -> None:
    data, low, high = numbers(900, -500, 500), np.full(4, 999, I32), np.full(4, -999, I32)
    run("bounds", 4, 64, data, low, high, 900)
    same(low, [data[data & 3 == k].min() for k in range(4)])
    same(high, [data[data & 3 == k].max() for k in range(4)])
