"""Whole Mojo programs: their `main` runs on this machine, their kernels on a GPU or in the simulator."""

from harness.programs.execute import execute
from harness.programs.host.options import Options
from harness.programs.many import Run, execute_all
from harness.programs.result import Execution, Launched

__all__ = ["Execution", "Launched", "Options", "Run", "execute", "execute_all"]
