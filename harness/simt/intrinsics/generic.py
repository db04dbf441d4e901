"""LLVM's own integer intrinsics, and those that say something to the optimiser."""

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


@typed("llvm.ptrmask", native="mask")
def mask_pointer(op: Op) -> Pure:
    """Some bits of an address alone; the mask is as wide as an offset, and what is above it stays."""
    bits = bits_of(op.operands[1].type)
    above = np.int64(-1 << bits if bits < 64 else 0)
    return lambda pointer, mask: pointer & (mask.astype(np.int64) | above)


@typed("llvm.abs", native="llvm.abs")
def absolute(op: Op) -> Pure:
    """The absolute value; of the smallest number itself."""
    bits = _width(op)
    return lambda value, _poison: wrap_int(np.abs(value), bits)


def _as_before(result: Array, bits: int, dtype: np.dtype[Any]) -> Array:
    """Integers read with or without a sign, as they lie."""
    return wrap_int(result.astype(dtype), bits)


def _extreme(ufunc: np.ufunc, read: Callable[[Array, int], Array], op: Op) -> Pure:
    bits = _width(op)
    return lambda left, right: _as_before(ufunc(read(left, bits), read(right, bits)), bits, left.dtype)


def _most(ufunc: np.ufunc, read: Callable[[Array, int], Array], op: Op) -> Pure:
    bits = _width(op)
    return lambda value: _as_before(ufunc.reduce(read(value, bits), axis=1), bits, value.dtype)


for letter, read in {"s": with_sign, "u": unsigned}.items():
    for name, ufunc in {"max": np.maximum, "min": np.minimum}.items():
        typed(f"llvm.{letter}{name}", native=f"llvm.{letter}{name}")(partial(_extreme, ufunc, read))
        typed(f"llvm.vector.reduce.{letter}{name}", native=f"combine.{letter}{name}")(partial(_most, ufunc, read))


def _compared(signed: bool, op: Op) -> Pure:
    bits, dtype = _width(op), dtype_of(op.type)

    def run(left: Array, right: Array) -> Array:
        read = with_sign if signed else unsigned
        left, right = read(left, bits), read(right, bits)
        result: Array = (left > right).astype(dtype) - (left < right).astype(dtype)
        return result

    return run


typed("llvm.scmp", native="order.s")(partial(_compared, True))
typed("llvm.ucmp", native="order.u")(partial(_compared, False))


def _wide(value: Array, bits: int, signed: bool) -> Array:
    return (with_sign if signed else unsigned)(value, bits).astype(object)


EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}


def _limited(name: str, signed: bool, saturates: bool, op: Op) -> Pure:
    """What may leave the range of the type: it stays at its end, or is told beside what is left of it."""
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
        typed(f"llvm.{letter}{name}.with.overflow", native="overflow")(partial(_limited, name, signed, False))
    for name in ("add", "sub"):
        typed(f"llvm.{letter}{name}.sat", native=f"llvm.{letter}{name}.sat")(partial(_limited, name, signed, True))


@typed("llvm.fptosi.sat", "llvm.fptoui.sat", native="saturate")
def saturating_convert(op: Op) -> Pure:
    """Float to integer, clamped; NaN to 0."""
    return make_converter("fptosi" if "fptosi" in op.callee else "fptoui", op.operands[0].type, op.type)


@typed("llvm.ctpop", "air.popcount", native="llvm.ctpop")
def ones(op: Op) -> Pure:
    """The number of one bits."""
    bits = _width(op)
    return lambda value: wrap_int(np.bitwise_count(unsigned(value, bits)).astype(value.dtype), bits)


def _of_bits(function: Callable[[int, int], int], op: Op) -> Pure:
    """A function of each value's bits, as a number without a sign, and of how many they are."""
    bits = _width(op)

    def run(value: Array, *_: Array) -> Array:
        results = [function(int(each), bits) for each in unsigned(value, bits).ravel()]
        return wrap_int(np.array(results, object).reshape(value.shape), bits).astype(value.dtype)

    return run


leading = partial(_of_bits, lambda number, bits: bits - number.bit_length())
trailing = partial(_of_bits, lambda number, bits: (number & -number).bit_length() - 1 if number else bits)
swapped = partial(_of_bits, lambda number, bits: int.from_bytes(number.to_bytes(bits // 8, "big"), "little"))
reverse = partial(_of_bits, lambda number, bits: int(f"{number:0{bits}b}"[::-1], 2))
typed("llvm.ctlz", "air.clz", native="llvm.ctlz")(leading)
typed("llvm.cttz", "air.ctz", native="llvm.cttz")(trailing)
typed("llvm.bswap", native="llvm.bswap")(swapped)
typed("llvm.bitreverse", "air.reverse_bits", native="llvm.bitreverse")(reverse)


def _funnel(left_shift: bool, op: Op) -> Pure:
    bits = _width(op)

    def run(high: Array, low: Array, amount: Array) -> Array:
        amount = unsigned(amount, bits).astype(object) % bits
        both = unsigned(high, bits).astype(object) << bits
        both = both | unsigned(low, bits).astype(object)
        shifted = both << amount >> bits if left_shift else both >> amount
        return wrap_int(shifted, bits).astype(high.dtype)

    return run


typed("llvm.fshl", native="llvm.fshl")(partial(_funnel, True))
typed("llvm.fshr", native="llvm.fshr")(partial(_funnel, False))


@stateful("llvm.assume", native="assume")
def assume(call: Call) -> None:
    """An assumption that does not hold is undefined behaviour."""
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


def _reduced(ufunc: np.ufunc, op: Op) -> Pure:
    bits = bits_of(op.type)
    own = np.bitwise_xor if bits == 1 and ufunc is np.add else ufunc
    return lambda value: wrap_int(own.reduce(value, axis=1, dtype=value.dtype), bits)


for name, reduction in REDUCTIONS.items():
    typed(f"llvm.vector.reduce.{name}", native=f"combine.{name}")(partial(_reduced, reduction))
