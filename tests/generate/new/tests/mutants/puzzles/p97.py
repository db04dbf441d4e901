"""Wrong kernels of puzzle 97."""

__all__ = ["EDITS"]

EDITS = {
    ("p97", 0): [("neighbour", "= a[i] + 10", "= a[i ^ 1] + 10")],
    ("p97", 1): [("squared", "output[i] * 2", "output[i] * output[i]")],
}
