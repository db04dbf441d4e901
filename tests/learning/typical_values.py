"""Kernels whose only fault is a wrong value: at which line the explanation of it is to point.

The lines were written down before any of these was run. Where a loop runs too short or begins too late there are two:
its head, and the line by which its elements come in.
"""

from __future__ import annotations

from tests.learning.typical import Typical

__all__ = ["VALUES"]


def _value(case: str, name: str, old: str, new: str, at: str) -> Typical:
    """A mistake that ends as a wrong value; `at` has the texts of lines that would do, between `|`."""
    return Typical(case, name, old, new, "check.reason", at)


VALUES = (
    _value("p09:second-case", "window-of-two", "range(3)", "range(2)", "range(2)|total += a[place]"),
    _value("p09:third-case", "neighbour-whole", "+= before / 2", "+= before", "+= before"),
    _value(
        "p10:race-condition", "column-left-out", "x in range(size)", "x in range(1, size)", "x in range(1|total += "
    ),
    _value("p12", "other-element-of-b", "* b[global_i]", "* b[global_i ^ 1]", "b[global_i ^ 1]"),
    _value("p13:block-boundary", "weights-reversed", "shared_b[j]", "shared_b[CONV_2 - 1 - j]", "CONV_2 - 1 - j]"),
    _value("p13:block-boundary", "behind-by-one", "a[behind]", "a[behind - 1]", "a[behind - 1]"),
    _value(
        "p14:complete",
        "own-block-too",
        "range(block_idx.x)",
        "range(block_idx.x + 1)",
        "range(block_idx.x + 1)|output[global_i] += ",
    ),
    _value(
        "p14:complete",
        "total-without-the-last",
        "output[size + block_idx.x] = shared[local_i]",
        "output[size + block_idx.x] = shared[local_i - 1]",
        "shared[local_i - 1]",
    ),
    _value(
        "p16:single-block",
        "first-transposed",
        "a_shared[local_row, local_col] = a[row, col]",
        "a_shared[local_row, local_col] = a[col, row]",
        "a[col, row]",
    ),
    _value(
        "p16:tiled",
        "tile-that-stays",
        "= b[first + local_row, tiled_col]",
        "= b[local_row, tiled_col]",
        "b[local_row, tiled_col]",
    ),
    _value(
        "p16:tiled",
        "one-product-short",
        "min(TPB, size - first))",
        "min(TPB, size - first) - 1)",
        "size - first) - 1)|total += a_shared",
    ),
    _value("p24:traditional", "second-squared", "(a[global_i] *", "(b[global_i] *", "b[global_i] * b[global_i]"),
    _value("p24:kernel", "sum-for-product", "(a[global_i] *", "(a[global_i] +", "a[global_i] + b[global_i]"),
    _value("p25:average", "second-from-one", "shuffle_down(own, 2)", "shuffle_down(own, 1)", "var second"),
    _value(
        "p25:broadcast-conditional",
        "seven-for-eight",
        "range(1, 8)",
        "range(1, 7)",
        "range(1, 7)|max(largest, input",
    ),
    _value(
        "p25:broadcast-shuffle-coordination",
        "first-for-mean",
        "scale = broadcast(scale)",
        "scale = broadcast(own)",
        "broadcast(own)",
    ),
    _value("p25:broadcast-basic", "own-left-out", "total + input[global_i]", "total", "output[global_i] = total"),
    _value("p26:prefix-sum", "exclusive", "exclusive=False", "exclusive=True", "exclusive=True"),
    _value("p26:partition", "pivot-below", "value < pivot", "value <= pivot", "value <= pivot"),
    _value("p27:block-sum-dot-product", "sum-for-product", "a[global_i] *", "a[global_i] +", "a[global_i] + b"),
    _value(
        "p27:traditional-dot-product",
        "strides-by-four",
        "stride //= 2",
        "stride //= 4",
        "stride //= 4|+= shared[local_i + stride]",
    ),
    _value("p27:normalize", "sum-for-mean", "total / Scalar[dtype](size)", "total", "mean = total"),
    _value("p29:multi-stage", "one-side", "max(l - BLUR_RADIUS, 0)", "max(l, 0)", "max(l, 0)|total += input_shared"),
    _value("p30:kernel3", "one-reversed", "a[reverse] +", "a[i] +", "a[i] + b[reverse]"),
    _value("p31:minimal", "factor-on-both", "alpha * x[i] + y[i]", "alpha * (x[i] + y[i])", "alpha * (x[i]"),
    _value(
        "p31:balanced", "first-twice", "= cache[2, local_i] *", "= cache[1, local_i] *", "cache[3, local_i] = cache"
    ),
    _value("p32:two-way", "first-block", "input[global_i] + 10", "input[local_i] + 10", "input[local_i] + 10"),
    _value("p32:no-conflict", "three-for-two", "shared_mem[local_i] * 2", "shared_mem[local_i] * 3", "] * 3"),
    _value("p33:tiled", "column-of-the-row", "b_shared[k, column]", "b_shared[k, row]", "b_shared[k, row]"),
    _value(
        "p34:coordination",
        "rank-from-zero",
        "my_block_rank + 1",
        "my_block_rank",
        "shared_data[local_i] = input|            my_block_rank",
    ),
    _value(
        "p34:advanced",
        "first-warp-left-out",
        "range(0, tpb, WARP_SIZE)",
        "range(WARP_SIZE, tpb, WARP_SIZE)",
        "range(WARP_SIZE, tpb|total += shared_data[first]",
    ),
    _value("p35:scalar", "no-bias", "a[i] * SCALE + BIAS", "a[i] * SCALE", "a[i] * SCALE"),
    _value("p35:aligned", "same-vector", "(Coord(i))", "(Coord(0))", "Coord(0)"),
    _value("p02", "difference", "= a[i] + b[i]", "= a[i] - b[i]", "a[i] - b[i]"),
    _value("p10:memory-bug", "row-for-column", "a[row, col] + 10", "a[row, row] + 10", "a[row, row]"),
    _value("p11", "taken-off", "total += shared[local_i - 1]", "total -= shared[local_i - 1]", "total -= "),
    _value("p12", "half-of-the-tree", "TPB // 2", "TPB // 4", "TPB // 4|shared[local_i] += "),
    _value("p13:simple", "first-weight-alone", "shared_b[j]", "shared_b[0]", "shared_b[0]"),
    _value("p14:simple", "one-before-in-each-step", "shared[local_i - offset]", "shared[local_i - 1]", "local_i - 1]"),
    _value("p16:naive", "second-by-its-row", "b[k, col]", "b[row, col]", "b[row, col]"),
    _value(
        "p16:idiomatic-tiled", "first-tile-again", "b.tile[TPB, TPB](step,", "b.tile[TPB, TPB](0,", "(0, Int(block|+= "
    ),
    _value(
        "p24:traditional",
        "first-step-missing",
        "WARP_SIZE // 2",
        "WARP_SIZE // 4",
        "WARP_SIZE // 4|shared[local_i] += shared[local_i + stride]",
    ),
    _value("p25:neighbor", "own-twice", "after - own", "after - own - own", "after - own - own"),
    _value("p29:double-buffer", "one-side", "max(local_i - 1, 0)", "local_i", "var start = local_i|total += buffers"),
    _value("p30:kernel2", "first-of-b", "a[i] + b[i]", "a[i] + b[0]", "b[0]"),
    _value("p32:two-way", "neighbour", "mem[2 * local_i] * 2", "mem[2 * (local_i ^ 1)] * 2", "(local_i ^ 1)"),
    _value("p33:tiled", "tile-across", "](down, step)", "](across, step)", "(across, step)|total += "),
    _value("p34:reduction", "first-block-again", "input[global_i]", "input[local_i]", "input[local_i]"),
    _value("p35:unaligned", "no-scale", "values * SCALE + BIAS", "values + BIAS", "values + BIAS"),
)
