"""The public names for running whole Mojo programs, each imported on first use.

A program's `main` runs on this machine, its kernels on a GPU or in the simulator.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.programs.host.options import Options
    from harness.programs.many import Run, execute_all
    from harness.programs.program_plan import execute
    from harness.programs.result import Execution, Launched

__all__ = ["Execution", "Launched", "Options", "Run", "call", "execute", "execute_all", "op"]

_HOMES = {
    "Execution": f"{__name__}.result",
    "Launched": f"{__name__}.result",
    "Options": f"{__name__}.host.options",
    "Run": f"{__name__}.many",
    "call": "harness.cases.call",  # as `op`
    "execute": f"{__name__}.program_plan",
    "execute_all": f"{__name__}.many",
    "op": "harness.cases.op",  # it is judged as cases are, by what stands above this package
}


def __getattr__(name: str) -> Any:
    # Late: the process that runs a program loads nothing of what starts it.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
