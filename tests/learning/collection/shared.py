"""Mistakes of puzzles 9 to 16: programs that are handed out wrong, shared memory, trees, and matrices."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["SHARED"]

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

_TILES = """        if tiled_row < size and first + local_col < size:
            a_shared[local_row, local_col] = a[tiled_row, first + local_col]
        if first + local_row < size and tiled_col < size:
            b_shared[local_row, local_col] = b[first + local_row, tiled_col]

        barrier()

        if tiled_row < size and tiled_col < size:
            for k in range(min(TPB, size - first)):
                total += a_shared[local_row, k] * b_shared[k, local_col]

        # Nobody loads the next tiles before everybody is done with these.
        barrier()

    if tiled_row < size and tiled_col < size:
        output[tiled_row, tiled_col] = total
"""
_FILTER = """    if i < SIZE - 1:
        shared[i] = a[i]

    barrier()

    var before = Scalar[dtype](0)
    if 0 < i < SIZE - 1:
        before = rebind[Scalar[dtype]](shared[i - 1])

    barrier()

    if i < SIZE - 1:
        shared[i] += before / 2
"""
_CONVOLUTION = """    if global_i < SIZE:
        shared_a[local_i] = a[global_i]
    if global_i < CONV:
        shared_b[local_i] = b[global_i]

    barrier()

    if global_i < SIZE:
        var total = Scalar[dtype](0)
        for j in range(CONV):
            if local_i + j < SIZE:
                total += shared_a[local_i + j] * shared_b[j]
        output[global_i] = total
"""
_WINDOW = """        var total = shared[local_i]
        if local_i > 0:
            total += shared[local_i - 1]
        if local_i > 1:
            total += shared[local_i - 2]
        output[global_i] = total
"""

SHARED = (
    # Programs that are handed out wrong.
    Entry(
        "p09:first-case",
        "buffer-of-nobody",
        "DeviceBuffer[dtype](ctx, a, SIZE, owning=False)",
        "ctx.enqueue_create_buffer[dtype](SIZE)",
        "pass",
        "a[i] + 10",
        "output[1] = an undefined value|a[1]|input",
    ),
    Entry(
        "p09:third-case",
        "barriers-in-the-guard",
        _FILTER,
        """    if i < SIZE - 1:
        shared[i] = a[i]

        barrier()

        if i > 0:
            shared[i] += rebind[Scalar[dtype]](shared[i - 1]) / 2

        barrier()
""",
        "meet-if",
        "        barrier()",
        "",
        ("\n        barrier()\n\n        if i > 0", "\n    barrier()\n    if i < SIZE - 1:\n        if i > 0"),
        "meet-if",
    ),
    Entry(
        "p09:third-case",
        "barrier-behind-the-guard",
        _FILTER,
        """    if i < SIZE - 1:
        shared[i] = a[i]
        if i > 0:
            shared[i] += rebind[Scalar[dtype]](shared[i - 1]) / 2

    barrier()
""",
        "barrier-if",
        "shared[i - 1]",
        "shared",
        ("        if i > 0", "    barrier()\n    if i < SIZE - 1:\n        if i > 0"),
        "statement-if",
    ),
    Entry(
        "p09:third-case",
        "one-statement",
        _FILTER,
        """    if i < SIZE - 1:
        shared[i] = a[i]

    barrier()

    if 0 < i < SIZE - 1:
        shared[i] += rebind[Scalar[dtype]](shared[i - 1]) / 2

    barrier()
