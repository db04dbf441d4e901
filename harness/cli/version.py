"""`--version`: of the harness, and of the compiler and runtime that it runs on."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, version

from harness.model.sources import ROOT

__all__ = ["described", "own"]

DISTRIBUTION = "mojo-gpu-puzzles-harness"


def own() -> str:
    """The harness's version: a checkout's own, else that of the installed package."""
    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == DISTRIBUTION:
            return str(project["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        pass
    return _installed(DISTRIBUTION)


def described() -> str:
    """One line for `puzzles --version`."""
    return f"puzzles {own()} (max {_installed('max')}, mojo {_installed('mojo')})"


def _installed(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"
