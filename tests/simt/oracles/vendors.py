"""What Apple's and AMD's functions of all types compute, by NumPy; each is written out in `harness.simt.intrinsics`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from harness.simt.arrays import Array
from harness.simt.intrinsics.handlers import Pure
from harness.simt.ir.types import Float, Int, bits_of, dtype_of
from harness.simt.ops.cast import make_converter, saturate
from harness.simt.ops.floating import MAXNUM, MINNUM
from harness.simt.ops.integer import limits, unsigned
from tests.simt.against_llvm.row import Row

__all__ = ["entries"]

INTEGERS: dict[str, tuple[int, Pure]] = {
    "max": (2, np.maximum),
    "min": (2, np.minimum),
    "clamp": (3, lambda value, low, high: np.minimum(np.maximum(value, low), high)),
    "abs": (1, np.abs),
    "abs_diff": (2, lambda left, right: np.maximum(left, right) - np.minimum(left, right)),
    "mul_hi": (2, lambda a, b: (a.astype(object) * b.astype(object) >> 8 * a.itemsize).astype(a.dtype)),
}
FLOATS = {"half": "f16", "float": "f32", "double": "f64"}
WORDS = ("i8", "i16", "i32", "i64")


def _type(text: str) -> Any:
    return Float(text) if text in FLOATS else Int(int(text[1:]))


def _entry(name: str, oracle: Pure, returns: str, *takes: str) -> tuple[Any, ...]:
    """A call as a row, with its oracle and its types."""
    given = ", ".join(f"{ty} %{place}" for ty, place in zip(takes, "abc", strict=False))
    row = Row(name, f"%r = call {returns} @{name}({given})", takes, returns)
    return row, oracle, tuple(map(_type, takes)), _type(returns)


def _integer(sign: str, compute: Pure, *values: Array) -> Array:
    """A function of integers that are read with a sign or without."""
    read = (unsigned(value) if sign == "u" else value for value in values)
    return compute(*read).view(values[0].dtype)


def round_away(value: Array) -> Array:
    """Return the nearest integer; halves go away from zero."""
    integral = np.trunc(value)
    away = np.abs(value - integral) >= value.dtype.type(0.5)
    return np.copysign(np.where(away, integral + np.copysign(value.dtype.type(1), value), integral), value)


def fraction(value: Array) -> Array:
    """Return what is above the floor; below one also where a difference rounds to it."""
    one = value.dtype.type(1)
    return np.minimum(value - np.floor(value), np.nextafter(one, -one))


def scale(value: Array, exponent: Array) -> Array:
    """Return a number times a power of two."""
    return np.ldexp(value, np.clip(exponent, -5000, 5000).astype(np.int32))


def median(left: Array, middle: Array, right: Array) -> Array:
    """Return the second of three numbers; next to a NaN the least, and -0 is less than 0."""
    least = MINNUM(MINNUM(left, middle), right)
    second = MAXNUM(MINNUM(left, middle), MINNUM(MAXNUM(left, middle), right))
    return np.where(np.isnan(left) | np.isnan(middle) | np.isnan(right), least, second)


def _converted(to: str, kind: str, source: Any, target: Any) -> Pure:
    """A conversion from a kind of number (`f`, `s`, `u`) to another."""
    if to == "f":
        return make_converter({"s": "sitofp", "u": "uitofp"}.get(kind, "fptrunc"), source, target)
    dtype, bits = dtype_of(target), bits_of(target)

    def run(values: Array) -> Array:
        if kind == "f":
            integers = np.dtype(f"{'u' if to == 'u' else 'i'}{dtype.itemsize}")
            return saturate(values, *limits(bits, to != "u"), integers).view(dtype)
        return (unsigned(values, bits_of(source)) if kind == "u" else values).astype(dtype)

    return run


def _conversions() -> Iterator[tuple[Any, ...]]:
    """Yield conversions; the compiled engine has none from a double to a half, which would round twice."""
    for start in (*WORDS, *FLOATS):
        for end in (*WORDS, *FLOATS):
            if start == end or (start, end) == ("double", "half"):
                continue
            for kind in "f" if start in FLOATS else "su":
                for to in "f" if end in FLOATS else "su":
                    names = (FLOATS.get(end, end), FLOATS.get(start, start))
                    oracle = _converted(to, kind, _type(start), _type(end))
                    yield _entry(f"air.convert.{to}.{names[0]}.{kind}.{names[1]}", oracle, end, start)


def entries() -> Iterator[tuple[Any, ...]]:
    """Yield all calls, each with its oracle, the types that it takes and the one that it gives."""
    for word in WORDS:
        for sign in "su":
            for name, (count, compute) in INTEGERS.items():
                yield _entry(f"air.{name}.{sign}.{word}", partial(_integer, sign, compute), word, *[word] * count)
    for name, suffix in FLOATS.items():
        yield _entry(f"air.round.{suffix}", round_away, name, name)
        yield _entry(f"air.fast_round.{suffix}", round_away, name, name)
        yield _entry(f"air.fract.{suffix}", fraction, name, name)
        yield _entry(f"llvm.amdgcn.fract.{suffix}", fraction, name, name)
        yield _entry(f"air.ldexp.{suffix}.i32", scale, name, name, "i32")
        if name != "double":
            yield _entry(f"llvm.amdgcn.fmed3.{suffix}", median, name, name, name, name)
    yield from _conversions()
