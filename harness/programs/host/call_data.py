"""Callbacks for a call of an exported function: fill its memory from files, write back what it leaves there.

`harness/build/mojo/call_data.mojo` calls them; `data_sets` has those for host functions of cases.

The folder of the call holds `blocks.json`: for each block of memory its name, its size in bytes, and whether the host
writes it. Results go there too: `leftN`, and `undefinedN` with a byte for each byte of a block, 1 if it was never
written.
"""

from __future__ import annotations

import ctypes
import json
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from harness.programs.host.abi import HostError
from harness.programs.host.runtime import Runtime
from harness.programs.host.storage import Range

__all__ = ["callbacks"]


def callbacks(runtime: Runtime, folder: Path) -> dict[str, Any]:
    """Return the functions that the program calls, by name; both return 1, or 0 after a failure.

    `HarnessCall_given(address, number)` gives the memory at an address the name of block `number` of `blocks.json`. If
    the caller wrote any of that block, it copies the folder's file `number` there, and marks the undefined bytes of
    `undefinedN`, which it removes. `HarnessCall_returned()` finishes all work and writes each block to `leftN`, and its
    undefined bytes, if any, to `undefinedN`. It returns 0 and writes nothing if that work failed. Any other exception
    is reported as a fault of the harness (`Runtime.broken`).

    Args:
        runtime: Its device.
        folder: That of the call.

    Returns:
        Callbacks that must live as long as the program.
    """
    blocks = json.loads((folder / "blocks.json").read_bytes())
    ranges: dict[int, Range] = {}

    def fill(address: int, number: int) -> int:
        block = blocks[number]
        place = runtime.range(address, block["size"])
        place.storage.allocation.name = block["name"]
        if block["written"]:
            place.data[:] = np.fromfile(folder / str(number), np.uint8)
            place.written()
            if (mask := folder / f"undefined{number}").is_file():
                origin = runtime.device.origins.number("argument", block["name"])
                place.storage.allocation.shadow = np.fromfile(mask, np.uint8).astype(np.int32) * origin
                mask.unlink()
        ranges[number] = place
        return 1

    def read_back() -> int:
        try:
            runtime.work.finish()
        except HostError:
            return 0  # it was told when it happened; what the memory holds means nothing
        with runtime.checks.opened():
            for number, place in ranges.items():
                place.storage.notice_writes()
                place.data.tofile(folder / f"left{number}")
                shadow = place.storage.allocation.shadow
                if shadow is not None:
                    (shadow != 0).tofile(folder / f"undefined{number}")
        return 1

    def guard(function: Callable[..., int]) -> Callable[..., int]:
        """Wrap a function so that no exception leaves a callback: `Runtime.broken` reports it, and 0 is returned."""

        def call(*arguments: int) -> int:
            try:
                return function(*arguments)
            except BaseException:
                runtime.broken(traceback.format_exc())
                return 0

        return call

    return {
        "HarnessCall_given": ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_int32)(guard(fill)),
        "HarnessCall_returned": ctypes.CFUNCTYPE(ctypes.c_int32)(guard(read_back)),
    }
