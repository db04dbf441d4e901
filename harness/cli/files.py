"""Check before a command runs that its report files can be written; write its arrays as `.npy` files."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import EnvironmentFault
from harness.model.whole_file import replace_file

if TYPE_CHECKING:
    import numpy as np

__all__ = ["require_writable_reports", "write_arrays"]


def require_writable_reports(*reports: Path | None) -> None:
    """Check that reports can be written, before anything runs; None is skipped, and nothing is written.

    Raises:
        EnvironmentFault: A path is a folder, or its folder does not exist or is not writable.
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
    """Write each array to `NAME.npy` in a folder, which is made if need be; existing files are replaced.

    Raises:
        EnvironmentFault: They cannot be written.
    """
    import numpy as np  # late: most commands that write reports have no arrays

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array)
            replace_file(folder / f"{name}.npy", data.getvalue())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or folder}: {error.strerror}.") from None
