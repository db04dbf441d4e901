"""Programs of `tests/programs/programs` that are compiled together, in the time that two of them take alone.

`$PROGRAM` says which of them runs: with its own arguments, to its own output, findings, places and end.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from harness.build.cache import Cache, digest
from harness.programs import Execution, execute

__all__ = ["CHOICE", "PROGRAMS", "TOGETHER", "execute_beside", "together"]

PROGRAMS = Path(__file__).parent / "programs"
CHOICE = "PROGRAM"
# Each of these is one compilation: a vendor, and its programs.  The second is small: it is built with the names of its
# variables too, which takes twice as long.
TOGETHER = (
    (
        "nvidia",
        *("constant_memory", "dependent_too_early", "device_pointer", "double_free", "empty_buffer", "foreign_memory"),
        *("half_written", "handed_on", "host_function", "kernel_load_gate", "kernel_print_values", "kernel_trap"),
        *("launch_attributes", "leak"),
        *("matmul_tiled", "missing_wait", "never_awaited", "null_pointer", "occupancy", "one_line", "one_wrong_block"),
        *("over_released", "p15_axis_sum", "p34_cluster", "programmatic_launch"),
        *("shared_dynamic", "source_overwritten", "streams", "tensor_columns", "tensor_maps"),
        *("uninitialised_kernel", "waited"),
    ),
    ("nvidia", "kernel_race", "many_kernels", "scan"),
    (
        "amd",
        *("attributes", "compacted", "contexts", "copy_overlaps", "exits", "freed_elsewhere", "half_elements"),
        *("host_buffer_freed", "kernel_print", "ownership", "p26_butterfly", "spans", "stale_view", "structs"),
        *("uninitialised_copy", "use_after_free", "wrapped"),
    ),
    (
        "apple",
        *("atomics", "copies", "cpu_context", "facts", "launch_not_awaited", "layout_tensor", "priorities"),
        *("memory_not_given", "stream_parts", "stream_race", "sub_buffers", "timer", "two_contexts"),
    ),
)


def together(name: str, vendor: str) -> Path:
    """The program that holds this one for a vendor, at a path that stays: by it is found what was compiled before."""
    names = next(names for own, *names in TOGETHER if own == vendor and name in names)
    calls = "".join(f'    if name == "{name}":\n        {name}.main()\n' for name in names)
    imports = "".join(f"import {name}\n" for name in names)
    text = f'from std.os import getenv\n{imports}\n\ndef main() raises:\n    var name = getenv("{CHOICE}")\n{calls}'
    file = Cache.default().root / "tests" / digest(text.encode()) / "together.mojo"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as written:
            written.write(text)
        os.replace(written.name, file)  # another worker never reads half of it
    return file


def execute_beside(name: str, vendor: str, **how: Any) -> Execution:
    """Runs a program that is compiled with others, in the simulator; else as `execute`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHOICE, name)
        return execute(together(name, vendor), target=vendor, backend="simulator", includes=[PROGRAMS], **how)
