"""Mistakes of puzzles 1 to 8: elements, blocks, and the first shared memory."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["FIRST"]

FIRST = (
    # A thread for each element.
    Entry("p01", "neighbour", "a[i] + 10", "a[i ^ 1] + 10", "index", "a[i ^ 1]", "output[0]|a[1]|a[0]"),
    Entry(
        "p01",
        "own-number",
        "a[i] + 10",
        "Scalar[dtype](i) + 10",
        "include-straight",
        "Scalar[dtype](i)",
        "output[0]|a[0]",
    ),
    Entry("p01", "doubled", "a[i] + 10", "a[i] + a[i]", "once-straight", "a[i] + a[i]", "output[0]|a[0]"),
    Entry("p01", "ten-forgotten", "a[i] + 10", "a[i]", "operation", "output[i] = a[i]", "output[0]"),
    Entry(
        "p01", "stores-one-further", "output[i] =", "output[i + 1] =", "index", "output[i + 1]", "output[1]|a[0]|a[1]"
    ),
    Entry("p01", "reads-one-further", "a[i] + 10", "a[i + 1] + 10", "index", "a[i + 1]", "output[0]|a[1]|a[0]"),
    Entry("p02", "first-twice", "a[i] + b[i]", "a[i] + a[i]", "include", "a[i] + a[i]", "output[0]|b[0]"),
    Entry("p02", "first-alone", "a[i] + b[i]", "a[i]", "include-straight", "output[i] = a[i]", "output[1]|b[1]"),
    Entry("p02", "product", "a[i] + b[i]", "a[i] * b[i]", "operation", "a[i] * b[i]", "output[1]"),
    Entry("p02", "one-before", "a[i] + b[i]", "a[i] + b[i - 1]", "index", "b[i - 1]", "output[1]|b[0]|b[1]"),
    Entry("p03", "no-guard", "    if i < size:\n        output", "    output", "guard", "output[i] =", "a[4]"),
    Entry("p03", "one-too-many", "if i < size:", "if i <= size:", "guard-equal", "output[i] =", "a[4]"),
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
        "output[1]|a[2]|a[1]",
    ),
    Entry("p04", "rows-alone", "row < size and col < size", "row < size", "guard-each", "output[row * size + col]"),
    Entry(
        "p04",
        "no-guard",
        "    if row < size and col < size:\n        output",
        "    output",
        "guard-each",
        "output[row * size + col]",
        "a[4]",
    ),
    Entry(
        "p04",
        "row-is-too-long",
        "a[row * size + col] + 10",
        "a[row * (size + 1) + col] + 10",
        "index",
        "a[row * (size + 1) + col]",
        "output[2]|a[3]|a[2]",
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
    Entry(
        "p05",
        "one-row-too-many",
        "row < size and",
        "row <= size and",
        "guard-equal",
        "output[row, col] =",
        "line 51|b[2, 0]",
    ),
    Entry(
        "p05",
        "both-turned",
        "a[0, col] + b[row, 0]",
        "a[row, 0] + b[0, col]",
        "index",
        "a[row, 0]",
        "a[0, 1]|b[0, 0]|a[0, 0]|b[1, 0]",
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
    Entry(
        "p06",
        "all-in-the-block",
        "output[i] = a[i] + 10",
        "output[thread_idx.x] = a[thread_idx.x] + 10",
        "global",
        "output[thread_idx.x]",
        "3 blocks write output[0]",
    ),
    Entry("p06", "no-guard", "    if i < size:\n        output", "    output", "guard", "output[i] =", "a[9]"),
    Entry(
        "p07", "transposed-store", "output[row, col]", "output[col, row]", "index", "output[col, row]", "output[0, 1]"
    ),
    Entry("p07", "or-for-and", "row < size and col", "row < size or col", "guard", "output[row, col]"),
    Entry("p07", "one-column-further", "output[row, col] =", "output[row, col + 1] =", "index", "output[row, col + 1]"),
    Entry(
        "p08",
        "stores-in-the-block",
        "output[global_i] =",
        "output[local_i] =",
        "global",
        "output[local_i]",
        "2 blocks write output[0]",
    ),
    Entry(
        "p08", "neighbour", "shared[local_i] +", "shared[local_i ^ 1] +", "index", "shared[local_i ^ 1]", "output[0]"
    ),
    Entry(
        "p08",
        "place-in-the-grid",
        "shared[local_i] +",
        "shared[global_i] +",
        "index",
        "shared[global_i]",
        "output[4]|shared[0]",
    ),
)
