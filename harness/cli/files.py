"""Files that a command writes."""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import EnvironmentFault

__all__ = ["require_folders"]


def require_folders(*reports: Path | None) -> None:
    """Refuses reports that could not be written, before anything runs.

    Raises:
        EnvironmentFault: The folder of one is not there or may not be written to.
    """
    for path in reports:
        if path is not None and not os.access(path.parent, os.W_OK):
            raise EnvironmentFault(f"cannot write the report to {path}: make the folder {path.parent} first.")
