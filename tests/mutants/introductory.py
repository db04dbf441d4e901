"""Wrong kernels of the first fourteen puzzles: many of them are right on the documents' own data."""

from __future__ import annotations

__all__ = ["EDITS", "EQUIVALENT", "SILENT"]

_GUARD_2D = "row < size and col < size"
_BETWEEN = "        barrier()\n\n        shared[local_i] += addend", "        shared[local_i] += addend"

# By case and the number of the launch: what is done, the text of the solution, and what stands in its place.
EDITS: dict[tuple[str, int], list[tuple[str, str, str]]] = {
    ("p01", 0): [
        ("number-of-the-thread", "= a[i] + 10", "= Scalar[dtype](i) + 10"),
        ("neighbour", "= a[i] + 10", "= a[i ^ 1] + 10"),
        ("nothing-written", "output[i] = a[i] + 10", "_ = a[i]"),
    ],
    ("p02", 0): [
        ("first-twice", "= a[i] + b[i]", "= a[i] + a[i]"),
        ("difference", "= a[i] + b[i]", "= a[i] - b[i]"),
    ],
    ("p03", 0): [
        ("no-guard", "if i < size:", "if i >= 0:"),
        ("guard-off-by-one", "if i < size:", "if i <= size:"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
    ],
    ("p04", 0): [
        ("no-guard-of-columns", _GUARD_2D, "row < size"),
        ("no-guard-of-rows", _GUARD_2D, "col < size"),
        ("transposed-load", "a[row * size + col]", "a[col * size + row]"),
    ],
    ("p04_tile_tensor", 0): [
        ("no-guard-of-rows", _GUARD_2D, "col < size"),
        ("transposed-load", "a[row, col]", "a[col, row]"),
    ],
    ("p05", 0): [
        ("row-and-column-swapped", "a[0, col] + b[row, 0]", "a[0, row] + b[col, 0]"),
        ("column-twice", "a[0, col] + b[row, 0]", "b[row, 0] + b[row, 0]"),
    ],
    ("p06", 0): [
        ("every-block-the-first", "block_dim.x * block_idx.x + thread_idx.x", "thread_idx.x"),
        ("no-guard", "if i < size:", "if i >= 0:"),
    ],
    ("p07", 0): [
        ("transposed-store", "output[row, col]", "output[col, row]"),
        ("no-guard-of-rows", _GUARD_2D, "col < size"),
    ],
    ("p08", 0): [
        ("every-block-loads-the-first", "= a[global_i]", "= a[local_i]"),
        ("neighbour", "shared[local_i] + 10", "shared[(local_i + 1) % TPB] + 10"),
    ],
    ("p11", 0): [
        (
            "barrier-left-out",
            "    barrier()\n\n    if global_i < size:\n        var",
            "    if global_i < size:\n        var",
        ),
        ("two-before-from-the-third-on", "if local_i > 1:", "if local_i > 2:"),
        ("no-guard-of-the-first", "if local_i > 0:", "if local_i >= 0:"),
    ],
    ("p12", 0): [
        ("first-squared", "a[global_i] * b[global_i]", "a[global_i] * a[global_i]"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("all-threads-write", "if local_i == 0:", "if local_i >= 0:"),
    ],
    ("p13:simple", 0): [
        ("first-weight-left-out", "for j in range(CONV):", "for j in range(1, CONV):"),
        ("no-end", "if local_i + j < SIZE:", "if local_i + j < SIZE + CONV:"),
    ],
    ("p13:block-boundary", 0): [
        ("one-of-the-next-block-left-out", "if local_i < CONV_2 - 1:", "if local_i < CONV_2 - 2:"),
        ("behind-the-end-not-zeroed", "        else:\n            shared_a[TPB + local_i] = 0\n", ""),
    ],
    ("p14:simple", 0): [
        ("read-and-written-in-one-step", *_BETWEEN),
        ("step-left-out", "while offset < TPB:", "while offset < TPB // 2:"),
    ],
    ("p14:complete", 0): [
        ("read-and-written-in-one-step", *_BETWEEN),
        ("totals-not-written", "output[SIZE_2 + block_idx.x] = shared[local_i]", "_ = shared[local_i]"),
        ("total-of-a-neighbour", "if local_i == TPB - 1:", "if local_i == TPB - 2:"),
    ],
    ("p14:complete", 1): [
        ("own-total-added", "range(block_idx.x)", "range(block_idx.x + 1)"),
        ("totals-left-out", "range(block_idx.x)", "range(0)"),
    ],
}

# What hardware may show nothing of, and why.
SILENT = {
    ("p11", "no-guard-of-the-first"): "what lies before an array in shared memory may be 0, and is on an H200",
}

# What is right all the same, with the proof.
EQUIVALENT: dict[tuple[str, int], list[tuple[str, str, str, str]]] = {
    ("p08", 0): [
        (
            "barrier-left-out",
            "    barrier()\n\n",
            "",
            "each thread reads the slot that it wrote itself, and no other",
        ),
    ],
    ("p14:complete", 1): [
        (
            "total-of-the-block-before-alone",
            "for block in range(block_idx.x):",
            "for block in range(max(0, Int(block_idx.x) - 1), Int(block_idx.x)):",
            "there are two blocks, and before the second one there is one",
        ),
    ],
}
