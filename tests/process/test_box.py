"""What a program of a stranger could do if it ran on the host: it stays in its box, and whoever asked survives it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import time
from pathlib import Path

import pytest

from harness.backends import devices
from harness.errors import EnvironmentFault, UsageError
from harness.model.sources import MOJO
from harness.process import box as boxes
from harness.process import bubblewrap
from harness.process.box import SandboxPool, StoppedError
from harness.process.child import Limits
from harness.process.reaper import list_descendants
from tests.processes import HANDS_OVER_ORPHANS, command

KIND = boxes.choose_strongest().kind
KINDS = ["limits", *(["bwrap"] if KIND == "bwrap" else [])]
# What limits do, which both have: in the weaker box for `full`, where the other one is there.
STRONGEST = [pytest.param(kind, marks=[pytest.mark.full] * (kind != KIND)) for kind in KINDS]
SHUT = pytest.mark.skipif(KIND != "bwrap", reason="bwrap does not work here")
LIMITS = Limits(seconds=30.0, processes=32, folder_bytes=8 << 20, file_bytes=4 << 20, cpu_seconds=20)
PREAMBLE = """
import json, os, sys, pathlib
def main():
    order, answer = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and bubblewrap are Linux's"),
]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Runs an attacker's program in a box."""
    (tmp_path / "attacker").mkdir()
    monkeypatch.setattr(bubblewrap, "list_import_folders", lambda: [str(bubblewrap._ROOT), str(tmp_path / "attacker")])
    readable = bubblewrap._list_readable()
    monkeypatch.setattr(bubblewrap, "_list_readable", lambda: (*readable, str(tmp_path / "attacker")))

    def run(code: str, kind: str, *, limits: Limits = LIMITS, **more):
        written(code)
        return boxes.choose_sandbox(kind).ask("attack", b"the order", limits=limits, **more)

    def written(code: str) -> None:
        (tmp_path / "attacker" / "attack.py").write_text(PREAMBLE + textwrap.indent(code, "    "))

    run.written = written

    yield run
    assert not [pid for pid in list_descendants(os.getpid()) if "attack" in command(pid)], "nothing of it is left"


@pytest.mark.parametrize("kind", [*KINDS, "off"])
def test_an_order_goes_in_and_an_answer_comes_out(asked, kind):
    answer = asked("answer.write_bytes(order.read_bytes()[::-1])", kind)

    assert (answer.process_exit.status, answer.data) == (0, b"redro eht")


