"""Mistakes of puzzles 1 to 16: elements, blocks, shared memory, and matrices."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["FIRST"]

_TREE = """        var addend = Scalar[dtype](0)
        if local_i < stride:
            addend = cache[local_i + stride]

        barrier()

        if local_i < stride:
            cache[local_i] += addend

        barrier()
"""
_SCAN = """        var addend = Scalar[dtype](0)
        if local_i >= offset:
            addend = shared[local_i - offset]

        barrier()

        shared[local_i] += addend
"""

FIRST = (
    # A thread for each element.
    Entry("p01", "neighbour", "a[i] + 10", "a[i ^ 1] + 10", "index", "a[i ^ 1]", "output[0]|a[1]|a[0]"),
    Entry("p01", "own-number", "a[i] + 10", "Scalar[dtype](i) + 10", "include", "Scalar[dtype](i)", "output[0]|a[0]"),
    Entry("p01", "ten-forgotten", "a[i] + 10", "a[i]", "operation", "output[i] = a[i]", "output[0]"),
    Entry(
        "p01", "stores-one-further", "output[i] =", "output[i + 1] =", "index", "output[i + 1]", "output[1]|a[0]|a[1]"
    ),
    Entry("p01", "reads-one-further", "a[i] + 10", "a[i + 1] + 10", "index", "a[i + 1]", "output[0]|a[1]|a[0]"),
    Entry("p02", "first-twice", "a[i] + b[i]", "a[i] + a[i]", "include", "a[i] + a[i]", "output[0]|b[0]"),
    Entry("p02", "product", "a[i] + b[i]", "a[i] * b[i]", "operation", "a[i] * b[i]", "output[1]"),
    Entry("p02", "one-before", "a[i] + b[i]", "a[i] + b[i - 1]", "index", "b[i - 1]", "output[1]|b[0]|b[1]"),
    Entry("p03", "no-guard", "    if i < size:\n        output", "    output", "guard", "output[i] =", "a[4]"),
    Entry("p03", "one-too-many", "if i < size:", "if i <= size:", "guard", "output[i] =", "a[4]"),
    Entry("p03", "one-too-few", "if i < size:", "if i < size - 1:", "write", "output[i] =|def add_10_guard", "output"),
    Entry(
        "p03",
        "guard-of-the-store-alone",
        "    if i < size:\n        output[i] = a[i] + 10",
        "    var value = a[i]\n    if i < size:\n        output[i] = value + 10",
        "guard",
        "var value = a[i]",
        "a[4]",
    ),
    Entry(
        "p04",
        "transposed-load",
        "a[row * size + col] + 10",
        "a[col * size + row] + 10",
        "index",
        "a[col * size + row]",
        "output[0, 1]|a[1, 0]|a[0, 1]",
    ),
    Entry("p04", "rows-alone", "row < size and col < size", "row < size", "guard", "output[row * size + col]"),
    Entry(
        "p04",
        "row-is-too-long",
        "a[row * size + col] + 10",
        "a[row * (size + 1) + col] + 10",
        "index",
        "a[row * (size + 1) + col]",
        "output[1, 0]|a[1, 1]|a[1, 0]",
    ),
    Entry("p04_tile_tensor", "columns-alone", "row < size and col < size", "col < size", "guard", "output[row, col]"),
    Entry(
        "p04_tile_tensor",
        "row-twice",
        "a[row, col] + 10",
        "a[row, row] + 10",
        "index",
        "a[row, row]",
        "output[0, 1]|a[0, 0]|a[0, 1]",
    ),
    Entry(
        "p04_tile_tensor",
        "transposed-store",
        "output[row, col] =",
        "output[col, row] =",
        "index",
        "output[col, row]",
        "output[0, 1]|a[1, 0]|a[0, 1]",
    ),
    Entry("p05", "two-indices", "a[0, col]", "a[row, col]", "index", "a[row, col]", "output[1, 0]|a[0, 0]"),
    Entry(
        "p05", "both-swapped", "a[0, col] + b[row, 0]", "a[0, row] + b[col, 0]", "index", "a[0, row]", "output[0, 1]"
    ),
    Entry("p05", "a-as-a-column", "a[0, col]", "a[col, 0]", "index", "a[col, 0]", "output[0, 1]|a[0, 1]"),
    Entry("p05", "b-as-a-row", "b[row, 0]", "b[0, col]", "index", "b[0, col]", "output"),
    Entry(
        "p06", "place-in-the-block", "a[i] + 10", "a[thread_idx.x] + 10", "index", "a[thread_idx.x]", "output[4]|a[0]"
    ),
    Entry(
        "p06",
        "stores-in-the-block",
        "output[i] =",
        "output[thread_idx.x] =",
        "index",
        "output[thread_idx.x]",
        "output[0]|a[0]",
    ),
    Entry("p06", "no-guard", "    if i < size:\n        output", "    output", "guard", "output[i] =", "a[9]"),
    Entry(
        "p07", "transposed-store", "output[row, col]", "output[col, row]", "index", "output[col, row]", "output[0, 1]"
    ),
    Entry("p07", "or-for-and", "row < size and col", "row < size or col", "guard", "output[row, col]"),
    Entry("p07", "one-column-further", "output[row, col] =", "output[row, col + 1] =", "index", "output[row, col + 1]"),
    Entry(
        "p08", "neighbour", "shared[local_i] +", "shared[local_i ^ 1] +", "index", "shared[local_i ^ 1]", "output[0]"
    ),
    Entry(
        "p08", "place-in-the-grid", "shared[local_i] +", "shared[global_i] +", "index", "shared[global_i]", "output[4]"
    ),
    Entry("p10:memory-bug", "row-twice", "a[row, col]", "a[row, row]", "index", "a[row, row]", "output[0, 1]"),
    Entry(
        "p10:race-condition",
        "first-column-left-out",
        "x in range(size)",
        "x in range(1, size)",
        "include",
        "x in|total",
    ),
    # Shared memory.
    Entry(
        "p11",
        "no-barrier",
        "    barrier()\n\n    if global_i < size:\n        var total",
        "    if global_i < size:\n        var total",
        "barrier",
        "shared[local_i - 1]",
        "shared",
    ),
    Entry("p11", "forward", "shared[local_i - 1]", "shared[local_i + 1]", "index", "shared[local_i + 1]", "output"),
    Entry(
        "p11",
        "first-unguarded",
        "        if local_i > 0:\n            total += shared[local_i - 1]",
        "        total += shared[local_i - 1]",
        "guard",
        "total += shared[local_i - 1]",
        "shared[-1]",
    ),
    Entry(
        "p11", "one-before-twice", "shared[local_i - 2]", "shared[local_i - 1]", "index", "[local_i - 1]", "output[2]"
    ),
    Entry(
        "p11", "guard-off-by-one", "if local_i > 1:", "if local_i > 0:", "guard", "shared[local_i - 2]", "shared[-1]"
    ),
    Entry(
        "p11",
        "window-of-two",
        "        if local_i > 1:\n            total += shared[local_i - 2]\n",
        "",
        "include",
        "total += shared[local_i - 1]",
        "output[3]|a[1]",
    ),
    Entry(
        "p11",
        "returned-early",
        "    if global_i < size:\n        shared[local_i] = a[global_i]",
        "    if local_i == 7:\n        return\n    shared[local_i] = a[global_i]",
        "meet",
        "        return",
    ),
    Entry("p12", "sum-for-product", "a[global_i] * b", "a[global_i] + b", "weight", "a[global_i] + b", "output[0]"),
    Entry("p12", "first-squared", "* b[global_i]", "* a[global_i]", "include", "* a[global_i]", "output[0]|b[0]"),
    Entry(
        "p12",
        "no-barrier-after-load",
        "    barrier()\n\n    var stride",
        "    var stride",
        "barrier",
        "shared[local_i + stride]",
    ),
    Entry(
        "p12",
        "all-threads-add",
        "if local_i < stride:",
        "if local_i + stride < TPB:",
        "statement",
        "shared[local_i] += shared[local_i + stride]",
        "",
        (
            "        if local_i + stride < TPB:\n            shared[local_i] += shared[local_i + stride]\n\n",
            "        var sum = shared[local_i]\n        if local_i + stride < TPB:\n"
            "            sum += shared[local_i + stride]\n\n        barrier()\n\n        shared[local_i] = sum\n\n",
        ),
    ),
    Entry(
        "p12", "last-step-missing", "stride > 0:", "stride > 1:", "include", "shared[local_i|stride > 1", "output[0]"
    ),
    Entry(
        "p12",
        "all-threads-write",
        "    if local_i == 0:\n        output[0] = shared[0]",
        "    output[0] = shared[local_i]",
        "one-writer",
        "output[0] = shared[local_i]",
        "",
        ("    output[0] = shared[local_i]", "    if local_i == 0:\n        output[0] = shared[local_i]"),
    ),
    Entry(
        "p12",
        "barrier-in-a-branch",
        "            shared[local_i] += shared[local_i + stride]\n\n        barrier()",
        "            shared[local_i] += shared[local_i + stride]\n            barrier()",
        "meet",
        "barrier()",
    ),
    Entry(
        "p13:simple", "end-unguarded", "if local_i + j < SIZE:", "if True:", "guard", "total += shared_a", "shared_a["
    ),
    Entry(
        "p13:simple",
        "one-weight-short",
        "in range(CONV):",
        "in range(CONV - 1):",
        "include",
        "total += shared_a|range(",
    ),
    Entry(
        "p13:simple",
        "weights-reversed",
        "shared_b[j]",
        "shared_b[CONV - 1 - j]",
        "weight",
        "CONV - 1 - j]",
        "output[0]",
    ),
    Entry(
        "p13:block-boundary",
        "array-of-a-block",
        "row_major[TPB + CONV_2 - 1]()",
        "row_major[TPB]()",
        "size",
        "shared_a",
        "shared_a",
    ),
    Entry(
        "p13:block-boundary",
        "next-block-left-out",
        "shared_a[TPB + local_i] = a[behind]",
        "shared_a[TPB + local_i] = 0",
        "include",
        "shared_a[",
        "output[5]|a[8]",
    ),
    Entry(
        "p13:block-boundary", "behind-by-one", "a[behind]", "a[behind - 1]", "index", "a[behind - 1]", "output[5]|a[8]"
    ),
    Entry(
        "p14:simple",
        "no-barrier-before-the-write",
        "            addend = shared[local_i - offset]\n\n        barrier()\n",
        "            addend = shared[local_i - offset]\n",
        "barrier",
        "shared[local_i",
    ),
    Entry(
        "p14:simple", "grows-by-one", "offset *= 2", "offset += 1", "once", "shared[local_i - offset]|+= 1", "output[4]"
    ),
    Entry(
        "p14:simple",
        "begins-with-two",
        "var offset = 1",
        "var offset = 2",
        "include",
        "shared[local_i|= 2",
        "output[2]",
    ),
    Entry("p14:simple", "off-by-one", "local_i >= offset", "local_i > offset", "include", "addend", "output[1]|a[0]"),
    Entry(
        "p14:complete",
        "place-in-the-block",
        "output[global_i] = shared[local_i]",
        "output[local_i] = shared[local_i]",
        "index",
        "output[local_i] =",
        "output[0]",
    ),
    Entry(
        "p14:complete",
        "total-of-its-own",
        "range(block_idx.x)",
        "range(block_idx.x + 1)",
        "leave-out",
        "range(block_idx.x + 1)|output[global_i] += ",
        "output[",
    ),
    # A tree.
    Entry(
        "p15",
        "no-barrier-after-load",
        "    barrier()\n\n    var stride",
        "    var stride",
        "barrier",
        "cache[local_i + stride]",
        "cache",
    ),
    Entry(
        "p15",
        "no-barrier-in-the-tree",
        _TREE,
        "        if local_i < stride:\n            cache[local_i] += cache[local_i + stride]\n",
        "step",
        "cache[local_i] += cache[local_i + stride]",
        "cache",
        ("        stride //= 2", "        barrier()\n        stride //= 2"),
    ),
    Entry(
        "p15",
        "all-threads-add",
        _TREE,
        "        if local_i + stride < TPB:\n            cache[local_i] += cache[local_i + stride]\n"
        "        barrier()\n",
        "statement",
        "cache[local_i] += cache[local_i + stride]",
        "cache",
        (
            "        if local_i + stride < TPB:\n            cache[local_i] += cache[local_i + stride]\n",
            "        var sum = cache[local_i]\n        if local_i + stride < TPB:\n"
            "            sum += cache[local_i + stride]\n        barrier()\n        cache[local_i] = sum\n",
        ),
    ),
    Entry(
        "p15",
        "barrier-in-a-branch",
        "    barrier()\n\n    var stride",
        "    if local_i < size:\n        barrier()\n\n    var stride",
        "meet",
        "barrier()",
    ),
    Entry("p15", "rest-not-zeroed", "    else:\n        cache[local_i] = 0\n", "", "fill", "cache[", "cache[6]"),
    Entry(
        "p15", "guard-off-by-one", "if global_i < size:", "if global_i <= size:", "guard", "a[batch, global_i]", "a["
    ),
    Entry(
        "p15", "starts-too-low", "TPB // 2", "TPB // 4", "include", "cache[local_i]|TPB // 4", "output[0, 0]|a[0, 4]"
    ),
    Entry("p15", "starts-too-high", "TPB // 2", "TPB", "start", "cache[local_i + stride]|= TPB", "cache[8]"),
    Entry("p15", "ends-too-soon", "stride > 0:", "stride > 1:", "include", "cache[local_i|stride > 1", "output[0, 0]"),
    Entry(
        "p15", "neighbour-row", "a[batch, global_i]", "a[batch ^ 1, global_i]", "index", "a[batch ^ 1", "output[0, 0]"
    ),
    Entry(
        "p15", "one-row-further", "output[batch, 0]", "output[batch + 1, 0]", "index", "output[batch + 1, 0]", "output["
    ),
    Entry("p15", "nothing-written", "output[batch, 0] = cache[0]", "_ = cache[0]", "write", "def axis_sum(", "output"),
    Entry("p15", "first-row-again", "a[batch, global_i]", "a[0, global_i]", "index", "a[0, global_i]", "output[1, 0]"),
    Entry("p15", "added-twice", "+= addend", "+= addend + addend", "once", "+= addend + addend", "output[0, 0]"),
    Entry("p15", "endless", "stride //= 2", "stride //= 1", "loop", "stride"),
    Entry(
        "p15",
        "no-guard",
        "    if global_i < size:\n        cache[local_i] = a[batch, global_i]\n    else:\n        cache[local_i] = 0\n",
        "    cache[local_i] = a[batch, global_i]\n",
        "guard",
        "cache[local_i] = a[batch, global_i]",
        "a[",
        (
            "    cache[local_i] = a[batch, global_i]\n",
            "    if global_i < size:\n        cache[local_i] = a[batch, global_i]\n",
        ),
        "fill",
    ),
    # Matrices.
    Entry(
        "p16:naive", "second-transposed", "b[k, col]", "b[col, k]", "index", "b[col, k]", "output[0, 0]|b[0, 1]|b[1, 0]"
    ),
    Entry("p16:naive", "last-product-alone", "total += a", "total = a", "include", "total = a", "output[1, 1]"),
    Entry(
        "p16:naive", "one-product-too-many", "in range(size):", "in range(size + 1):", "end", "a[row, k]|range(", "a["
    ),
    Entry("p16:naive", "unguarded", "if row < size and col < size:", "if True:", "guard", "total += a[row, k]"),
    Entry(
        "p16:single-block",
        "no-barrier",
        "    barrier()\n\n    if row < size and col < size:\n        var total",
        "    if row < size and col < size:\n        var total",
        "barrier",
        "b_shared[k, local_col]",
    ),
    Entry("p16:single-block", "column-for-row", "a_shared[local_row, k]", "a_shared[local_col, k]", "index", "col, k]"),
    Entry(
        "p16:tiled",
        "no-second-barrier",
        "        # Nobody loads the next tiles before everybody is done with these.\n        barrier()\n",
        "",
        "barrier",
        "_shared[local_row",
    ),
    Entry("p16:tiled", "first-tile-again", "first + local_col]", "local_col]", "include", "tiled_row, local_col]"),
    Entry(
        "p16:tiled",
        "tile-that-stays",
        "b[first + local_row,",
        "b[local_row,",
        "include",
        "b[local_row,",
        "output[0, 0]",
    ),
)
