"""Explain "no such file" for a program that exists: name the script interpreter or ELF loader that is missing."""

from __future__ import annotations

import contextlib
import os
import re

__all__ = ["find_missing_loader"]

_LOADER = re.compile(rb"/[\w./-]*/ld[\w.-]*\.so[\w.-]*")  # as an ELF file names it, near its beginning
_BEGINNING = 1 << 12  # bytes that hold that name


def find_missing_loader(program: str) -> str:
    """Return which interpreter or loader a program lacks, of which the system only says that no such file exists.

    A clause in parentheses that begins with a blank; empty if nothing is missing, or `program` is not a file's path.
    """
    if not os.path.isfile(program):
        return ""
    with contextlib.suppress(OSError), open(program, "rb") as file:
        first = file.readline(256)
        if first.startswith(b"#!"):
            interpreter = (os.fsdecode(first[2:]).split() or [""])[0]
            return "" if os.path.exists(interpreter) else f" (its interpreter {interpreter} is not there)"
        loader = _LOADER.search(first + file.read(_BEGINNING)) if first.startswith(b"\x7fELF") else None
        if loader and not os.path.exists(loader[0]):
            return f" (its loader {os.fsdecode(loader[0])} is not there: it was built for another C library)"
    return ""
