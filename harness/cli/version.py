"""`--version`: the versions of the harness, of MAX and of Mojo."""

from __future__ import annotations

from harness.model import project

__all__ = ["describe_versions"]


def describe_versions() -> str:
    """Return the line that `puzzles --version` prints."""
    return f"puzzles {project.version()} (max {_installed('max')}, mojo {_installed('mojo')})"


def _installed(package: str) -> str:
    return project.installed_version(package) or "not installed"
