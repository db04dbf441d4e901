"""Wrong kernels of puzzle 3."""

__all__ = ["EDITS"]

EDITS = {
    ("p03", 0): [
        ("no-guard", "if i < size:", "if i >= 0:"),
        ("guard-off-by-one", "if i < size:", "if i <= size:"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
    ],
}
