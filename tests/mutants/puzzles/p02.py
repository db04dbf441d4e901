"""Wrong kernels of puzzle 2."""

__all__ = ["EDITS"]

EDITS = {
    ("p02", 0): [
        ("first-twice", "= a[i] + b[i]", "= a[i] + a[i]"),
        ("difference", "= a[i] + b[i]", "= a[i] - b[i]"),
    ],
}
