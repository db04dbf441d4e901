"""What floats of 16 bits must give: exact fractions, rounded once. LLVM computes them as float, and so rounds twice."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from tests.simt.exact import rounded

__all__ = ["exactly"]

FINITE = 1 << 12  # beyond any exponent


def _sum(name, a, b):
    return _rounded(name, a + b, a, b, exact=lambda x, y: x + y)


def _difference(name, a, b):
    return _sum(name, a, -b)


def _product(name, a, b):
    return _rounded(name, a * b, a, b, exact=lambda x, y: x * y)


def _quotient(name, a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return _rounded(name, a / b, a, b, exact=lambda x, y: x / y)


def _remainder(name, a, b):
    if b == 0 or math.isinf(a) or a != a or b != b:
        return math.nan
    return math.fmod(a, b)  # exact


def _fused(name, a, b, c):
    return _rounded(name, a * b + c, a, b, c, exact=lambda x, y, z: x * y + z)


def _rounded(name, special, *operands, exact):
    """A function rounded once; what has no fraction, and the sign of zero, double precision has too."""
    if not all(map(math.isfinite, operands)):
        return special
    value = exact(*map(Fraction, operands))
    return rounded(value, name) if value else special


def _root(name, a):
    if not a > 0 or a == math.inf:
        return a if a >= 0 else math.nan
    scaled = Fraction(a) * Fraction(4) ** 160
    whole = math.isqrt(math.floor(scaled))
    beyond = Fraction(whole * whole != scaled, 2)  # that it is above decides a tie
    return rounded((whole + beyond) / Fraction(2) ** 160, name)


def _convert(name, a):
    if isinstance(a, float) and (not math.isfinite(a) or a == 0):
        return a
    return rounded(Fraction(a), name)


def _whole(how):
    def function(_name, a):
        return math.copysign(how(a), a) if math.isfinite(a) else a

    return function


def _number(how):
    def function(_name, a):
        return round(math.copysign(how(a), a)) if math.isfinite(a) else 0

    return function


def _away(a):
    return math.floor(abs(a) + Fraction(1, 2))


def _scaled(name, a, exponent):
    if not math.isfinite(a) or a == 0:
        return a
    return rounded(Fraction(a) * Fraction(2) ** max(min(exponent, FINITE), -FINITE), name)


def _extreme(choose, keeps_nan):
    def function(_name, a, b):
        if a != a or b != b:
            return math.nan if keeps_nan or (a != a and b != b) else (b if a != a else a)
        return choose(a, b, key=lambda number: (number, math.copysign(1, number)))

    return function


def _integer(saturates):
    def function(_name, a, low, high):
        if not math.isfinite(a):
            return 0 if a != a or not saturates else (low if a < 0 else high)
        return min(max(math.trunc(a), low), high) if saturates else math.trunc(a)

    return function


def _all(function):
    """Of a start and a vector: one element after another."""

    def chain(name, start, vector):
        (start,) = start
        for element in vector:
            start = function(name, start, element)
        return start

    return chain


def _most(function):
    """The most extreme element of a vector."""

    def chain(name, vector):
        first, *others = vector
        for element in others:
            first = function(name, first, element)
        return first

    return chain


FUNCTIONS = {
    "fadd": _sum,
    "fsub": _difference,
    "fmul": _product,
    "fdiv": _quotient,
    "frem": _remainder,
    "fptrunc": _convert,
    "fpext": _convert,
    "sitofp": _convert,
    "uitofp": _convert,
    "fptosi": _integer(False),
    "fptoui": _integer(False),
    "llvm.fptosi.sat": _integer(True),
    "llvm.fptoui.sat": _integer(True),
    "llvm.fma": _fused,
    "llvm.fmuladd": _fused,
    "llvm.sqrt": _root,
    "llvm.canonicalize": _convert,
    "llvm.floor": _whole(math.floor),
    "llvm.ceil": _whole(math.ceil),
    "llvm.trunc": _whole(math.trunc),
    "llvm.rint": _whole(round),
    "llvm.nearbyint": _whole(round),
    "llvm.roundeven": _whole(round),
    "llvm.round": _whole(_away),
    "llvm.lround": _number(_away),
    "llvm.llround": _number(_away),
    "llvm.lrint": _number(round),
    "llvm.llrint": _number(round),
    "llvm.ldexp": _scaled,
    "llvm.frexp": lambda place, a: math.frexp(a)[place],
    "llvm.minnum": _extreme(min, False),
    "llvm.maxnum": _extreme(max, False),
    "llvm.minimumnum": _extreme(min, False),
    "llvm.maximumnum": _extreme(max, False),
    "llvm.minimum": _extreme(min, True),
    "llvm.maximum": _extreme(max, True),
    "llvm.vector.reduce.fadd": _all(_sum),
    "llvm.vector.reduce.fmul": _all(_product),
    "llvm.vector.reduce.fmin": _most(_extreme(min, False)),
    "llvm.vector.reduce.fmax": _most(_extreme(max, False)),
    "llvm.vector.reduce.fminimum": _most(_extreme(min, True)),
    "llvm.vector.reduce.fmaximum": _most(_extreme(max, True)),
}


def exactly(name, element, *more):
    """What a row of a name must give for floats of 16 bits, or None where LLVM is exact.

    Args:
        element: The format that is rounded to.
        more: What stands behind the operands.
    """
    function = FUNCTIONS.get(name)
    return function and (lambda *numbers: partial(function, element)(*numbers, *more))
