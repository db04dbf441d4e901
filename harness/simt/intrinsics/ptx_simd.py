"""The assembly of NVIDIA's video instructions: two halves or four bytes of a word at once.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#scalar-video-instructions-simd
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile.lowering import Lowering, declares
from harness.simt.compile.registry import pure
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int
from harness.simt.ops.integer import limits, parts

__all__: list[str] = []

OPERATIONS: dict[str, Callable[[Integers, Integers], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "avrg": lambda a, b: (a + b + (a + b >= 0)) >> 1,
    "absdiff": lambda a, b: np.abs(a - b),
    "min": np.minimum,
    "max": np.maximum,
}
COMPARISONS: dict[str, Callable[[Integers, Integers], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
ALL = [*OPERATIONS.values(), *COMPARISONS.values()]
NAMES = [*OPERATIONS, *COMPARISONS]
# How a result is put together.
PLAIN, SATURATED, SUMMED = range(3)


@pure("asm:simd")
def byparts(first: Array, second: Array, third: Array, *how: Array) -> Array:
    """What some operation makes of the parts of two words; the third is added to the sum of what it makes.

    Args:
        how: Which operation, the bits of a part, whether the result, the first and the second have signs, and how the
            result is put together.
    """
    number, bits, to, one, other, mode = (int(value[0]) for value in how)
    made = ALL[number](parts(first, bits, bool(one)), parts(second, bits, bool(other))).astype(np.int64)
    if mode == SUMMED:
        total: Array = (made.sum(1) + third & 0xFFFFFFFF).astype(np.uint32)
        return total.view(np.int32)
    if mode == SATURATED:
        made = np.clip(made, *limits(bits, bool(to)))
    octets: Array = np.ascontiguousarray((made & (1 << bits) - 1).astype(f"u{bits // 8}"))
    return octets.view(np.int32)[:, 0]


@declares(*(f"v{name}{count}" for name in (*OPERATIONS, "set") for count in (2, 4)))
def video(low: Lowering) -> None:
    """Of all parts; those that choose some of them are not known."""
    count, name = int(low.name[-1]), low.name[1:-1]
    kinds = [low.kind("s32", "u32") for _ in range(2 if name == "set" else 3)]
    if name == "set":
        name, kinds = low.need(*COMPARISONS), ["u32", *kinds]
    mode = SUMMED if low.has("add") else SATURATED if low.has("sat") else PLAIN
    low.only(4)
    how = (NAMES.index(name), 32 // count, *(int(kind[0] == "s") for kind in kinds), mode)
    words = (low.read(number, Int(32)) for number in (1, 2, 3))
    low.write(0, low.value("asm:simd", Int(32), *words, *(Const(Int(32), value) for value in how)))
