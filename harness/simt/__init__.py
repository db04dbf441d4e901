"""A SIMT simulator: runs the compiled LLVM IR of GPU kernels on the CPU.

It executes a kernel's device code for a whole grid, vectorised over the lanes,
with warps, barriers, shared memory and clusters as NVIDIA, AMD and Apple define
them. `launch` is the one entry; observers see everything that happens.
"""

from harness.simt import intrinsics, render
from harness.simt.errors import (
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
from harness.simt.findings import Finding, Place, Who
from harness.simt.ir.parse import Module, decode
from harness.simt.observe import Observer
from harness.simt.observing.default import observers
from harness.simt.options import Options
from harness.simt.run.arguments import Buffer
from harness.simt.run.launch import LaunchResult, launch

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
