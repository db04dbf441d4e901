"""AMD's dot products of small numbers, with 32-bit sums.

See: "Instinct MI300" ISA, V_DOT4_I32_I8 and its like.
"""

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import pure
from harness.simt.intrinsics.handlers import Pure
from harness.simt.ops.integer import limits, parts

__all__: list[str] = []


def _dot(bits: int, signed: bool) -> Pure:
    def multiply(first: Array, second: Array, addend: Array, clamp: Array) -> Array:
        start = addend.astype(np.int64) if signed else addend.view(np.uint32).astype(np.int64)
        total = (parts(first, bits, signed) * parts(second, bits, signed)).sum(1) + start
        held = np.clip(total, *limits(32, signed)) if clamp[0] else total
        word: Array = (held & 0xFFFFFFFF).astype(np.uint32)
        return word.view(np.int32)

    return multiply


for count, bits in {4: 8, 8: 4}.items():
    pure(f"llvm.amdgcn.sdot{count}")(_dot(bits, True))
    pure(f"llvm.amdgcn.udot{count}")(_dot(bits, False))
