"""Write option names in messages as the user does: as flags within a `command_line` context, else as Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["command_line", "format_option", "translate_flags"]

_FLAG = re.compile(r"`--([a-z-]+)(?: ([^`]+))?`")
_FIELDS = {"memory": "memory_bytes"}  # of `harness.programs.Options`, those that their flags are not called

_flags: list[None] = []  # one for each command line that is being done; of the process, since commands use threads


@contextmanager
def command_line() -> Iterator[None]:
    """Let `format_option` and `translate_flags` write flags, in all threads of this process, while the context is open.

    Contexts may be nested.
    """
    _flags.append(None)
    try:
        yield
    finally:
        _flags.pop()


def format_option(name: str, value: str) -> str:
    """Return an option with its value as the user writes it, in backquotes: `--name value` while `command_line` is
    open, otherwise `name="value"`.
    """
    return f"`--{name} {value}`" if _flags else f'`{name}="{value}"`'


def translate_flags(text: str) -> str:
    """Return a text that names flags of `exec` in backquotes: unchanged while `command_line` is open, otherwise with
    fields of `Options` instead of the flags.
    """
    return text if _flags else _FLAG.sub(_format_field, text)


def _format_field(flag: re.Match[str]) -> str:
    name, value = flag.groups()
    field = _FIELDS.get(name, name.replace("-", "_"))
    return f"`Options({field}={value})`" if value else f"`Options.{field}`"
