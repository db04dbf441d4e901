"""Children: held to their limits, and nothing of them is left, however this process ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from harness.errors import EnvironmentFault
from harness.process.child import Child, Limits, ProcessExit, temporary_folder
from harness.process.reaper import list_descendants
from harness.process.worker import Worker
from tests.processes import HANDS_OVER_ORPHANS, LIMITS_MEMORY, alive, comes_to, command, heed_signals

pytestmark = pytest.mark.slow  # limits of time are waited for

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent
PYTHON = [sys.executable, "-c"]

linux = pytest.mark.skipif(sys.platform != "linux", reason="this operating system does not offer it")


def ended(code: str, **limits) -> tuple[ProcessExit, str]:
    """How a Python program ends within limits, and what it printed."""
    with Child(Limits(**limits)) as child:
        child.start([*PYTHON, code])
        return child.wait(60), child.output()


@linux
@LIMITS_MEMORY
def test_memory_is_limited():
    """The program learns it from `malloc`; what it only reserves does not count."""
    code = """import mmap; mmap.mmap(-1, 1 << 40, 0x4022, prot=0); print(len(b"x" * (100 << 20)))
try: bytes(400 << 20)
except MemoryError: print("no more")"""
    how, printed = ended(code, memory_bytes=300 << 20)
    assert (how.status, printed) == (0, f"{100 << 20}\nno more\n")
    assert 100 << 20 < how.peak_bytes < 300 << 20


@pytest.mark.parametrize("handler", ["signal.SIG_DFL", pytest.param("wait", marks=pytest.mark.slow)])
def test_processor_time_is_limited(handler):
    """No program is asked: LLVM takes the signal for a crash of its own, and at times waits for ever to tell of it."""
    code = f"""import signal, time
