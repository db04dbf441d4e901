"""Arithmetic on pairs of doubles: exact sums and products, quotients; and Horner's rule on single doubles.

A number is the unevaluated sum of two doubles, the larger first. The algorithms are Dekker's and
Knuth's. All work on arrays and on terms alike, see `ops.terms`.
"""

from collections.abc import Sequence
from typing import TypeAlias

from harness.simt.ops.terms import Number, bits_of_double, double_of_bits

__all__ = [
    "Pair",
    "add_exactly",
    "add_smaller",
    "divide_pairs",
    "evaluate",
    "multiply_exactly",
    "multiply_pairs",
    "upper_half",
]

Pair: TypeAlias = tuple[Number, Number]
UPPER = -(1 << 27)  # leaves a double 26 significant bits


def upper_half(value: Number) -> Number:
    """Return a double cut to 26 significant bits; products of two such doubles are exact."""
    return double_of_bits(bits_of_double(value) & UPPER)


def add_exactly(left: Number, right: Number) -> Pair:
    """Return the rounded sum of two doubles, and its exact rounding error."""
    total = left + right
    part = total - left
    return total, (left - (total - part)) + (right - part)


def add_smaller(left: Number, right: Number) -> Pair:
    """Return the rounded sum and its rounding error, given that |left| >= |right|."""
    total = left + right
    return total, right - (total - left)


def multiply_exactly(left: Number, right: Number) -> Pair:
    """Return the rounded product of two doubles, and its rounding error to about 2^-106 of the product."""
    first, second = upper_half(left), upper_half(right)
    low, other = left - first, right - second
    product = left * right
    return product, ((first * second - product) + first * other + low * second) + low * other


def multiply_pairs(left: Pair, right: Pair) -> Pair:
    """Return the product of two pairs."""
    product, lost = multiply_exactly(left[0], right[0])
    return add_smaller(product, lost + (left[0] * right[1] + left[1] * right[0]))


def divide_pairs(left: Pair, right: Pair) -> Pair:
    """Return the quotient of two pairs."""
    quotient = left[0] / right[0]
    product, lost = multiply_exactly(quotient, right[0])
    rest = ((left[0] - product) - lost) + (left[1] - quotient * right[1])
    return add_smaller(quotient, rest / right[0])


def evaluate(coefficients: Sequence[float], value: Number) -> Number:
    """Return a polynomial's value by Horner's rule; the `coefficients`, two or more, begin with the constant term."""
    *rest, second, first = coefficients
    result = first * value + second
    for coefficient in reversed(rest):
        result *= value  # in place, to save memory
        result += coefficient
    return result
