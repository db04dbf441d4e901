"""Mistakes of puzzles 24 to 28: warps, blocks, and copies that are awaited."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["BLOCKS"]

BLOCKS = (
    Entry(
        "p24:kernel", "first-squared", "* b[global_i]", "* a[global_i]", "include", "* a[global_i]", "output[0]|b[0]"
    ),
    Entry(
        "p24:kernel",
        "own-product-alone",
        "warp_sum(product)",
        "product",
        "include",
        "= total|product",
        "output[0]|a[1]",
    ),
    Entry("p24:traditional", "starts-too-low", "WARP_SIZE // 2", "WARP_SIZE // 4", "include", "shared[local_i]|// 4"),
    Entry(
        "p25:neighbor", "turned-round", "after - own", "own - after", "operation", "own - after", "output[0]|input[0]"
    ),
    Entry("p25:neighbor", "two-further", "(own, 1)", "(own, 2)", "index", "shuffle_down(own, 2)", "output[0]|input[2]"),
    Entry(
        "p25:neighbor",
        "exchange-of-some",
        "        var after = shuffle_down(own, 1)\n        if lane < WARP_SIZE - 1:\n",
        "        if lane < WARP_SIZE - 1:\n            var after = shuffle_down(own, 1)\n",
        "exchange",
        "shuffle_down(own, 1)",
    ),
    Entry("p25:average", "divides-by-two", "second) / 3", "second) / 2", "weight", "second) / 2", "output[0]|input[0]"),
    Entry("p25:average", "one-for-two", "shuffle_down(own, 2)", "shuffle_down(own, 1)", "index", "second", "output[0]"),
    Entry(
        "p25:broadcast-basic",
        "three-for-four",
        "in range(4)",
        "in range(3)",
        "include",
        "range(3)|total +=",
        "input[3]",
    ),
    Entry("p26:parallel-max", "ends-too-soon", "offset > 0", "offset > 1", "include", "shuffle_xor(|> 1", "output[0]"),
    Entry("p26:parallel-max", "starts-too-low", "WARP_SIZE // 2", "WARP_SIZE // 4", "include", "shuffle_xor(|// 4"),
    Entry(
        "p26:parallel-max",
        "exchange-in-a-branch",
        "            largest = max(largest, shuffle_xor(largest, UInt32(offset)))",
        "            if global_i < 16:\n                largest = max(largest, shuffle_xor(largest, UInt32(offset)))",
        "exchange",
        "shuffle_xor(largest",
    ),
    Entry(
        "p26:pair-swap",
        "wrong-mask",
        "(value, 1)",
        "(value, 2)",
        "index",
        "shuffle_xor(value, 2)",
        "output[0]|input[1]",
    ),
    Entry("p26:pair-swap", "no-exchange", "shuffle_xor(value, 1)", "value", "index", "value", "output[0]|input[1]"),
    Entry("p27:traditional-dot-product", "strides-by-four", "stride //= 2", "stride //= 4", "include", "stride"),
    Entry(
        "p27:block-sum-dot-product", "sum-for-product", "a[global_i] *", "a[global_i] +", "weight", "a[global_i] + b"
    ),
    Entry(
        "p28",
        "no-barrier",
        "    async_copy_wait_all()\n    barrier()\n",
        "    async_copy_wait_all()\n",
        "barrier",
        "input_shared[local_i",
        "input_shared",
    ),
    Entry(
        "p28",
        "no-wait",
        "    async_copy_wait_all()\n    barrier()\n",
        "    barrier()\n",
        "wait",
        "input_shared[local_i",
        "input_shared",
    ),
    Entry("p28", "window-shifted", "+ k - HALO_SIZE]", "+ k]", "index", "input_shared[local_i + k]", "output["),
)
