"""What this project says of itself in `pyproject.toml`, and nowhere else: its version, and what it needs."""

from __future__ import annotations

import re
from functools import cache

from harness.model.sources import ROOT

__all__ = ["DISTRIBUTION", "requirement", "version"]

DISTRIBUTION = "mojo-gpu-puzzles-harness"


def version() -> str:
    """The harness's version: a checkout's own, else that of the installed package."""
    return _stated()[0]


def requirement(package: str) -> str:
    """What is needed of a package, as pip takes it: `max==26.7.0`; its name alone where nothing is said."""
    wanted = (name for name in _stated()[1] if re.match(rf"{re.escape(package)}(?![\w.-])", name))
    return next(wanted, package).partition(";")[0].replace(" ", "")


@cache
def _stated() -> tuple[str, tuple[str, ...]]:
    import tomllib  # late, as its like: most who come by here ask for nothing
    from importlib import metadata

    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == DISTRIBUTION:
            return str(project["version"]), tuple(project["dependencies"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        pass
    try:
        return metadata.version(DISTRIBUTION), tuple(metadata.requires(DISTRIBUTION) or ())
    except metadata.PackageNotFoundError:
        return "not installed", ()
