"""Trigonometric functions of doubles and their inverses, in radians or turns, written once for both engines.

See `ops.terms`. An angle is reduced to at most pi / 4 from a multiple of pi / 2, with twice a double's precision.
`docs/accuracy.md` has measured errors.
"""

from math import factorial, inf, nan

from harness.simt.ops.exponentials import ROUNDING
from harness.simt.ops.extended import (
    Pair,
    add_exactly,
    add_smaller,
    divide_pairs,
    evaluate,
    multiply_exactly,
    multiply_pairs,
)
from harness.simt.ops.terms import (
    Number,
    absolute,
    bits_of_double,
    clamp,
    copy_sign,
    double_of_bits,
    look_up,
    round_to_even,
    select,
    square_root,
    to_double,
    where_rare,
)

__all__ = ["acos", "asin", "atan", "atan2", "cos", "cos_of_turns", "sin", "sin_of_turns", "tan"]

TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
# pi / 2 in three parts of 33 bits and a rest: products of a part with a 20-bit number are exact.
HALF_PI_33 = (
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a600000p-34"),
    float.fromhex("0x1.3198a2e000000p-69"),
    float.fromhex("0x1.b839a252049c1p-104"),
)
HALF_PI = float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54")
PI = 2 * HALF_PI[0], 2 * HALF_PI[1]
TURN = 2 * PI[0], 2 * PI[1]
LARGE = 2.0**20
SINE = tuple((-1) ** number / factorial(2 * number + 1) for number in range(1, 9))  # by powers of r^2, from r^3 on
COSINE = tuple((-1) ** number / factorial(2 * number) for number in range(2, 9))  # from r^4 on
ARCTANGENT = tuple((-1) ** number / (2 * number + 1) for number in range(1, 10))  # from t^3 on
# The arctangents of quarters: 0, 1/4, 1/2, 3/4, 1.
ARCTANGENTS = (
    (0.0, 0.0),
    (float.fromhex("0x1.f5b75f92c80ddp-3"), float.fromhex("0x1.8ab6e3cf7afbdp-57")),
    (float.fromhex("0x1.dac670561bb4fp-2"), float.fromhex("0x1.a2b7f222f65e2p-56")),
    (float.fromhex("0x1.4978fa3269ee1p-1"), float.fromhex("0x1.2419a87f2a458p-56")),
    (HALF_PI[0] / 2, HALF_PI[1] / 2),
)
# The bits of 2 / pi, 27 in each word, after 54 that are 0.
WORD, MASK = 27, (1 << 27) - 1
WORDS = (
    *(0, 0, 85445659, 60002565, 39057486, 92086099, 40820845, 92952164, 126382600, 33444195, 90109406, 22572489),
    *(14447748, 81604096, 52729717, 2573896, 60801981, 52212009, 87684932, 9272651, 91654409, 110741250, 56242111),
    *(17098311, 46608490, 54129820, 69401693, 125717006, 104853807, 134078553, 67630999, 71708008, 21865453, 87457487),
    *(20863053, 97767823, 114113727, 111335250, 64840693, 127387116, 127985470, 126505618, 122904538, 132925411),
    *(45748396, 3343471, 104707541, 130236144, 68378246, 102607331),
)


def _reduce_angle(size: Number) -> tuple[Number, Number, Number]:
    """Return (n, r, error of r), where size = n pi / 2 + r, for size >= 0; only the lowest bits of n count."""
    moved = size * TWO_OVER_PI + ROUNDING
    number = moved - ROUNDING
    high, lost = add_exactly(size - number * HALF_PI_33[0], -(number * HALF_PI_33[1]))
    less, beside = add_exactly(number * HALF_PI_33[2], number * HALF_PI_33[3])
    r, rest = add_exactly(high, -less)
    usual = (bits_of_double(moved), *add_smaller(r, rest + (lost - beside)))
    quadrant, r, lost = where_rare((size >= LARGE) & (size < inf), _reduce_large_angle, size, usual)
    return quadrant, r, lost


