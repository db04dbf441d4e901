"""What tests may ask of the installed pair of MAX and Mojo, by the table of `harness/build/versions.py`."""

from __future__ import annotations

from harness.build import versions

__all__ = ["is_newest", "lacking"]


def is_newest() -> bool:
    """Return whether what is stored in the repository was made by the installed pair."""
    return versions.installed_pair() == versions.NEWEST


def lacking(name: str) -> str:
    """Return why the installed pair cannot do what a test needs, a program or a folder of kernels; empty if it can."""
    pair = versions.installed_pair()
    limits = (limit for limit in (pair.limits if pair else ()) if name in limit.needs)
    return next((f"{pair}: {limit.what} ({limit.why})" for limit in limits), "")
