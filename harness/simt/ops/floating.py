"""Floating-point arithmetic and comparison, lane-wise.

float32 stays float32; a bfloat is computed in float32 and rounded after each
operation. NumPy rounds each of these once, to nearest, ties to even.
"""

import numpy as np

__all__ = ["BINARY", "COMPARE", "fma"]

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


def _two_sum(left, right):
    """The rounded sum and what the rounding lost, exactly."""
    total = left + right
    part = total - left
    return total, (left - (total - part)) + (right - part)


def _to_odd(total, lost):
    """Makes the last bit of an inexact float64 sum odd, toward the exact sum."""
    bits = total.view(np.int64)
    even = (lost != 0) & (bits & 1 == 0) & np.isfinite(total)
    if not even.any():
        return total
    away = (lost > 0) == (total > 0)
    return np.where(even, bits + np.where(away, 1, -1), bits).view(np.float64)


def _split(value):
    high = value * 134217729.0
    high = high - (high - value)
    return high, value - high


def fma(left, right, addend):
    """`left * right + addend` with a single rounding."""
    dtype = left.dtype
    if dtype != np.float64:
        wide = np.float64
        product = left.astype(wide) * right.astype(wide)  # exact
        total, lost = _two_sum(product, np.broadcast_to(addend.astype(wide),
                               np.broadcast_shapes(product.shape, addend.shape)))  # fmt: skip
        lost = np.where(np.isfinite(total), lost, 0.0)
        return _to_odd(np.ascontiguousarray(total), lost).astype(dtype)
    product = left * right
    lh, ll = _split(left)
    rh, rl = _split(right)
    lost = ((lh * rh - product) + lh * rl + ll * rh) + ll * rl
    high, low = _two_sum(addend, lost)
    top, rest = _two_sum(product, high)
    tail, more = _two_sum(rest, low)
    exact = top + _to_odd(np.ascontiguousarray(tail), more)
    return np.where(np.isfinite(lost) & np.isfinite(exact), exact, product + addend)
