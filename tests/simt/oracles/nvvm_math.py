"""NVIDIA's arithmetic and conversions with a rounding that is not the usual one, as its library for devices uses them.

See: https://docs.nvidia.com/cuda/nvvm-ir-spec/ and, for what does not fit, the `cvt` of PTX.
"""

import numpy as np

from harness.simt.arrays import Array
from harness.simt.intrinsics.handlers import Pure, Typed
from harness.simt.ir.types import Float, Vector, bits_of, dtype_of
from harness.simt.ops.floating import flush_subnormals, fma
from tests.simt.oracles.declared import Call as Op
from tests.simt.oracles.declared import pure, typed
from tests.simt.oracles.rounding import DIRECTIONS, WHOLE, directed, from_integer, narrowed, to_integer

__all__: list[str] = []

NAME = "llvm.nvvm"
MODES = ("rn", *DIRECTIONS)
NEAREST: dict[str, Pure] = {
    "add": np.add,
    "mul": np.multiply,
    "fma": fma,
    "div": np.divide,
    "rcp": lambda value: value.dtype.type(1) / value,
    "sqrt": np.sqrt,
}


def _half_bits(values: Array) -> Array:
    """Return halves as bits; a NaN as an H200 gives it."""
    return np.where(np.isnan(values), np.int16(0x7FFF), values.astype(np.float16).view(np.int16))


def flushing(function: Pure) -> Pure:
    """Return a function for which subnormal operands and results become zero of the same sign."""

    def apply(*values: Array) -> Array:
        return flush_subnormals(function(*map(flush_subnormals, values)))

    return apply


for name, nearest in NEAREST.items():
    for mode in MODES:
        if mode == "rn" and name != "rcp":  # which is an instruction of LLVM's own
            continue
        function = nearest if mode == "rn" else directed(name, mode, nearest)
        pure(f"{NAME}.{name}.{mode}.f", f"{NAME}.{name}.{mode}.d")(function)
        pure(f"{NAME}.{name}.{mode}.ftz.f")(flushing(function))


def _result(op: Op) -> str:
    """The kind of float that comes out, as the type of the call says."""
    ty = op.type.element if isinstance(op.type, Vector) else op.type
    assert isinstance(ty, Float)
    return ty.name


def _whole(mode: str, signed: bool, read: Pure = lambda values: values) -> Typed:
    return lambda op: lambda values: to_integer(read(values), mode, bits_of(op.type), signed)


def _floating(mode: str, signed: bool) -> Typed:
    return lambda op: lambda values: from_integer(values, mode, _result(op), signed)


def _narrow(mode: str) -> Typed:
    return lambda op: lambda values: narrowed(values, mode, _result(op))


# What integers are called, and whether they are signed.
INTEGERS = {"i": True, "ui": False, "ll": True, "ull": False}
for letters, signed in INTEGERS.items():
    for mode in MODES:
        for letter in "fd":
            typed(f"{NAME}.{letter}2{letters}.{mode}")(_whole(mode, signed))
            if mode == "rn" or letter == "f" or "ll" in letters:  # every integer of 32 bits is a double
                typed(f"{NAME}.{letters}2{letter}.{mode}")(_floating(mode, signed))
        typed(f"{NAME}.f2{letters}.{mode}.ftz")(_whole(mode, signed, flush_subnormals))
for mode in MODES:
    pure(f"{NAME}.d2f.{mode}")(lambda values, mode=mode: narrowed(values, mode, "float"))
    pure(f"{NAME}.d2f.{mode}.ftz")(lambda values, mode=mode: flush_subnormals(narrowed(values, mode, "float")))
pure(f"{NAME}.f2h.rn")(lambda values: _half_bits(values))
pure(f"{NAME}.f2h.rn.ftz")(lambda values: _half_bits(flush_subnormals(values)))
typed("llvm.convert.from.fp16")(lambda op: lambda values: values.view(np.float16).astype(dtype_of(op.type)))
for name, mode in {"floor": "rm", "ceil": "rp", "trunc": "rz", "round": "rn"}.items():
    pure(f"{NAME}.{name}.ftz.f")(flushing(WHOLE[mode]))
    pure(f"{NAME}.{name}.d")(WHOLE[mode])


# What assembly is lowered to, where LLVM has no name for it.
for mode in MODES:
    for word, signed in (("s", True), ("u", False)):
        typed(f"asm:cvt.{mode}.{word}.f")(_whole(mode, signed))
        if mode != "rn":
            typed(f"asm:cvt.{mode}.f.{word}")(_floating(mode, signed))
    if mode != "rn":
        typed(f"asm:cvt.{mode}.f.f")(_narrow(mode))


pure(f"{NAME}.fabs.ftz")(flushing(np.abs))


@pure(f"{NAME}.rcp.approx.ftz.d")
def gross_reciprocal(value: Array) -> Array:
    """Return reciprocals of which only the upper 32 bits count, as those of the operand do."""

    def upper(values: Array) -> Array:
        sign = np.copysign(0.0, values)
        normal = np.where(np.abs(values) < np.finfo(np.float64).tiny, sign, values)
        words = np.ascontiguousarray(normal).view(np.uint32).reshape(-1, 2).copy()
        words[:, 0] = 0  # the lower one: hosts are little-endian
        return words.view(np.float64).reshape(values.shape)

    with np.errstate(all="ignore"):
        return np.where(np.isnan(value), np.nan, upper(1.0 / upper(value)))


pure(f"{NAME}.rsqrt.approx.d")(lambda value: 1.0 / np.sqrt(value))


# Doubles as two words.
pure(f"{NAME}.d2i.lo")(lambda value: np.ascontiguousarray(value).view(np.int32).reshape(-1, 2)[:, 0])
pure(f"{NAME}.d2i.hi")(lambda value: np.ascontiguousarray(value).view(np.int32).reshape(-1, 2)[:, 1])


@pure(f"{NAME}.lohi.i2d")
def double_of(low: Array, high: Array) -> Array:
    """The double whose halves two words are."""
    return (high.astype(np.int64) << 32 | low.astype(np.int64) & 0xFFFFFFFF).view(np.float64)
