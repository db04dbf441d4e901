"""The command that runs one of our modules with this Python, and its variables: PYTHONPATH and BLAS threads."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["BLAS_THREADS", "module_command"]

_ROOT = Path(__file__).resolve().parent.parent.parent
# NumPy's BLAS starts a thread for each processor when it is loaded: that takes longer than all that is multiplied here.
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
# As this process got it: a stage hands it on to our own modules alone (`harness.process.stage`).
_PATH = os.environ.get("PYTHONPATH", "")


def module_command(module: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that runs one of our modules, and the variables that it needs (PYTHONPATH and the number of
    BLAS's threads).
    """
    path = [str(_ROOT), *filter(None, os.environ.get("PYTHONPATH", _PATH).split(os.pathsep))]
    variables = {"PYTHONPATH": os.pathsep.join(path), BLAS_THREADS: os.environ.get(BLAS_THREADS, "1")}
    return [sys.executable, "-P", "-m", module, *arguments], variables
