"""Tables of 8-bit float formats: fraction bits and exponent bias, and the value of each byte; no encoding.

`e4m3` and `e5m2` are those of the OCP, which NVIDIA and AMD's gfx950 have; `fnuz` those of gfx942: no infinities, no
negative zero, 0x80 is the NaN.

See: https://www.opencompute.org/documents/ocp-8-bit-floating-point-specification-ofp8-revision-1-0-2023-12-01-pdf-1
"""

import numpy as np

from harness.simt.arrays import Array

__all__ = ["FORMATS", "VALUES"]

# Bits of the fraction, and the bias of the exponent.
FORMATS = {"e4m3": (3, 7), "e5m2": (2, 15), "e4m3fnuz": (3, 8), "e5m2fnuz": (2, 16)}


def _decode_all_codes(kind: str) -> Array:
    """Return an array of the values of the bytes 0 to 255 in a format of `FORMATS`, as float32."""
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


VALUES: dict[str, Array] = {kind: _decode_all_codes(kind) for kind in FORMATS}
