"""What rows are computed on: the patterns where something changes, each with each, and random ones."""

from __future__ import annotations

import itertools
import random
from functools import cache

from tests.simt.against_llvm.shapes import FLOATS, Shape

__all__ = ["operands", "patterns"]

MOST = 1600  # of what edges are crossed with edges
RANDOM = 160
FEW = 12


@cache
def patterns(element):
    """The edges of a type, those that matter most first."""
    return _floats(element) if element in FLOATS else _integers(int(element[1:]))


def _integers(bits):
    low, ones = 1 << bits - 1, (1 << bits) - 1
    some = [
        0,
        1,
        low,
        ones,
        low - 1,
        low + 1,
        2,
        bits,
        bits - 1,
        3,
        ones - 1,
        ones // 3,
        1 << bits // 2,
        ones >> bits // 2,
    ]
    some += [ones >> bits // 2, bits + 1, 7, 100, ones // 3 * 2, low - 2, low | low >> 1, 10, 0x80, 0x7F, 0xFF]
    # Halfway between two floats of a format, and just above: rounding twice shows.
    halfway = [1 << bits - 2 | 1 << bits - 3 - fraction for _, fraction in FLOATS.values() if fraction + 3 <= bits]
    some += [value | more for value in halfway for more in (0, 1)]
    return tuple(dict.fromkeys(value & ones for value in some))


def _floats(name):
    exponent, fraction = FLOATS[name]
    bias, quiet = (1 << exponent - 1) - 1, 1 << fraction - 1
    infinity, normal = (1 << exponent) - 1 << fraction, 1 << fraction

    def power(number):
        return min(max(bias + number, 0), (1 << exponent) - 1) << fraction

    one = bias << fraction
    sized = [0, one, infinity, infinity | quiet, 1, infinity - 1, normal, one | quiet, normal - 1, power(-1)]
    sized += [infinity | 1, power(1) | quiet >> 1, one + 1, one - 1, normal | 1, infinity | quiet | 5]
    sized += [power(7), power(8), power(15), power(16), power(31), power(32), power(63), power(64), power(127)]
    sized += [power(fraction) | 1, power(fraction + 1), power(-fraction - 1), power(fraction - 1) | 1]
    sized += [power(fraction - 1) | 3, power(-bias // 2), power(bias // 2), power(bias // 2 + 1)]
    # Halfway between two of a narrower format, and just above: rounding twice shows.
    halfway = [one | 1 << fraction - other - 1 for _, other in FLOATS.values() if other < fraction]
    sized += [value | last for value in halfway for last in (0, 1)]
    sign = 1 << exponent + fraction
    return tuple(dict.fromkeys(value | mark for value in sized for mark in (0, sign)))


def _random(rng, element):
    if element not in FLOATS:
        bits = int(element[1:])
        return rng.getrandbits(bits) >> rng.choice((0, 0, 0, rng.randrange(bits)))
    exponent, fraction = FLOATS[element]
    bits = rng.getrandbits(exponent + fraction + 1)
    if rng.random() < 0.6:  # near one, where sums and products round
        near = (1 << exponent - 1) - 1 + rng.randrange(-fraction, fraction)
        bits = bits & ~((1 << exponent) - 1 << fraction) | max(near, 1) << fraction
    return bits if rng.random() < 0.7 else bits >> fraction // 2 << fraction // 2


@cache
def operands(types, seed, more):
    """Operands of some types: for each place of each lane its pattern.

    Args:
        types: As text; of a vector each element is one more value.
        more: How many times as many random ones.

    Returns:
        A list of all elements in one row for each operand, of equal numbers of lanes.
    """
    shapes = [Shape(text) for text in types]
    elements = [shape.element for shape in shapes]
    each = [len(patterns(element)) for element in elements]
    while len(each) > 1 and _product(each) > MOST * more:
        each[each.index(max(each))] -= 1
    rows = list(itertools.product(*(patterns(element)[:count] for element, count in zip(elements, each, strict=True))))
    rng = random.Random(f"{seed} {types}")
    rows += [tuple(_random(rng, element) for element in elements) for _ in range(RANDOM * more)]
    rows += [_close(rng, elements) for _ in range(RANDOM * more)]
    count = max(shape.count for shape in shapes)
    if count > 1:
        few = [patterns(element)[:FEW] for element in elements]
        rows += [tuple(map(rng.choice, few)) for _ in range(RANDOM * count * 2)]  # edges beside edges in one vector
        rng.shuffle(rows)  # so that the elements of a vector are different
    rows = rows[: len(rows) // count * count]
    return [
        [row[place] for lane in range(0, len(rows), count) for row in rows[lane : lane + shape.count]]
        for place, shape in enumerate(shapes)
    ]


def _product(numbers):
    total = 1
    for number in numbers:
        total *= number
    return total


def _close(rng, elements):
    """Operands that nearly cancel: the same number, or its neighbour, with any sign."""
    if len(elements) == 3 and len(set(elements)) == 1 and elements[0] in FLOATS:
        return rng.choice((_cancelled, _tied))(rng, Shape(elements[0]))
    first = _random(rng, elements[0])
    row = []
    for element in elements:
        bits = Shape(element).bits
        sign = rng.getrandbits(1) << bits - 1
        row.append((first + rng.choice((-1, 0, 0, 1)) ^ sign) & (1 << bits) - 1)
    return tuple(row)


def _cancelled(rng, shape):
    """Two factors, and the negative of about their product."""
    exponent, fraction = FLOATS[shape.element]
    left, right = (_random(rng, shape.element) for _ in range(2))
    product = left + right - ((1 << exponent - 1) - 1 << fraction)
    return left, right, (product ^ 1 << shape.bits - 1) & (1 << shape.bits) - 1


def _tied(rng, shape):
    """Two factors and an addend whose sum lies halfway between two floats, but for much less than the last place."""
    precision = FLOATS[shape.element][1] + 1
    sign, tiny = rng.choice((-1.0, 1.0)), rng.choice((-1.0, 0.0, 1.0))
    if rng.random() < 0.5:  # a product of one bit too many
        left = (precision + 2) // 2
        factors = [rng.getrandbits(bits - 2) << 1 | 1 << bits - 1 | 1 for bits in (left, precision + 1 - left)]
        numbers = (sign * factors[0], float(factors[1]), tiny * 2.0 ** -min(60, precision + 10))
    else:  # a product of about half the addend's last place
        step = tiny * 2.0 ** (1 - precision)
        numbers = (sign * (1 + step), 1 - step, float((1 << precision - 1 | rng.getrandbits(precision - 1)) * 2))
    return tuple(map(shape.pattern, numbers))
