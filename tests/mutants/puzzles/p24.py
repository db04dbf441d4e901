"""Wrong kernels of puzzle 24; in the documents one factor is the other one."""

from tests.mutants.documents import Blind
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS"]

# Right in the documents' one block alone, of one warp.
_ONE_BLOCK = [
    ("place-of-the-first-warp", "output[global_i // WARP_SIZE] =", "output[0] ="),
    ("elements-of-the-first-block", "a[global_i] * b[global_i]", "a[thread_idx.x] * b[thread_idx.x]"),
    ("other-blocks-add-nothing", "if global_i < size:", "if global_i < WARP_SIZE:"),
]
_PRODUCT = "a[global_i] * b[global_i]"

_CALLS = 'elementwise[1, target="gpu"](multiply, Coord(size), ctx)'

EDITS = {
    ("p24:traditional", 0): [
        *_ONE_BLOCK,
        ("first-squared", _PRODUCT, "a[global_i] * a[global_i]"),
        ("barrier-after-load-left-out", "    barrier()\n\n    var stride", "    var stride"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
        ("all-threads-write", "if local_i == 0:", "if local_i >= 0:"),
        ("first-product-left-out", "if global_i < size:", "if global_i < size and global_i > 0:"),
    ],
    ("p24:kernel", 0): [
        *_ONE_BLOCK,
        ("thread-for-lane", "if lane_id() == 0:", "if thread_idx.x == 0:"),
        ("threads-for-lanes", "output[global_i // WARP_SIZE]", "output[global_i // block_dim.x]"),
        ("first-squared", _PRODUCT, "a[global_i] * a[global_i]"),
        ("own-product", "warp_sum(product)", "product"),
        ("sum-of-32-known", "= total", "= Scalar[dtype](10416)"),
        ("product-of-lane-0", "output[global_i // WARP_SIZE] = total", "output[global_i // WARP_SIZE] = product"),
        ("all-lanes-write", "if lane_id() == 0:", "if lane_id() >= 0:"),
        ("first-product-left-out", "if global_i < size:", "if global_i < size and global_i > 0:"),
        *lossy("    var total = warp_sum(product)", "total", "] = total", "total"),
    ],
    ("p24:functional", 0): [
        ("place-of-the-first-warp", "output[Int(at[0].value()) // WARP_SIZE]", "output[0]"),
        ("first-squared", "a.load[width=1](at) * b.load[width=1](at)", "a.load[width=1](at) * a.load[width=1](at)"),
        ("own-product", "var total = warp_sum(product)\n        if", "var total = product\n        if"),
        ("half-of-the-elements", _CALLS, _CALLS.replace("(size)", "(size // 2)")),
        ("two-elements-in-each-call", _CALLS, _CALLS.replace("elementwise[1", "elementwise[2")),
        ("launched-twice", _CALLS, f"{_CALLS}\n    {_CALLS}"),
    ],
}
_OVER_SEVERAL = [
    ("place-of-the-first-warp", "FINDING on drawn, race"),
    ("elements-of-the-first-block", "MISMATCH on drawn"),
    ("other-blocks-add-nothing", "MISMATCH on drawn"),
]
BLIND = {
    **{
        (case, name): Blind("there is one block", refused)
        for case in ("p24:traditional", "p24:kernel")
        for name, refused in _OVER_SEVERAL
    },
    ("p24:kernel", "thread-for-lane"): Blind("a block is one warp", "MISMATCH on drawn"),
    ("p24:kernel", "threads-for-lanes"): Blind("a block is one warp", "FINDING on drawn, race"),
    ("p24:traditional", "first-squared"): Blind("both inputs are the same", "MISMATCH on random-24"),
    ("p24:traditional", "first-product-left-out"): Blind("the first product is 0", "MISMATCH on random-24"),
    ("p24:kernel", "first-squared"): Blind("both inputs are the same", "MISMATCH on random-24"),
    ("p24:kernel", "first-product-left-out"): Blind("the first product is 0", "MISMATCH on random-24"),
}
