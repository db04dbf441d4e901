"""The types of operands, and how their values lie in arrays.

A value is a pattern of bits, a Python integer that is not negative. Integers of any width lie in the next of 8, 16, 32,
64 or 128 bits, so that no layout of an odd width matters, and results extended by their sign, so that bits above the
width show; the elements of a vector lie one after another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

__all__ = ["FLOATS", "SUFFIX", "Shape", "lies_in"]

# Bits of a float's exponent and of its fraction.
FLOATS = {"half": (5, 10), "bfloat": (8, 7), "float": (8, 23), "double": (11, 52)}
SUFFIX = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


def lies_in(bits):
    """The width that an integer lies in."""
    return max(8, 1 << (bits - 1).bit_length())


@dataclass(frozen=True)
class Shape:
    """A scalar (`i24`, `half`) or a vector of some (`<3 x i24>`)."""

    text: str

    @cached_property
    def element(self):
        """The type of an element, as text."""
        return self.text.strip("<>").rpartition(" x ")[2]

    @cached_property
    def count(self):
        """How many elements it has."""
        return int(self.text[1:].partition(" x ")[0]) if self.text[0] == "<" else 1

    @cached_property
    def is_float(self):
        """Whether its elements are floats."""
        return self.element in FLOATS

    @cached_property
    def bits(self):
        """The bits of an element."""
        return sum(FLOATS[self.element]) + 1 if self.is_float else int(self.element[1:])

    @cached_property
    def stored(self):
        """The type that it lies in memory as: integers of whole bytes."""
        return self.like(f"i{lies_in(self.bits)}")

    @cached_property
    def cell(self):
        """What a step from one value in memory to the next is as wide as, as a type."""
        return f"[{self.count} x i{lies_in(self.bits)}]"

    @cached_property
    def suffix(self):
        """Its part of an intrinsic's name."""
        element = SUFFIX.get(self.element, self.element)
        return f"v{self.count}{element}" if self.text[0] == "<" else element

    def like(self, element):
        """The type of as many elements of another type, as text."""
        return f"<{self.count} x {element}>" if self.text[0] == "<" else element

    def pack(self, values):
        """Values, all elements in one row, as they lie in memory."""
        size = lies_in(self.bits) // 8
        if size <= 8:
            return np.array(values, f"u{size}").view(np.uint8)
        return np.frombuffer(bytearray(b"".join(value.to_bytes(size, "little") for value in values)), np.uint8)

    def unpack(self, octets):
        """The patterns in memory, all elements in one row."""
        size = lies_in(self.bits) // 8
        if size <= 8:
            return octets.view(f"u{size}").tolist()
        raw = octets.tobytes()
        return [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]

    def number(self, pattern):
        """What a pattern of bits stands for: a float, or an integer with its sign."""
        if not self.is_float:
            half = 1 << self.bits - 1
            return (pattern + half) % (2 * half) - half
        if self.element == "bfloat":
            return float(np.array([pattern << 16], np.uint32).view(np.float32)[0])
        size = self.bits // 8
        return float(np.array([pattern], f"u{size}").view(f"f{size}")[0])

    def pattern(self, number):
        """A number as a result, of a float one that the type has; of NaN some."""
        if not self.is_float:
            half = 1 << self.bits - 1
            return ((number + half) % (2 * half) - half) % (1 << lies_in(self.bits))
        if self.element == "bfloat":
            return int(np.array([number], np.float32).view(np.uint32)[0]) >> 16
        size = self.bits // 8
        return int(np.array([number], f"f{size}").view(f"u{size}")[0])

    def is_nan(self, pattern):
        """Whether a pattern is a NaN's."""
        if not self.is_float:
            return False
        exponent, fraction = FLOATS[self.element]
        return pattern & (1 << exponent + fraction) - 1 > (1 << exponent) - 1 << fraction
