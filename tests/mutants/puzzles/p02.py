"""Wrong kernels of puzzle 2."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p02", 0): [
        ("first-twice", "= a[i] + b[i]", "= a[i] + a[i]"),
        ("second-alone", "= a[i] + b[i]", "= b[i]"),
        ("difference", "= a[i] + b[i]", "= a[i] - b[i]"),
        ("documented-size-known", "    output[i] = a[i] + b[i]", "    if i < 4:\n        output[i] = a[i] + b[i]"),
    ],
}
BLIND = {
    ("p02", "first-twice"): Blind("both inputs are the same", "MISMATCH on random-2"),
    ("p02", "documented-size-known"): Blind("the documents have one size", "MISMATCH on drawn"),
}
