"""Wrong kernels of puzzle 4."""

__all__ = ["EDITS"]

EDITS = {
    ("p04", 0): [
        ("no-guard-of-columns", "row < size and col < size", "row < size"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("transposed-load", "a[row * size + col]", "a[col * size + row]"),
    ],
}