def _reduce_large_angle(size: Number) -> tuple[Number, Number, Number]:
    """Return (n, r, error of r) for a finite size of at least 2^20, by the method of Payne and Hanek.

    The number is a 53-bit integer times 2^e. Bits of 2 / pi that only contribute multiples of 4 to n are skipped; the
    product of the integer with the next 189 bits gives two bits of n and the fraction.
    """
    bits = bits_of_double(size)
    place = (bits >> 52) - 1023
    integer = (bits & ((1 << 52) - 1)) | (1 << 52)
    low, high = integer & MASK, integer >> WORD
    first = (place * 4855) >> 17  # place / 27
    shift = WORD * (first + 1) - place
    words = [look_up("two_over_pi", WORDS, first + number) for number in range(8)]
    window = [((words[number] << WORD | words[number + 1]) >> shift) & MASK for number in range(7)]
    carry: Number = 0
    digits = list[Number]()
    for number in range(7):  # the lowest first
        total = low * window[6 - number] + carry
        if number:
            total = total + high * window[7 - number]
        digits.append(total & MASK)
        carry = total >> WORD
    quadrant = (digits[6] + (1 << 24)) >> 25
    top = ((digits[6] - (quadrant << 25)) << WORD) | digits[5]
    part, lost = add_exactly(to_double(top) * 2.0**-52, to_double(digits[4]) * 2.0**-79)
    lost = lost + (to_double(digits[3]) * 2.0**-106 + to_double(digits[2]) * 2.0**-133)
    r, rest = multiply_pairs(add_smaller(part, lost), HALF_PI)
    return quadrant, r, rest


def _sine_tail(r: Number, lost: Number) -> Number:
    """Return sin(r + lost) - r."""
    z = r * r
    cube = z * r
    return cube * SINE[0] + (z * (cube * evaluate(SINE[1:], z) - 0.5 * lost) + lost)


def _cosine(r: Number, lost: Number) -> Pair:
    """Return cos(r + lost) as an unevaluated sum of two doubles."""
    z = r * r
    half = 0.5 * z
    leading = 1.0 - half
    return leading, ((1.0 - leading) - half) + (z * z * evaluate(COSINE, z) - r * lost)


def _sine_in_quadrant(quadrant: Number, r: Number, lost: Number) -> Number:
    """Return sin(quadrant pi / 2 + r + lost)."""
    leading, rest = _cosine(r, lost)
    result = select((quadrant & 1) == 0, r + _sine_tail(r, lost), leading + rest)
    return select((quadrant & 2) == 0, result, -result)


def sin(value: Number) -> Number:
    """Return the sine of an angle in radians; NaN for an infinity or a NaN."""
    size = absolute(value)
    result = _sine_in_quadrant(*_reduce_angle(size))
    result = select(value < 0.0, -result, result)
    return select(size < inf, select(size < 2.0**-27, value, result), nan)


def cos(value: Number) -> Number:
    """Return the cosine of an angle in radians; NaN for an infinity or a NaN."""
    size = absolute(value)
    quadrant, r, lost = _reduce_angle(size)
    return select(size < inf, _sine_in_quadrant(quadrant + 1, r, lost), nan)


def tan(value: Number) -> Number:
    """Return the tangent of an angle in radians; NaN for an infinity or a NaN."""
    size = absolute(value)
    quadrant, r, lost = _reduce_angle(size)
    sine, cosine = add_smaller(r, _sine_tail(r, lost)), add_smaller(*_cosine(r, lost))
    is_even = (quadrant & 1) == 0
    above = [select(is_even, first, -second) for first, second in zip(sine, cosine, strict=True)]
    below = [select(is_even, first, second) for first, second in zip(cosine, sine, strict=True)]
    result, rest = divide_pairs((above[0], above[1]), (below[0], below[1]))
    result = result + rest
    result = select(value < 0.0, -result, result)
    return select(size < inf, select(size < 2.0**-27, value, result), nan)


def _sine_of_turns(value: Number, quarters: int) -> Number:
    """Return sin(2 pi value + quarters pi / 2); NaN for an infinity or a NaN."""
    number = round_to_even(4.0 * value)
    r, lost = multiply_pairs((value - 0.25 * number, 0.0), TURN)
    quadrant = bits_of_double(number - 4.0 * round_to_even(0.25 * number) + ROUNDING)
    return select(absolute(value) < inf, _sine_in_quadrant(quadrant + quarters, r, lost), nan)


def sin_of_turns(value: Number) -> Number:
    """Return sin(2 pi value); NaN for an infinity or a NaN."""
    return select(absolute(value) < 2.0**-970, value * TURN[0], _sine_of_turns(value, 0))


def cos_of_turns(value: Number) -> Number:
    """Return cos(2 pi value); NaN for an infinity or a NaN."""
    return _sine_of_turns(value, 1)


