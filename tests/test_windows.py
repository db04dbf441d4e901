"""On Windows, where there is no Mojo: one sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.model.sources import ROOT


@pytest.mark.parametrize(
    "code", ["import harness", "from harness.cli.main import main", "import harness.pytest_plugin"]
)
def test_the_first_import_says_what_to_do(code):
    code = f"import sys; sys.platform = 'win32'; {code}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)

    (line,) = done.stderr.splitlines()
    assert done.returncode == 3 and "WSL2" in line and "wsl --install" in line


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_the_readmes_say_so(name):
    text = (ROOT / name).read_text(encoding="utf-8")

    assert text.count("WSL2") == 1
