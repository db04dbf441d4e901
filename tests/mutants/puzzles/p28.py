"""Wrong kernels of puzzle 28; the documents look at ten elements of the first tile and accept whatever they find."""

from tests.mutants.documents import NOTHING, Blind

__all__ = ["BLIND", "EDITS", "RULES", "SILENT"]

_INSIDE = "HALO_SIZE <= local_i < CONV_TILE_SIZE - HALO_SIZE:"
_TAKEN = "input_shared[local_i + k - HALO_SIZE]"

EDITS = {
    ("p28", 0): [
        ("not-waited-for-the-copy", "    async_copy_wait_all()\n", ""),
        ("barrier-left-out", "    async_copy_wait_all()\n    barrier()\n", "    async_copy_wait_all()\n"),
        ("barrier-before-the-wait", "async_copy_wait_all()\n    barrier()", "barrier()\n    async_copy_wait_all()"),
        ("every-block-copies-the-first-tile", "](Int(block_idx.x))", "](0)"),
        ("only-the-first-tile", f"if {_INSIDE}", f"if block_idx.x == 0 and {_INSIDE}"),
        (
            "neighbours-of-the-next-tile",
            f"if {_INSIDE}\n        result = 0\n",
            "var at = Int(block_idx.x) * CONV_TILE_SIZE + local_i\n"
            "    if HALO_SIZE <= at < VECTOR_SIZE - HALO_SIZE:\n        result = 0\n",
        ),
        (
            "convolved-over-the-edges",
            f"if {_INSIDE}\n        result = 0\n        for k in range(KERNEL_SIZE):\n            result += {_TAKEN} *",
            "var at = Int(block_idx.x) * CONV_TILE_SIZE + local_i\n"
            "    if HALO_SIZE <= at < VECTOR_SIZE - HALO_SIZE:\n        result = 0\n"
            "        for k in range(KERNEL_SIZE):\n            result += input[at + k - HALO_SIZE] *",
        ),
        ("one-too-many-at-the-start", "HALO_SIZE <= local_i <", "HALO_SIZE - 1 <= local_i <"),
        ("one-too-few-at-the-end", "< CONV_TILE_SIZE - HALO_SIZE:", "< CONV_TILE_SIZE - HALO_SIZE - 1:"),
        ("last-weight-left-out", "for k in range(KERNEL_SIZE):", "for k in range(KERNEL_SIZE - 1):"),
        ("last-weight-not-loaded", "if local_i < KERNEL_SIZE:", "if local_i < KERNEL_SIZE - 1:"),
        ("the-documents-weights", "* kernel_shared[k]", "* Scalar[dtype](k + 1)"),
        ("weights-reversed", "kernel_shared[k]", "kernel_shared[KERNEL_SIZE - 1 - k]"),
        ("the-documents-tile", "block_idx.x) * CONV_TILE_SIZE", "block_idx.x) * 256"),
        ("a-64th-for-a-tile", "< CONV_TILE_SIZE - HALO_SIZE:", "< VECTOR_SIZE // 64 - HALO_SIZE:"),
        ("edges-left-out", "    var result = input_shared[local_i]\n", "    var result = Scalar[dtype](0)\n"),
    ],
}
SILENT = {
    ("p28", "not-waited-for-the-copy"): "the copy may be there in time",
    ("p28", "barrier-left-out"): "the copies of the other warps may be there in time",
    ("p28", "barrier-before-the-wait"): "the copies of the other warps may be there in time",
}
BLIND = {
    ("p28", "the-documents-tile"): Blind("a tile has 256 elements", "FINDING on drawn, out-of-bounds"),
    ("p28", "a-64th-for-a-tile"): Blind("there are 64 tiles", "MISMATCH on drawn"),
    ("p28", "weights-reversed"): Blind("what is compared is only printed", "MISMATCH on documented"),
    ("p28", "the-documents-weights"): Blind("the weights are 1 to 5", "MISMATCH on random-28"),
}
RULES = {
    "p28": NOTHING,
}