def wait(*_): time.sleep(100)
signal.signal(signal.SIGXCPU, {handler})
while True: pass"""
    how, _ = ended(code, cpu_seconds=1)
    assert (how.limit, how.status) == ("cpu_seconds", -signal.SIGKILL)
    assert 0.5 < how.cpu_seconds < 4  # the two accounts differ a little


@linux
def test_who_is_killed_early_had_time_left():
    how, _ = ended("import os; os.kill(os.getpid(), 9)", cpu_seconds=1)
    assert (how.limit, how.status) == ("", -signal.SIGKILL)


@pytest.mark.parametrize("where", ["file", ""])
def test_what_it_writes_is_limited(tmp_path, where):
    """A file of its own, and what it prints, which goes to a file too."""
    with Child(Limits(file_bytes=4096)) as child:
        child.start(["sh", "-c", "exec head -c 9000 /dev/zero" + (f" > {tmp_path / where}" if where else "")])
        how = child.wait(20)
        size = (tmp_path / where).stat().st_size if where else len(child.output())
    assert (how.limit, str(how), size) == ("file_bytes", "was killed by SIGXFSZ", 4096)


def test_open_files_are_limited():
    how, printed = ended("import os\nwhile True: os.open('/dev/null', 0)", open_files=20)
    assert how.status == 1 and "Too many open files" in printed


@linux
def test_processes_are_limited():
    """A program that starts 60 busy ones, each in a session of its own: all of them are killed."""
    code = "import os, time\nfor _ in range(60):\n  if os.fork() == 0:\n    os.setsid()\n    while True: pass\n"
    code += "time.sleep(600)"
    before = list_descendants(os.getpid())
    how, _ = ended(code, processes=20)
    assert (how.limit, str(how)) == ("processes", "was killed by SIGKILL")
    assert list_descendants(os.getpid()) == before
    how, _ = ended("import subprocess; subprocess.run(['sleep', '0.3'])", processes=2)
    assert (how.limit, str(how)) == ("", "ended with status 0")


def test_time_is_limited():
    start = time.monotonic()
    how, _ = ended("import time; time.sleep(600)", seconds=0.5)
    assert (how.limit, str(how)) == ("seconds", "was killed by SIGKILL")
    assert 0.5 <= time.monotonic() - start < 10


def test_a_limit_above_the_machine_s_own_is_no_error():
    """As where a shell's `ulimit` is lower already."""
    code = (
        "import resource; from harness.process.child import Child, Limits\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))\n"
        "with Child(Limits(open_files=5000)) as child:\n"
        "    child.start(['sh', '-c', 'ulimit -n']); print(child.wait(20), child.output(), end='')"
    )
    done = subprocess.run([*PYTHON, code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "ended with status 0 50\n"


@pytest.mark.parametrize(
    ("script", "how"), [("exit 7", "ended with status 7"), ("kill -SEGV $$", "was killed by SIGSEGV")]
)
def test_how_it_ended_is_told(script, how):
    """And what it printed, on both streams."""
    with Child() as child:
        child.start(["sh", "-c", f"echo out; echo err >&2; {script}"])
        assert str(child.wait(20)) == how
        assert child.output().partition("qemu: ")[0] == "out\nerr\n"  # an emulator prints a line about a signal


def test_what_cannot_be_started_is_said():
    """As often as it is waited for."""
    with Child() as child:
        child.start(["no-such-program"])
        for _ in range(2):
            with pytest.raises(EnvironmentFault, match=r"^cannot start no-such-program: No such file or directory\.$"):
                child.wait(20)


def test_it_has_nothing_of_ours_but_a_folder(monkeypatch):
    """No input, no descriptor that it was not given, temporary files in its own folder."""
    with Child() as child:
        (child.folder / "given").write_text("a file")
        child.start(["sh", "-c", 'cat; cat "$TMPDIR/given"; echo; ls /dev/fd | tr "\n" " "'])
        child.wait(20)
        assert child.output() == "a file\n0 1 2 3 "  # 3 is what `ls` reads
        folder = child.folder
    assert not folder.exists()


def test_a_full_or_missing_temporary_folder_is_said(monkeypatch):
    def refuse(*_, **__):
        raise FileNotFoundError(2, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(EnvironmentFault, match=r"cannot make a temporary folder \(No usable .*set TMPDIR"):
        Child()


@pytest.mark.parametrize("where", ["subprocess.Popen", "tempfile.TemporaryFile"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")], ids=repr)
def test_what_ends_its_start_leaves_nothing(monkeypatch, tmp_path, where, error):
    """Ctrl-C as much as a full disk: no folder, no open file."""

    def end(*_, **__):
        raise error

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(where, end)
    before = os.listdir("/dev/fd")
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else EnvironmentFault):
        Child()

    assert not list(tmp_path.iterdir()) and os.listdir("/dev/fd") == before


def test_modules_of_the_working_directory_do_not_run(tmp_path, monkeypatch):
    """Also when PYTHONPATH has an empty entry, which names that folder too."""
    (tmp_path / "pickle.py").write_text("import os; os._exit(77)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{HERE}{os.pathsep}")
    with Worker("fake_worker", ["print"]) as worker:
        assert worker.receive(20).architecture == "sm_90"


# Starts a shell, whose grandchild leaves group, session and parent, and waits.
PARENT = """
import sys, time
from harness.process.child import Child
child = Child()
child.start(["sh", "-c", "(setsid sleep 600 &); touch $TMPDIR/started; sleep 600"])
while not (child.folder / "started").exists(): time.sleep(0.01)
print(child.pid, child.folder, flush=True)
{then}
"""


@linux
@HANDS_OVER_ORPHANS
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL", ""])
def test_nothing_is_left_when_this_process_is_gone(name):
    """By whatever signal, or by an end that closes nothing: no process, no folder."""
    script = PARENT.format(then="time.sleep(600)" if name else "import os; os._exit(0)")
    with subprocess.Popen(
        [*PYTHON, script], cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=heed_signals
    ) as parent:
        reaper, folder = parent.stdout.readline().split()
        pids = [int(reaper)]
        if name:
            all_run = comes_to(lambda: len(list_descendants(pids[0])) == 3) and Path(folder).is_dir()
            pids += list_descendants(pids[0])
            seen = [command(pid) for pid in pids]
            parent.send_signal(signal.Signals[name])  # before anything is asserted: it would be waited for
            assert all_run, seen
        parent.wait()
    assert comes_to(lambda: not any(map(alive, pids)))
    assert comes_to(lambda: not Path(folder).exists())


@linux
@HANDS_OVER_ORPHANS
def test_nothing_is_left_after_close():
    with Child() as child:
        child.start(["sh", "-c", "(setsid sleep 600 &); echo started; trap '' TERM; sleep 600"])
        assert comes_to(lambda: len(list_descendants(child.pid)) == 3 and "started" in child.output())
        pids = [child.pid, *list_descendants(child.pid)]
        assert child.wait(0.1) is None
    assert not any(map(alive, pids))
    child.close()  # a second time does no harm


def test_a_temporary_folder_goes_with_the_process():
    """And at the end of the block."""
    with temporary_folder() as folder:
        (folder / "file").touch()
    assert not folder.exists()
    script = (
        "import os; from harness.process.child import temporary_folder\n"
        "with temporary_folder() as folder: print(folder, folder.is_dir(), flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([*PYTHON, script], cwd=ROOT, capture_output=True, text=True)
    name, was_there = done.stdout.split()
    assert was_there == "True" and comes_to(lambda: not Path(name).exists())


@linux
@HANDS_OVER_ORPHANS
def test_what_a_command_leaves_behind_ends_with_it():
    """Before it is told that the command has ended."""
    with Child() as child:
        child.start(["sh", "-c", "setsid sleep 600 & echo $!"])
        assert str(child.wait(20)) == "ended with status 0"
        assert not alive(int(child.output()))


@linux
def test_a_command_without_its_reaper_is_killed():
    with Child() as child:
        child.start(["sleep", "600"])
        assert comes_to(lambda: len(list_descendants(child.pid)) == 1)
        (pid,) = list_descendants(child.pid)
        os.kill(child.pid, signal.SIGKILL)
        assert comes_to(lambda: not alive(pid))
        assert str(child.wait(20)) == "was killed by SIGKILL"


def test_it_outlives_the_thread_that_started_it():
    """The operating system's own notice of a parent's death would come with that of the thread."""
    children = []
    thread = threading.Thread(target=lambda: children.append(Worker("fake_worker", ["print"])))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        thread.start()
        thread.join()
    with children[0] as worker:
        assert worker.receive(20).name == "Fake GPU"
        assert worker.wait(0.2) is None
