"""Wrong kernels of puzzle 33; the documents accept what is 2% off, and their factors can be swapped."""

from tests.mutants.documents import Blind, within

__all__ = ["BLIND", "EDITS", "RULES", "SILENT"]

_WAIT = "        async_copy_wait_all()\n        barrier()\n"
_LAST = "        # Nobody copies the next tiles before everybody is done with these.\n        barrier()\n"
_TILES = """a.tile[TILE_SIZE, TILE_SIZE](down, step)
        )
        copy_dram_to_sram_async[thread_layout=threads](
            b_shared, b.tile"""
_SUM = "total += a_shared[row, k] * b_shared[k, column]"
_OWN = "mma_op.mma_op(left, right, sum)"

EDITS = {
    ("p33:tiled", 0): [
        ("factors-swapped", _SUM, "total += b_shared[row, k] * a_shared[k, column]"),
        ("matrices-swapped", _TILES, _TILES.replace("a.", "t.").replace(" b.", " a.").replace("t.", "b.")),
        ("first-step-alone", "range(size // TILE_SIZE)", "range(1)"),
        ("last-product-left-out", "for k in range(TILE_SIZE):", "for k in range(TILE_SIZE - 1):"),
        ("neighbouring-column", "b_shared[k, column]", "b_shared[k, (column + 1) % TILE_SIZE]"),
        ("not-waited-for", _WAIT, "        barrier()\n"),
        ("barrier-after-copying-left-out", _WAIT, "        async_copy_wait_all()\n"),
        ("barrier-after-adding-left-out", _LAST, ""),
        ("lanes-for-a-tile", "for k in range(TILE_SIZE):", "for k in range(WARP_SIZE):"),
        ("two-steps", "range(size // TILE_SIZE)", "range(BLOCK_DIM_COUNT)"),
        ("blocks-transposed", "](down, across)[row", "](across, down)[row"),
    ],
    ("p33:tensor-core", 0): [
        ("first-step-alone", "range(K // BK)", "range(1)"),
        ("every-block-row-the-first", "A.tile[BM, BK](Int(block_idx.y), step)", "A.tile[BM, BK](0, step)"),
        ("every-block-column-the-first", "B.tile[BK, BN](step, Int(block_idx.x))", "B.tile[BK, BN](step, 0)"),
        ("products-as-wide-as-deep", "for k in range(BK // MMA_K):", "for k in range(BK // MMA_N):"),
        ("warps-as-wide-as-high", "warps_across = BN // WN", "warps_across = BN // WM"),
        ("steps-as-deep-as-wide", "range(K // BK)", "range(K // WN)"),
        ("first-products-alone", "for k in range(BK // MMA_K):", "for k in range(1):"),
        ("same-rows-in-each-warp", "a_shared.tile[WM, BK](warp_row, 0)", "a_shared.tile[WM, BK](0, 0)"),
        ("same-columns-in-each-warp", "b_shared.tile[BK, WN](0, warp_column)", "b_shared.tile[BK, WN](0, 0)"),
        ("neighbouring-columns", "b_warp.tile[MMA_K, MMA_N](k, n)", "b_warp.tile[MMA_K, MMA_N](k, n ^ 1)"),
        (
            "sums-begun-anew",
            f"sum.copy_from({_OWN})",
            f"if k == 0:\n                        _ = sum.fill(0)\n                    sum.copy_from({_OWN})",
        ),
        ("not-waited-for", _WAIT, "        barrier()\n"),
        ("barrier-after-copying-left-out", _WAIT, "        async_copy_wait_all()\n"),
        ("barrier-after-adding-left-out", _LAST, ""),
        (
            "two-percent-off",
            f"sum.copy_from({_OWN})",
            f"sum.copy_from({_OWN})\n                    if k + step == 0:\n                        sum[0, 0] *= 1.01",
        ),
    ],
}
_IN_TIME = "warps may keep in step, and copies may be there in time"
SILENT = {
    (case, name): _IN_TIME
    for case in ("p33:tiled", "p33:tensor-core")
    for name in ("not-waited-for", "barrier-after-copying-left-out", "barrier-after-adding-left-out")
}
BLIND = {
    ("p33:tiled", "lanes-for-a-tile"): Blind("a tile is as wide as a warp", "FINDING on drawn, out-of-bounds"),
    ("p33:tensor-core", "products-as-wide-as-deep"): Blind(
        "a tensor core adds as many products as it has columns", "MISMATCH on drawn"
    ),
    ("p33:tensor-core", "warps-as-wide-as-high"): Blind(
        "what a warp takes is a square", "FINDING on drawn, out-of-bounds"
    ),
    ("p33:tensor-core", "steps-as-deep-as-wide"): Blind(
        "a step is as deep as what a warp takes is wide", "MISMATCH on drawn"
    ),
    ("p33:tiled", "matrices-swapped"): Blind("B is 2A, so that BA is AB", "MISMATCH on random-33"),
    ("p33:tensor-core", "neighbouring-columns"): Blind(
        "elements side by side differ by less than 2%", "MISMATCH on documented"
    ),
    ("p33:tensor-core", "two-percent-off"): Blind("2% is near enough", "MISMATCH on random-33"),
}
RULES = {
    "p33:tensor-core": within(2e-2, 1e-3),
    "p33:tiled": within(1e-5),
}
