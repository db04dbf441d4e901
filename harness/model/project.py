"""Versions of this project and of installed packages; the error for a needed package that does not load."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from harness.errors import EnvironmentFault
from harness.model.sources import ROOT

__all__ = ["DISTRIBUTION", "installed_version", "make_load_error", "version"]

DISTRIBUTION = "mojo-gpu-puzzles-harness"


@cache
def version() -> str:
    """Return the harness's version: a checkout's own, else that of the installed package.

    It is `not installed` if neither is found.
    """
    import tomllib  # late, as its like: most who come by here ask for nothing
    from importlib import metadata

    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == DISTRIBUTION:
            return str(project["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        pass
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def installed_version(package: str) -> str:
    """Return the version of an installed package without importing it; empty if it is not installed.

    The package is named as its metadata folder, with `_` for `-`. It reads that folder's name, of the first on
    `sys.path`: `importlib.metadata` takes longer to load than most of the harness.
    """
    for folder in map(Path, sys.path):
        for metadata in folder.glob(f"{package}-*.dist-info"):
            return metadata.name.removeprefix(f"{package}-").removesuffix(".dist-info")
    return ""


def make_load_error(reason: str) -> EnvironmentFault:
    """Return the error for a needed package that does not load.

    Args:
        reason: The words of Python or of the system's loader.
    """
    return EnvironmentFault(
        f"a package does not load in {sys.executable} ({reason}): "
        f"install it again with `pip install --force-reinstall {DISTRIBUTION}`."
    )
