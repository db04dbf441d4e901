"""LLVM's integers: extremes, overflow, bit counts, reductions; `fptosi.sat`, `ptrmask`, `assume`, ignored hints."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans
from harness.simt.compile.graph import Op
from harness.simt.compile.registry import declare_ignored, stateful, typed
from harness.simt.intrinsics.handlers import Call, Pure
from harness.simt.ir.types import bits_of, dtype_of
from harness.simt.ir.values import wrap_int
from harness.simt.ops.cast import make_converter
from harness.simt.ops.integer import limits, unsigned, with_sign

__all__: list[str] = []

declare_ignored(
    "llvm.dbg.value",
    "llvm.dbg.declare",
    "llvm.dbg.label",
    "llvm.donothing",
    "llvm.experimental.noalias.scope.decl",
    "llvm.prefetch",
    "llvm.sideeffect",
    "llvm.lifetime.end",
    "llvm.invariant.end",
    "llvm.codeview.annotation",
    "llvm.var.annotation",
    "llvm.pseudoprobe",
)


def _width(op: Op) -> int:
    return bits_of(op.operands[0].type)


@typed("llvm.ptrmask", compiled="mask")
def mask_pointer(op: Op) -> Pure:
    """Return a function that clears the bits of an address that a mask lacks; bits above the mask's width are kept."""
    bits = bits_of(op.operands[1].type)
    above = np.int64(-1 << bits if bits < 64 else 0)
    return lambda pointer, mask: pointer & (mask.astype(np.int64) | above)


@typed("llvm.abs", compiled="llvm.abs")
def absolute(op: Op) -> Pure:
    """Return a function that computes the absolute value; the least integer is its own.

    The function ignores its second argument.
    """
    bits = _width(op)
    return lambda value, _poison: wrap_int(np.abs(value), bits)


def _to_signed_form(result: Array, bits: int, dtype: np.dtype[Any]) -> Array:
    """Return integers, signed or unsigned, in the simulator's signed representation."""
    return wrap_int(result.astype(dtype), bits)


def _extreme(ufunc: np.ufunc, read: Callable[[Array, int], Array], op: Op) -> Pure:
    bits = _width(op)
    return lambda left, right: _to_signed_form(ufunc(read(left, bits), read(right, bits)), bits, left.dtype)


def _reduce_extreme(ufunc: np.ufunc, read: Callable[[Array, int], Array], op: Op) -> Pure:
    bits = _width(op)
    return lambda value: _to_signed_form(ufunc.reduce(read(value, bits), axis=1), bits, value.dtype)


for letter, read in {"s": with_sign, "u": unsigned}.items():
    for name, ufunc in {"max": np.maximum, "min": np.minimum}.items():
        typed(f"llvm.{letter}{name}", compiled=f"llvm.{letter}{name}")(partial(_extreme, ufunc, read))
        typed(f"llvm.vector.reduce.{letter}{name}", compiled=f"combine.{letter}{name}")(
            partial(_reduce_extreme, ufunc, read)
        )


def _compare(signed: bool, op: Op) -> Pure:
    bits, dtype = _width(op), dtype_of(op.type)

    def run(left: Array, right: Array) -> Array:
        read = with_sign if signed else unsigned
        left, right = read(left, bits), read(right, bits)
        result: Array = (left > right).astype(dtype) - (left < right).astype(dtype)
        return result

    return run


typed("llvm.scmp", compiled="order.s")(partial(_compare, True))
typed("llvm.ucmp", compiled="order.u")(partial(_compare, False))


def _wide(value: Array, bits: int, signed: bool) -> Array:
    return (with_sign if signed else unsigned)(value, bits).astype(object)


EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}


def _overflowing(name: str, signed: bool, saturates: bool, op: Op) -> Pure:
    """Return a function of two integers that returns (wrapped result, whether it overflowed).

    If `saturates`, the function returns one array, the exact result clamped to the type's range.

    Args:
        name: `add`, `sub` or `mul`.
        signed: Whether operands and result are read as signed.
    """
    bits = _width(op)
    low, high = limits(bits, signed)

    def run(left: Array, right: Array) -> Array | tuple[Array, Booleans]:
        wide = EXACT[name](_wide(left, bits, signed), _wide(right, bits, signed))
        if saturates:
            return wrap_int(np.minimum(np.maximum(wide, low), high), bits).astype(left.dtype)
        return wrap_int(wide, bits).astype(left.dtype), ((wide < low) | (wide > high)).astype(bool)

    return run


