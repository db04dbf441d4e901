"""The standard streams of a program that runs in a child, which has others of its own."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

__all__ = ["Kept", "Streams", "inherited", "kept"]


@dataclass(frozen=True, slots=True)
class Streams:
    """Descriptors for a program's standard streams."""

    stdin: int
    stdout: int
    stderr: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Streams whose output is kept: stdin is empty."""

    streams: Streams
    _output: IO[bytes]
    _errors: IO[bytes]

    def output(self) -> bytes:
        """All that went to stdout."""
        return _whole(self._output)

    def errors(self) -> bytes:
        """All that went to stderr."""
        return _whole(self._errors)


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@contextlib.contextmanager
def kept() -> Iterator[Kept]:
    """Streams into files of their own."""
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        yield Kept(Streams(nothing.fileno(), output.fileno(), errors.fileno()), output, errors)


@contextlib.contextmanager
def inherited(streams: Streams) -> Iterator[tuple[int, int, int]]:
    """Copies that a child can inherit: there the numbers 0 to 2 mean others."""
    with contextlib.ExitStack() as stack:
        copies = []
        for number in (streams.stdin, streams.stdout, streams.stderr):
            copies.append(os.dup(number))
            stack.callback(os.close, copies[-1])
        yield copies[0], copies[1], copies[2]
