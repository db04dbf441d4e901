"""NVIDIA's integer instructions that LLVM has no operation for: upper halves, sums of differences, small dot products.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.intrinsics.handlers import Pure
from harness.simt.ir.types import bits_of
from harness.simt.ir.values import wrap_int
from harness.simt.ops.integer import unpack_fields, unsigned
from tests.simt.oracles.declared import Call as Op
from tests.simt.oracles.declared import pure, typed

__all__: list[str] = []

NAME = "llvm.nvvm"


def _wide(value: Array, signed: bool) -> Integers:
    """The value of an integer, of 64 bits as one without a limit."""
    wide = value if signed else unsigned(value)
    return wide.astype(object if value.dtype.itemsize == 8 else np.int64)


def _low(value: Array, bits: int) -> Array:
    """The lowest bits of one."""
    return wrap_int(value, bits).astype(f"i{bits // 8}")


def _upper(signed: bool, left: Array, right: Array) -> Array:
    bits = 8 * left.dtype.itemsize
    return _low(_wide(left, signed) * _wide(right, signed) >> bits, bits)


def _difference(signed: bool, left: Array, right: Array, addend: Array) -> Array:
    """What two numbers differ by, added to a third."""
    bits = 8 * left.dtype.itemsize
    return _low(np.abs(_wide(left, signed) - _wide(right, signed)) + _wide(addend, True), bits)


for name, signed in {"s": True, "i": True, "ll": True, "us": False, "ui": False, "ull": False}.items():
    pure(f"{NAME}.mulhi.{name}")(partial(_upper, signed))
    pure(f"{NAME}.sad.{name}")(partial(_difference, signed))


def _short(value: Array, signed: bool) -> Integers:
    """The lowest 24 bits."""
    wide = value.astype(np.int64) & 0xFFFFFF
    return wide - ((wide >> 23) << 24) if signed else wide


for letter, signed in (("i", True), ("ui", False)):
    pure(f"{NAME}.mul24.{letter}")(lambda a, b, signed=signed: _low(_short(a, signed) * _short(b, signed), 32))
    pure(f"asm:mul24.hi.{letter}")(lambda a, b, signed=signed: _low(_short(a, signed) * _short(b, signed) >> 16, 32))


def _dot(first: bool, second: bool, left: Array, right: Array, addend: Array) -> Array:
    return _low((unpack_fields(left, 8, first) * unpack_fields(right, 8, second)).sum(1) + addend, 32)


def _dot_halves(first: bool, second: bool, left: Array, right: Array, upper: Array, addend: Array) -> Array:
    start = 2 if upper[0] else 0
    return _low(
        (unpack_fields(left, 16, first) * unpack_fields(right, 8, second)[:, start : start + 2]).sum(1) + addend, 32
    )


for first in "su":
    for second in "su":
        pure(f"{NAME}.idp4a.{first}.{second}")(partial(_dot, first == "s", second == "s"))
        pure(f"{NAME}.idp2a.{first}.{second}")(partial(_dot_halves, first == "s", second == "s"))


# What assembly is lowered to, where LLVM has no name for it.
def _shift(letter: str, value: Array, amount: Array) -> Array:
    """Shifts as PTX has them: an amount that is larger than the type counts as its bits."""
    bits = 8 * value.dtype.itemsize
    by = np.minimum(unsigned(amount, 32).astype(np.int64), bits)
    beyond, inside = by == bits, np.minimum(by, bits - 1)
    if letter == "s":
        shifted: Array = value >> inside.astype(value.dtype)
        return shifted
    wide = unsigned(value, bits)
    wide = wide << inside.astype(wide.dtype) if letter == "l" else wide >> inside.astype(wide.dtype)
    kept: Array = np.where(beyond, wide.dtype.type(0), wide)
    return kept.view(value.dtype)


for name, letter in {"shl": "l", "shr.u": "u", "shr.s": "s"}.items():
    pure(f"asm:{name}")(partial(_shift, letter))


def _each(function: Callable[..., int], *values: Array) -> Array:
    """A function of numbers, lane by lane."""
    columns = (part.tolist() for part in np.broadcast_arrays(*values))
    return np.array([function(*row) for row in zip(*columns, strict=True)], object)


@typed("asm:bfe.u", "asm:bfe.s")
def extract(op: Op) -> Pure:
    """Some bits from a place up, with zeros or their sign above."""
    signed, bits = op.callee.endswith(".s"), bits_of(op.type)

    def field(value: int, start: int, length: int) -> int:
        start, length = start & 0xFF, length & 0xFF
        taken = value >> start & (1 << length) - 1
        if not signed or length == 0:
            return taken
        # The sign is that of the uppermost bit that is there.
        sign = value >> min(start + length - 1, bits - 1) & 1
        known = max(0, min(length, bits - start))
        return taken & (1 << known) - 1 | (-(1 << known) if sign else 0)

    return lambda value, *places: _low(_each(field, unsigned(value, bits), *places), bits)


@typed("asm:bfi")
def insert(op: Op) -> Pure:
    """Some bits of one word in the place of those of another."""
    bits = bits_of(op.type)

    def field(own: int, old: int, start: int, length: int) -> int:
        mask = (1 << (length & 0xFF)) - 1 << (start & 0xFF)
        return old & ~mask | own << (start & 0xFF) & mask

    return lambda *values: _low(_each(field, *values), bits)


@typed("asm:bfind.u", "asm:bfind.s")
def highest(op: Op) -> Pure:
    """The place of the highest bit that is no sign; -1 where there is none."""
    signed = op.callee.endswith(".s")

    def apply(value: Array) -> Array:
        plain = np.where(value < 0, ~value, value) if signed else value
        return _each(lambda one: one.bit_length() - 1, unsigned(plain)).astype(np.int32)

    return apply


@pure("asm:fns")
def nth_set(word: Array, base: Array, offset: Array) -> Array:
    """The place of a set bit, so many from another on; -1 where there is none."""

    def place(bits: int, start: int, count: int) -> int:
        places = range(start, 32) if count >= 0 else range(min(start, 31), -1, -1)
        found = [place for place in places if bits >> place & 1]
        wanted = (abs(count) - 1) if count else (0 if bits >> start & 1 else len(found))
        return found[wanted] if 0 <= wanted < len(found) else -1

    return _each(place, unsigned(word), unsigned(base), offset).astype(np.int32)


for side, kept in (("l", 0), ("r", 1)):

    @pure(f"{NAME}.fsh{side}.clamp")
    def funnel(*values: Array, kept: int = kept) -> Array:
        """Return one word of two that are shifted together, by 32 at most."""

        def shifted(high: int, low: int, by: int) -> int:
            both, by = high << 32 | low, min(by, 32)
            return both >> by if kept else both << by >> 32

        return _low(_each(shifted, *(unsigned(value) for value in values)), 32)


def _ones(start: int, count: int) -> int:
    return (1 << min(count, 32)) - 1 << min(start, 32)


def _kept(value: int, count: int) -> int:
    return value & _ones(0, count)


def _of_words(function: Callable[..., int], *values: Array) -> Array:
    return _low(_each(function, *map(unsigned, values)), 32)


pure(f"{NAME}.bmsk.clamp")(partial(_of_words, _ones))
pure(f"{NAME}.bmsk.wrap")(partial(_of_words, lambda start, count: _ones(start & 31, count & 31)))
pure(f"{NAME}.zext.clamp")(partial(_of_words, _kept))
pure(f"{NAME}.zext.wrap")(partial(_of_words, lambda value, count: _kept(value, count & 31)))


def _with_sign(value: int, count: int) -> int:
    count = min(count, 32)
    kept = _kept(value, count)
    return kept - (1 << count) if count and kept >> count - 1 else kept


pure(f"{NAME}.sext.clamp")(partial(_of_words, _with_sign))
pure(f"{NAME}.sext.wrap")(partial(_of_words, lambda value, count: _with_sign(value, count & 31)))
