"""Wrong kernels of puzzle 12."""

__all__ = ["EDITS"]

EDITS = {
    ("p12", 0): [
        ("first-squared", "a[global_i] * b[global_i]", "a[global_i] * a[global_i]"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("all-threads-write", "if local_i == 0:", "if local_i >= 0:"),
    ],
}
