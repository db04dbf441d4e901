"""Files as whoever reads a report would write them: from the current folder where they lie below it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["from_here", "named"]

# Where a compiler's line begins with one; its notes are indented.
_PLACED = re.compile(r"^(?P<indent> *)(?P<file>[^\s:][^:\n]*)(?=:\d+:\d+: )", re.MULTILINE)


def named(file: str) -> str:
    """A file as the user would write it; what the compiler names relative lies in the repository.

    What device code from elsewhere names relative need not lie there: it keeps its name.
    """
    path = ROOT / file
    if not os.path.isabs(file) and not path.is_file():
        return file
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def from_here(text: str) -> str:
    """A sentence, or a compiler's lines, with each file as the user would write it."""
    text = _PLACED.sub(lambda match: match["indent"] + named(match["file"]), text)
    # Elsewhere than where a line begins only whole names: another folder's name may end like this one's.
    return re.sub(rf"(?<![^\s'\"`(\[]){re.escape(f'{Path.cwd()}{os.sep}')}(?=[^\s/])", "", text)
