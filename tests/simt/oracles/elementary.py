"""Elementary functions of decimal numbers to 50 digits and more, by other ways than those of `harness.simt.ops`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import Decimal, getcontext, localcontext
from functools import cache, wraps

import numpy as np

__all__ = ["EXACT", "largest_error"]

DIGITS = 60
LONGER = 420  # for angles of up to 10^308


def _to_digits(function: Callable[..., Decimal]) -> Callable[..., Decimal]:
    @wraps(function)
    def apply(*values: float) -> Decimal:
        with localcontext() as context:
            context.prec, context.Emin, context.Emax = DIGITS, -(10**6), 10**6
            return function(*map(Decimal, values))

    return apply


def _sum(terms: Iterator[Decimal]) -> Decimal:
    total, smallest = Decimal(0), Decimal(10) ** -getcontext().prec
    for term in terms:
        total += term
        if abs(term) <= abs(total) * smallest:
            return total
    raise AssertionError


def _powers(x: Decimal, first: int, sign: int) -> Iterator[Decimal]:
    """x^n / n! for n = first, first + 2 and so on."""
    term, number = x**first if first else Decimal(1), first
    while True:
        yield term
        term *= sign * x * x / ((number + 1) * (number + 2))
        number += 2


def _small_arctangent(x: Decimal) -> Iterator[Decimal]:
    power, number = x, 1
    while True:
        yield power / number
        power *= -x * x
        number += 2


@cache
def _pi(digits: int) -> Decimal:
    """By Machin's formula."""
    with localcontext() as context:
        context.prec = digits + 10
        return 16 * _sum(_small_arctangent(Decimal(1) / 5)) - 4 * _sum(_small_arctangent(Decimal(1) / 239))


def _atan(x: Decimal) -> Decimal:
    if abs(x) > 1:
        return (_pi(DIGITS) / 2).copy_sign(x) - _atan(1 / x)
    for _ in range(4):
        x = x / (1 + (1 + x * x).sqrt())
    return 16 * _sum(_small_arctangent(x))


def _atan2(y: Decimal, x: Decimal) -> Decimal:
    if x == 0:
        return (_pi(DIGITS) / 2).copy_sign(y) if y else Decimal(0)
    base = _atan(y / x)
    return base if x > 0 else base + _pi(DIGITS).copy_sign(y)


def _sine(x: Decimal, quarters: int = 0) -> Decimal:
    """The sine of an angle and so many quarters of a turn."""
    with localcontext() as context:
        context.prec = LONGER if abs(x) > 10**6 else 90
        half = _pi(context.prec) / 2
        number = (x / half).to_integral_value()
        rest, number = x - number * half, int(number) + quarters
        context.prec = DIGITS
        rest = +rest
        size = _sum(_powers(rest, number & 1 ^ 1, -1)) if rest else Decimal(number & 1)
    return -size if number & 2 else size


def _hyperbolic(x: Decimal, first: int) -> Decimal:
    if abs(x) < 1:
        return _sum(_powers(x, first, 1)) if x else Decimal(1 - first)
    return (x.exp() - (-x).exp()) / 2 if first else (x.exp() + (-x).exp()) / 2


def _power(x: Decimal, y: Decimal) -> Decimal:
    return Decimal(1) if y == 0 else (y * x.ln()).exp()


def _turned(x: Decimal, quarters: int) -> Decimal:
    with localcontext() as context:
        context.prec = LONGER
        number = (4 * x).to_integral_value()
        rest, quarters = x - number / 4, quarters + int(number)
    return _sine(rest * 2 * _pi(DIGITS), quarters)


EXACT = {
    name: _to_digits(function)
    for name, function in {
        "exp": lambda x: x.exp(),
        "exp2": lambda x: (x * Decimal(2).ln()).exp(),
        "exp10": lambda x: (x * Decimal(10).ln()).exp(),
        "log": lambda x: x.ln(),
        "log2": lambda x: x.ln() / Decimal(2).ln(),
        "log10": lambda x: x.log10(),
        "pow": _power,
        "sinh": lambda x: _hyperbolic(x, 1),
        "cosh": lambda x: _hyperbolic(x, 0),
        "tanh": lambda x: _hyperbolic(x, 1) / _hyperbolic(x, 0),
        "sin": _sine,
        "cos": lambda x: _sine(x, 1),
        "tan": lambda x: _sine(x) / _sine(x, 1),
        "asin": lambda x: _atan2(x, ((1 - x) * (1 + x)).sqrt()),
        "acos": lambda x: _atan2(((1 - x) * (1 + x)).sqrt(), x),
        "atan": _atan,
        "atan2": _atan2,
        "sin_turns": lambda x: _turned(x, 0),
        "cos_turns": lambda x: _turned(x, 1),
        "sqrt": lambda x: x.sqrt(),
        "rsqrt": lambda x: 1 / x.sqrt(),
        "rcp": lambda x: 1 / x,
        "div": lambda x, y: x / y,
    }.items()
}


def largest_error(name: str, results: np.ndarray, *operands: np.ndarray) -> float:
    """The largest error of finite results, in units in the last place; what overflows must be more than is finite."""
    kind = np.finfo(results.dtype)
    smallest, digits = kind.minexp - kind.nmant, kind.nmant
    worst = 0.0
    for result, *values in zip(results, *operands, strict=True):
        exact = EXACT[name](*map(float, values))
        if not np.isfinite(result):
            assert not np.isnan(result), (name, values)
            assert abs(exact) > Decimal(float(kind.max)), (name, values, exact)
            continue
        size = float(abs(exact))
        exponent = max(math.frexp(size)[1] - 1 - digits, smallest) if size else smallest
        error = abs(Decimal(float(result)) - exact) / Decimal(2) ** exponent
        worst = max(worst, float(error))
    return worst
