"""Floats as the matrix units take them."""

from __future__ import annotations

import numpy as np

from harness.simt.ir.values import bfloat_round
from harness.simt.ops.eight_bit import VALUES
from tests.simt.oracles.eight_bit import encode

__all__ = ["narrowed"]


def narrowed(values, kind):
    """Floats as the operands of a product have them."""
    match kind:
        case "half":
            return values.astype(np.float16).astype(np.float64)
        case "bfloat":
            return bfloat_round(values).astype(np.float64)
        case "tf32":
            return (values.view(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64)
        case "e4m3" | "e5m2":
            return VALUES[kind][encode(values, kind, saturate=True)].astype(np.float64)
    return values.astype(np.float64)
