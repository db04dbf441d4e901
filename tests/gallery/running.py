"""Runs the gallery's programs: all of a target in one compilation, of which `$PROGRAM` says which one runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from harness.programs import Execution, Options, execute
from tests.compiled import placed
from tests.gallery.entries import FOLDER, programs_for

__all__ = ["ASSERTIONS", "CHOICE", "run", "together"]

CHOICE = "PROGRAM"
ASSERTIONS = {"ASSERT": "all"}


def together(vendor: str) -> Path:
    """Return the program that holds those for a vendor, at a path that stays: its compilation is found by it."""
    names = programs_for(vendor)
    imports = "".join(f"import {name}\n" for name in names)
    calls = "".join(f'    if name == "{name}":\n        {name}.main()\n' for name in names)
    main = f'def main() raises:\n    var name = getenv("{CHOICE}")\n{calls}'
    return placed("gallery.mojo", f"from std.os import getenv\n{imports}\n\n{main}")


def run(
    name: str,
    vendor: str,
    *,
    backend: str = "simulator",
    defines: Mapping[str, str] | None = None,
    options: Options | None = None,
) -> Execution:
    """Run one program of the gallery and return its execution.

    Args:
        name: Of the program, without `.mojo`.
        vendor: Whose default target it is compiled for.
        backend: `simulator`, or `max` for a GPU of this machine.
        defines: What all programs are compiled with.
        options: As of `execute`.
    """
    with patch.dict(os.environ, {CHOICE: name}):
        return execute(
            together(vendor), target=vendor, backend=backend, includes=(FOLDER,), defines=defines, options=options
        )
