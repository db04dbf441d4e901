"""Find programs and shared libraries of Modular's SDK, and the environment variables that its own `mojo` needs.

It looks among this interpreter's packages, by environment variables, and around the `mojo` on PATH.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.build import versions
from harness.errors import EnvironmentFault

__all__ = ["LIBRARY_SUFFIX", "find_executable", "find_shared_library", "required_environment", "resolve_launcher"]

LIBRARY_SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"

_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


def find_executable(name: str) -> Path | None:
    """Return the path of a program of the SDK, or None."""
    return next((path for root in _roots() if os.access(path := root / "bin" / name, os.X_OK)), None)


def resolve_launcher(mojo: Path) -> Path:
    """Return the SDK's own program if `mojo` is only the script that starts it, else `mojo` itself.

    The script lies beside this interpreter, or in the folder that `pip install --target` installed both into.
    """
    program = find_executable("mojo")
    return program if program and mojo.parent in (Path(sys.executable).parent, program.parents[2] / "bin") else mojo


def required_environment(mojo: Path) -> dict[str, str]:
    """Return the environment variables that the SDK's own `mojo` needs, as pip's script sets them; empty for other
    layouts. A variable that is set already is included with the value that it has.
    """
    root = mojo.parent.parent
    if not (root / "lib" / "mojo").is_dir():
        return {}
    variables = {
        "MODULAR_MAX_PACKAGE_ROOT": root,
        "MODULAR_MOJO_MAX_PACKAGE_ROOT": root,
        "MODULAR_MOJO_MAX_DRIVER_PATH": mojo,
        "MODULAR_MOJO_MAX_IMPORT_PATH": root / "lib" / "mojo",
    }
    return {name: os.environ.get(name, str(path)) for name, path in variables.items()}


def find_shared_library(name: str) -> Path:
    """Return the path of a shared library of the SDK.

    Args:
        name: Its name without the system's suffix.

    Raises:
        EnvironmentFault: It is in none of the folders, which the message lists.
    """
    file = f"{name}{LIBRARY_SUFFIX}"
    listed = (folder for variable in _LIBRARY_PATHS for folder in os.environ.get(variable, "").split(os.pathsep))
    folders = list(dict.fromkeys([*(root / "lib" for root in _roots()), *map(Path, filter(None, listed))]))
    path = next(filter(Path.is_file, (folder / file for folder in folders)), None)
    if path is None:
        raise EnvironmentFault(
            f"there is no {file} in {', '.join(map(str, folders))}: install it with "
            f"{versions.install_command('mojo')}, or let MODULAR_HOME or LD_LIBRARY_PATH name where it lies."
        )
    return path


def _roots() -> Iterator[Path]:
    """Yield folders that may hold the SDK's `bin` and `lib`, those of this interpreter first."""
    # The wheels make a package `modular` of it; pip may have put that anywhere on Python's path (`--target`).
    package = importlib.util.find_spec("modular")
    yield from map(Path, (package and package.submodule_search_locations) or ())
    yield Path(sys.prefix)  # Conda's packages
    if home := os.environ.get("MODULAR_HOME"):
        yield from (Path(home), Path(home) / "modular")
    if program := shutil.which("mojo"):
        prefix = Path(program).resolve().parent.parent
        yield from (prefix, prefix / "modular", *prefix.glob("lib/python*/site-packages/modular"))