""",
        "statement-if",
        "shared[i - 1]",
        "shared",
        (
            "    if 0 < i < SIZE - 1:\n        shared[i] += rebind[Scalar[dtype]](shared[i - 1]) / 2\n",
            "    var before = Scalar[dtype](0)\n    if 0 < i < SIZE - 1:\n"
            "        before = rebind[Scalar[dtype]](shared[i - 1])\n    barrier()\n    if 0 < i < SIZE - 1:\n"
            "        shared[i] += before / 2\n",
        ),
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
        "neighbour",
        "total += shared[local_i - 1]",
        "shared[-1]|thread (0,0,0)|`if local_i >= 1:`",
        ("        total += shared[local_i - 1]", "        if local_i >= 1:\n            total += shared[local_i - 1]"),
    ),
    Entry(
        "p11", "one-before-twice", "shared[local_i - 2]", "shared[local_i - 1]", "index", "[local_i - 1]", "output[2]"
    ),
    Entry(
        "p11",
        "guard-off-by-one",
        "if local_i > 1:",
        "if local_i > 0:",
        "neighbour-line",
        "shared[local_i - 2]",
        "shared[-1]|`local_i >= 2`",
    ),
    Entry(
        "p11",
        "barrier-in-the-guard",
        "        shared[local_i] = a[global_i]\n\n    barrier()",
        "        shared[local_i] = a[global_i]\n        barrier()",
        "meet-if",
        "        barrier()",
    ),
    Entry(
        "p11",
        "sums-unguarded",
        "    if global_i < size:\n" + _WINDOW,
        "    if True:\n" + _WINDOW,
        "stray",
        "output[global_i] = total",
        "output",
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
        "p13:simple",
        "end-unguarded",
        "if local_i + j < SIZE:",
        "if True:",
        "neighbour",
        "total += shared_a",
        "shared_a[6]|`local_i + j`|thread (5,0,0)",
    ),
    Entry(
        "p13:simple",
        "nothing-guarded",
        _CONVOLUTION,
        """    shared_a[local_i] = a[global_i]
    shared_b[local_i] = b[global_i]

    barrier()

    var total = Scalar[dtype](0)
    for j in range(CONV):
        total += shared_a[local_i + j] * shared_b[j]
    output[global_i] = total
""",
        "guard",
        "shared_a[local_i] = a[global_i]",
        "a[6]|b[3]|shared_a[6]|output[6]",
    ),
    Entry(
        "p13:simple",
        "two-of-three",
        """        for j in range(CONV):
            if local_i + j < SIZE:
                total += shared_a[local_i + j] * shared_b[j]
""",
        """        total += shared_a[local_i] * shared_b[0]
        if local_i + 1 < SIZE:
            total += shared_a[local_i + 1] * shared_b[1]
""",
        "include-straight",
        "output[global_i] = total",
        "output[0]|a[2]",
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
        "p14:simple",
        "barrier-in-the-branch",
        "            addend = shared[local_i - offset]\n\n        barrier()",
        "            addend = shared[local_i - offset]\n            barrier()",
        "meet-if",
        "            barrier()",
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
    Entry(
        "p14:complete",
        "totals-behind-the-room",
        "output[size + block_idx.x] =",
        "output[SIZE_2 + block_idx.x] =",
        "index",
        "output[SIZE_2 + block_idx.x] =",
        "[16], at ",
        further=True,
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
        "no-barrier-after-the-step",
        "            cache[local_i] += addend\n\n        barrier()\n",
        "            cache[local_i] += addend\n",
        "step",
        "cache[local_i] += addend",
        "line 75|cache",
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
    Entry("p15", "never-halved", "\n        stride //= 2\n", "", "unchanged", "while stride > 0", "`stride`"),
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
        "step",
        "_shared[local_row",
        "line 156|line 167",
    ),
    # Wrong elements are written by threads that have none.
    Entry(
        "p16:tiled",
        "nothing-guarded",
        _TILES,
        """        a_shared[local_row, local_col] = a[tiled_row, first + local_col]
        b_shared[local_row, local_col] = b[first + local_row, tiled_col]

        barrier()

        for k in range(TPB):
            total += a_shared[local_row, k] * b_shared[k, local_col]

        barrier()

    output[tiled_row, tiled_col] = total
""",
        "beyond",
        "= a[tiled_row, first + local_col]",
        "output[1, 0]|thread (0,0,0) in block (2,0,0)",
        further=True,
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