for letter, signed in (("s", True), ("u", False)):
    for name in EXACT:
        typed(f"llvm.{letter}{name}.with.overflow", compiled="overflow")(partial(_overflowing, name, signed, False))
    for name in ("add", "sub"):
        typed(f"llvm.{letter}{name}.sat", compiled=f"llvm.{letter}{name}.sat")(
            partial(_overflowing, name, signed, True)
        )


@typed("llvm.fptosi.sat", "llvm.fptoui.sat", compiled="saturate")
def convert_saturating(op: Op) -> Pure:
    """Return a conversion of floats to integers, toward zero, that saturates; a NaN becomes 0."""
    return make_converter("fptosi" if "fptosi" in op.callee else "fptoui", op.operands[0].type, op.type)


@typed("llvm.ctpop", "air.popcount", compiled="llvm.ctpop")
def count_ones(op: Op) -> Pure:
    """Return a function that counts the bits that are 1."""
    bits = _width(op)
    return lambda value: wrap_int(np.bitwise_count(unsigned(value, bits)).astype(value.dtype), bits)


def _of_bits(function: Callable[[int, int], int], op: Op) -> Pure:
    """Return a function that applies `function(unsigned value, width)` to each value; further arguments are ignored."""
    bits = _width(op)

    def run(value: Array, *_: Array) -> Array:
        results = [function(int(each), bits) for each in unsigned(value, bits).ravel()]
        return wrap_int(np.array(results, object).reshape(value.shape), bits).astype(value.dtype)

    return run


count_leading_zeros = partial(_of_bits, lambda number, bits: bits - number.bit_length())
count_trailing_zeros = partial(_of_bits, lambda number, bits: (number & -number).bit_length() - 1 if number else bits)
swap_bytes = partial(_of_bits, lambda number, bits: int.from_bytes(number.to_bytes(bits // 8, "big"), "little"))
reverse_bits = partial(_of_bits, lambda number, bits: int(f"{number:0{bits}b}"[::-1], 2))
typed("llvm.ctlz", "air.clz", compiled="llvm.ctlz")(count_leading_zeros)
typed("llvm.cttz", "air.ctz", compiled="llvm.cttz")(count_trailing_zeros)
typed("llvm.bswap", compiled="llvm.bswap")(swap_bytes)
typed("llvm.bitreverse", "air.reverse_bits", compiled="llvm.bitreverse")(reverse_bits)


def _funnel(left_shift: bool, op: Op) -> Pure:
    bits = _width(op)

    def run(high: Array, low: Array, amount: Array) -> Array:
        amount = unsigned(amount, bits).astype(object) % bits
        both = unsigned(high, bits).astype(object) << bits
        both = both | unsigned(low, bits).astype(object)
        shifted = both << amount >> bits if left_shift else both >> amount
        return wrap_int(shifted, bits).astype(high.dtype)

    return run


typed("llvm.fshl", compiled="llvm.fshl")(partial(_funnel, True))
typed("llvm.fshr", compiled="llvm.fshr")(partial(_funnel, False))


@stateful("llvm.assume", compiled="assume")
def assume(call: Call) -> None:
    """Report lanes in which an assumption does not hold, and go on."""
    if call.values and not call.values[0].all():
        wrong = np.flatnonzero(~call.values[0]) if len(call.values[0]) > 1 else np.arange(call.lanes.n)
        call.report("broken-assumption", wrong)


REDUCTIONS: dict[str, np.ufunc] = {
    "add": np.add,
    "mul": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _reduce(ufunc: np.ufunc, op: Op) -> Pure:
    bits = bits_of(op.type)
    combine = np.bitwise_xor if bits == 1 and ufunc is np.add else ufunc
    return lambda value: wrap_int(combine.reduce(value, axis=1, dtype=value.dtype), bits)


for name, reduction in REDUCTIONS.items():
    typed(f"llvm.vector.reduce.{name}", compiled=f"combine.{name}")(partial(_reduce, reduction))
