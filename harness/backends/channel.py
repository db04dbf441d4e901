"""Messages between a process and its child, over pipes of their own.

A message is a magic word, the lengths of its parts, a pickle and, out of band,
the bytes of its arrays, so that these are copied into the pipe and out of it and
nowhere else.  What a kernel or the engine prints goes elsewhere; whatever else
turns up in the pipe is recognised as garbage instead of being unpickled.
"""

from __future__ import annotations

import os
import pickle
import select
import struct
from typing import Any

__all__ = ["ClosedError", "GarbageError", "TimeUpError", "receive", "send"]

_HEADER = struct.Struct("<8sQ")  # magic, number of parts
_LENGTH = struct.Struct("<Q")
_MAGIC = b"\x00pzl\x02ch\n"
MAX_BYTES = 1 << 40  # of a part; more is no message
MAX_PARTS = 1 << 16


class ClosedError(Exception):
    """The other end is gone."""


class TimeUpError(Exception):
    """Nothing came in time."""


class GarbageError(Exception):
    """What came is no message."""


def send(descriptor: int, message: Any) -> None:
    """Writes one message.

    Raises:
        ClosedError: Nobody reads it.
    """
    arrays: list[pickle.PickleBuffer] = []
    body = pickle.dumps(message, protocol=5, buffer_callback=arrays.append)
    parts = [memoryview(body), *(array.raw() for array in arrays)]
    lengths = b"".join(_LENGTH.pack(part.nbytes) for part in parts)
    for view in (memoryview(_HEADER.pack(_MAGIC, len(parts)) + lengths), *parts):
        while view:
            try:
                view = view[os.write(descriptor, view) :]
            except OSError:
                raise ClosedError from None


def receive(descriptor: int, timeout_seconds: float | None = None) -> Any:
    """Reads one message; its arrays are the caller's own, read-only if they were.

    Args:
        descriptor: The reading end of a pipe.
        timeout_seconds: For how long nothing may come: a long message takes its
            time. None waits for ever.

    Raises:
        ClosedError: The other end is gone.
        TimeUpError: Time is up.
        GarbageError: The bytes are no message.
    """
    magic, count = _HEADER.unpack(_exactly(descriptor, _HEADER.size, timeout_seconds))
    if magic != _MAGIC or not 1 <= count <= MAX_PARTS:
        raise GarbageError
    lengths = [size for (size,) in _LENGTH.iter_unpack(_exactly(descriptor, count * _LENGTH.size, timeout_seconds))]
    if max(lengths) > MAX_BYTES:
        raise GarbageError
    body, *arrays = (_exactly(descriptor, size, timeout_seconds) for size in lengths)
    try:
        return pickle.loads(body, buffers=arrays)
    except Exception:
        raise GarbageError from None


def _exactly(descriptor: int, size: int, timeout_seconds: float | None) -> bytearray:
    try:
        whole = bytearray(size)
    except MemoryError:
        raise GarbageError from None
    rest = memoryview(whole)
    while rest:
        if not select.select([descriptor], [], [], timeout_seconds)[0]:
            raise TimeUpError
        got = os.readv(descriptor, [rest])
        if not got:
            raise ClosedError
        rest = rest[got:]
    return whole
