"""A SIMT simulator: runs the compiled LLVM IR of GPU kernels on the CPU.

It executes a kernel's device code for a whole grid, vectorised over the lanes,
with warps, barriers, shared memory and clusters as NVIDIA, AMD and Apple define
them. `launch` is the one entry; observers see everything that happens.
"""

from . import intrinsics, render
from .arguments import Buffer
from .errors import (
    ArgumentError,
    BudgetExceeded,
    Deadlock,
    DecodeError,
    KernelFault,
    LaunchError,
    Livelock,
    SimtError,
    Trap,
    Unsupported,
)
from .findings import Finding, Place, Who
from .launch import LaunchResult, launch
from .observe import Observer
from .options import Options
from .parse import Module, decode
from .sanitizer import observers

__all__ = [
    "ArgumentError",
    "BudgetExceeded",
    "Buffer",
    "Deadlock",
    "DecodeError",
    "Finding",
    "KernelFault",
    "LaunchError",
    "LaunchResult",
    "Livelock",
    "Module",
    "Observer",
    "Options",
    "Place",
    "SimtError",
    "Trap",
    "Unsupported",
    "Who",
    "decode",
    "intrinsics",
    "launch",
    "observers",
    "render",
]
