"""Comparison of a stored interface or document with the present one: what readers of the old one would miss."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["changes"]


def changes(old: Any, new: Any, prose: Collection[str] = (), where: str = "") -> list[str]:
    """Return what a reader of `old` would miss in `new`, by its path.

    New keys of objects are no change; a list of objects or of lists has the same length. A list of words or numbers may
    have further ones.

    Args:
        prose: Keys whose texts may be reworded: only their type counts.
    """
    if isinstance(old, Mapping):
        if not isinstance(new, Mapping):
            return [f"{where}: was an object"]
        return [
            change
            for key, value in old.items()
            for change in (
                changes(value, new[key], prose, f"{where}/{key}") if key in new else [f"{where}/{key}: is missing"]
            )
        ]
    if isinstance(old, list):
        if not isinstance(new, list):
            return [f"{where}: was a list"]
        if not any(isinstance(each, Mapping | list) for each in old):
            return [f"{where}: lacks {each!r}" for each in old if each not in new and not _is_prose(where, prose)]
        if len(old) != len(new):
            return [f"{where}: had {len(old)} entries, has {len(new)}"]
        return [
            change
            for index, (before, now) in enumerate(zip(old, new, strict=True))
            for change in changes(before, now, prose, f"{where}/{index}")
        ]
    if type(old) is not type(new):
        return [f"{where}: was {old!r}, is {new!r}"]
    return [f"{where}: was {old!r}, is {new!r}"] if old != new and not _is_prose(where, prose) else []


def _is_prose(where: str, prose: Collection[str]) -> bool:
    return any(part in prose for part in where.split("/"))
