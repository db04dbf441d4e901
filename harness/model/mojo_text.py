"""Decode a Mojo file as UTF-8; refuse large files, byte order marks and control characters, with the reason.

Mojo takes a carriage return for the end of a line, and a null, a form feed or an escape for a blank of a comment: an
editor shows something else than what is compiled. So files with such characters are refused.
"""

from __future__ import annotations

import re

__all__ = ["MOST_BYTES", "TextError", "decode_mojo"]

MOST_BYTES = 256 << 10  # of a puzzle's file; the largest solution has 5 KiB
_CONTROL = re.compile(r"(?!\t|\n|\r\n)[\x00-\x1f\x7f-\x9f]")
_NAMES = {
    "\0": "a null character",
    "\r": "a carriage return without a line feed",
    "\x0b": "a vertical tab",
    "\x0c": "a form feed",
    "\x1b": "an escape character",
    "\x7f": "a delete character",
    "\x85": "a next line character",
}


class TextError(ValueError):
    """The bytes are no text of a Mojo file; the message says why and what to do."""


def decode_mojo(data: bytes) -> str:
    """Decode a Mojo file's bytes; encoding the text again gives the same bytes.

    Raises:
        TextError: It is larger than `MOST_BYTES`, is no UTF-8, or has a byte order mark or a control character. Tabs,
            line feeds, and carriage returns before line feeds, are allowed.
    """
    if len(data) > MOST_BYTES:
        raise TextError(f"it has more than {MOST_BYTES >> 10} KiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TextError(f"line {line} is no text in UTF-8 (byte {error.start} of the file): save it as UTF-8") from None
    if text.startswith("\ufeff"):
        raise TextError("it begins with a byte order mark, which Mojo refuses: save it as UTF-8 without one")
    if match := _CONTROL.search(text):
        name = f"{_NAMES.get(match[0], 'a control character')} (U+{ord(match[0]):04X})"
        line = text.count("\n", 0, match.start()) + 1
        raise TextError(f"line {line} has {name}: a Mojo file has no control characters but tabs and line ends")
    return text
