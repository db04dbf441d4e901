"""Wrong kernels of puzzle 1."""

__all__ = ["EDITS"]

EDITS = {
    ("p01", 0): [
        ("number-of-the-thread", "= a[i] + 10", "= Scalar[dtype](i) + 10"),
        ("neighbour", "= a[i] + 10", "= a[i ^ 1] + 10"),
        ("nothing-written", "output[i] = a[i] + 10", "_ = a[i]"),
    ],
}
