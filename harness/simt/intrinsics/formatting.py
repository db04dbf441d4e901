"""Format one lane's message as C's `printf` does, from a source of arguments, and print it to the launch's output.

Python's own formats differ in octal numbers and zeros with `#`, in signs of unsigned numbers, and in padding of numbers
with a precision; and they have no hexadecimal floats.

See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#formatted-output and ISO C, 7.21.6.1
"""

import math
import re
import struct
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from harness.simt.intrinsics.handlers import Call

__all__ = ["LIMIT", "Arguments", "Exhausted", "print_message"]

CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*)?)?(?P<length>hh|h|ll|l|z|j|t)?"
    r"(?P<kind>[diouxXcsfFeEgGaAp%])"
)
SHORT = {"h": 16, "hh": 8}  # bits of a number that is passed as a wider one
WIDEST = 1 << 12  # largest width or precision, in characters
LIMIT = 1 << 24  # characters that one launch may print


class Exhausted(Exception):
    """Raised when a format needs more arguments than there are."""


class Arguments(Protocol):
    """A source of a format's arguments, one after another."""

    def word(self, size: int) -> int:
        """Return the next argument of `size` bytes as an unsigned integer. Raises `Exhausted`."""

    def text(self) -> str:
        """Return the next argument, a string. Raises `Exhausted`."""


@dataclass(slots=True)
class _Format:
    """A format while its conversions are replaced by arguments.

    Attributes:
        argument_count: How many arguments have been used.
        widest: The largest width or precision so far.
    """

    arguments: Arguments
    argument_count: int = 0
    widest: int = 0

    def word(self, size: int, signed: bool = False) -> int:
        value = self.arguments.word(size)
        self.argument_count += 1
        return value - (value >> 8 * size - 1 << 8 * size) if signed else value

    def measure(self, written: str | None) -> int:
        """Return a width or precision, from the format or an argument (`*`), limited to +-`WIDEST`; 0 if there is none.

        Records the largest size, before that limit, in `widest`. Raises `Exhausted` if the argument is missing.
        """
        # The first digits of a huge number are enough to exceed the limit.
        size = self.word(4, signed=True) if written == "*" else int((written or "0")[:12])
        self.widest = max(self.widest, abs(size))
        return max(-WIDEST, min(WIDEST, size))

    def replace(self, match: re.Match[str]) -> str:
        """Return the text for one conversion, using up its arguments, which `argument_count` counts; `%` for `%%`.

        Raises `Exhausted` if an argument is missing.
        """
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
            self.argument_count += 1
            return f"{plain}s" % value
        if kind in "fFeEgGaA":
            number = float(*struct.unpack("<d", struct.pack("<Q", self.word(8))))
            if kind in "aA" or not math.isfinite(number):
                return _format_special_float(number, kind, flags, size, precision)
            return f"{plain}{kind}" % number
        if kind == "p":
            address = self.word(8)
            return _pad("", f"{address:#x}" if address else "(nil)", flags.replace("0", ""), size)
        number_ = self.word(8 if match["length"] in ("ll", "l", "z", "j", "t") else 4, kind in "di")
        if bits := SHORT.get("hh" if kind == "c" else match["length"]):
            number_ &= (1 << bits) - 1
            number_ -= (number_ >> bits - 1 << bits) if kind in "di" else 0
        if kind == "c":
            return _pad("", chr(number_), flags.replace("0", ""), size)
        return _format_integer(number_, kind, flags, size, precision)


def _pad(head: str, digits: str, flags: str, width: int) -> str:
    """Return a number after its sign or prefix, padded to a width: at the right end with `-` in the flags, else before
    it with blanks, or after its head with zeros for `0`.
    """
    if "-" in flags:
        return (head + digits).ljust(width)
    return head + digits.zfill(width - len(head)) if "0" in flags else (head + digits).rjust(width)


def _sign_text(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _format_integer(value: int, kind: str, flags: str, width: int, precision: int) -> str:
    """Return the text of an integer for one of the conversions `diouxX`; a precision below 0 is none."""
    digits = "" if value == precision == 0 else format(abs(value), kind if kind in "oxX" else "d")
    digits, flags = (digits.zfill(precision), flags.replace("0", "")) if precision >= 0 else (digits, flags)
    head = _sign_text(value < 0, flags) if kind in "di" else ""
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    elif "#" in flags and kind in "xX" and value:
        head = f"0{kind}"
    return _pad(head, digits, flags, width)


def _format_special_float(value: float, kind: str, flags: str, width: int, precision: int) -> str:
    """Return the text of a float in hexadecimal, or of an infinity or a NaN; in capitals for a conversion in capitals.

    A precision below 0 gives as many digits as are needed. Infinities and NaNs are not padded with zeros, and a NaN
    has no minus sign.
    """
    sign, raw = _sign_text(math.copysign(1.0, value) < 0 and not math.isnan(value), flags), abs(value)
    if not math.isfinite(value):
        text, flags = f"{raw}", flags.replace("0", "")
    else:
        (bits,) = struct.unpack("<Q", struct.pack("<d", raw))
        exponent, significand = bits >> 52, bits & (1 << 52) - 1
        significand |= (exponent > 0) << 52
        power = (max(exponent, 1) - 1023) if significand else 0
        if (cut := 4 * (13 - precision)) > 0 and precision >= 0:  # to nearest, ties to even
            significand = significand + (1 << cut - 1) - 1 + (significand >> cut & 1) >> cut << cut
        digits = f"{significand & (1 << 52) - 1:013x}"
        digits = digits.rstrip("0") if precision < 0 else digits.ljust(precision, "0")[:precision]
        text, sign = f"{significand >> 52}{'.' if digits or '#' in flags else ''}{digits}p{power:+d}", f"{sign}0x"
    text = _pad(sign, text, flags, width)
    return text.upper() if kind.isupper() else text


def print_message(call: Call, position: int, template: str, arguments: Arguments) -> int:
    """Print one lane's format with its arguments to the launch's output, and return how many arguments were used.

    Reported are missing arguments (then the format itself is printed, and those before them count as used), widths that
    were cut to `WIDEST`, and a text that is dropped, since the launch printed more than `LIMIT` characters before.

    Args:
        position: The lane's position in the call, for reports.
    """
    lane, filled = np.array([position]), _Format(arguments)
    try:
        text = CONVERSION.sub(filled.replace, template)
    except Exhausted:
        format_text = template.strip()
        call.report("print.arguments", lane, values={"said": format_text, "taken": filled.argument_count})
        text = template
    if filled.widest > WIDEST:
        values = {"wanted": filled.widest, "limit": WIDEST}
        call.report("print.width", lane, "warning", values=values)
    if not call.engine.host.print_text(text, LIMIT):
        call.report("print.full", lane, "warning", values={"limit": LIMIT})
    return filled.argument_count
