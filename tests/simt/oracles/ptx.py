"""Floats of ten bits of a fraction, 8-bit floats, and AMD's words, by NumPy and by tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.ir.values import octets_of
from harness.simt.ops.eight_bit import VALUES
from harness.simt.ops.floating import flush_subnormals
from harness.simt.ops.integer import unsigned
from harness.simt.run.mbarrier import pending_in_token
from tests.simt.oracles.declared import pure
from tests.simt.oracles.eight_bit import encode

__all__: list[str] = []


def _ten_bits(even: bool, value: Array) -> Array:
    """Return a float32 with ten bits of its fraction: halves go to the even one, or away from zero."""
    bits = np.ascontiguousarray(value).view(np.uint32)
    half = np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1)) if even else np.uint32(0x1000)
    rounded: Array = bits + half & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(value), rounded, bits).view(np.int32)


pure("asm:cvt.rna.tf32")(partial(_ten_bits, False))
pure("asm:cvt.rn.tf32")(partial(_ten_bits, True))
pure("asm:ftz")(flush_subnormals)


def _narrow(kind: str, high: Array, low: Array) -> Array:
    high, low = (encode(value, kind, saturate=True) for value in (high, low))
    return (high.astype(np.uint16) << 8 | low).view(np.int16)


def _widen(kind: str, pair: Array) -> Array:
    return VALUES[kind][octets_of(pair)].astype(np.float16).view(np.int32)[:, 0]


for kind in ("e4m3", "e5m2"):
    pure(f"asm:cvt.rn.satfinite.{kind}x2")(partial(_narrow, kind))
    pure(f"asm:cvt.rn.f16x2.{kind}x2")(partial(_widen, kind))
    pure(f"asm:nearest.{kind}")(lambda value, kind=kind: encode(value, kind, saturate=True).view(np.int8))


@pure("asm:v_bfe_u32")
def bit_field(value: Array, start: Array, count: Array) -> Array:
    """Return some bits of a word, from a place up."""
    taken = unsigned(value, 32).astype(np.int64) >> (start & 31) & (np.int64(1) << (count & 31)) - 1
    return taken.astype(np.uint32).view(np.int32)


@pure("asm:v_add3_u32")
def add_three(first: Array, second: Array, third: Array) -> Array:
    """Return the sum of three words."""
    return first + second + third


@pure("llvm.nvvm.mbarrier.pending.count")
def pending(tokens: Array) -> Array:
    """Return the arrivals that a phase lacked when a token of it was given."""
    return pending_in_token(tokens)
