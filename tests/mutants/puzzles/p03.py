"""Wrong kernels of puzzle 3."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p03", 0): [
        ("no-guard", "if i < size:", "if i >= 0:"),
        ("guard-off-by-one", "if i < size:", "if i <= size:"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
BLIND = {
    ("p03", "no-guard"): Blind("nobody looks past the end of the result", "FINDING on documented, out-of-bounds"),
    ("p03", "guard-off-by-one"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p03", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-3"),
}
