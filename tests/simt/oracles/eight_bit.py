"""The 8-bit float that is nearest to a number, by a table of all values."""

from __future__ import annotations

import numpy as np

from harness.simt.arrays import Array
from harness.simt.ops.eight_bit import VALUES

__all__ = ["encode"]


def encode(values: Array, kind: str, *, saturate: bool) -> Array:
    """Return the bytes of the nearest 8-bit floats, of two that are as near the even one.

    Args:
        values: float32.
        saturate: Whether what is too large becomes the largest; otherwise infinity, or a NaN where there is none.
    """
    table = VALUES[kind][:128].astype(np.float64)
    finite = int(np.isfinite(table).sum())
    middles = np.append((table[: finite - 1] + table[1:finite]) / 2, table[finite - 1] * 1.5 - table[finite - 2] / 2)
    sizes = np.abs(values.astype(np.float64))
    low, high = np.searchsorted(middles, sizes, "left"), np.searchsorted(middles, sizes, "right")
    codes = np.where(low % 2 == 0, low, high)
    foreign = 0x80 if kind.endswith("fnuz") else 0x7F
    over = finite - 1 if saturate else 0x7C if kind == "e5m2" else foreign
    codes = np.where(codes >= finite, over, codes)
    negative = np.signbit(values) & ((codes > 0) | (foreign == 0x7F)) & (codes != 0x80)
    return np.where(np.isnan(values), foreign, codes | negative * 0x80).astype(np.uint8)
