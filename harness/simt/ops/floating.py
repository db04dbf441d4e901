"""Expressions for float arithmetic and comparisons in generated code; min and max, fma, flushing of subnormals.

float32 stays float32; a bfloat is computed in float32 and rounded after each
operation. NumPy rounds each operation once, to nearest, ties to even.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.simt.ir.values import bfloat_round

__all__ = ["BINARY", "COMPARE", "MAXIMUM", "MAXNUM", "MINIMUM", "MINNUM", "flush_subnormals", "fma", "fma_bfloat"]

Floats: TypeAlias = NDArray[np.floating[Any]]

BINARY = {
    "fadd": "{a} + {b}",
    "fsub": "{a} - {b}",
    "fmul": "{a} * {b}",
    "fdiv": "{a} / {b}",
    "frem": "fmod({a}, {b})",
}
COMPARE = {
    "false": "({a} != {a}) & ({a} == {a}) & ({b} == {b})",
    "oeq": "{a} == {b}",
    "ogt": "{a} > {b}",
    "oge": "{a} >= {b}",
    "olt": "{a} < {b}",
    "ole": "{a} <= {b}",
    "one": "({a} < {b}) | ({a} > {b})",
    "ord": "({a} == {a}) & ({b} == {b})",
    "ueq": "~(({a} < {b}) | ({a} > {b}))",
    "ugt": "~({a} <= {b})",
    "uge": "~({a} < {b})",
    "ult": "~({a} >= {b})",
    "ule": "~({a} > {b})",
    "une": "{a} != {b}",
    "uno": "({a} != {a}) | ({b} != {b})",
    "true": "({a} == {a}) | ({a} != {a}) | ({b} == {b})",
}


# minnum ignores a NaN, minimum returns it. LLVM leaves the order of zeros open
# in minnum; every GPU here takes -0 as the smaller, as minimum does.
def _extreme(pick: Callable[[Floats, Floats], Floats], lower: bool, left: Floats, right: Floats) -> Floats:
    result = pick(left, right)
    zeros = (left == 0) & (right == 0)
    if not zeros.any():
        return result
    return np.where(zeros, np.where(np.signbit(left) == lower, left, right), result)


MAXNUM, MINNUM = partial(_extreme, np.fmax, False), partial(_extreme, np.fmin, True)
MAXIMUM, MINIMUM = partial(_extreme, np.maximum, False), partial(_extreme, np.minimum, True)


def flush_subnormals(value: Floats) -> Floats:
    """Return subnormal halves and float32 as zeros of the same sign; other numbers, and doubles, are unchanged."""
    if value.dtype == np.float64:
        return value
    small = np.abs(value) < np.finfo(value.dtype).tiny
    return np.where(small, np.copysign(value.dtype.type(0), value), value) if small.any() else value


def _two_sum(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return the rounded sum and its exact rounding error."""
    total = left + right
    part = total - left
    return total, (left - (total - part)) + (right - part)


def _round_to_odd(total: Floats, lost: Floats) -> Floats:
    """Return double sums with the last bit of inexact ones set, so that rounding again is correct.

    An even sum is moved by one step toward the exact sum; infinities and NaNs stay. The argument itself is returned if
    nothing changes.

    Args:
        lost: What the exact sums have besides `total`.
    """
    bits = total.view(np.int64)
    needs_odd = (lost != 0) & (bits & 1 == 0) & np.isfinite(total)
    if not needs_odd.any():
        return total
    away = (lost > 0) == (total > 0)
    return np.where(needs_odd, bits + np.where(away, 1, -1), bits).view(np.float64)


def fma(left: Floats, right: Floats, addend: Floats) -> Floats:
    """Return `left * right + addend`, rounded once, for arrays of one dtype that broadcast; not for bfloats."""
    if left.dtype != np.float64:
        return _fma_as_double(left, right, addend).astype(left.dtype)
    left, right, addend = np.broadcast_arrays(left, right, addend)
    result = np.where(np.isinf(addend) & np.isfinite(left) & np.isfinite(right), addend, left * right + addend)
    for position in np.argwhere(np.isfinite(left) & np.isfinite(right) & np.isfinite(addend)):
        at = tuple(position)
        result[at] = _fma_exact(float(left[at]), float(right[at]), float(addend[at]))
    return result


def fma_bfloat(left: Floats, right: Floats, addend: Floats) -> Floats:
    """Return `left * right + addend` for bfloats that are stored as float32, rounded once to a bfloat."""
    return bfloat_round(_fma_as_double(left, right, addend))


def _fma_as_double(left: Floats, right: Floats, addend: Floats) -> Floats:
    """Return `left * right + addend` of halves or float32 as doubles rounded to odd: rounding them again is correct."""
    product = left.astype(np.float64) * right.astype(np.float64)  # exact
    shape = np.broadcast_shapes(product.shape, addend.shape)
    total, lost = _two_sum(product, np.broadcast_to(addend.astype(np.float64), shape))
    lost = np.where(np.isfinite(total), lost, 0.0)
    return _round_to_odd(np.ascontiguousarray(total), lost)


def _fma_exact(left: float, right: float, addend: float) -> float:
    """Return the fused multiply-add of three finite doubles by exact fractions; overflow gives infinity."""
    from fractions import Fraction

    total = Fraction(left) * Fraction(right) + Fraction(addend)
    if total == 0:  # the sign of an exact zero
        return left * right + addend if left * right == addend == 0 else 0.0
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf
