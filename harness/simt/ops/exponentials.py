"""Exponentials, logarithms, powers and hyperbolic functions of doubles, written once for both engines.

See `ops.terms`. An exponential is reduced to 2^n e^r with |r| at most ln 2 / 2, a logarithm to that of a number between
the square roots of 1/2 and 2. The rest is a polynomial with the coefficients of the power series. `docs/accuracy.md`
has measured errors.
"""

from math import factorial, inf, nan

from harness.simt.ops.extended import (
    Pair,
    add_exactly,
    add_smaller,
    divide_pairs,
    evaluate,
    multiply_exactly,
    multiply_pairs,
    upper_half,
)
from harness.simt.ops.terms import (
    Number,
    absolute,
    bits_of_double,
    clamp,
    copy_sign,
    double_of_bits,
    round_to_even,
    select,
    to_double,
)

__all__ = [
    "ROUNDING",
    "cosh",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "power",
    "sinh",
    "tanh",
]

ROUNDING = 1.5 * 2.0**52  # adding it to a number below 2^51 leaves the nearest integer in the lowest bits
ROUNDING_BITS = 0x4338000000000000
BIAS = 1023

# Constants as pairs. The first part of those named _32 has 32 bits, so its product with an exponent is exact.
LN2_32 = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
LN2_26 = float.fromhex("0x1.62e42f8000000p-1"), float.fromhex("0x1.be8e7bcd5e4f2p-27")
LN10_26 = float.fromhex("0x1.26bb1b8000000p+1"), float.fromhex("0x1.daaa8ac16ea57p-26")
LOG10_OF_2 = float.fromhex("0x1.3441350800000p-2"), float.fromhex("0x1.f79fef311f12bp-34")
LOG2_OF_E = float.fromhex("0x1.7154760000000p+0"), float.fromhex("0x1.4ae0bf85ddf44p-26")
LOG10_OF_E = float.fromhex("0x1.bcb7b10000000p-2"), float.fromhex("0x1.49b9438ca9aaep-28")
TWICE_LOG2_OF_E = float.fromhex("0x1.71547652b82fep+1"), float.fromhex("0x1.777d0ffda0d24p-55")
THIRD = float.fromhex("0x1.5555555555555p-2"), float.fromhex("0x1.5555555555555p-56")
INVERSE_LN2 = float.fromhex("0x1.71547652b82fep+0")
LOG2_OF_10 = float.fromhex("0x1.a934f0979a371p+1")
ROOT_OF_HALF_BITS = 0x3FE6A09E667F3BCD

EXPONENTIAL = tuple(1 / factorial(number + 2) for number in range(12))  # (e^r - 1 - r) / r^2, by powers of r
LOGARITHM = tuple(2 / (2 * number + 3) for number in range(10))  # (log((1 + s) / (1 - s)) - 2 s) / s^3, by those of s^2
LONG_LOGARITHM = tuple(1 / (2 * number + 5) for number in range(13))  # half of that series without its first term
SMALLEST = 2.0**-1022


# Exponentials.


def _round_to_integer(value: Number) -> Pair:
    """Return the integer nearest to a number of magnitude below 2^51, as a double and as an integer, ties to even.

    A NaN gives a NaN and an arbitrary integer.
    """
    moved = value + ROUNDING
    return moved - ROUNDING, bits_of_double(moved) - ROUNDING_BITS


def _scale(value: Number, exponent: Number) -> Number:
    """Return value * 2^exponent, rounded once, for an integer `exponent`; the value must be near 1."""
    half = exponent >> 1
    return value * double_of_bits((half + BIAS) << 52) * double_of_bits((exponent - half + BIAS) << 52)


def _expm1(r: Number, lost: Number) -> Number:
    """Return e^(r + lost) - 1 - r for abs(r) up to about ln 2 / 2; `lost` is what r lost in rounding."""
    return r * r * evaluate(EXPONENTIAL, r) + (lost + lost * r)


def _multiply_by_constant(value: Number, constant: Pair) -> Pair:
    """Return the product, as a pair, of a double and a constant pair whose first part has 26 bits."""
    first = upper_half(value)
    return add_smaller(first * constant[0], (value - first) * constant[0] + value * constant[1])


