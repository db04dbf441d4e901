"""Callbacks for a host function called on many data sets: fill buffers, return numbers, report that one is done.

`harness/build/mojo/host_data.mojo` calls them; `call_data` has those for exported functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.programs.host.runtime import Runtime

__all__ = ["callbacks"]


def callbacks(
    runtime: Runtime, data: bytes, sizes: Sequence[int], scalars: Sequence[Sequence[float]]
) -> dict[str, Any]:
    """Return the callbacks for the functions that the program calls, by name, each with the prefix `HarnessData_`.

    `given` (address, data set, buffer) fills memory with a data set's buffer, marks its undefined bytes, and notes that
    in the journal. `scalar` (data set, index) returns a number of it. `done` and `failed` tell the journal what
    the host wrote, and send a message with their name: the number of the data set, or the reason.

    Args:
        runtime: The device.
        data: For each data set and each buffer its bytes, and then for each byte whether it is undefined.
        sizes: The sizes of the buffers, in bytes; all data sets have the same.
        scalars: The numbers of each data set.

    Returns:
        Callbacks, which must live as long as the program.
    """

    def fill_buffer(address: int, number: int, argument: int) -> None:
        size = sizes[argument]
        begin = 2 * (number * sum(sizes) + sum(sizes[:argument]))
        content = np.frombuffer(data, np.uint8, 2 * size, begin)
        place = runtime.range(address, size)
        allocation = place.storage.allocation
        place.data[:] = content[:size]
        origin = runtime.device.origins.number("argument", allocation.name)
        allocation.shadow = content[size:].astype(np.int32) * origin if content[size:].any() else None
        runtime.journal.changed(place.storage)
        runtime.journal.record_argument(number, argument, allocation)

    def scalar(number: int, argument: int) -> float:
        return scalars[number][argument]

    def finish_data_set(number: int) -> None:
        runtime.notice_all()
        runtime.tell("done", number)

    def failed(number: int, reason: bytes) -> None:
        runtime.notice_all()
        runtime.tell("failed", reason.decode(errors="replace"))

    integer = ctypes.c_int32
    return {
        "HarnessData_given": ctypes.CFUNCTYPE(None, ctypes.c_int64, integer, integer)(fill_buffer),
        "HarnessData_scalar": ctypes.CFUNCTYPE(ctypes.c_double, integer, integer)(scalar),
        "HarnessData_done": ctypes.CFUNCTYPE(None, integer)(finish_data_set),
        "HarnessData_failed": ctypes.CFUNCTYPE(None, integer, ctypes.c_char_p)(failed),
    }
