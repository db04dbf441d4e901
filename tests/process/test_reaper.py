"""A worker behind a tool: nothing of the tool, of its launchers and of the worker outlives the harness."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import EnvironmentFault
from harness.process import channel
from harness.process.reaper import list_descendants
from harness.process.worker import Worker
from tests.processes import HANDS_OVER_ORPHANS, alive, comes_to

HERE = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")

# As compute-sanitizer does: the worker's parent is a launcher, which leaves the tool's
# process group and ends before the worker does.
TOOL = f"""#!{sys.executable}
import os, subprocess, sys, time
worker = [argument for argument in sys.argv[1:]]
launcher = "import subprocess, sys; subprocess.Popen(sys.argv[1:], close_fds=False)"
subprocess.run([sys.executable, "-c", launcher, *worker], close_fds=False, start_new_session=True)
time.sleep(600)
"""


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """A tool that never ends, whose worker is nobody's child."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    path = tmp_path / "tool"
    path.write_text(TOOL)
    path.chmod(0o755)
    return path


@pytest.mark.slow
@HANDS_OVER_ORPHANS
def test_close_ends_what_has_left_the_group(tool):
    """A worker that hangs, in a session of its own, with a parent that is gone."""
    child = Worker("fake_worker", ["hang"], prefix=[str(tool)])
    child.receive(20)
    pids = list_descendants(child.pid)
    assert len(pids) >= 2
    assert any(os.getpgid(pid) != child.pid for pid in pids)
    child.close()
    assert comes_to(lambda: not any(map(alive, [child.pid, *pids])))


@pytest.mark.slow
@HANDS_OVER_ORPHANS
def test_the_death_of_the_harness_ends_them_too(tool):
    """It could not even close a pipe."""
    script = (
        "import sys; from harness.process.worker import Worker\n"
        f"child = Worker('fake_worker', ['hang'], prefix=[{str(tool)!r}]); child.receive(20); child.send('go')\n"
        "child.receive(20); print(child.pid, flush=True); sys.stdin.read()"
    )
    path = os.pathsep.join([str(HERE), str(HERE.parent)])
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as parent:
        reaper = int(parent.stdout.readline())
        pids = [reaper, *list_descendants(reaper)]
        assert len(pids) >= 3
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert comes_to(lambda: not any(map(alive, pids)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "fate"), [("exit 7", "ended with status 7"), ("kill -9 $$", "was killed by SIGKILL")]
)
def test_it_ends_as_the_tool_ends(tmp_path, monkeypatch, ending, fate):
    """And whatever the tool leaves behind is ended with it."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    path = tmp_path / "tool"
    path.write_text(f'#!/bin/sh\n"$@" &\nsleep 600 &\necho $! > {tmp_path}/left\nwait %1\n{ending}\n')
    path.chmod(0o755)
    child = Worker("fake_worker", ["print"], prefix=[str(path)])
    try:
        child.receive(20)
        assert child.finish(20)
        assert child.fate() == fate
        assert comes_to(lambda: not any(map(alive, [int((tmp_path / "left").read_text())])))
    finally:
        child.close()


@pytest.mark.parametrize("reason", ["Exec format error", "No such file or directory"])
def test_a_tool_that_cannot_be_run_is_said(tmp_path, monkeypatch, reason):
    """A file that is executable and no program, or none at all."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    path = tmp_path / "tool"
    if reason.startswith("Exec"):
        path.write_bytes(b"\x7fELF, but no more of it")
        path.chmod(0o755)
    with Worker("fake_worker", ["print"], prefix=[str(path)]) as child:
        with pytest.raises(channel.ClosedError):
            child.receive(20)
        with pytest.raises(EnvironmentFault, match=f"cannot start {path}: {reason}\\.$"):
            child.fate()
