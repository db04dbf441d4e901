"""Import all public names of the simulator; `harness.simt` imports this module when such a name is first used."""

from harness.simt import intrinsics, render
from harness.simt.errors import (
    ArgumentError,
    BudgetExceeded,
    Deadlock,
    DecodeError,
    EndlessLoop,
    KernelFault,
    LaunchError,
    Livelock,
    SimtError,
    Trap,
    Unsupported,
)
from harness.simt.findings import Counts, Finding, LaunchVerdict, SourceLocation, Who
from harness.simt.ir.parse import Module, decode
from harness.simt.observe import Observer
from harness.simt.observing.default import observers
from harness.simt.options import Options
from harness.simt.result import LaunchResult
from harness.simt.run.bound_arguments import Buffer
from harness.simt.run.launch import check, launch, launch_on
from harness.simt.run.orders import SEEDS, launch_in_orders, run_in_orders
from harness.simt.state.device import Device
from harness.simt.state.tensor_map import TensorMap

in_orders = run_in_orders  # former names, kept for one release
Place = SourceLocation

__all__ = [
    "SEEDS",
    "ArgumentError",
    "BudgetExceeded",
    "Buffer",
    "Counts",
    "Deadlock",
    "DecodeError",
    "Device",
    "EndlessLoop",
    "Finding",
    "KernelFault",
    "LaunchError",
    "LaunchResult",
    "LaunchVerdict",
    "Livelock",
    "Module",
    "Observer",
    "Options",
    "Place",
    "SimtError",
    "SourceLocation",
    "TensorMap",
    "Trap",
    "Unsupported",
    "Who",
    "check",
    "decode",
    "in_orders",
    "intrinsics",
    "launch",
    "launch_in_orders",
    "launch_on",
    "observers",
    "render",
    "run_in_orders",
]
