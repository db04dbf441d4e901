"""`python -m harness.programs.native_calls_child ORDER REPORTS`: calls a host function on the GPU of this process.

ORDER is a JSON file, REPORTS the descriptor for the messages of `harness.programs.wire`. A library that somebody's code
is part of runs here: this process has inputs alone, and whatever it tells is read as a stranger's word.
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
    """Make the calls of the order, one for each data set; the first that fails is the last."""
    from max import driver

    driver.Accelerator()  # the first that this process sees: Mojo takes the same
    library = ctypes.CDLL(order["library"])
    call, time = library.harness_call, library.harness_time
    call.restype, call.argtypes = ctypes.c_int64, [ctypes.c_int64, ctypes.c_int64]
    time.restype, time.argtypes = ctypes.c_int64, [ctypes.c_int64, ctypes.c_int64, ctypes.c_int64]
    batches, calls = order["timed"]
    data, sizes = np.fromfile(order["data"], np.uint8), order["sizes"]
    kernel = driver.LaunchTraceEntry.OperationKind.KERNEL_LAUNCH
    with open(order["left"], "wb") as left:
        for number, scalars in enumerate(order["scalars"]):
            begin = number * sum(sizes)
            given = np.split(data[begin : begin + sum(sizes)], np.cumsum(sizes)[:-1])
            first: list[bytes] = []
            for run in range(order["repeats"][number]):
                arrays, error = [array.copy() for array in given], ctypes.create_string_buffer(_TEXT_BYTES)
                numbers = (ctypes.c_double * max(1, len(scalars)))(*scalars)
                addresses = [ctypes.addressof(error), ctypes.addressof(numbers), *(one.ctypes.data for one in arrays)]
                table = (ctypes.c_int64 * len(addresses))(*addresses)
                driver.begin_launch_trace()
                asked = order["number"], ctypes.addressof(table)
                failed = call(*asked)
                entries = [entry for entry in driver.take_launch_trace() if entry.kind == kernel]
                if failed:
                    wire.send(reports, "failed", error.value.decode(errors="replace"))
                    return
                octets = [array.tobytes() for array in arrays]
                if run and octets != first:
                    wire.send(reports, "unstable", [at for at, one in enumerate(octets) if one != first[at]])
                if not run:
                    first = octets
                    left.write(b"".join(octets))
                    left.flush()
                    launches = [
                        [one.name, [one.grid_x, one.grid_y, one.grid_z], [one.block_x, one.block_y, one.block_z]]
                        for one in entries
                    ]
                    wire.send(reports, "launches", launches)
            if batches:
                wire.send(reports, "took", [time(*asked, calls) / calls for _ in range(batches)])
            wire.send(reports, "done", number)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), int(sys.argv[2]))
