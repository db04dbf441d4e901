"""C's `printf`, from a format and arguments that come one by one.

Python's own formats differ: in octal numbers and zeros with `#`, in signs of what has none, in numbers with a precision
that are filled up with zeros; and they have no hexadecimal floats.

See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#formatted-output and ISO C, 7.21.6.1
"""

import math
import re
import struct
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from harness.simt.intrinsics.handlers import Call

__all__ = ["LIMIT", "Arguments", "Exhausted", "say"]

CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*)?)?(?P<length>hh|h|ll|l|z|j|t)?"
    r"(?P<kind>[diouxXcsfFeEgGaAp%])"
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
        size, plain = abs(width), f"%{flags}{abs(width) or ''}{f'.{precision}' if precision >= 0 else ''}"
        if kind == "s":
            value = self.arguments.text()
            self.taken += 1
            return f"{plain}s" % value
        if kind in "fFeEgGaA":
            number = float(*struct.unpack("<d", struct.pack("<Q", self.word(8))))
            if kind in "aA" or not math.isfinite(number):
                return _float(number, kind, flags, size, precision)
            return f"{plain}{kind}" % number
        if kind == "p":
            address = self.word(8)
            return _filled("", f"{address:#x}" if address else "(nil)", flags.replace("0", ""), size)
        whole = self.word(8 if match["length"] in ("ll", "l", "z", "j", "t") else 4, kind in "di")
        if bits := SHORT.get("hh" if kind == "c" else match["length"]):
            whole &= (1 << bits) - 1
            whole -= (whole >> bits - 1 << bits) if kind in "di" else 0
        if kind == "c":
            return _filled("", chr(whole), flags.replace("0", ""), size)
        return _whole(whole, kind, flags, size, precision)


def _filled(head: str, digits: str, flags: str, width: int) -> str:
    """A number behind its sign or prefix, as wide as it shall be."""
    if "-" in flags:
        return (head + digits).ljust(width)
    return head + digits.zfill(width - len(head)) if "0" in flags else (head + digits).rjust(width)


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _whole(value: int, kind: str, flags: str, width: int, precision: int) -> str:
    """An integer."""
    digits = "" if value == precision == 0 else format(abs(value), kind if kind in "oxX" else "d")
    digits, flags = (digits.zfill(precision), flags.replace("0", "")) if precision >= 0 else (digits, flags)
    head = _sign(value < 0, flags) if kind in "di" else ""
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    elif "#" in flags and kind in "xX" and value:
        head = f"0{kind}"
    return _filled(head, digits, flags, width)


def _float(value: float, kind: str, flags: str, width: int, precision: int) -> str:
    """A float in hexadecimal digits, or one that is infinite or no number."""
    sign, raw = _sign(math.copysign(1.0, value) < 0 and not math.isnan(value), flags), abs(value)
    if not math.isfinite(value):
        text, flags = f"{raw}", flags.replace("0", "")
    else:
        (bits,) = struct.unpack("<Q", struct.pack("<d", raw))
        exponent, whole = bits >> 52, bits & (1 << 52) - 1
        whole |= (exponent > 0) << 52
        power = (max(exponent, 1) - 1023) if whole else 0
        if (cut := 4 * (13 - precision)) > 0 and precision >= 0:  # to the nearest, of two the even one
            whole = whole + (1 << cut - 1) - 1 + (whole >> cut & 1) >> cut << cut
        digits = f"{whole & (1 << 52) - 1:013x}"
        digits = digits.rstrip("0") if precision < 0 else digits.ljust(precision, "0")[:precision]
        text, sign = f"{whole >> 52}{'.' if digits or '#' in flags else ''}{digits}p{power:+d}", f"{sign}0x"
    text = _filled(sign, text, flags, width)
    return text.upper() if kind.isupper() else text


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
    if not call.engine.host.print_text(text, LIMIT):
        call.report("print.full", here, "warning", values={"limit": LIMIT})
    return filled.taken
