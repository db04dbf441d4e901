"""Wrong kernels of puzzle 31; the documents look at the first ten elements."""

from tests.mutants.documents import Blind, first, within

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RULES"]

_STORED = "y[i] = factor"

EDITS = {
    ("p31:minimal", 0): [
        ("first-block-alone", "if i < size:", "if block_idx.x == 0:"),
        ("the-documents-alpha", "alpha * x[i]", "ALPHA * x[i]"),
        ("vectors-swapped", "alpha * x[i] + y[i]", "alpha * y[i] + x[i]"),
        ("not-added", "alpha * x[i] + y[i]", "alpha * x[i]"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
        ("guard-left-out", "if i < size:", "if i >= 0:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("integers", "alpha * x[i] +", "alpha * x[i].cast[DType.int32]().cast[dtype]() +"),
    ],
    ("p31:sophisticated", 0): [
        ("first-block-alone", _STORED, "if block_idx.x == 0:\n            y[i] = factor"),
        ("the-documents-alpha", "alpha * 1.00001", "ALPHA * 1.00001"),
        ("correction-left-out", " + cache[7, local_i] + series", " + cache[7, local_i]"),
        ("last-power-left-out", " - cache[11, local_i] * 1e-10", ""),
        ("signs-swapped", "1e-7 - cache[9", "1e-7 + cache[9"),
        ("x-made-larger", "cache[0, local_i] * 0.9999", "cache[0, local_i]"),
        ("room-for-eleven", "(row_major[12, TPB]())", "(row_major[11, TPB]())"),
        ("y-left-out", " + cache[7, local_i] + series", " + series"),
    ],
    ("p31:balanced", 0): [
        ("first-block-alone", _STORED, "if block_idx.x == 0:\n            y[i] = factor"),
        ("correction-left-out", " + series", ""),
        ("the-documents-alpha", "alpha * 1.000001", "ALPHA * 1.000001"),
        ("x-made-larger", "cache[0, local_i] * 0.99999", "cache[0, local_i]"),
        ("twice-the-room", "(row_major[4, TPB]())", "(row_major[8, TPB]())"),
    ],
}
EQUIVALENT = {
    ("p31:balanced", 0): [
        ("barrier-left-out", "    barrier()\n\n", "", "each thread reads the slots that it wrote itself, and no other"),
    ],
}
BLIND = {
    ("p31:minimal", "size-known"): Blind("there is one size", "MISMATCH on drawn-size-450"),
    ("p31:minimal", "guard-left-out"): Blind(
        "there are as many threads as elements", "FINDING on drawn, out-of-bounds"
    ),
    ("p31:minimal", "first-block-alone"): Blind(
        "the first ten elements lie in the first block", "MISMATCH on documented"
    ),
    ("p31:sophisticated", "first-block-alone"): Blind(
        "the first ten elements lie in the first block", "MISMATCH on documented"
    ),
    ("p31:balanced", "first-block-alone"): Blind(
        "the first ten elements lie in the first block", "MISMATCH on documented"
    ),
}
RULES = {
    "p31:minimal": first(10, within(1e-5)),
    "p31:sophisticated": first(10, within(1e-3)),
    "p31:balanced": first(10, within(1e-4)),
}
