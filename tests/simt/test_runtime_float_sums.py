"""What the run-time library notes of atomic sums of floats, beside exact fractions."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from fractions import Fraction

import pytest

from harness.simt.native.emit.context import SLOTS
from harness.simt.native.sanitize.exact_sums import BEGUN, KINDS, NO_GRID, begin_sums, is_exact
from tests.simt.runtime_library import function

EXPORTED = ("i1 note_float_sum(ptr, float, float)", "i1 note_double_sum(ptr, double, double)")


class Noted:
    """The slots of a launch that begins, and sums of one type."""

    def __init__(self, kind: str) -> None:
        self.kind, self.slots = kind, (ctypes.c_int64 * len(SLOTS))()
        for name, value in BEGUN.items():
            self.slots[SLOTS[name]] = value
        (own,) = (one for one in EXPORTED if f"_{kind}_" in one)
        self._note = function("float_sums", own, all_exported=EXPORTED)

    def add(self, added: float, before: float = 0.0) -> bool:
        """Note a sum; returns whether nothing is proved."""
        return bool(self._note(ctypes.addressof(self.slots), added, before))

    def __getitem__(self, what: str) -> int:
        return self.slots[SLOTS[f"{self.kind} {what}"]]

    @property
    def view(self) -> memoryview[int]:
        """The slots as a launch sees them."""
        return memoryview(self.slots).cast("B").cast("q")

    def number(self, what: str) -> float:
        """Return the double in a slot."""
        return struct.unpack("d", struct.pack("q", self[what]))[0]


def lowest_bit(value: float, kind: str) -> int:
    """Return the exponent of the lowest bit that is set, biased as in the slots."""
    number = Fraction(value)
    return (number.numerator & -number.numerator).bit_length() - number.denominator.bit_length() + KINDS[kind][1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_grid_is_that_of_the_lowest_bit_of_all_values(kind):
    rng = random.Random(0)
    for _ in range(200):
        exponents = (-149, 100) if kind == "float" else (-1074, 900)
        values = [math.ldexp(rng.randrange(-(1 << 20), 1 << 20), rng.randint(*exponents)) for _ in range(4)]
        noted = Noted(kind)
        assert not any(noted.add(added, before) for added, before in zip(values[::2], values[1::2], strict=True))
        grids = [lowest_bit(value, kind) for value in values if value]
        assert noted["grid"] == min(grids, default=NO_GRID)
        assert noted.number("sum") == sum(map(abs, values[::2]))
        assert noted.number("largest") == max(map(abs, values[1::2]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_of_values_that_are_not_finite_nothing_is_proved(kind, value):
    assert Noted(kind).add(value) and Noted(kind).add(1.0, value)


@pytest.mark.parametrize("kind", KINDS)
def test_zero_is_on_each_grid(kind):
    noted = Noted(kind)

    assert not noted.add(-0.0, 0.0) and noted["grid"] == NO_GRID


@pytest.mark.parametrize(("kind", "bits"), [("float", 23), ("double", 52)])
def test_sums_are_exact_as_long_as_all_fit_the_fraction(kind, bits):
    noted = Noted(kind)
    noted.add(1.0, math.ldexp(1.0, bits) - 2.0)

    assert is_exact(noted.view)
    noted.add(1.0)
    assert not is_exact(noted.view)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("values", [(1.0, 2.0), (0.0, -0.0), (math.inf, 0.0), (0.0, math.nan)], ids=str)
def test_a_launch_begins_without_what_one_before_added(kind, values):
    noted = Noted(kind)
    noted.add(*values)

    begin_sums(noted.view)
    assert [noted.slots[SLOTS[name]] for name in BEGUN] == list(BEGUN.values())
