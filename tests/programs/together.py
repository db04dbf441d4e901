"""Programs of `tests/programs` that are compiled together, in the time that two of them take alone.

`$PROGRAM` says which of them runs: with its own arguments, to its own output, findings, places and end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.model.sources import ROOT
from harness.programs import Execution, Options, execute
from tests.compiled import placed
from tests.programs.expectation import Expectation

__all__ = [
    *("ASKED", "CHOICE", "PROGRAMS", "SAMPLE", "TOGETHER", "execute_beside", "how_compiled", "in_korean", "named"),
    *("together", "words"),
]

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
CHOICE = "PROGRAM"
# Each of these is one compilation: a vendor, and its programs.  The second is small: it is built with the names of its
# variables too, which takes twice as long, and assembled for its registers.
TOGETHER = (
    (
        "nvidia",
        *("constant_memory", "copy_too_short", "dependent_too_early", "device_pointer", "double_free", "empty_buffer"),
        *("fills", "foreign_memory", "half_written", "handed_on", "host_function", "kernel_load_gate"),
        *("kernel_print_values", "kernel_trap", "launch_attributes", "leak"),
        *("matmul_tiled", "missing_wait", "never_awaited", "null_pointer", "occupancy", "one_line", "one_wrong_block"),
        *("over_released", "p34_cluster", "programmatic_launch", "python_modules"),
        *("shared_dynamic", "source_overwritten", "status", "streams", "tensor_columns", "tensor_maps"),
        *("uninitialised_kernel", "waited", "wrong_again"),
    ),
    ("nvidia", "counted_early", "kernel_race", "many_kernels", "scan", "strided"),
    (
        "amd",
        *("attributes", "compacted", "contexts", "copy_overlaps", "exits", "freed_elsewhere", "half_elements"),
        *("host_buffer_freed", "kernel_print", "ownership", "spans", "stale_view", "structs"),
        *("uninitialised_copy", "use_after_free", "wrapped"),
    ),
    (
        "apple",
        *("atomics", "copies", "cpu_context", "facts", "launch_not_awaited", "layout_tensor", "priorities"),
        *("kernel_doubles", "kernel_heap", "memory_not_given", "stream_parts", "stream_race", "sub_buffers"),
        *("timer", "two_contexts"),
    ),
)
# Another one, of programs that are asked for with definitions, or lie in other folders; all run with `--shapes`, which
# compiles with the names of variables and with assertions.
ASKED = ("nvidia", "assertion", "configured", "driver", "endless", "indices", "warps")
# Alone each takes five seconds to compile, so in the ordinary tests a sample runs on one target each: those of
# `TOGETHER`, which call every function of the host's interface (`test_interface.py`).  `full` runs all alone, on all
# of their targets.
SAMPLE = {*((name, vendor) for vendor, *names in TOGETHER for name in names), ("assertion", ASKED[0])}
_DEFINES = {"ASSERT": "all", "SIZE": "3"}
_FOLDERS = (
    *(PROGRAMS, *(HERE / name for name in ("lacking", "limits", "modules", "modules/library", "shapes"))),
    ROOT / "docs" / "themes",
)
# The programs for AMD stand beside one in a file with a Korean name, which somebody's repository has, too: there it is
# called otherwise, and where the name is `copy_too_short.mojo` it is wrong.
_KOREAN = "채우기.mojo"
_FILLS = """from std.sys import argv
from max.gpu import global_idx
from max.gpu.host import DeviceContext


def fill(to: Pointer[Int32, MutAnyOrigin]):
    to[unsafe_offset=Int(global_idx.x)] = 10


def fills() raises:
    var ctx = DeviceContext()
    var to = ctx.enqueue_create_buffer[DType.int32](4)
    ctx.enqueue_function[fill](to, grid_dim=1, block_dim=4)
    if argv()[0].endswith("copy_too_short.mojo"):
        var short = ctx.enqueue_create_buffer[DType.int32](3)
        short.enqueue_fill(1)
        ctx.enqueue_copy(to, short)
    print(to)


"""


def together(name: str, vendor: str) -> Path:
    """The program that holds this one for a vendor, at a path that stays: by it is found what was compiled before."""
    names = next(names for own, *names in (*TOGETHER, ASKED) if own == vendor and name in names)
    calls = "".join(f'    if name == "{name}":\n        {name}.main()\n' for name in names)
    imports = "".join(f"import {name}\n" for name in names)
    head = f"from std.os import getenv\n{imports}"
    main = f'def main() raises:\n    var name = getenv("{CHOICE}")\n{calls}'
    if vendor != "amd":
        return placed("together.mojo", f"{head}\n\n{main}")
    file = placed(_KOREAN, f'{head}{_FILLS}{main}    if name == "":\n        fills()\n')
    for name in names:
        with suppress(FileExistsError):
            file.with_name(f"{name}.mojo").symlink_to(PROGRAMS / f"{name}.mojo")
    return file


def named(run: Expectation) -> tuple[str, str]:
    """A run as `SAMPLE` names it."""
    return run.file.stem, run.vendor


def in_korean() -> Path:
    """The program for AMD, which fills a buffer where none of those in it is chosen."""
    return together("attributes", "amd")


def words(name: str, vendor: str) -> list[str]:
    """What `puzzles exec` is told to compile the program that holds this one."""
    folders, defines = how_compiled(name, vendor)
    given = [word for folder in folders for word in ("-I", str(folder))]
    given += [word for define, value in defines.items() for word in ("-D", f"{define}={value}")]
    given += ["--shapes"] if name in ASKED else []
    return [str(together(name, vendor)), *given, "--target", vendor, "--backend", "simulator"]


def execute_beside(name: str, vendor: str, **how: Any) -> Execution:
    """Runs a program that is compiled with others, in the simulator; else as `execute`."""
    folders, defines = how_compiled(name, vendor)
    given = {**how, "includes": folders, "defines": {**how.get("defines", {}), **defines}}
    if name in ASKED:
        given["options"] = replace(given.get("options") or Options(), shapes=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHOICE, name)
        return execute(together(name, vendor), target=vendor, backend="simulator", **given)


def how_compiled(name: str, vendor: str) -> tuple[Sequence[Path], Mapping[str, str]]:
    """The folders with modules, and the definitions, of the program that holds this one."""
    return (_FOLDERS, _DEFINES) if name in ASKED else ((), {}) if vendor == "amd" else ((PROGRAMS,), {})
