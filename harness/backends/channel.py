"""Messages between a process and its child, over pipes of their own.

A message is a magic word, a length and a pickle.  What a kernel or the engine
prints goes elsewhere; whatever else turns up in the pipe is recognised as
garbage instead of being unpickled.
"""

from __future__ import annotations

import os
import pickle
import select
import struct
import time
from typing import Any

__all__ = ["ClosedError", "GarbageError", "TimeUpError", "receive", "send"]

_HEADER = struct.Struct("<8sQ")
_MAGIC = b"\x00pzl\x01ch\n"
MAX_BYTES = 1 << 31


class ClosedError(Exception):
    """The other end is gone."""


class TimeUpError(Exception):
    """No whole message came in time."""


class GarbageError(Exception):
    """What came is no message."""


def send(descriptor: int, message: Any) -> None:
    """Writes one message.

    Raises:
        ClosedError: Nobody reads it.
    """
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    view = memoryview(_HEADER.pack(_MAGIC, len(body)) + body)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except (BrokenPipeError, OSError):
        raise ClosedError from None


def receive(descriptor: int, timeout_seconds: float | None = None) -> Any:
    """Reads one message.

    Args:
        descriptor: The reading end of a pipe.
        timeout_seconds: For the whole message; None waits for ever.

    Raises:
        ClosedError: The other end is gone.
        TimeUpError: Time is up.
        GarbageError: The bytes are no message.
    """
    deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
    magic, length = _HEADER.unpack(_exactly(descriptor, _HEADER.size, deadline))
    if magic != _MAGIC or length > MAX_BYTES:
        raise GarbageError
    try:
        return pickle.loads(_exactly(descriptor, length, deadline))
    except (ClosedError, TimeUpError):
        raise
    except Exception:
        raise GarbageError from None


def _exactly(descriptor: int, size: int, deadline: float | None) -> bytes:
    got = bytearray()
    while len(got) < size:
        remaining = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([descriptor], [], [], remaining)[0]:
            raise TimeUpError
        chunk = os.read(descriptor, min(size - len(got), 1 << 20))
        if not chunk:
            raise ClosedError
        got += chunk
    return bytes(got)