def _reduce_argument(value: Number) -> tuple[Number, Number, Number]:
    """Return (n, r, e), where value = n ln 2 + r + e.

    n is an integer, abs(r) at most about ln 2 / 2, and e is what r lost in rounding. A NaN gives NaNs and an arbitrary
    n.
    """
    number, exponent = _round_to_integer(value * INVERSE_LN2)
    rest, less = value - number * LN2_32[0], number * LN2_32[1]
    r = rest - less
    return exponent, r, (rest - r) - less


def exp(value: Number) -> Number:
    """Return e^value, subnormal results included; 0 or infinity beyond them, and NaN for a NaN."""
    exponent, r, lost = _reduce_argument(clamp(value, -746.0, 710.0))
    return _scale(1.0 + (r + _expm1(r, lost)), exponent)


def exp2(value: Number) -> Number:
    """Return 2^value, subnormal results included; 0 or infinity beyond them, and NaN for a NaN."""
    value = clamp(value, -1080.0, 1025.0)
    number, exponent = _round_to_integer(value)
    r, lost = _multiply_by_constant(value - number, LN2_26)
    return _scale(1.0 + (r + _expm1(r, lost)), exponent)


def exp10(value: Number) -> Number:
    """Return 10^value, subnormal results included; 0 or infinity beyond them, and NaN for a NaN."""
    value = clamp(value, -324.5, 309.0)
    number, exponent = _round_to_integer(value * LOG2_OF_10)
    rest, less = add_exactly(value - number * LOG10_OF_2[0], -(number * LOG10_OF_2[1]))
    r, lost = _multiply_by_constant(rest, LN10_26)
    r, lost = add_smaller(r, lost + less * (LN10_26[0] + LN10_26[1]))
    return _scale(1.0 + (r + _expm1(r, lost)), exponent)


# Logarithms.


def _split(value: Number) -> Pair:
    """Return n as a double, and m - 1, where value = 2^n m and m lies between the roots of 1/2 and 2; value > 0."""
    tiny = value < SMALLEST
    bits = bits_of_double(select(tiny, value * 2.0**54, value))
    exponent = (bits - ROOT_OF_HALF_BITS) >> 52
    number = to_double(exponent) - select(tiny, 54.0, 0.0)
    return number, double_of_bits(bits - (exponent << 52)) - 1.0


def _log_parts(f: Number) -> Pair:
    """Return (f^2 / 2, c), where log(1 + f) = f - (f^2 / 2 - c)."""
    half = 0.5 * f * f
    s = f / (2.0 + f)
    z = s * s
    return half, s * (half + z * evaluate(LOGARITHM, z))


def _handle_special_logs(value: Number, result: Number) -> Number:
    """Return `result` where the argument `value` is positive and finite, else what a logarithm gives.

    That is infinity for infinity, -infinity for zeros, and NaN for negative numbers and NaNs.
    """
    result = select(value < inf, result, value)  # infinite, or a NaN
    return select(value <= 0.0, select(value == 0.0, -inf, nan), result)


def log(value: Number) -> Number:
    """Return the natural logarithm; infinity for infinity, -infinity for zeros, NaN for negative numbers and NaNs."""
    number, f = _split(value)
    half, correction = _log_parts(f)
    low = half - (correction + number * LN2_32[1])
    return _handle_special_logs(value, number * LN2_32[0] - (low - f))


def _log_to_base(value: Number, of_2: Pair, of_e: Pair) -> Number:
    """Return a logarithm to a base; special values as in `log`.

    Args:
        of_2, of_e: The logarithms of 2 and of e to that base, as pairs.
    """
    number, f = _split(value)
    half, correction = _log_parts(f)
    first = upper_half(f - half)
    rest = (f - first) - half + correction
    product = first * of_e[0]
    leading = number * of_2[0]
    total, lost = add_exactly(leading, product)
    low = number * of_2[1] + (rest + first) * of_e[1] + rest * of_e[0]
    return _handle_special_logs(value, total + (lost + low))


def log2(value: Number) -> Number:
    """Return the logarithm to base 2; special values as in `log`."""
    return _log_to_base(value, (1.0, 0.0), LOG2_OF_E)


def log10(value: Number) -> Number:
    """Return the logarithm to base 10; special values as in `log`."""
    return _log_to_base(value, LOG10_OF_2, LOG10_OF_E)


# Powers.


