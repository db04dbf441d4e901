"""Make file names relative to the current folder, for reports: a single one, or those in a compiler's lines."""

from __future__ import annotations

import os
import re
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["display_name", "relativize_files"]

# Where a compiler's line begins with one; its notes are indented.
_PLACED = re.compile(r"^(?P<indent> *)(?P<file>[^\s:][^:\n]*)(?=:\d+:\d+: )", re.MULTILINE)


def display_name(file: str) -> str:
    """Return a file's name as the user would write it: relative if it lies below the current folder, else absolute.

    A relative `file`, which a compiler writes, is looked for in the repository, not in the current folder. If it is no
    file there, it is returned unchanged.
    """
    path = ROOT / file
    if not os.path.isabs(file) and not path.is_file():
        return file
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def relativize_files(text: str) -> str:
    """Return a sentence, or a compiler's lines, with each file below the current folder named from there.

    At the beginning of a compiler's line (`file:1:2: `) any name is changed as by `display_name`, also a relative one
    of the repository. Elsewhere only the current folder's path is removed from absolute names.
    """
    text = _PLACED.sub(lambda match: match["indent"] + display_name(match["file"]), text)
    # Elsewhere than where a line begins only whole names: another folder's name may end like this one's.
    return re.sub(rf"(?<![^\s'\"`(\[]){re.escape(f'{Path.cwd()}{os.sep}')}(?=[^\s/])", "", text)
