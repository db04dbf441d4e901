"""What a running program's process tells its parent: a JSON value in each line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from harness.simt.findings import Finding, Place, Who
from harness.simt.plain import plain

__all__ = ["finding", "read", "send"]


def send(descriptor: int, kind: str, facts: Any) -> None:
    """Writes one message; a reader that is gone does not matter."""
    line = json.dumps([kind, plain(facts)]).encode() + b"\n"
    view = memoryview(line)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except OSError:
            return


def read(line: bytes) -> tuple[str, Any] | None:
    """Reads one message; None where the line is none, such as one that was cut off."""
    try:
        kind, facts = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    return (kind, facts) if isinstance(kind, str) else None


def finding(facts: Mapping[str, Any]) -> Finding:
    """A finding that was sent."""
    own = {field.name: facts[field.name] for field in fields(Finding) if field.name in facts}
    own["sites"] = tuple(Place(**{**place, "frames": tuple(place["frames"])}) for place in facts.get("sites", ()))
    own["who"] = tuple(
        Who(**{**who, "block": tuple(who["block"]), "thread": tuple(who["thread"])}) for who in facts.get("who", ())
    )
    return Finding(**own)
