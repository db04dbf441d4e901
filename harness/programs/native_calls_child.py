"""The child of `native_calls`: call a host function per data set, trace launches, compare repetitions, time calls.

    python -m harness.programs.native_calls_child ORDER REPORTS

ORDER is a JSON file, REPORTS the descriptor for the messages of `harness.programs.wire`. Untrusted code runs here as a
part of a library: this process has inputs alone, and its messages are read as a stranger's.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from harness.programs import wire

__all__: list[str] = []

_TEXT_BYTES = 1024


def main(order: dict[str, Any], reports: int) -> None:
    """Make the calls of the order, one for each data set, and send messages; stop after the first that fails.

    A call's buffers are appended to the order's file `left`, as its first repetition leaves them. For each call the
    messages are `launches`, `unstable` for each repetition that differs, `took` if timed, and `done`; or `failed`.
    """
    from max import driver

    driver.Accelerator()  # the first that this process sees: Mojo takes the same
    library = ctypes.CDLL(order["library"])
    call, time = library.harness_call, library.harness_time
    call.restype, call.argtypes = ctypes.c_int64, [ctypes.c_int64, ctypes.c_int64]
    time.restype, time.argtypes = ctypes.c_int64, [ctypes.c_int64, ctypes.c_int64, ctypes.c_int64]
    batches, calls = order["timed"]
    data, sizes = np.fromfile(order["data"], np.uint8), order["sizes"]
    kernel = driver.LaunchTraceEntry.OperationKind.KERNEL_LAUNCH
    with open(order["left"], "wb") as output_file:
        for number, scalars in enumerate(order["scalars"]):
            begin = number * sum(sizes)
            inputs = np.split(data[begin : begin + sum(sizes)], np.cumsum(sizes)[:-1])
            first: list[bytes] = []
            for run in range(order["repeats"][number]):
                arrays, error = [array.copy() for array in inputs], ctypes.create_string_buffer(_TEXT_BYTES)
                numbers = (ctypes.c_double * max(1, len(scalars)))(*scalars)
                addresses = [
                    ctypes.addressof(error),
                    ctypes.addressof(numbers),
                    *(array.ctypes.data for array in arrays),
                ]
                table = (ctypes.c_int64 * len(addresses))(*addresses)
                driver.begin_launch_trace()
                call_arguments = order["number"], ctypes.addressof(table)
                failed = call(*call_arguments)
                entries = [entry for entry in driver.take_launch_trace() if entry.kind == kernel]
                if failed:
                    wire.send(reports, "failed", error.value.decode(errors="replace"))
                    return
                octets = [array.tobytes() for array in arrays]
                if run and octets != first:
                    wire.send(reports, "unstable", [at for at, content in enumerate(octets) if content != first[at]])
                if not run:
                    first = octets
                    output_file.write(b"".join(octets))
                    output_file.flush()
                    launches = [
                        [
                            entry.name,
                            [entry.grid_x, entry.grid_y, entry.grid_z],
                            [entry.block_x, entry.block_y, entry.block_z],
                        ]
                        for entry in entries
                    ]
                    wire.send(reports, "launches", launches)
            if batches:
                wire.send(reports, "took", [time(*call_arguments, calls) / calls for _ in range(batches)])
            wire.send(reports, "done", number)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), int(sys.argv[2]))
