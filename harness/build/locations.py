"""Rewrite the source file names in LLVM IR and assembly to those that reports use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from harness.build.diagnostics import display_origin

__all__ = ["rewrite_locations"]

# Where device code names a source file: LLVM IR and assembly, which may part the folder from the name.
_DEBUG_FILES = (
    re.compile(r'^(?P<head>!\d+ = !DIFile\(filename: )"(?P<name>[^"]*)"(?P<tail>.*)$', re.MULTILINE),
    re.compile(r'^(?P<head>\s*\.file\s+\d+ )(?:"(?P<folder>[^"]*)" )?"(?P<name>[^"]*)"(?P<tail>.*)$', re.MULTILINE),
    re.compile(r'^(?P<head>\.Linfo_string\d+:\n\s*\.asciz\s+)"(?P<name>[^"]*)"(?P<tail>.*)$', re.MULTILINE),
)


def rewrite_locations(text: str, origins: Mapping[str, Path]) -> str:
    """Return device code whose debug locations name the real files, relative to the repository if they lie in it.

    So do absolute names that `origins` does not have; relative ones stay. Staged names in other strings are restored if
    their length allows.

    Args:
        text: LLVM IR or assembly.
        origins: The real files by their staged paths.
    """
    from harness.build.migration.staging import restore  # late: hardly any file is staged by name
    from harness.simt.ir.debug import unescape_text  # late: it takes along what a compiler need not wait for

    def rename_file(match: re.Match[str]) -> str:
        path = unescape_text("/".join(filter(None, (match.groupdict().get("folder"), match["name"]))))
        if not path.startswith("/") and path not in origins:
            return match[0]
        # A folder may be called so; letters of any language stay as they are.
        name = display_origin(path, origins).replace("\\", r"\5C").replace('"', r"\22")
        return f'{match["head"]}"{name}"{match["tail"]}'

    text = restore(text, origins)
    for pattern in _DEBUG_FILES:
        text = pattern.sub(rename_file, text)
    return text
