"""Wrong kernels of puzzle 4."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p04", 0): [
        ("no-guard-of-columns", "row < size and col < size", "row < size"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("transposed-load", "a[row * size + col]", "a[col * size + row]"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        (
            "length-of-a-row-known",
            "output[row * size + col] = a[row * size + col]",
            "output[row * SIZE + col] = a[row * SIZE + col]",
        ),
    ],
}
BLIND = {
    ("p04", "no-guard-of-columns"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p04", "no-guard-of-rows"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p04", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
    ("p04", "length-of-a-row-known"): Blind("the documents have one size", "MISMATCH on drawn-size-2"),
}
