"""8-bit floats: their values, and the nearest one to a number.

`e4m3` and `e5m2` are those of the OCP, which NVIDIA and AMD's gfx950 have; `fnuz` those of gfx942: no infinities, no
negative zero, 0x80 is the NaN.

See: https://www.opencompute.org/documents/ocp-8-bit-floating-point-specification-ofp8-revision-1-0-2023-12-01-pdf-1
"""

import numpy as np

from harness.simt.arrays import Array

__all__ = ["VALUES", "encode"]

# Bits of the fraction, and the bias of the exponent.
FORMATS = {"e4m3": (3, 7), "e5m2": (2, 15), "e4m3fnuz": (3, 8), "e5m2fnuz": (2, 16)}


def _values(kind: str) -> Array:
    """The value of each byte."""
    fraction_bits, bias = FORMATS[kind]
    bits = np.arange(128)
    exponent, fraction = bits >> fraction_bits, bits & (1 << fraction_bits) - 1
    significand = fraction + np.where(exponent > 0, 1 << fraction_bits, 0)
    sizes = np.ldexp(significand.astype(np.float32), np.maximum(exponent, 1) - bias - fraction_bits)
    if kind == "e4m3":
        sizes[127] = np.nan
    elif kind == "e5m2":
        sizes[124:] = np.inf, np.nan, np.nan, np.nan
    values = np.concatenate((sizes, -sizes))
    if kind.endswith("fnuz"):
        values[128] = np.nan
    return values


VALUES: dict[str, Array] = {kind: _values(kind) for kind in FORMATS}


def encode(values: Array, kind: str, *, saturate: bool) -> Array:
    """The bytes of the nearest 8-bit floats, of two that are as near the even one.

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