@pytest.mark.parametrize("kind", [*KINDS, "off"])
def test_the_environment_is_not_handed_on(asked, kind, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    told = json.loads(asked("answer.write_text(json.dumps(dict(os.environ)))", kind).data)

    assert "GITHUB_TOKEN" not in told
    ours = {"HOME", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PWD", "PYTHONPATH", "TMPDIR"}
    gpus = {"CUDA_DEVICE_ORDER", *devices.VISIBLE.values()}  # what is left to this process is left to it
    assert set(told) <= ours | gpus | {"LANG", "LC_ALL", "LC_CTYPE"}
    assert not Path(told["HOME"]).exists()


@SHUT
def test_in_bwrap_there_is_no_network(asked):
    code = "import socket\ntry: socket.create_connection(('127.0.0.1', 9), 2)\n"
    code += "except OSError as error: answer.write_text(str(error.errno))"
    interfaces = "answer.write_text(' '.join(name for _, name in __import__('socket').if_nameindex()))"

    assert asked(code, "bwrap").data
    assert asked(interfaces, "bwrap").data == b"lo"


@SHUT
def test_in_bwrap_files_are_hidden_or_read_only(asked, tmp_path):
    secret = tmp_path / "other_submission.mojo"
    secret.write_text("secret")
    code = f"""
def tried(path, mode):
    try: open(path, mode).close()
    except OSError as error: return type(error).__name__
    return "open"
places = [({str(secret)!r}, "r"), ("/etc/passwd", "r"), ("/usr/written", "w"), ("/written", "w"),
          ({str(bubblewrap._PACKAGE / "written")!r}, "w"), (os.__file__, "r"), (os.environ["TMPDIR"] + "/own", "w")]
answer.write_text(json.dumps([tried(*place) for place in places]))"""

    hidden, passwd, *written, python, own = json.loads(asked(code, "bwrap").data)

    assert hidden == passwd == "FileNotFoundError"
    assert set(written) == {"OSError"} and (python, own) == ("open", "open")


@SHUT
def test_in_bwrap_no_other_process_can_be_seen(asked):
    code = "answer.write_text(json.dumps([int(name) for name in os.listdir('/proc') if name.isdigit()]))"

    assert max(json.loads(asked(code, "bwrap").data)) < 10


@pytest.mark.parametrize("kind", KINDS)
def test_killing_its_parent_leaves_us_alive_and_nothing_behind(asked, kind):
    answer = asked("import signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(2)", kind)

    assert answer.data is None  # the init of a namespace cannot be killed from inside


@pytest.mark.parametrize("kind", STRONGEST)
def test_more_processes_than_the_limit_end_it(asked, kind):
    code = "import time\nfor _ in range(40):\n    if os.fork() == 0: time.sleep(20); os._exit(0)\ntime.sleep(20)"

    assert asked(code, kind).process_exit.limit == "processes"


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_leaves_running_is_ended(asked, kind):
    code = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time; time.sleep(60)
    os._exit(0)
answer.write_text("left one behind")"""
    started = time.monotonic()

    assert asked(code, kind).data == b"left one behind"
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("kind", STRONGEST)
def test_many_small_files_do_not_fill_the_disk(asked, kind):
    code = """
import time
for number in range(10_000):
    (answer.parent / str(number)).write_bytes(bytes(1 << 20))
    time.sleep(0.01)"""

    assert asked(code, kind).process_exit.limit == "folder_bytes"


@pytest.mark.parametrize("kind", STRONGEST)
@pytest.mark.parametrize("mode", ["0o300", "0o400"])
def test_files_in_a_folder_that_cannot_be_read_do_not_fill_it_either(asked, kind, mode):
    code = f"""
import time
folder = answer.parent / "hidden"
folder.mkdir()
for number in range(12):
    (folder / str(number)).write_bytes(bytes(1 << 20))
folder.chmod({mode})
time.sleep(20)"""

    assert asked(code, kind).process_exit.limit == "folder_bytes"


@SHUT
def test_folders_beyond_the_longest_path_do_not_fill_it_either(asked):
    code = """
import time
os.chdir(answer.parent)
for _ in range(3000): os.mkdir("d"); os.chdir("d")
time.sleep(20)"""

    assert asked(code, "bwrap").process_exit.limit == "folder_bytes"


# Memory that the system shows of no process, or no longer: none of it may be had.
LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\ndef done(got):\n"
LIBC += "    if got < 0: raise OSError(ctypes.get_errno(), 'refused')\n"
NAMESPACES = 0x10020000  # of users and of mounts
HIDDEN = {
    "behind descriptors": """
held = [os.memfd_create(str(number)) for number in range(20)]
for descriptor in held: os.write(descriptor, bytes(50 << 20))""",
    "in a mapping that another one fills": """
import mmap
held = mmap.mmap(-1, 1 << 30)
for start in range(0, 1 << 30, 1 << 28):
    if os.fork() == 0:
        for at in range(start, start + (1 << 28), 4096): held[at] = 1
        os._exit(0)
    os.wait()""",
    "in a mapping of a device": """
import mmap
held = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 30)
for start in range(0, 1 << 30, 1 << 28):
    if os.fork() == 0:
        for at in range(start, start + (1 << 28), 4096): held[at] = 1
        os._exit(0)
    os.wait()""",
    "in a segment": LIBC + "done(libc.shmget(0, 1 << 20, 0o1600))",
    "in a queue": LIBC + "done(libc.msgget(0, 0o1600))",
    "in namespaces": LIBC + f"done(libc.unshare({NAMESPACES}))",
    "in namespaces of a child": LIBC + f"done(libc.syscall(56, {NAMESPACES} | 17, 0, 0, 0, 0) or os._exit(0))",
}
KNOWN_CALLS = pytest.mark.skipif(os.uname().machine != "x86_64", reason="of other machines the number is another one")


@KNOWN_CALLS
@pytest.mark.parametrize("kind", STRONGEST)
@pytest.mark.parametrize("way", list(HIDDEN))
def test_memory_that_is_shown_of_no_process_is_refused(asked, kind, way):
    if kind == "limits" and "device" in way:
        pytest.skip("with limits alone the system's devices are there")
    code = f"try:\n{textwrap.indent(HIDDEN[way], '    ')}\n"
    code += "except OSError as error: answer.write_text(error.__class__.__name__)\nelse: answer.write_text('held')"
    limits = Limits(seconds=30.0, processes=32, memory_bytes=512 << 20)

    answer = asked(code, kind, limits=limits)

    assert answer.data in (b"PermissionError", b"OSError") and not answer.process_exit.limit


@pytest.mark.parametrize("kind", STRONGEST)
def test_a_box_still_maps_files_and_starts_threads_and_processes(asked, kind):
    code = """
import mmap, subprocess, threading
answer.write_bytes(b"before")
with open(answer, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
    thread = threading.Thread(target=mapped.write, args=(b"after!",))
    thread.start(); thread.join()
mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)[0] = 1
assert open("/dev/zero", "rb").read(4) == bytes(4)
subprocess.run([sys.executable, "-c", "pass"], check=True)"""

    answer = asked(code, kind, limits=Limits(seconds=30.0, processes=32, memory_bytes=512 << 20))

    assert (answer.process_exit.status, answer.data) == (0, b"after!"), answer.noise


@pytest.mark.parametrize("kind", STRONGEST)
def test_files_that_are_removed_while_they_are_open_do_not_fill_the_disk(asked, kind):
    code = """
import time
held = []
for number in range(4):
    held.append(open(answer.parent / str(number), "wb"))
    held[-1].write(bytes(3 << 20)); held[-1].flush()
    os.unlink(held[-1].name)
time.sleep(20)"""

    def dumpable(code):  # as whatever is started is; what forks from the server may not be looked at
        return f"import ctypes\nctypes.CDLL(None).prctl(4, 1, 0, 0, 0)\n{code}"

    assert asked(dumpable(code), kind).process_exit.limit == "folder_bytes"


STOPS = {
    "whoever waits for it": "import signal, time\nif os.fork() == 0:\n    os.kill(os.getppid(), signal.SIGSTOP)\n",
    "itself": "import signal, time\nif os.fork() == 0:\n    os.kill(os.getpid(), signal.SIGSTOP)\n",
    "the watch": "import signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\n",
    "the watch's": "import signal, time\n"
    "above = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]\n"
    "for pid in (int(above), os.getppid()): pid and os.kill(pid, signal.SIGSTOP)\n",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("who", list(STOPS))
def test_who_stops_a_process_for_long_is_ended_and_holds_nobody(asked, kind, who):
    if kind == "bwrap" and "watch" in who:
        pytest.skip("there it is the first process of a namespace, which nothing in it can stop")
    started = time.monotonic()

    answer = asked(f"{STOPS[who]}time.sleep(60)", kind, limits=Limits(seconds=60.0, processes=32))

    assert answer.process_exit.limit == "stopped" and time.monotonic() - started < 20


@pytest.mark.parametrize("kind", STRONGEST)
def test_who_is_stopped_for_a_moment_goes_on(asked, kind):
    code = """
import signal, time
if (child := os.fork()) == 0: time.sleep(20)
os.kill(child, signal.SIGSTOP); time.sleep(0.2); os.kill(child, signal.SIGCONT); time.sleep(1.5)
os.kill(child, signal.SIGKILL)
answer.write_text("went on")"""

    assert asked(code, kind).data == b"went on"


@pytest.mark.parametrize("kind", STRONGEST)
def test_one_large_file_does_not_fill_it_either(asked, kind):
    assert asked("answer.write_bytes(bytes(5 << 20))", kind).process_exit.status != 0


@pytest.mark.parametrize("kind", STRONGEST)
def test_processor_time_is_limited_and_said_so(asked, kind):
    answer = asked("while True: pass", kind, limits=Limits(cpu_seconds=1, seconds=30))

    assert answer.process_exit.limit == "cpu_seconds"


@pytest.mark.parametrize(
    "code",
    [
        "os.mkfifo(answer)",
        "os.symlink('/etc/passwd', answer)",
        "os.mkdir(answer)",
        "pass",
        "handle = open(answer, 'wb'); handle.truncate(1 << 40)",
    ],
    ids=["pipe", "link", "folder", "none", "larger-than-any"],
)
def test_what_is_no_plain_answer_is_none(asked, code):
    assert asked(code, "limits", limits=Limits(seconds=20)).data is None


def test_an_answer_is_never_unpickled(asked, tmp_path):
    """It is bytes, whatever they are; the judge's readers of them are in `tests/grading/test_judge.py`."""
    code = f"import pickle\nclass Bomb:\n    def __reduce__(self): return (open, ({str(tmp_path / 'owned')!r}, 'w'))\n"
    answer = asked(code + "answer.write_bytes(pickle.dumps(Bomb()))", "limits")

    assert isinstance(answer.data, bytes) and not (tmp_path / "owned").exists()


def test_what_it_prints_is_no_answer(asked):
    answer = asked('print(\'{"verdict": "PASS"}\')', "limits")

    assert answer.data is None and "PASS" in answer.noise


def test_it_ends_when_nobody_wants_its_answer(asked):
    with pytest.raises(StoppedError):
        asked("import time; time.sleep(60)", "limits", stop=lambda: True)


SPARE = Limits(seconds=30.0, cpu_seconds=20)
KEEP = "answer.write_text(json.dumps([os.getpid(), os.getppid(), sorted(os.listdir(answer.parent))]))"


@pytest.fixture
def again(asked):
    """Runs programs of one after another in the same warm box, as far as that is used again; each one's answer."""

    def run(kind: str, *programs: str, limits: Limits = SPARE):
        asked.written("exec(order.read_text(), {**globals(), 'answer': answer})")
        with SandboxPool(boxes.choose_sandbox(kind)) as warm:
            return [warm.ask("attack", textwrap.dedent(code).encode(), limits=limits) for code in programs]

    return run


@pytest.mark.parametrize("kind", [*KINDS, "off"])
def test_a_warm_box_is_used_again_by_another_process(again, kind):
    first, second, third = (json.loads(answer.data) for answer in again(kind, KEEP, KEEP, KEEP))

    assert first[1] == second[1] == third[1], "one server"
    assert len({first[0], second[0], third[0]}) == 3, "a process each"
    assert first[2] == second[2] == ["noise", "order"], "and nothing of the one before lies there"


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_does_to_its_own_process_the_next_does_not_see(again, kind):
    poison = """
        import builtins, json as changed
        builtins.PASSED, changed.dumps = True, lambda *_: "forged"
        os.environ["LEFT"] = "1"; os.chdir(answer.parent); sys.path.insert(0, str(answer.parent))
        answer.write_text("done")"""
    look = """
        import builtins
        seen = [hasattr(builtins, "PASSED"), "LEFT" in os.environ, str(answer.parent) in sys.path]
        answer.write_text(json.dumps(seen))"""

    before, after = again(kind, poison, look)

    assert before.data == b"done" and json.loads(after.data) == [False, False, False]


def test_a_warm_box_that_answers_while_its_pool_is_closed_ends_afterwards(asked):
    asked.written("import time; time.sleep(2); answer.write_text('x')")
    pool = SandboxPool(boxes.choose_sandbox("limits"))
    before, closed = set(list_descendants(os.getpid())), []

    def close() -> bool:
        closed.append(pool.close())
        return False

    answer = pool.ask("attack", b"", limits=SPARE, stop=close)

    assert answer.data == b"x" and closed
    assert set(list_descendants(os.getpid())) <= before


LEAVERS = {
    "process": "if os.fork() == 0:\n    os.setsid()\n    import time; time.sleep(60)\nanswer.write_text('x')",
    "status": "answer.write_text('x'); os._exit(3)",
    "limit": "while True: pass",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("left", [pytest.param("process", marks=HANDS_OVER_ORPHANS), "status", "limit"])
def test_a_box_in_which_something_odd_happened_is_not_used_again(again, kind, left):
    limits = Limits(seconds=30.0, cpu_seconds=1)
    before, _, after = again(kind, KEEP, LEAVERS[left], KEEP, limits=limits)

    ours, theirs = json.loads(before.data), json.loads(after.data)
    if kind == "limits":  # in its namespace a server is always the first process
        assert ours[1] != theirs[1]
    assert theirs[2] == ["noise", "order"]


@SHUT
def test_in_bwrap_a_process_that_always_moves_on_is_ended_too(again):
    moves = """
        answer.write_text("x")
        if os.fork() == 0:
            while True:
                if os.fork(): os._exit(0)"""
    look = "answer.write_text(json.dumps(sorted(int(name) for name in os.listdir('/proc') if name.isdigit())))"

    before, after = again("bwrap", moves, look)

    assert before.data == b"x" and len(json.loads(after.data)) == 2, "the server and whoever asks"


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_back_is_closed_to_whoever_reads_a_strangers_text(again, kind):
    code = """
        def tried(number):
            try: return os.write(number, b'{"status": 0}\\n')
            except OSError: return None
        answer.write_text(json.dumps([number for number in range(3, 64) if tried(number)]))"""

    (answer,) = again(kind, code)

    assert json.loads(answer.data) == []


@SHUT
def test_in_bwrap_the_server_cannot_be_killed_read_or_traced(again):
    code = """
        import ctypes, signal
        def tried(do):
            try: do()
            except OSError as error: return type(error).__name__
            return "done"
        def stop(number):
            os.kill(os.getppid(), number)
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP): tried(lambda: stop(number))
        attach = ctypes.CDLL(None, use_errno=True).ptrace(16, os.getppid(), 0, 0)
        places = [f"/proc/{os.getppid()}/{name}" for name in ("mem", "environ", "fd/3", "maps")]
        answer.write_text(json.dumps([attach, *(tried(lambda: open(place, "rb")) for place in places)]))"""

    attach, *opened = json.loads(again("bwrap", code)[0].data)

    assert attach == -1 and "done" not in opened


@SHUT
def test_in_bwrap_nothing_but_ones_own_folder_can_be_written(again):
    code = """
        def tried(place):
            try: open(place, "w").close()
            except OSError: return False
            return True
        folders = [line.split()[4] for line in open("/proc/self/mountinfo")]
        places = [*folders, "/dev/shm", "/tmp", "/run", "/var/tmp"]
        answer.write_text(json.dumps([p for p in places if os.path.isdir(p) and tried(p + "/left")]))"""

    (answer,) = again("bwrap", code)

    assert len(json.loads(answer.data)) == 1


def test_an_unknown_sandbox_is_refused():
    with pytest.raises(UsageError, match="did you mean 'bwrap'"):
        boxes.choose_sandbox("bwarp")


@pytest.fixture(params=[None, "/bin/false"], ids=["missing", "forbidden"])
def without_bwrap(request, monkeypatch, tmp_path):
    """A machine where it is not, or where it may not do what it does."""
    monkeypatch.setenv("PATH", str(tmp_path))
    if request.param:
        (tmp_path / "bwrap").symlink_to(request.param)
    bubblewrap.find_obstacle.cache_clear()
    yield
    bubblewrap.find_obstacle.cache_clear()


@SHUT
@pytest.mark.parametrize("place", ["elsewhere", "relative"])
def test_bwrap_is_started_where_it_was_found(asked, monkeypatch, tmp_path, place):
    """A box has a PATH of its own, on which it need not be; the one on ours is the one that was tried."""
    started, folder = tmp_path / "started", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "bwrap").write_text(f'#!/bin/sh\necho >> {started}\nexec {shutil.which("bwrap")} "$@"\n')
    (folder / "bwrap").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    ours = str(folder) if place == "elsewhere" else "elsewhere"
    monkeypatch.setenv("PATH", os.pathsep.join([ours, os.environ["PATH"]]))
    bubblewrap.find_obstacle.cache_clear()

    assert boxes.choose_sandbox("auto").kind == "bwrap"
    assert asked("answer.write_bytes(order.read_bytes())", "bwrap").data == b"the order"

    assert started.read_text() == "\n\n", "once to try it, and once for the box"


@SHUT
def test_a_bwrap_that_no_box_could_start_is_not_promised(monkeypatch, tmp_path):
    """It needs a variable that a box does not get, as a library's folder would be one."""
    (tmp_path / "bwrap").write_text(f'#!/bin/sh\n: ${{NEEDED:?}}\nexec {shutil.which("bwrap")} "$@"\n')
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    monkeypatch.setenv("NEEDED", "here")
    bubblewrap.find_obstacle.cache_clear()

    assert "does not work here" in bubblewrap.find_obstacle() and boxes.choose_strongest().kind == "limits"
    bubblewrap.find_obstacle.cache_clear()


@pytest.mark.usefixtures("without_bwrap")
def test_without_bwrap_auto_takes_the_limits_and_says_what_they_leave_open(monkeypatch):
    monkeypatch.setattr(boxes.os, "geteuid", lambda: 1000)

    assert boxes.choose_sandbox("auto").kind == boxes.choose_strongest().kind == "limits"
    told = boxes.choose_sandbox("auto").description
    assert "bwrap" in told and "use the network, and read and change what you may, other submissions too" in told
    with pytest.raises(EnvironmentFault, match="--sandbox limits"):
        boxes.choose_sandbox("bwrap")


@pytest.mark.usefixtures("without_bwrap")
def test_the_superuser_is_asked_for_the_limits_by_name(monkeypatch):
    """To whom they forbid nothing."""
    monkeypatch.setattr(boxes.os, "geteuid", lambda: 0)

    with pytest.raises(EnvironmentFault, match=r"install bubblewrap, or work as another user; `--sandbox limits`"):
        boxes.choose_sandbox("auto")
    told = boxes.choose_sandbox("limits")
    assert told.kind == "limits" and "read and change every file, other submissions too" in told.description
    assert boxes.choose_strongest().kind == "limits", "for what is nobody's attack"


@pytest.mark.parametrize("kind", ["bwrap", "limits", "off"])
def test_each_box_says_what_it_does_not_keep_out(kind):
    assert {"bwrap": "a hole in the system's kernel", "limits": "other submissions", "off": "no limits"}[kind] in (
        boxes.describe_sandbox(kind)
    )


@SHUT
def test_in_bwrap_no_solution_can_be_read(asked):
    """As in a checkout, and as in an installed package."""
    code = f"""
roots = ({str(bubblewrap._ROOT)!r}, {str(MOJO)!r})
found = [str(path) for root in roots for path in pathlib.Path(root).rglob("*.mojo")]
answer.write_text(json.dumps(found))"""

    found = json.loads(asked(code, "bwrap").data)

    assert found and not [path for path in found if "solution" in path or "/scaled/" in path]


def test_what_is_installed_with_the_package_is_hidden(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap, "INSTALLED", True)
    monkeypatch.setattr(bubblewrap, "MOJO", tmp_path)

    words = " ".join(bubblewrap.make_command(None, []))

    package = words.index(f"--ro-bind-try {bubblewrap._PACKAGE} ")
    assert package < words.index(f"--tmpfs {tmp_path} --remount-ro {tmp_path}")
