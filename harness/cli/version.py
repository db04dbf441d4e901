"""`--version`: of the harness, and of the compiler and runtime that it runs on."""

from __future__ import annotations

from harness.model import project

__all__ = ["described"]


def described() -> str:
    """One line for `puzzles --version`."""
    return f"puzzles {project.version()} (max {_installed('max')}, mojo {_installed('mojo')})"


def _installed(package: str) -> str:
    return project.installed(package) or "not installed"
