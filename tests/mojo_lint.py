"""Checks format and docstrings of the project's Mojo files: `python -m tests.mojo_lint`.

`mojo format` has no check mode, so it formats copies, and a difference is an error.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.build import toolchain
from harness.model.sources import HARNESS_MOJO, MOJO, ROOT

__all__ = ["main", "undocumented", "unformatted"]

_SAID = re.compile(r": (?:warning|error): ")
_OURS = MOJO, HARNESS_MOJO
_SHOWN = ROOT / "docs/themes", ROOT / "docs/gallery"  # their pages say what they do
_DEPRECATED = re.compile(r"is deprecated, use|: warning: Use \w+ instead$", re.MULTILINE)


def main() -> int:
    """Prints every difference and every missing docstring; 1 if there is one."""
    mojo = toolchain.require_mojo()
    files, shown = ([path for folder in some for path in sorted(folder.rglob("*.mojo"))] for some in (_OURS, _SHOWN))
    wrong = {*unformatted(mojo, files + shown), *undocumented(mojo, files)}
    print(f"{len(files + shown)} Mojo files, {len(wrong)} to mend")
    return 1 if wrong else 0


def unformatted(mojo: Path, files: Sequence[Path]) -> list[Path]:
    """The files that `mojo format` would change; prints the differences."""
    with tempfile.TemporaryDirectory() as folder:
        copies = {path: Path(folder, f"{number}.mojo") for number, path in enumerate(files)}
        for path, copy in copies.items():
            shutil.copyfile(path, copy)
        subprocess.run([mojo, "format", "--quiet", folder], check=True, capture_output=True)
        return [path for path, copy in copies.items() if _differs(path, copy.read_text(encoding="utf-8"))]


def _differs(path: Path, formatted: str) -> bool:
    lines = path.read_text(encoding="utf-8").splitlines(True)
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    difference = list(difflib.unified_diff(lines, formatted.splitlines(True), name, f"{name}, formatted"))
    sys.stdout.writelines(difference)
    return bool(difference)


def undocumented(mojo: Path, files: Sequence[Path]) -> list[Path]:
    """The files that lack a docstring, or that something else is said of; prints which.

    That a name is deprecated is no fault: the documents' kernels take an `UnsafePointer` or a `LayoutTensor`.
    """

    def complaint(path: Path) -> str:
        command = [str(mojo), "doc", "--diagnose-missing-doc-strings", "-o", os.devnull]
        run = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        said = [line for line in run.stderr.splitlines(keepends=True) if _SAID.search(line)]
        return "".join(line for line in said if not _DEPRECATED.search(line))

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        complaints = dict(zip(files, pool.map(complaint, files), strict=True))
    sys.stdout.writelines(complaints.values())
    return [path for path, said in complaints.items() if said]


if __name__ == "__main__":
    sys.exit(main())
