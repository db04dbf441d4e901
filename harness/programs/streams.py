"""Standard streams of a program: output captured in temporary files, or descriptors duplicated for a child."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

__all__ = ["KeptStreams", "Streams", "duplicate_streams", "open_kept_streams"]


@dataclass(frozen=True, slots=True)
class Streams:
    """Descriptors for a program's standard streams."""

    stdin: int
    stdout: int
    stderr: int


@dataclass(frozen=True, slots=True)
class KeptStreams:
    """Standard streams whose output is kept in temporary files; stdin is empty."""

    streams: Streams
    _output: IO[bytes]
    _errors: IO[bytes]

    def output(self) -> bytes:
        """Return all that went to stdout."""
        return _read_all(self._output)

    def errors(self) -> bytes:
        """Return all that went to stderr."""
        return _read_all(self._errors)


def _read_all(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@contextlib.contextmanager
def open_kept_streams() -> Iterator[KeptStreams]:
    """Open standard streams whose output is kept; they close at the end of the block."""
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        yield KeptStreams(Streams(nothing.fileno(), output.fileno(), errors.fileno()), output, errors)


@contextlib.contextmanager
def duplicate_streams(streams: Streams) -> Iterator[tuple[int, int, int]]:
    """Yield duplicates of the descriptors, (stdin, stdout, stderr), to pass on to a child; they close after the block.

    The duplicates have other numbers than 0 to 2, which mean other streams in the child.
    """
    with contextlib.ExitStack() as stack:
        copies = []
        for number in (streams.stdin, streams.stdout, streams.stderr):
            copies.append(os.dup(number))
            stack.callback(os.close, copies[-1])
        yield copies[0], copies[1], copies[2]