def _log2_pair(value: Number) -> Pair:
    """Return the logarithm to base 2 of a positive number as a pair, to about 2^-65 of it."""
    number, f = _split(value)
    s = divide_pairs((f, 0.0), add_exactly(f, 2.0))
    z = multiply_pairs(s, s)
    inner, lost = add_smaller(THIRD[0], z[0] * evaluate(LONG_LOGARITHM, z[0]))
    above = multiply_pairs(z, (inner, lost + THIRD[1]))
    leading, lost = add_smaller(1.0, above[0])
    high, low = multiply_pairs(multiply_pairs(s, TWICE_LOG2_OF_E), (leading, lost + above[1]))
    total, lost = add_exactly(number, high)
    return add_smaller(total, lost + low)


def _raise_to_power(size: Number, exponent: Number) -> Number:
    """Return size^exponent for a positive finite `size`; the exponent is first clamped to [-2^65, 2^65]."""
    high, low = _log2_pair(size)
    exponent = clamp(exponent, -(2.0**65), 2.0**65)
    product, lost = multiply_exactly(exponent, high)
    lost = lost + exponent * low
    limited = clamp(product, -1100.0, 1100.0)
    number, scale = _round_to_integer(limited)
    r, rest = _multiply_by_constant(limited - number, LN2_26)
    r, rest = add_smaller(r, rest + select(limited == product, lost, 0.0) * (LN2_26[0] + LN2_26[1]))
    return _scale(1.0 + (r + _expm1(r, rest)), scale)


def power(base: Number, exponent: Number) -> Number:
    """Return base^exponent, with the special cases of C's `pow`."""
    size = absolute(base)
    integral = round_to_even(exponent) == exponent
    half = 0.5 * exponent
    odd = integral & (round_to_even(half) != half)
    vast, empty = select(exponent > 0.0, inf, 0.0), select(exponent > 0.0, 0.0, inf)
    result = select(size == inf, vast, select(size == 0.0, empty, _raise_to_power(size, exponent)))
    result = select(odd, copy_sign(result, base), result)
    result = select((base < 0.0) & (size < inf) & ~integral & (absolute(exponent) < inf), nan, result)
    result = select((base != base) | (exponent != exponent), base + exponent, result)
    return select((base == 1.0) | (exponent == 0.0), 1.0, result)


# Hyperbolic functions.


def _exponential_pair(size: Number) -> tuple[Number, Pair]:
    """Return n, an integer, and the pair p, where e^size = 2^n (1 + p), for a `size` from 0 to 711."""
    exponent, r, lost = _reduce_argument(size)
    return exponent, add_smaller(r, _expm1(r, lost))


def _half_sum_of_exponentials(value: Number, sign: float) -> Number:
    """Return (e^x + sign e^-x) / 2, where x is the absolute value of the argument.

    With n and p it is 2^(n-1) (1 + p + sign 4^-n (1 - p / (1 + p))).
    """
    size = clamp(absolute(value), 0.0, 711.0)
    exponent, (p, lost) = _exponential_pair(size)
    small = double_of_bits(((select(exponent > 511, 511, exponent) * -2) + BIAS) << 52)  # 4^-n
    quotient = divide_pairs((p, lost), add_smaller(1.0, p))
    leading, beside = add_smaller(1.0, sign * small)
    high, low = add_exactly(p, -sign * small * quotient[0])
    total, rest = add_exactly(leading, high)
    return _scale(total + (rest + (low + beside + lost - sign * small * quotient[1])), exponent - 1)


def sinh(value: Number) -> Number:
    """Return the hyperbolic sine; for a magnitude below 2^-28 the number itself.

    An infinity if it is too large, and NaN for a NaN.
    """
    return select(absolute(value) < 2.0**-28, value, copy_sign(_half_sum_of_exponentials(value, -1.0), value))


def cosh(value: Number) -> Number:
    """Return the hyperbolic cosine; infinity if it is too large, NaN for a NaN."""
    return _half_sum_of_exponentials(value, 1.0)


def tanh(value: Number) -> Number:
    """Return the hyperbolic tangent; for a magnitude below 2^-28 the number itself, and NaN for a NaN."""
    size = clamp(absolute(value), 0.0, 22.0)
    exponent, (p, lost) = _exponential_pair(size + size)
    scale = double_of_bits((exponent + BIAS) << 52)
    high, low = add_exactly(scale - 1.0, scale * p)
    above = add_smaller(high, low + scale * lost)  # e^2x - 1
    below, rest = add_exactly(2.0, above[0])
    result, last = divide_pairs(above, (below, rest + above[1]))
    return select(absolute(value) < 2.0**-28, value, copy_sign(result + last, value))
