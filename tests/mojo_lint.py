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
    complaints = _complaints_together(mojo, files)
    if complaints is None:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            each = pool.map(lambda path: _complaints(mojo, path), files)
            complaints = dict(zip(files, each, strict=True))
    for lines in complaints.values():
        sys.stdout.writelines(lines)
    return [path for path, lines in complaints.items() if lines]


def _complaints_together(mojo: Path, files: Sequence[Path]) -> dict[Path, list[str]] | None:
    """Look at all files as modules of one package: the compiler then loads Mojo's prelude once and not a hundred times.

    Returns:
        The complaints of each file; None if one does not compile, which would hide those of the others.
    """
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder).resolve() / "files"
        package.mkdir()
        (package / "__init__.mojo").write_text('"""The files."""\n')
        copies = {path: package / f"file{number}.mojo" for number, path in enumerate(files)}
        for path, copy in copies.items():
            shutil.copyfile(path, copy)
        lines = _complaints(mojo, package)
    if any(": error: " in line for line in lines):
        return None
    return {
        path: [line.replace(str(copy), str(path), 1) for line in lines if line.startswith(f"{copy}:")]
        for path, copy in copies.items()
    }


def _complaints(mojo: Path, path: Path) -> list[str]:
    """Return the lines of what `mojo doc` says of a file or a package."""
    command = [str(mojo), "doc", "--diagnose-missing-doc-strings", "-o", os.devnull, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line for line in run.stderr.splitlines(keepends=True) if _SAID.search(line)]
    return [line for line in said if not _DEPRECATED.search(line)]


if __name__ == "__main__":
    sys.exit(main())
