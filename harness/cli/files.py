"""Files that a command writes."""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import EnvironmentFault

__all__ = ["require_folders"]


def require_folders(*reports: Path | None) -> None:
    """Refuses reports that could not be written, before anything runs.

    Raises:
        EnvironmentFault: One is a folder, or the folder of one is not there or may not be written to.
    """
    for path in filter(None, reports):
        if path.is_dir():
            raise EnvironmentFault(f"cannot write the report to {path}: it is a folder; name a file.")
        if not path.parent.exists():
            raise EnvironmentFault(f"cannot write the report to {path}: make the folder {path.parent} first.")
        if not os.access(path.parent, os.W_OK):
            why = f"{path.parent.absolute()} may not be written to; name a file in another folder"
            raise EnvironmentFault(f"cannot write the report to {path}: {why}.")
