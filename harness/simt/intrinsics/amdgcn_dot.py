"""AMD's dot products of small numbers, with 32-bit sums.

See: "Instinct MI300" ISA, V_DOT4_I32_I8 and its like.
"""

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import pure
from harness.simt.intrinsics.handlers import Pure

__all__: list[str] = []


def _digits(word: Array, bits: int, signed: bool) -> Array:
    """The numbers in words, a row each."""
    shifts = np.arange(0, 32, bits)
    digits: Array = np.asarray(word).reshape(-1, 1).view(np.uint32).astype(np.int64) >> shifts & (1 << bits) - 1
    return digits - ((digits >> bits - 1) << bits) if signed else digits


def _dot(bits: int, signed: bool) -> Pure:
    low, high = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)

    def multiply(first: Array, second: Array, addend: Array, clamp: Array) -> Array:
        start = addend.astype(np.int64) if signed else addend.view(np.uint32).astype(np.int64)
        total = (_digits(first, bits, signed) * _digits(second, bits, signed)).sum(1) + start
        held = np.clip(total, low, high) if clamp[0] else total
        word: Array = (held & 0xFFFFFFFF).astype(np.uint32)
        return word.view(np.int32)

    return multiply


for count, bits in {4: 8, 8: 4}.items():
    pure(f"llvm.amdgcn.sdot{count}")(_dot(bits, True))
    pure(f"llvm.amdgcn.udot{count}")(_dot(bits, False))
