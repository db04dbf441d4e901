"""Checks format and docstrings of the Mojo files: `python -m tests.mojo_lint`.

`mojo format` has no check mode, so it formats a copy, and a difference is an error.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.build import toolchain
from harness.model.sources import MOJO, ROOT


def main() -> int:
    """Prints every difference and every missing docstring; 1 if there is one."""
    mojo = toolchain.require()
    files = sorted(MOJO.rglob("*.mojo"))
    wrong = [path for path in files if not (_formatted(mojo, path) & _documented(mojo, path))]
    print(f"{len(files)} Mojo files, {len(wrong)} to mend")
    return 1 if wrong else 0


def _formatted(mojo: Path, path: Path) -> bool:
    text = path.read_text()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        copy.write_text(text)
        subprocess.run([mojo, "format", "--quiet", copy], check=True, capture_output=True)
        formatted = copy.read_text()
    name = str(path.relative_to(ROOT))
    sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), formatted.splitlines(True), name, "formatted"))
    return text == formatted


def _documented(mojo: Path, path: Path) -> bool:
    # Programs and ops import the kernels; only kernel files stand alone.
    if path.parent.name not in ("solutions", "problems", "scaled"):
        return True
    command = [mojo, "doc", "--diagnose-missing-doc-strings", "-Werror", "-o", "/dev/null", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        print(run.stderr)
    return run.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
