"""Arithmetic on fractions, rounded once: what floating point instructions must give."""

import math
from fractions import Fraction

import numpy as np

__all__ = ["FORMATS", "rounded", "same"]

# Bits of the significand, smallest and largest exponent.
FORMATS = {
    "half": (11, -14, 15),
    "bfloat": (8, -126, 127),
    "float": (24, -126, 127),
    "double": (53, -1022, 1023),
}


def rounded(exact, name):
    """A fraction rounded once, to nearest and ties to even, as a Python float."""
    precision, low, high = FORMATS[name]
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, low) - precision + 1)
    whole = round(size / unit)  # Python rounds halves of a fraction to even
    value = whole * unit
    if value >= Fraction(2) ** (high + 1):
        return math.inf if exact > 0 else -math.inf
    return float(value) if exact > 0 else -float(value)


def same(got, expected):
    """Equal in every bit but a NaN's payload."""
    with np.errstate(invalid="ignore"):  # of a NaN that signals
        got, expected = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    np.testing.assert_array_equal(got, expected)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got)[number], np.signbit(expected)[number])
