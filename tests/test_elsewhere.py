"""Packages that lie in a folder of their own (`pip install --target`), under an interpreter that has none."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.model.sources import MOJO, ROOT

PROGRAM = ROOT / "tests" / "programs" / "programs" / "fills.mojo"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")]


@pytest.fixture
def elsewhere(tmp_path: Path) -> list[str]:
    """An interpreter without packages, as a command."""
    site = tmp_path / "site"
    site.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.suffix != ".pth":
            (site / path.name).symlink_to(path)
    (site / "bin").mkdir()
    script = site / "bin" / "mojo"  # pip's, whose interpreter does not find the package
    script.write_text("#!/bin/sh\necho no module named mojo\nexit 1\n")
    script.chmod(0o755)
    venv.create(tmp_path / "env", with_pip=False)
    path = f"PATH={script.parent}:/usr/bin:/bin"
    return [
        *("env", "-i", path, f"PYTHONPATH={site}", f"HARNESS_CACHE={tmp_path / 'cache'}"),
        *(f"TMPDIR={tmp_path}", str(tmp_path / "env" / "bin" / "python"), "-c"),
    ]


def run(command: list[str], code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, code], cwd=ROOT, capture_output=True, text=True, timeout=240)


def test_a_program_is_compiled_and_simulated(elsewhere: list[str]):
    words = ["exec", "--target", "nvidia", "--backend", "simulator", str(PROGRAM)]

    done = run(elsewhere, f"import sys; from harness.cli.main import main; sys.exit(main({words!r}))")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("DeviceBuffer([250,")


def test_a_strangers_file_is_judged_in_a_box(elsewhere: list[str], tmp_path: Path):
    """Of the caller's variables it sees none."""
    person = tmp_path / "people" / "ann"
    person.mkdir(parents=True)
    (person / "p01.mojo").write_bytes((MOJO / "p01" / "solution.mojo").read_bytes())
    words = [
        "grade",
        str(person.parent),
        "--out",
        str(tmp_path / "out"),
        "--target",
        "nvidia",
        "--backend",
        "simulator",
    ]
    words += ["--sandbox", "limits"]

    done = run(elsewhere, f"import sys; from harness.cli.main import main; sys.exit(main({words!r}))")

    assert done.returncode == 0 and "1 of 1 graded" in done.stdout and "1 PASS" in done.stdout, done


@pytest.mark.full
def test_a_program_is_built_and_says_itself_that_there_is_no_gpu(elsewhere: list[str]):
    code = f"""
from pathlib import Path
from harness.backends import devices
from harness.model.target import Target
devices.discover = lambda *_: [devices.Device("none", Target.parse("nvidia:sm_90"))]
from harness.programs import execute
execution = execute({str(PROGRAM)!r}, backend="max")
print(execution.status, execution.backend, execution.errors.decode())
"""
    if os.path.exists("/dev/nvidiactl"):
        pytest.skip("there is a GPU")

    done = run(elsewhere, code)

    assert done.stdout.startswith("1 max "), done.stderr
    assert "Unhandled exception caught during execution" in done.stdout
