"""A session that asks for every declared instruction fails without one, whichever worker would have run it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.model.sources import ROOT

TWO = """
from harness.simt import intrinsics
from harness.simt.compile import lowering, registry

lowering.LOWERINGS.clear()
for name in registry.all_intrinsics().keys() - {"llvm.abs", "llvm.smax"}:
    del registry.TABLE[name]
"""
ONE_OF_THEM = """
import numpy as np
from harness import simt

def test_it():
    output = np.zeros(1, np.int32)
    text = '''declare i32 @{name}.i32(i32, {second})
    define ptx_kernel void @k(ptr %o) {{
      %v = call i32 @{name}.i32(i32 -3, {second} 0)
      store i32 %v, ptr %o
      ret void
    }}'''
    assert simt.launch(text, target="nvidia:sm_90", grid=1, block=1, args=[output]).verdict == "clean"
    assert output[0] == {expected}
"""


@pytest.fixture
def session(tmp_path):
    """Runs some files of tests in two workers."""
    (tmp_path / "conftest.py").write_text(TWO)
    (tmp_path / "test_abs.py").write_text(ONE_OF_THEM.format(name="llvm.abs", second="i1", expected=3))
    (tmp_path / "test_smax.py").write_text(ONE_OF_THEM.format(name="llvm.smax", second="i32", expected=0))

    def run(*files):
        command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "-p", "tests.simt.executed"]
        paths = [str(tmp_path / file) for file in files]
        return subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True)

    return run


@pytest.mark.full
def test_a_session_that_runs_all_passes(session):
    done = session("test_abs.py", "test_smax.py")

    assert done.returncode == 0, done.stdout
    assert "2 of 2 declared instructions were run" in done.stdout


@pytest.mark.slow
def test_a_session_that_leaves_one_out_fails_with_its_name(session):
    done = session("test_abs.py")

    assert done.returncode == 1, done.stdout
    assert "1 of 2 declared instructions were run; not run:" in done.stdout
    assert "llvm.smax" in done.stdout.splitlines()
