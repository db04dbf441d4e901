"""Wrong kernels of puzzle 4 on a TileTensor."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p04_tile_tensor", 0): [
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("row-of-the-thread-alone", "output[row, col]", "output[row, row]"),
        ("transposed-load", "a[row, col]", "a[col, row]"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
BLIND = {
    ("p04_tile_tensor", "no-guard-of-rows"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p04_tile_tensor", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
}
