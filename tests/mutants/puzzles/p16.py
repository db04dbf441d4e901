"""Wrong kernels of puzzle 16; in the documents B is 2A, so that A times B is B times A."""

from tests.mutants.documents import Blind
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "SILENT"]

_GUARD = "if row < size and col < size:"
_SMALL = "a[row, k] * b[k, col]"
_SHARED = "a_shared[local_row, k] * b_shared[k, local_col]"
_SWAPPED = "b_shared[local_row, k] * a_shared[k, local_col]"
_LOADS = """= a[tiled_row, first + local_col]
        if first + local_row < size and tiled_col < size:
            b_shared[local_row, local_col] = b[first"""
_TILES = """= a.tile[TPB, TPB](Int(block_idx.y), step)
        var b_tile = b.tile"""
_SQUARED = "2 * a_shared[local_row, k] * a_shared[k, local_col]"

EDITS = {
    ("p16:naive", 0): [
        ("factors-swapped", _SMALL, "b[row, k] * a[k, col]"),
        ("second-taken-for-twice-the-first", _SMALL, "2 * a[row, k] * a[k, col]"),
        ("second-transposed", _SMALL, "a[row, k] * b[col, k]"),
        ("last-product-left-out", "range(size)", "range(size - 1)"),
        ("no-guard-of-rows", _GUARD, "if col < size:"),
        ("no-guard-of-columns", _GUARD, "if row < size:"),
        ("rows-by-the-size", "block_dim.y * block_idx.y", "(size + 1) * block_idx.y"),
        *lossy(f"            total += {_SMALL}", "total", "output[row, col] = total", "total"),
    ],
    ("p16:single-block", 0): [
        ("factors-swapped", _SHARED, _SWAPPED),
        ("second-taken-for-twice-the-first", _SHARED, _SQUARED),
        ("barrier-left-out", "    barrier()\n\n    if", "    if"),
        (
            "barrier-for-some",
            "    # All threads come here, those outside of the matrices too.\n    barrier()",
            "        barrier()",
        ),
        ("no-guard", _GUARD, "if row < size + 1 and col < size + 1:"),
        ("one-row-for-a-block", "block_dim.y * block_idx.y", "block_idx.y"),
        ("read-from-global-memory", _SHARED, "a[row, k] * b[k, col]"),
    ],
    ("p16:tiled", 0): [
        ("factors-swapped", _LOADS, _LOADS.replace(" a[", " t[").replace(" b[", " a[").replace(" t[", " b[")),
        ("second-taken-for-twice-the-first", "= b[first", "= 2 * a[first"),
        ("barrier-after-load-left-out", "        barrier()\n\n        if", "        if"),
        ("barrier-after-use-left-out", "        barrier()\n\n    if tiled_row", "    if tiled_row"),
        ("same-tile-of-b", "b[first + local_row, tiled_col]", "b[local_row, tiled_col]"),
        ("last-tile-left-out", "range(0, size, TPB)", "range(0, size - TPB, TPB)"),
        ("rows-and-columns-swapped", "output[tiled_row, tiled_col]", "output[tiled_col, tiled_row]"),
        (
            "blocks-for-threads",
            "    var tiled_row = block_idx.y * TPB",
            "    from max.gpu import grid_dim\n\n    var tiled_row = block_idx.y * grid_dim.y",
        ),
        ("no-guard-of-rows", "if tiled_row < size and first + local_col < size:", "if first + local_col < size:"),
        ("sum-begun-anew", "        # The tile of a", "        total = 0\n        # The tile of a"),
    ],
    ("p16:idiomatic-tiled", 0): [
        ("factors-swapped", _TILES, _TILES.replace("= a.", "= t.").replace("= b.", "= a.").replace("= t.", "= b.")),
        ("one-factor-squared", "= b.tile", "= a.tile"),
        ("copies-not-waited-for", "        async_copy_wait_all()\n", ""),
        (
            "barrier-after-copies-left-out",
            "        async_copy_wait_all()\n        barrier()\n",
            "        async_copy_wait_all()\n",
        ),
        ("barrier-after-use-left-out", "        barrier()\n\n    own", "    own"),
        ("threads-counted-in-x-alone", "block_dim_count=BLOCK_DIM_COUNT", "block_dim_count=1"),
        (
            "as-many-tiles-as-threads",
            "    comptime for step in range(size // TPB):",
            "    comptime for step in range(TPB):",
        ),
        ("tile-of-another-row", "b.tile[TPB, TPB](step, Int(block_idx.x))", "b.tile[TPB, TPB](Int(block_idx.x), step)"),
    ],
}
EQUIVALENT = {
    ("p16:tiled", 0): [
        (
            "no-guard-of-the-tile",
            "if tiled_row < size and first + local_col < size:",
            "if tiled_row < size:",
            "the size is a multiple of TPB, so that no tile reaches over the edge",
        ),
    ],
}
SILENT = {
    ("p16:single-block", "no-guard"): "what is read behind the matrices is used nowhere",
    ("p16:single-block", "barrier-for-some"): "a barrier waits for no threads that have ended",
    ("p16:idiomatic-tiled", "copies-not-waited-for"): "copies may have arrived by then",
}
BLIND = {
    ("p16:naive", "rows-by-the-size"): Blind("there is one block", "MISMATCH on drawn"),
    ("p16:single-block", "one-row-for-a-block"): Blind("there is one block", "FINDING on drawn, uninitialised"),
    ("p16:tiled", "blocks-for-threads"): Blind("there are as many blocks as threads", "MISMATCH on drawn"),
    ("p16:tiled", "no-guard-of-rows"): Blind("each thread has an element", "FINDING on drawn, out-of-bounds"),
    ("p16:idiomatic-tiled", "as-many-tiles-as-threads"): Blind(
        "there are as many tiles as threads", "FINDING on drawn, out-of-bounds"
    ),
    ("p16:naive", "factors-swapped"): Blind("B is 2A, so that BA is AB", "MISMATCH on random-16"),
    ("p16:naive", "second-taken-for-twice-the-first"): Blind("B is 2A", "MISMATCH on random-16"),
    ("p16:single-block", "factors-swapped"): Blind("B is 2A, so that BA is AB", "MISMATCH on random-16"),
    ("p16:tiled", "factors-swapped"): Blind("B is 2A, so that BA is AB", "MISMATCH on random-16"),
    ("p16:idiomatic-tiled", "factors-swapped"): Blind("B is 2A, so that BA is AB", "MISMATCH on random-16"),
}
