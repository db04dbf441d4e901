"""`Staging`: move arrays to and from a device through page-locked memory, make guarded buffers, compare bit for bit.

An array that was born in page-locked memory (`Staging.empty`) moves as it is.
Large ordinary arrays go through a few page-locked buffers in turn: while one
moves, several threads fill or empty the next.  Small ones are left to the driver,
which is as fast there and needs no page-locked memory: the engine's pool for
that takes 0.4 s to make on an H200's host.  docs/benchmarks.md has the rates.
"""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from harness.backends.guarded import make_guarded

__all__ = ["Staging"]

CHUNKS = 3  # one moves, one is filled, one waits
CHUNK_BYTES = 2**25  # smaller ones cost more in hand-overs between threads than they overlap
T = TypeVar("T")
FILLED = 2**20  # elements of a poisoned array that are made on the host
LEAST_BYTES = 2**14  # below it the driver's own path is faster than any of these
COPIERS = max(1, min(8, (os.cpu_count() or 2) // 2))  # more do not add to what memory gives
_compared = ctypes.CDLL(None).memcmp  # NumPy makes an array of answers, and threads wait for one another between parts
_compared.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


class Staging:
    """Page-locked buffers for one device; on the host CPU, plain ones.

    Args:
        device: A `max.driver` device.
    """

    def __init__(self, device: Any) -> None:
        from max import driver
        from max.dtype import DType

        self._driver, self._dtypes, self._device = driver, DType, device
        self._host = device.is_host
        self._over = driver.Buffer.from_dlpack  # `from_numpy` would ask once more for what is contiguous
        self._ring: list[_Chunk] = []
        self._pool: ThreadPoolExecutor | None = None
        # Arrays born here, by the address of their first byte.
        self._born: weakref.WeakValueDictionary[int, _Memory] = weakref.WeakValueDictionary()

    def empty(self, shape: Sequence[int], dtype: Any = np.float32) -> np.ndarray:
        """Return an array in page-locked memory, not initialised; its transfers make no further copy on the host.

        Below `LEAST_BYTES` (16 KiB) it is an ordinary one.
        """
        dtype = np.dtype(dtype)
        size = math.prod(shape) * dtype.itemsize
        if size < LEAST_BYTES:
            return np.empty(shape, dtype)
        memory = _Memory(self._page_locked(size))
        self._born[memory.address] = memory
        array: np.ndarray = np.asarray(memory).view(dtype).reshape(shape)
        return array

    def allocate(self, shape: Sequence[int], dtype: Any) -> Any:
        """Return a buffer in the device's memory that nothing has written to."""
        return self._driver.Buffer(self._dtypes.from_numpy(np.dtype(dtype)), shape, device=self._device)

    def make_guarded(self, shape: tuple[int, ...], dtype: np.dtype, fill: str, guard: int) -> Any:
        """Return what `guarded.make_guarded` makes without content, but on the device, where most of it is filled by
        copies.
        """
        count = math.prod(shape)
        first = min(count, FILLED)
        small = make_guarded((first,), dtype, fill, guard)
        if first == count:
            return self.upload(small)
        head, end = self.upload(small[: guard + first]), self.upload(small[guard + first :])
        buffer = self.allocate((count + 2 * guard,), dtype)
        buffer[: guard + first].inplace_copy_from(head)
        there = first
        while there < count:
            more = min(there, count - there)
            buffer[guard + there : guard + there + more].inplace_copy_from(buffer[guard : guard + more])
            there += more
        buffer[guard + count :].inplace_copy_from(end)
        self._device.synchronize()  # before its ends, as they were sent, are given back
        return buffer

    def upload(self, array: np.ndarray) -> Any:
        """Return a copy of a C-contiguous array in the device's memory.

        The array may be overwritten as soon as this returns.  The transfer is
        ordered before everything that is enqueued later.
        """
        memory = self._memory(array)
        if self._host or (memory is None and array.nbytes <= CHUNK_BYTES):
            # On the host the buffer would be the array itself.
            return self._over(array.copy() if self._host else array).to(self._device)
        raw = array.reshape(-1).view(np.uint8)
        target = self._driver.Buffer(self._dtypes.uint8, raw.shape, device=self._device)
        if memory is not None:
            target.inplace_copy_from(memory.buffer[: raw.size])
            self._device.synchronize()
        else:
            for chunk, start, stop in self._chunks(raw.size):
                chunk.free.synchronize()
                self._copy(chunk.bytes[: stop - start], raw[start:stop])
                target[start:stop].inplace_copy_from(chunk.buffer[: stop - start])
                self._record(chunk)
        return target.view(self._dtypes.from_numpy(array.dtype), array.shape)

    def download(self, buffer: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Return the contents of a contiguous buffer on the device.

        Args:
            buffer: What is enqueued before is awaited.
            out: A C-contiguous array of the buffer's shape and type to fill,
                instead of a new one.
        """
        array = np.empty(tuple(buffer.shape), buffer.dtype.to_numpy()) if out is None else out
        memory = self._memory(array)
        if self._host or (memory is None and array.nbytes <= CHUNK_BYTES):
            self._over(array).inplace_copy_from(buffer)
            self._device.synchronize()
            return array
        raw = array.reshape(-1).view(np.uint8)
        if memory is not None:
            memory.buffer[: raw.size].inplace_copy_from(buffer.view(self._dtypes.uint8, [raw.size]))
            self._device.synchronize()
            return array
        for arrived, part in self._arriving(buffer, raw.size):
            self._copy(raw[part], arrived)
        return array

    def is_same(self, buffer: Any, array: np.ndarray) -> bool:
        """Return True if a contiguous buffer on the device equals an array of its type, bit for bit; False for another
        shape.

        Of a large one nothing is kept here: the threads compare what has arrived with the array.
        """
        if tuple(buffer.shape) != array.shape:
            return False
        if self._host or array.nbytes <= CHUNK_BYTES:
            return _same(self.download(buffer), np.ascontiguousarray(array))
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        return all(
            all(self._by_threads(_same, raw[part], arrived)) for arrived, part in self._arriving(buffer, raw.size)
        )

    def _arriving(self, buffer: Any, size: int) -> Iterator[tuple[np.ndarray, slice]]:
        """Yield the bytes of a buffer on the device part by part, each with its place; a part is valid until the next
        one.
        """
        source = buffer.view(self._dtypes.uint8, [size])
        moving: list[tuple[_Chunk, int, int]] = []
        for chunk, start, stop in self._chunks(size):
            if len(moving) == CHUNKS - 1:
                yield self._arrived(*moving.pop(0))
            chunk.buffer[: stop - start].inplace_copy_from(source[start:stop])
            self._record(chunk)
            moving.append((chunk, start, stop))
        for last in moving:
            yield self._arrived(*last)

    def _arrived(self, chunk: _Chunk, start: int, stop: int) -> tuple[np.ndarray, slice]:
        chunk.free.synchronize()
        return chunk.bytes[: stop - start], slice(start, stop)

    def _memory(self, array: np.ndarray) -> _Memory | None:
        """Return the page-locked memory that `empty` made and at whose first byte an array begins.

        None for other arrays, and for those below `LEAST_BYTES`.
        """
        if array.nbytes < LEAST_BYTES:
            return None
        memory = self._born.get(array.__array_interface__["data"][0])  # `ctypes.data` takes longer than a launch
        return memory if memory is not None and array.nbytes <= memory.size else None

    def _page_locked(self, size: int) -> Any:
        usage = {} if self._host else {"usage": self._driver.Usage.STAGING}
        return self._driver.Buffer(self._dtypes.uint8, [size], device=self._device, **usage)

    def _chunks(self, size: int) -> Iterator[tuple[_Chunk, int, int]]:
        while len(self._ring) < CHUNKS:
            self._ring.append(self._chunk())
        for number, start in enumerate(range(0, size, CHUNK_BYTES)):
            yield self._ring[number % CHUNKS], start, min(size, start + CHUNK_BYTES)

    def _chunk(self) -> _Chunk:
        chunk = _Chunk(self._page_locked(CHUNK_BYTES), self._driver.DeviceEvent(self._device))
        self._record(chunk)
        return chunk

    def _record(self, chunk: _Chunk) -> None:
        self._device.default_queue.record_event(chunk.free)

    def _copy(self, target: np.ndarray, source: np.ndarray) -> None:
        self._by_threads(np.copyto, target, source)

    def _by_threads(self, work: Callable[[np.ndarray, np.ndarray], T], one: np.ndarray, other: np.ndarray) -> list[T]:
        """Cut two byte arrays alike, call a function with each pair of parts, and return the results in order.

        There are up to `COPIERS` parts, however small, one for each thread. Empty arrays are refused (ValueError),
        unless there is one copier.
        """
        if COPIERS == 1:
            return [work(one, other)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(COPIERS, thread_name_prefix="staging")
        step = -(-one.size // COPIERS)
        parts = [slice(start, start + step) for start in range(0, one.size, step)]
        return list(self._pool.map(lambda part: work(one[part], other[part]), parts))


class _Memory:
    """Page-locked memory that lives as long as an array that shows it."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer
        self._array = np.from_dlpack(buffer)
        self.address, self.size = self._array.ctypes.data, self._array.size
        self.__array_interface__ = {**self._array.__array_interface__, "data": (self.address, False)}


class _Chunk:
    """A page-locked buffer, its bytes, and the event after which it may be used again."""

    def __init__(self, buffer: Any, free: Any) -> None:
        self.buffer, self.free = buffer, free
        self.bytes = np.from_dlpack(buffer)


def _same(first: np.ndarray, other: np.ndarray) -> bool:
    """Return True if two contiguous arrays of one size hold the same bytes."""
    return not _compared(first.ctypes.data, other.ctypes.data, first.nbytes)
