"""NVIDIA's `mma` of 8- and 4-bit integers, wrapped or saturated, and of bits (count of `and` or `xor`).

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-mma
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call
from harness.simt.intrinsics.nvvm_mma import WHOLE_WARP, Decoder, product_handler
from harness.simt.ops.matrix import product_layout

__all__: list[str] = []

NAME = "llvm.nvvm.mma"
LEAST, MOST = -(1 << 31), (1 << 31) - 1
# By bits of an element: the shapes, (rows, depth).
SHAPES = {8: ((8, 16), (16, 16), (16, 32)), 4: ((8, 32), (16, 32), (16, 64)), 1: ((8, 128), (16, 128), (16, 256))}


def _make_decoder(kind: str) -> Decoder:
    """Return a function from the bytes of registers, (n, bytes), to elements, (n, elements), lowest bits first.

    The elements are integers of 8 bits.

    Args:
        kind: `s8`, `u8`, `s4`, `u4` or `b1`.
    """
    if kind == "b1":
        return lambda raw: np.unpackbits(raw.view(np.uint8), axis=1, bitorder="little")
    if kind[1:] == "8":
        return lambda raw: raw.view(np.int8 if kind == "s8" else np.uint8)

    def nibbles(raw: Array) -> Array:
        octets = raw.view(np.uint8)
        fields = np.stack([octets & 15, octets >> 4], 2).reshape(len(octets), -1).astype(np.int8)
        signed: Array = np.where(fields > 7, fields - 16, fields) if kind == "s4" else fields
        return signed

    return nibbles


def _accumulate(saturates: bool, _call: Call, left: Array, right: Array, addend: Array) -> Array:
    """Return A times B plus C, wrapped or saturated to 32 bits; the exact sum is saturated, once."""
    total: Array = left.astype(np.int64) @ right.astype(np.int64) + addend
    return (np.clip(total, LEAST, MOST) if saturates else total).astype(np.int32)


def _count_combined_bits(
    combine: Callable[[Array, Array], Array], _call: Call, left: Array, right: Array, addend: Array
) -> Array:
    """Return C plus the number of bits set after combining each row of A with each column of B, wrapped to 32 bits."""
    bits = combine(left[:, :, :, None], right[:, None, :, :])
    total: Array = bits.sum(2, dtype=np.int64) + addend
    return total.astype(np.int32)


for bits, shapes in SHAPES.items():
    for rows, depth in shapes:
        layout, shape = product_layout(rows, depth, 32 // bits), f"m{rows}n8k{depth}.row.col"
        if bits == 1:
            for word, combine in (("xor", np.bitwise_xor), ("and", np.bitwise_and)):
                handler = product_handler(
                    layout,
                    32,
                    (_make_decoder("b1"), _make_decoder("b1")),
                    "s32",
                    partial(_count_combined_bits, combine),
                )
                stateful(f"{NAME}.{word}.popc.{shape}.b1", waits=WHOLE_WARP, exchanges=True)(handler)
            continue
        for first in "su":
            for second in "su":
                decoders = _make_decoder(f"{first}{bits}"), _make_decoder(f"{second}{bits}")
                kinds = f"{first}{bits}" if first == second else f"{first}{bits}.{second}{bits}"
                for saturates, word in ((False, ""), (True, ".satfinite")):
                    handler = product_handler(layout, 32 // bits, decoders, "s32", partial(_accumulate, saturates))
                    stateful(f"{NAME}.{shape}{word}.{kinds}", waits=WHOLE_WARP, exchanges=True)(handler)
