"""A process that was forked, its module loaded, is what one is that was started; and nothing of it is left."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.process import preloaded
from harness.process.child import Child, Limits, wait_for_abandoned
from harness.process.python import module_command
from tests.processes import alive, comes_to, command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")

ROOT = Path(__file__).resolve().parents[2]
MODULE = "tests.process.some_begin"


@pytest.fixture(autouse=True)
def ended():
    """Each test has a server of its own."""
    preloaded.close()
    yield
    preloaded.close()


def started(child: Child, *words: str) -> None:
    line, variables = module_command(MODULE, *words)
    child.start(line, {**variables, "SOME": "value"})


def told(module: str, folder: Path, descriptor: int) -> tuple[float, dict]:
    """When it loaded its module, and what it says of itself."""
    with Child(Limits(memory_bytes=1 << 30, open_files=50), (descriptor,), module) as child:
        started(child, "tell", str(folder / "told"), "a word")
        how = child.wait(60)
        assert how is not None and (how.status, child.output()) == (7, "told\n"), child.output()
        own = str(child.folder)
    text = (folder / "told").read_text().replace(own, "its folder")
    said = json.loads(re.sub(r"#\d+ \(deleted\)", "its output", text))
    return said["loaded"], said["facts"]


@pytest.mark.slow
def test_it_is_what_a_started_one_is(tmp_path, monkeypatch):
    """By descriptors, folder, environment, signals, limits and arguments; but it loads nothing of its own."""
    monkeypatch.chdir(tmp_path)
    with open(tmp_path / "given", "wb") as given:
        number = given.fileno()
        before, first = told(MODULE, tmp_path, number)
        loaded, facts = told(MODULE, tmp_path, number)
        anew, expected = told("", tmp_path, number)

    assert facts == first
    for told_of in (facts, expected):
        told_of["environment"].pop("LC_CTYPE", None)  # Python itself sets it at its start, where the locale is C
        # Some builds of libffi, which `ctypes` loads, keep their own file open.
        opened = told_of["opened"].items()
        told_of["opened"] = {number: name for number, name in opened if not Path(name).name.startswith("libffi")}
    assert facts == expected
    assert str(number) in facts["opened"] and facts["environment"]["SOME"] == "value" and facts["of C"]
    assert before == loaded < anew


@pytest.mark.slow
def test_how_it_ends_is_told():
    with Child(module=MODULE) as child:
        started(child, "break", "words")
        how = child.wait(60)
        assert how is not None and how.status == 1
        assert child.output().endswith("ValueError: broken with words\n")
    with Child(module=MODULE) as child:
        started(child, "end")
        assert (how := child.wait(60)) is not None and how.status == -signal.SIGSEGV
    with Child(Limits(seconds=0.2), module=MODULE) as child:
        started(child, "wait", "2")
        assert (how := child.wait(60)) is not None and how.limit == "seconds"


@pytest.mark.slow
def test_nothing_is_left_of_it():
    """Neither when it is closed nor when whoever asked is killed, and the one that forks ends by itself."""
    reading, writing = os.pipe()
    with open(reading, "rb", buffering=0) as pid, open(writing, "wb") as given:
        with Child(Limits(), (given.fileno(),), MODULE) as child:
            started(child, "wait", str(given.fileno()))
            process = int(pid.read(20))
            assert alive(process)
        assert not alive(process) and not child.folder.exists()
    code = """
import os
from harness.process.child import Child, Limits
from tests.process.test_preloaded import MODULE, started
own = os.dup(1)
child = Child(Limits(), (own,), MODULE)
started(child, "wait", str(own))
child.wait()
"""
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        process = int(os.read(asking.stdout.fileno(), 20) or b"0")
        (server,) = [
            int(other.name)
            for other in Path("/proc").glob("[0-9]*")
            if preloaded.__name__ in command(int(other.name)) and f"{_parent(other)}" == f"{asking.pid}"
        ]
        asking.kill()
    assert comes_to(lambda: not alive(process) and not alive(server), 20.0)


def _parent(process: Path) -> str:
    try:
        return (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
    except OSError:
        return ""


@pytest.mark.slow
def test_whoever_ends_the_one_that_forks_stops_nobody():
    """The next process stands below another one."""
    preloaded.preload(MODULE)
    server = preloaded._servers[MODULE]._process.pid
    os.kill(server, signal.SIGKILL)
    assert comes_to(lambda: not alive(server))

    with Child(module=MODULE) as child:
        started(child, "break", "words")
        how = child.wait(60)

    assert how is not None and how.status == 1
    another = preloaded._servers[MODULE]._process.pid
    assert another != server and alive(another)
    preloaded.close()
    assert not alive(another)


@pytest.mark.slow
def test_what_was_forked_is_counted_and_gone_when_all_settles():
    """A box is used again only if nothing is left in it, and a submission pays for what it started."""
    preloaded.preload(MODULE)
    server = preloaded._servers[MODULE]._process.pid
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with Child(module=MODULE) as child:
        started(child, "break", "words")
        child.wait(60)

    wait_for_abandoned()

    assert not alive(server) and resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime > before


@pytest.mark.slow
@pytest.mark.parametrize("module", [MODULE, ""])
def test_its_streams_may_be_others(module, tmp_path):
    with open(tmp_path / "out", "w+b") as out, Child(descriptors=(out.fileno(),), module=module) as child:
        line, variables = module_command(MODULE, "tell", str(tmp_path / "told"))
        child.start(line, variables, streams=[out.fileno()] * 3)
        assert (how := child.wait(60)) is not None and how.status == 7
        assert (tmp_path / "out").read_text() == "told\n" and not child.output()


@pytest.mark.slow
def test_an_answer_that_nobody_waited_for_is_not_the_next_ones(monkeypatch):
    """Ctrl-C comes between the request and its answer: the next process is the one that was asked for."""
    honest = preloaded.socket.send_fds

    def interrupted(*given):
        monkeypatch.setattr(preloaded.socket, "send_fds", honest)
        honest(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(preloaded.socket, "send_fds", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Child(module=MODULE)
    with Child(module=MODULE) as child:
        assert alive(child.pid)
        started(child, "break", "words")
        assert (how := child.wait(60)) is not None and how.status == 1
        assert alive(child.pid), "its reaper waits until its folder is not needed any more"
    assert comes_to(lambda: not alive(child.pid))  # what told of its end was closed a moment before it
