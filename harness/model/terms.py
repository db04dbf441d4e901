"""An option in the terms of whoever asked: a flag on a command line, an argument in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["command_line", "option"]

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
