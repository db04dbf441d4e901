"""What processes hold together, and what lies in a folder, is seen however it is held and whoever may look into it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from harness.process import bubblewrap, watch
from harness.process.child import Child, Limits, ProcessExit
from harness.process.reaper import list_descendants
from harness.process.watch import SPARE_BYTES, disk_usage, measure_unnamed_files, memory_bytes, remove_folder
from tests.processes import alive

ROOT = Path(__file__).resolve().parent.parent.parent
MOST = 64 << 20
TOO_MUCH = MOST + SPARE_BYTES + (64 << 20)
linux = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is found through /proc")
# Nobody who may read everything whatever its mode, as the superuser may.
SUPERUSER = os.geteuid() == 0
WITHOUT = ["bwrap", "--unshare-user", "--dev-bind", "/", "/", "--cap-drop", "ALL"] if SUPERUSER else []
plain_user = pytest.mark.skipif(
    SUPERUSER and bool(bubblewrap.find_obstacle()), reason="the superuser may read everything"
)
SHARED = """
import mmap, os, time
def take(size):
    held = mmap.mmap(-1, size)
    for at in range(0, size, 4096): held[at] = 1
    return held
"""


def ended(code: str, **limits: int) -> tuple[ProcessExit, str]:
    """How a Python program ends within limits, and what it printed."""
    with Child(Limits(seconds=60, **limits)) as child:
        child.start([sys.executable, "-c", SHARED + code])
        return child.wait(90), child.output()


@linux
@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        f"held = take({TOO_MUCH}); time.sleep(50)",
        f"if os.fork() == 0: os.setsid(); held = take({TOO_MUCH})\ntime.sleep(50)",
        f"for _ in range(8): os.fork() or (b'x' * {TOO_MUCH // 8}, time.sleep(50))\ntime.sleep(50)",
        f"held = [take({TOO_MUCH // 64}) for _ in range(64)]; time.sleep(50)",
        f"for _ in range(64): os.write(os.memfd_create('held'), bytes({TOO_MUCH // 64}))\ntime.sleep(50)",
    ],
    ids=["shared", "shared-of-another", "own-of-eight", "shared-in-parts", "behind-descriptors"],
)
def test_more_memory_than_the_limit_ends_all_of_them(code):
    """Which the system counts for none of them, or for each alone."""
    before = list_descendants(os.getpid())
    how, _ = ended(code, memory_bytes=MOST, processes=16)

    assert (how.limit, str(how)) == ("memory_bytes", "was killed by SIGKILL")
    assert not [pid for pid in list_descendants(os.getpid()) if pid not in before and alive(pid)]


@pytest.mark.slow
@linux
def test_a_file_in_memory_that_several_have_open_counts_once():
    code = SHARED + f"os.write(os.memfd_create('held'), bytes({MOST})); pid = os.fork()\n"
    with subprocess.Popen(
        [sys.executable, "-c", code + "if pid: print(pid, flush=True)\ninput()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        other = int(process.stdout.readline())
        held = measure_unnamed_files([process.pid, other])
        process.communicate(b"\n\n")

    assert held == (0, MOST) and measure_unnamed_files([process.pid]) == (0, 0)


@pytest.mark.slow
@linux
def test_what_is_only_reserved_does_not_count():
    how, printed = ended(
        f"held = mmap.mmap(-1, {4 * TOO_MUCH}); left = take({MOST // 2}); time.sleep(0.5); print('done')",
        memory_bytes=MOST,
        processes=4,
    )

    assert (how.limit, how.status, printed) == ("", 0, "done\n")


@pytest.mark.slow
@linux
def test_what_is_shared_is_counted_and_what_is_gone_is_not():
    code = SHARED + f"held = take({MOST}); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        held = memory_bytes([process.pid])
        process.communicate(b"\n")

    assert MOST < held < 2 * MOST
    assert memory_bytes([process.pid]) == 0


def as_a_plain_user(code: str, folder: Path) -> str:
    """What a program prints in a folder, run by nobody who may read everything."""
    done = subprocess.run(
        [*WITHOUT, sys.executable, "-c", "import os, sys\n" + textwrap.dedent(code), str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


HIDDEN = """
from harness.process.watch import disk_usage, remove_folder
inner = sys.argv[1] + "/inner"
os.makedirs(inner + "/further")
for name in ("/file", "/further/file"):
    with open(inner + name, "wb") as file: file.write(b"x" * (1 << 20))
