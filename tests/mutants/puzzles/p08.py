"""Wrong kernels of puzzle 8."""

__all__ = ["EDITS", "EQUIVALENT"]

EDITS = {
    ("p08", 0): [
        ("every-block-loads-the-first", "= a[global_i]", "= a[local_i]"),
        ("neighbour", "shared[local_i] + 10", "shared[(local_i + 1) % TPB] + 10"),
    ],
}
EQUIVALENT = {
    ("p08", 0): [
        ("barrier-left-out", "    barrier()\n\n", "", "each thread reads the slot that it wrote itself, and no other"),
    ],
}
