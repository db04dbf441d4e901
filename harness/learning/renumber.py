"""Renumber the lines of a trace for an editor that shows only a part of the file, such as a notebook's cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from harness.learning.trace import Trace

__all__ = ["renumber"]


def renumber(trace: Trace, path: str, name: str, above: int, text_of: Callable[[str], str]) -> Trace:
    """Return a copy of a trace whose line numbers in one file count from the shown part; above it they are 0 and less.

    Args:
        trace: The trace of a kernel in the file; it is not changed.
        path: The file, as the trace names it; other files keep their names and lines.
        name: The shown part, which replaces the file's name.
        above: How many lines of the file stand above the shown part.
        text_of: Converts the message and items of each finding, to number the places in them in the same way.
    """
    data: dict[str, Any] = json.loads(json.dumps(trace.data))
    number = next((at for at, file in enumerate(data["files"]) if file["name"] == path), None)
    if number is not None:
        data["files"][number] |= {"name": name, "from": data["files"][number]["from"] - above}
        data["lines"] = [[file, line - above * (file == number)] for file, line in data["lines"]]
    for finding in data["findings"]:
        for side in finding["sides"]:
            if side["file"] == path:
                side |= {"file": name, "line": side["line"] - above}
        finding["message"] = text_of(finding["message"])
        finding["items"] = list(map(text_of, finding["items"]))
    return Trace(data)
