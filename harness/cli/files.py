"""Files that a command writes."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import EnvironmentFault
from harness.model.whole_file import write_whole

if TYPE_CHECKING:
    import numpy as np

__all__ = ["require_folders", "write_arrays"]


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


def write_arrays(folder: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write each array to a file of its name in a folder, which is made.

    Raises:
        EnvironmentFault: They cannot be written.
    """
    import numpy as np  # late: most commands that write reports have no arrays

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array)
            write_whole(folder / f"{name}.npy", data.getvalue())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or folder}: {error.strerror}.") from None
