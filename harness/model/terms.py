"""An option in the terms of whoever asked: a flag on a command line, an argument in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["as_asked", "command_line", "option"]

_FLAG = re.compile(r"`--([a-z-]+)(?: ([^`]+))?`")
_FIELDS = {"memory": "memory_bytes"}  # of `harness.programs.Options`, those that their flags are not called

_flags: list[None] = []  # one for each command line that is being done; of the process, since commands use threads


@contextmanager
def command_line() -> Iterator[None]:
    """While it lasts, whoever is told something gave flags."""
    _flags.append(None)
    try:
        yield
    finally:
        _flags.pop()


def option(name: str, value: str) -> str:
    """An option with its value, as it is written where it was asked for."""
    return f"`--{name} {value}`" if _flags else f'`{name}="{value}"`'


def as_asked(text: str) -> str:
    """What names flags of `exec`, in the terms of whoever asked: in Python they are fields of `Options`."""
    return text if _flags else _FLAG.sub(_field, text)


def _field(flag: re.Match[str]) -> str:
    name, value = flag.groups()
    field = _FIELDS.get(name, name.replace("-", "_"))
    return f"`Options({field}={value})`" if value else f"`Options.{field}`"