def _arctangent(above: Pair, below: Pair) -> Pair:
    """Return, as a pair, the arctangent of `above` / `below`, a quotient in [0, 1]."""
    quarters = round_to_even(above[0] / below[0] * 4.0)
    quarter = 0.25 * quarters
    product, lost = multiply_exactly(quarter, below[0])
    high, low = add_exactly(above[0], -product)
    rest = add_smaller(high, low + (above[1] - (lost + quarter * below[1])))
    product, lost = multiply_exactly(quarter, above[0])
    high, low = add_smaller(below[0], product)
    t, small = divide_pairs(rest, (high, low + (below[1] + (lost + quarter * above[1]))))
    z = t * t
    base, less = ARCTANGENTS[0]
    for number, (first, second) in enumerate(ARCTANGENTS[1:], 1):
        base = select(quarters == float(number), first, base)
        less = select(quarters == float(number), second, less)
    total, lost = add_exactly(base, t)
    return add_smaller(total, lost + (less + (small + z * t * evaluate(ARCTANGENT, z))))


def _angle(y: Pair, x: Pair, negative: Number) -> Number:
    """Return the angle in [0, pi] of a vector whose coordinates are y and x, or y and -x if `negative`.

    Both are at least 0 and finite, and at least one is not 0.
    """
    steep = y[0] > x[0]
    below = [select(steep, first, second) for first, second in zip(y, x, strict=True)]
    above = [select(steep, second, first) for first, second in zip(y, x, strict=True)]
    high, low = _arctangent((above[0], above[1]), (below[0], below[1]))
    start = select(steep, HALF_PI[0], select(negative, PI[0], 0.0))
    beside = select(steep, HALF_PI[1], select(negative, PI[1], 0.0))
    down = select(steep, select(negative, 1.0, -1.0), select(negative, -1.0, 1.0))
    total, lost = add_exactly(start, down * high)
    return total + (lost + (beside + down * low))


def _is_negative(value: Number) -> Number:
    """Return whether the sign bit is set; true for -0.0."""
    return bits_of_double(value) < 0


def atan2(y: Number, x: Number) -> Number:
    """Return the angle of the vector (x, y), with the special cases of C's `atan2`."""
    height, width = absolute(y), absolute(x)
    vast = (height == inf) | (width == inf)
    up = select(vast, select(height == inf, 1.0, 0.0), height)
    along = select(vast, select(width == inf, 1.0, 0.0), width)
    along = select((up == 0.0) & (along == 0.0), 1.0, along)
    larger = select(up > along, up, along)
    exponent = (bits_of_double(larger) >> 52) - 1023
    exponent = select(exponent > 1000, 1000, select(exponent < -1000, -1000, exponent))
    scale = double_of_bits((1023 - exponent) << 52)
    result = _angle((up * scale, 0.0), (along * scale, 0.0), _is_negative(x))
    shallow = ~_is_negative(x) & (up < along * 2.0**-30)
    result = copy_sign(select(shallow, up / along, result), y)
    return select((y != y) | (x != x), y + x, result)


def atan(value: Number) -> Number:
    """Return the arctangent in radians; pi / 2 with its sign for an infinity, and NaN for a NaN."""
    size = absolute(value)
    limited = clamp(size, 0.0, 2.0**70)
    result = copy_sign(_angle((limited, 0.0), (1.0, 0.0), value != value), value)
    return select(value == value, select(size < 2.0**-27, value, result), nan)


def _sqrt_of_one_minus_square(size: Number) -> Pair:
    """Return sqrt(1 - size^2) as a pair."""
    square, lost = multiply_exactly(size, size)
    high, low = add_exactly(1.0, -square)
    high, low = add_smaller(high, low - lost)
    root = square_root(high)
    square, lost = multiply_exactly(root, root)
    correction = (((high - square) - lost) + low) / (root + root)
    return root, select(root > 0.0, correction, 0.0)


def asin(value: Number) -> Number:
    """Return the arcsine in radians; NaN outside [-1, 1]."""
    size = absolute(value)
    result = copy_sign(_angle((size, 0.0), _sqrt_of_one_minus_square(size), value != value), value)
    return select(size <= 1.0, select(size < 2.0**-27, value, result), nan)


def acos(value: Number) -> Number:
    """Return the arccosine in radians, from 0 to pi; NaN outside [-1, 1]."""
    size = absolute(value)
    return select(size <= 1.0, _angle(_sqrt_of_one_minus_square(size), (size, 0.0), value < 0.0), nan)
