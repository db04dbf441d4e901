"""The version of this project, which `pyproject.toml` alone states, and those of the packages that are installed."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from harness.errors import EnvironmentFault
from harness.model.sources import ROOT

__all__ = ["DISTRIBUTION", "installed", "unloadable", "version"]

DISTRIBUTION = "mojo-gpu-puzzles-harness"


@cache
def version() -> str:
    """Return the harness's version: a checkout's own, else that of the installed package."""
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
def installed(package: str) -> str:
    """The version of a package, which is not imported; empty if it is not here.

    The name of the folder that says so is enough: `importlib.metadata` takes longer to load than most of the harness.
    """
    for folder in map(Path, sys.path):
        for found in folder.glob(f"{package}-*.dist-info"):
            return found.name.removeprefix(f"{package}-").removesuffix(".dist-info")
    return ""


def unloadable(reason: str) -> EnvironmentFault:
    """Return the error that a package which is needed does not load.

    Args:
        reason: The words of Python or of the system's loader.
    """
    return EnvironmentFault(
        f"a package does not load in {sys.executable} ({reason}): "
        f"install it again with `pip install --force-reinstall {DISTRIBUTION}`."
    )
