"""Send and receive pickled messages over pipes, large arrays out of band; a closed end, a time-out, garbage raise.

A message is a magic word, two lengths, a pickle and, out of band, the bytes of its large arrays. These are copied
into the pipe and out of it and nowhere else; with `vmsplice` only out of it. What a kernel or the engine prints goes
elsewhere. Anything else in the pipe is recognised as garbage and not unpickled.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
import pickle
import select
import struct
import time
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["ClosedError", "GarbageError", "TimeUpError", "open_pipe", "read_until_closed", "receive", "send"]

_HEADER = struct.Struct("<8sQQ")  # magic, bytes of the pickle, number of arrays
_LENGTH = struct.Struct("<Q")
_MAGIC = b"\x00pzl\x02ch\n"
MAX_BYTES = 1 << 40  # of a part; more is no message
MAX_ARRAYS = 1 << 16
OUT_OF_BAND = 1 << 16  # bytes from which an array is sent beside the pickle
_LARGE = 1 << 21  # bytes of a large page: to get that much in small ones takes longer than to fill it
_PIPE = 1 << 18  # bytes on their way: four times what a pipe holds unless told, and no more helps


class ClosedError(Exception):
    """The other end is gone."""


class TimeUpError(Exception):
    """Nothing came in time."""


class GarbageError(Exception):
    """The bytes that arrived are no message."""


def open_pipe() -> tuple[int, int]:
    """Open a pipe for large messages; return its reading end and its writing end."""
    read, write = os.pipe()
    with contextlib.suppress(AttributeError, OSError):  # not Linux, or others of this user have a lot of them
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _PIPE)
    return read, write


def send(descriptor: int, message: Any, *, lend: bool = False) -> None:
    """Write one message, pickled; waits until all of it is in the pipe.

    Args:
        lend: Large arrays are read where they lie, where the system can. Only for a reader that is trusted: it could
            see what lies there later.

    Raises:
        ClosedError: Nobody reads it.
    """
    arrays: list[memoryview] = []

    def beside(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < OUT_OF_BAND:
            return True  # stays in the pickle
        arrays.append(raw)
        return False

    body = pickle.dumps(message, protocol=5, buffer_callback=beside)
    lengths = b"".join(_LENGTH.pack(array.nbytes) for array in arrays)
    head = _HEADER.pack(_MAGIC, len(body), len(arrays)) + lengths
    for view in (memoryview(head + body), *arrays):
        view = _splice(descriptor, view) if lend and view.nbytes >= _LARGE else view
        while view:
            try:
                view = view[os.write(descriptor, view) :]
            except OSError:
                raise ClosedError from None


def receive(descriptor: int, timeout_seconds: float | None = None) -> Any:
    """Read one message, which is unpickled: the sender must be trusted. Its arrays are the caller's own.

    Args:
        descriptor: The reading end of a pipe.
        timeout_seconds: For how long nothing may come: a long message takes its
            time. None waits for ever.

    Raises:
        ClosedError: The other end is gone.
        TimeUpError: Time is up.
        GarbageError: The bytes are no message, or there is no room for it.
    """
    magic, size, count = _HEADER.unpack(_read_exactly(descriptor, _HEADER.size, timeout_seconds))
    if magic != _MAGIC or size > MAX_BYTES or count > MAX_ARRAYS:
        raise GarbageError
    lengths = _read_exactly(descriptor, count * _LENGTH.size, timeout_seconds)
    sizes = [length for (length,) in _LENGTH.iter_unpack(lengths)]
    if sizes and max(sizes) > MAX_BYTES:
        raise GarbageError
    body, *arrays = (_read_exactly(descriptor, part, timeout_seconds) for part in (size, *sizes))
    try:
        return pickle.loads(body, buffers=arrays)
    except Exception:  # damaged bytes may raise anything there
        raise GarbageError from None


def read_until_closed(pipe: int, writer_end: int) -> bytes:
    """Read a named pipe until its writer closes it, or can be no more; return all bytes.

    Args:
        pipe: Its reading end, opened without blocking.
        writer_end: Becomes readable when there is nobody left who could write.
    """
    chunks: list[bytes] = []
    while True:
        ready = select.select([pipe, writer_end], [], [])[0]
        chunk = os.read(pipe, 1 << 20) if pipe in ready else b""
        if not chunk and (chunks or writer_end in ready):
            return b"".join(chunks)
        if chunk:
            chunks.append(chunk)
        else:  # outside Linux a pipe is at its end, too, while nobody has opened it
            time.sleep(0.01)


def _splice(descriptor: int, part: memoryview) -> memoryview:
    """Lend a pipe the pages of a part of a message; return what is still to be written: all of it where that cannot be
    done.

    The rest is at least as long as the pipe: once it is written, no lent page is in the pipe any more.
    """
    lend = _find_vmsplice()
    if lend is None:
        return part
    import ctypes

    import numpy as np

    try:
        all_but, sent = part.nbytes - max(_PIPE, fcntl.fcntl(descriptor, fcntl.F_GETPIPE_SZ)), 0
    except (OSError, ValueError):
        return part
    address = np.frombuffer(part, np.uint8).ctypes.data
    while sent < all_but:
        pages = (ctypes.c_size_t * 2)(address + sent, all_but - sent)  # struct iovec: where, and how many bytes
        moved = lend(descriptor, pages, ctypes.c_size_t(1), 0)
        if moved < 0 and ctypes.get_errno() != errno.EINTR:
            break  # nobody reads it, or it is forbidden here: writing tells which
        sent += max(0, moved)
    return part[sent:]


@cache
def _find_vmsplice() -> Callable[..., int] | None:
    """Return the C library's `vmsplice`, which Python does not have; None where there is none.

    The types of its arguments are not declared: give ctypes objects, such as `c_size_t(1)`. `ctypes.get_errno` tells
    why it returned -1.
    """
    import ctypes  # late: who starts MAX ahead of all else does without it

    function = getattr(ctypes.CDLL(None, use_errno=True), "vmsplice", None)
    if function is not None:
        function.restype = ctypes.c_ssize_t
    return function


def _read_exactly(descriptor: int, size: int, timeout_seconds: float | None) -> bytearray | mmap.mmap:
    """Read so many bytes; TimeUpError if none comes in time, ClosedError at the end, GarbageError without room."""
    try:
        buffer = _allocate(size)
    except (MemoryError, OSError):
        raise GarbageError from None
    rest = memoryview(buffer)
    while rest:
        if not select.select([descriptor], [], [], timeout_seconds)[0]:
            raise TimeUpError
        count = os.readv(descriptor, [rest])
        if not count:
            raise ClosedError
        rest = rest[count:]
    return buffer


def _allocate(size: int) -> bytearray | mmap.mmap:
    if size < _LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return bytearray(size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):  # there may be no large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
