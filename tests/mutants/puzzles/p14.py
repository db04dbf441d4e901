"""Wrong kernels of puzzle 14."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

_BETWEEN = "        barrier()\n\n        shared[local_i] += addend", "        shared[local_i] += addend"

_LOAD = """    if global_i < size:
        shared[local_i] = a[global_i]
    else:
        shared[local_i] = 0
"""

EDITS = {
    ("p14:simple", 0): [
        ("read-and-written-in-one-step", *_BETWEEN),
        ("own-element-left-out", "shared[local_i] += addend", "shared[local_i] = addend"),
        ("step-left-out", "while offset < TPB:", "while offset < TPB // 2:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("no-guard-of-the-load", _LOAD, "    shared[local_i] = a[global_i]\n"),
    ],
    ("p14:complete", 0): [
        ("read-and-written-in-one-step", *_BETWEEN),
        ("totals-not-written", "output[size + block_idx.x] = shared[local_i]", "_ = shared[local_i]"),
        ("total-of-a-neighbour", "if local_i == TPB - 1:", "if local_i == TPB - 2:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE_2"),
    ],
    ("p14:complete", 1): [
        ("own-total-added", "range(block_idx.x)", "range(block_idx.x + 1)"),
        ("totals-left-out", "range(block_idx.x)", "range(0)"),
        ("place-of-the-totals-known", "output[size + block]", "output[SIZE_2 + block]"),
    ],
}
EQUIVALENT = {
    ("p14:complete", 1): [
        (
            "total-of-the-block-before-alone",
            "for block in range(block_idx.x):",
            "for block in range(max(0, Int(block_idx.x) - 1), Int(block_idx.x)):",
            "two blocks have elements, and before the second one there is one",
        ),
    ],
}
BLIND = {
    ("p14:complete", "total-of-the-block-before-alone"): Blind(
        "there are two blocks", "PASS; MISMATCH on three blocks"
    ),
    ("p14:simple", "read-and-written-in-one-step"): Blind(
        "the lanes of one warp happen to read before they write", "FINDING on documented, race"
    ),
    ("p14:complete", "read-and-written-in-one-step"): Blind(
        "the lanes of one warp happen to read before they write", "FINDING on documented, race"
    ),
    ("p14:simple", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
    ("p14:simple", "no-guard-of-the-load"): Blind("each thread has an element", "FINDING on drawn, out-of-bounds"),
    ("p14:complete", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-7"),
    ("p14:complete", "place-of-the-totals-known"): Blind("the documents have one size", "MISMATCH on drawn-size-10"),
}
