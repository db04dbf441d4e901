"""C's `printf`, from a format and arguments that come one by one.

See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#formatted-output
"""

import re
import struct
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from harness.simt.intrinsics.handlers import Call

__all__ = ["LIMIT", "Arguments", "Exhausted", "say"]

CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*)?)?(?P<length>hh|h|ll|l|z|j|t)?"
    r"(?P<kind>[diouxXcsfFeEgGp%])"
)
SHORT = {"h": 16, "hh": 8}  # bits of a number that was passed as more
WIDEST = 1 << 12  # characters of one conversion
LIMIT = 1 << 24  # of all that a launch prints


class Exhausted(Exception):
    """There are no more arguments."""


class Arguments(Protocol):
    """What a format takes one after another."""

    def word(self, size: int) -> int:
        """The next argument of so many bytes, without a sign."""

    def text(self) -> str:
        """The next argument, a text."""


@dataclass(slots=True)
class _Format:
    """A format while it is filled in.

    Attributes:
        taken: How many arguments so far.
        widest: The most characters that a conversion asked for.
    """

    arguments: Arguments
    taken: int = 0
    widest: int = 0

    def word(self, size: int, signed: bool = False) -> int:
        value = self.arguments.word(size)
        self.taken += 1
        return value - (value >> 8 * size - 1 << 8 * size) if signed else value

    def measure(self, written: str | None) -> int:
        """A width or a precision, no larger than it may be; negative where the argument is."""
        # Of a number that is too long to be one, the beginning says enough.
        size = self.word(4, signed=True) if written == "*" else int((written or "0")[:12])
        self.widest = max(self.widest, abs(size))
        return max(-WIDEST, min(WIDEST, size))

    def replace(self, match: re.Match[str]) -> str:
        """One conversion."""
        kind = match["kind"]
        if kind == "%":
            return "%"
        flags, precise = match["flags"], "." in match[0]
        width = self.measure(match["width"])
        precision = self.measure(match["precision"]) if precise else -1
        flags += "-" if width < 0 else ""
        plain = f"%{flags}{abs(width) or ''}{f'.{precision}' if precision >= 0 else ''}"
        if kind == "s":
            value = self.arguments.text()
            self.taken += 1
            return f"{plain}s" % value
        if kind in "fFeEgG":
            return f"{plain}{kind}" % struct.unpack("<d", struct.pack("<Q", self.word(8)))
        if kind == "p":
            return f"{self.word(8):#x}"
        number = self.word(8 if match["length"] in ("ll", "l", "z", "j", "t") else 4, kind in "di")
        if bits := SHORT.get("hh" if kind == "c" else match["length"]):
            number &= (1 << bits) - 1
            number -= (number >> bits - 1 << bits) if kind in "di" else 0
        if kind == "c":
            return f"{plain.partition('.')[0]}c" % chr(number)
        return f"{plain}{'d' if kind in 'iu' else kind}" % number


def say(call: Call, position: int, template: str, arguments: Arguments) -> int:
    """Prints what one lane says; gives how many arguments that took.

    A width that is too large is cut, and what is printed after the limit of a launch is left out: both are told.
    """
    here, filled = np.array([position]), _Format(arguments)
    try:
        text = CONVERSION.sub(filled.replace, template)
    except Exhausted:
        said = template.strip()
        call.report("print.arguments", here, values={"said": said, "taken": filled.taken})
        text = template
    if filled.widest > WIDEST:
        values = {"wanted": filled.widest, "limit": WIDEST}
        call.report("print.width", here, "warning", values=values)
    if not call.engine.host.say(text, LIMIT):
        call.report("print.full", here, "warning", values={"limit": LIMIT})
    return filled.taken
