"""Further typical mistakes over the puzzles: an edit of the solution, what is told of it first, and at which line."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FIRST", "Typical"]


class Typical(NamedTuple):
    """One mistake.

    Attributes:
        case: Its id.
        name: What was done.
        old: A text of the solution.
        new: What stands in its place.
        told: The id of what says why.
        at: A text of the line that it names; empty where it concerns the kernel as a whole.
    """

    case: str
    name: str
    old: str
    new: str
    told: str
    at: str


FIRST = (
    Typical(
        "p03",
        "no-guard",
        "    if i < size:\n        output[i] = a[i] + 10",
        "    output[i] = a[i] + 10",
        "out-of-bounds.after",
        "output[i] = a[i] + 10",
    ),
    Typical(
        "p04_tile_tensor",
        "transposed-store",
        "output[row, col] = a[row, col] + 10",
        "output[col, row] = a[row, col] + 10",
        "check.reason",
        "output[col, row]",
    ),
    Typical(
        "p04_tile_tensor",
        "column-unguarded",
        "if row < size and col < size:",
        "if row < size:",
        "out-of-bounds.after",
        "output[row, col] = a[row, col] + 10",
    ),
    Typical("p05", "a-transposed", "a[0, col]", "a[col, 0]", "out-of-bounds.after", "a[col, 0]"),
    Typical("p05", "b-by-column", "b[row, 0]", "b[0, col]", "check.reason", "b[0, col]"),
    Typical(
        "p06",
        "no-guard",
        "    if i < size:\n        output[i] = a[i] + 10",
        "    output[i] = a[i] + 10",
        "out-of-bounds.after",
        "output[i] = a[i] + 10",
    ),
    Typical(
        "p07",
        "column-unguarded",
        "if row < size and col < size:",
        "if row < size:",
        "out-of-bounds.after",
        "output[row, col] = a[row, col] + 10",
    ),
    Typical(
        "p07",
        "or-for-and",
        "row < size and col < size",
        "row < size or col < size",
        "out-of-bounds.after",
        "output[row, col] = a[row, col] + 10",
    ),
    Typical(
        "p07",
        "neighbour-row-store",
        "output[row, col] = a[row, col] + 10",
        "output[row, col + 1] = a[row, col] + 10",
        "out-of-bounds.after",
        "output[row, col + 1]",
    ),
    Typical(
        "p11",
        "window-forward",
        "shared[local_i - 1]",
        "shared[local_i + 1]",
        "out-of-bounds.after",
        "shared[local_i + 1]",
    ),
    Typical(
        "p11",
        "window-unguarded",
        "        if local_i > 0:\n            total += shared[local_i - 1]",
        "        total += shared[local_i - 1]",
        "out-of-bounds.before",
        "total += shared[local_i - 1]",
    ),
    Typical(
        "p11",
        "returned-early",
        "    if global_i < size:\n        shared[local_i] = a[global_i]",
        "    if local_i == 7:\n        return\n    shared[local_i] = a[global_i]",
        "missed-barrier.ended",
        "        return",
    ),
    Typical(
        "p12",
        "first-squared",
        "a[global_i] * b[global_i]",
        "a[global_i] * a[global_i]",
        "check.reason",
        "a[global_i] * a[global_i]",
    ),
    Typical(
        "p12",
        "all-threads-add",
        "        if local_i < stride:\n            shared[local_i] += shared[local_i + stride]",
        "        shared[local_i] += shared[(local_i + stride) % TPB]",
        "race.shared.read-write",
        "shared[local_i] += ",
    ),
    Typical(
        "p12",
        "barrier-in-branch",
        "            shared[local_i] += shared[local_i + stride]\n\n        barrier()",
        "            shared[local_i] += shared[local_i + stride]\n            barrier()",
        "missed-barrier.passed",
        "barrier()",
    ),
    Typical(
        "p12",
        "every-thread-adds-to-output",
        "    if local_i == 0:\n        output[0] = shared[0]",
        "    output[0] += shared[local_i]",
        "uninitialised.output",
        "output[0] += ",
    ),
)
