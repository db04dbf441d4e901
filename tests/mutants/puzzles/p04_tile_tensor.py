"""Wrong kernels of puzzle 4 on a TileTensor."""

__all__ = ["EDITS"]

EDITS = {
    ("p04_tile_tensor", 0): [
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("transposed-load", "a[row, col]", "a[col, row]"),
    ],
}