os.chmod(inner + "/further", {mode})
os.chmod(inner, {mode})
"""


@pytest.mark.slow
@linux
@plain_user
@pytest.mark.parametrize("mode", ["0o300", "0o400", "0o000"])
def test_what_lies_in_a_folder_that_cannot_be_read_is_counted(mode, tmp_path):
    told = as_a_plain_user(HIDDEN.format(mode=mode) + "print(disk_usage(sys.argv[1]))", tmp_path)

    assert 2 << 20 <= float(told) < 3 << 20


@pytest.mark.slow
@linux
@plain_user
@pytest.mark.parametrize("mode", ["0o300", "0o400", "0o500", "0o000"])
def test_a_folder_that_nobody_may_change_is_removed(mode, tmp_path):
    told = as_a_plain_user(HIDDEN.format(mode=mode) + "print(remove_folder(inner), os.listdir(sys.argv[1]))", tmp_path)

    assert told == "True []"


DEEP = "import os, sys\nos.chdir(sys.argv[1])\nfor _ in range({depth}): os.mkdir('d'); os.chdir('d')"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1200, 3000])
def test_folders_in_folders_are_removed(depth, tmp_path):
    """More than Python calls itself, and than a path may be long."""
    (tmp_path / "top").mkdir()
    subprocess.run([sys.executable, "-c", DEEP.format(depth=depth), str(tmp_path / "top")], check=True)

    assert (disk_usage(str(tmp_path)) == float("inf")) == (depth == 3000), "what cannot be seen is too much"
    assert remove_folder(str(tmp_path / "top")) and not list(tmp_path.iterdir())


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "other").mkdir(mode=0o755)
    (tmp_path / "other" / "file").write_bytes(bytes(1 << 20))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "other")

    assert disk_usage(str(tmp_path / "folder")) < 1 << 20
    assert remove_folder(str(tmp_path / "folder")) and (tmp_path / "other" / "file").exists()


def test_a_link_in_the_place_of_the_folder_is_left(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "folder").symlink_to(tmp_path / "other")

    assert not remove_folder(str(tmp_path / "folder")) and (tmp_path / "other").exists()


class _Machine:
    """What a watch sees of a machine on which many processes run, and how long it takes to look at all of them."""

    def __init__(self, patch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now, self.others, self.own, self.looks, self._seconds = 100.0, 800, 5, 0, seconds
        patch.setattr(watch.time, "monotonic", lambda: self.now)
        patch.setattr(watch, "list_processes", lambda: ["1"] * (self.others + self.own))
        patch.setattr(watch, "list_descendants", self.look)
        patch.setattr(watch, "memory_bytes", lambda _: 0)

    def look(self, _pid: int) -> list[int]:
        self.looks += 1
        self.now += self._seconds
        return list(range(1 << 22, (1 << 22) + self.own))


@linux
def test_a_watch_looks_seldom_at_many_processes_of_others(monkeypatch):
    """A class is graded in as many boxes, each with a watch that would look at the processes of all of them."""
    machine = _Machine(monkeypatch, seconds=0.01)
    watched = watch.ProcessWatch({"processes": 64, "memory_bytes": MOST}, os.getpid(), "")
    begun = machine.now
    for _ in range(200):  # also whenever a child ends
        assert not watched.passed()
        machine.now += watch.WATCH_SECONDS / 5

    assert machine.looks > 1
    assert machine.looks * 0.01 <= 0.01 + watch.MOST_SHARE * (machine.now - begun)


@linux
def test_a_watch_looks_at_once_when_processes_multiply(monkeypatch):
    machine = _Machine(monkeypatch, seconds=0.5)
    watched = watch.ProcessWatch({"processes": 64}, os.getpid(), "")
    assert not watched.passed()

    machine.own = 64
    assert not watched.passed() and machine.looks == 1
    machine.own = 65
    assert watched.passed() == "processes"
