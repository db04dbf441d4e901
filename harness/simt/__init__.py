"""A simulator that runs GPU kernels' LLVM IR on the CPU; its names are imported from `public` on first use.

It executes a kernel's device code for a whole grid, vectorised over the lanes,
with warps, barriers, shared memory and clusters as NVIDIA, AMD and Apple define
them. `launch` and `launch_on` run a kernel once; observers see what happens.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.simt.public import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # Late: findings are shown by commands that simulate nothing, and loading everything takes a tenth of a second.
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.public"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(f"{__name__}.public").__all__})
