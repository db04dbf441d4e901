"""`grade` and `run`, stopped or out of room in each phase: one sentence, nobody is left, and the next one goes on."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.cli.main import main
from harness.grading import local
from harness.model import exit_code
from harness.model.sources import MOJO, ROOT
from harness.process.reaper import list_descendants
from tests.grading.judges import say
from tests.processes import alive, comes_to, command, heed_signals

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="children are found through /proc")]

# Runs a command that waits for ever at the call of one function, or in the box of a stage.
DRIVER = """
import dataclasses, importlib, pathlib, sys, time
from harness.cli.main import main
reached, phase, *words = sys.argv[1:]
def wait(*_, **__):
    pathlib.Path(reached).touch()
    time.sleep(600)
def stage(name):
    from harness.grading import judge
    module = getattr(judge, name)
    module.STAGE = dataclasses.replace(module.STAGE, module="tests.cli.waits")
if phase == "judging":
    from harness.grading import judge
    from harness.grading.compile_stage import Compiled
    judge.compile_alone = lambda *_: Compiled({})
if phase in ("compiling", "judging"):
    stage("compile_stage" if phase == "compiling" else "judge_stage")
else:
    module, _, name = phase.partition(":")
    owner = importlib.import_module(module)
    *path, name = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    setattr(owner, name, wait)
sys.exit(main(words))
"""
GRADE_PHASES = {
    "collecting": "harness.grading.submissions:_submission",
    "beginning": "harness.grading.store:os.replace",
    "compiling": "compiling",
    "judging": "judging",
    "writing-reports": "harness.grading.grade:write_reports",
}
RUN_PHASES = {
    "simulating": "harness.backends.simulator:SimulatorBackend.launch",
    "writing": "harness.report.json_report:write",
}
SIGNALS = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT)
ALWAYS = {"beginning-SIGKILL", "compiling-SIGTERM", "judging-SIGTERM", "judging-SIGKILL", "simulating-SIGTERM"}


def stops(phases):
    """Each signal in each phase; a sample in every run, all in `full`."""
    for phase, number in itertools.product(phases, SIGNALS):
        name = f"{phase}-{number.name}"
        yield pytest.param(phase, number, marks=[] if name in ALWAYS else pytest.mark.full, id=name)


class Stopped:
    """A command that waits in a phase, and what was left after a signal."""

    def __init__(self, folder: Path, phase: str, words: list[str], number: int) -> None:
        reached = folder / "reached"
        (folder / "tmp").mkdir()
        running = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(reached), phase, *words],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(folder / "tmp"), "REACHED": str(reached)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_signals,
        )
        try:
            assert comes_to(lambda: reached.exists() or running.poll() is not None) and reached.exists()
            started = list_descendants(running.pid)
        finally:
            running.send_signal(number)
            _, self.told = running.communicate(timeout=60)
        self.status = running.returncode
        assert comes_to(lambda: not any(map(alive, started))), "nobody is left"
        assert comes_to(lambda: not list((folder / "tmp").glob("puzzles-*"))), "nor a folder of theirs"


def people(folder: Path) -> str:
    """Three submissions, of which the boxes of the test learn where to say that they are there."""
    for number, name in enumerate(("ann", "bob", "cid")):
        (folder / "people" / name).mkdir(parents=True)
        (folder / "people" / name / "p15.mojo").write_text(f"# {folder / 'reached'}\nnumber = {number}\n")
    return str(folder / "people")


def grades(folder: Path) -> list[str]:
    return ["grade", people(folder), "--out", str(folder / "out"), *FLAGS]


FLAGS = ["--target", "nvidia", "--backend", "simulator", "--sandbox", "limits", "--seed", "1"]


@pytest.mark.parametrize(("phase", "number"), list(stops(GRADE_PHASES)))
def test_a_grading_that_is_stopped_leaves_nobody_and_goes_on(tmp_path, monkeypatch, phase, number):
    stopped = Stopped(tmp_path, GRADE_PHASES[phase], words := grades(tmp_path), number)

    assert stopped.status not in (exit_code.OK, None) and "Traceback" not in stopped.told
    if number != signal.SIGKILL and phase in ("compiling", "judging"):
        assert not json.loads((tmp_path / "out" / "results.json").read_text())["complete"], "what there is is reported"
    whole = local.judge_all
    monkeypatch.setattr(local, "judge_all", lambda *given: whole(*given, judge=lambda job, *_: say(job)))
    assert main(words) == exit_code.OK, "no lock is left"
    assert json.loads((tmp_path / "out" / "results.json").read_text())["complete"]
    assert not list((tmp_path / "out").rglob(".writing-*")), "nor half a file"


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(("phase", "number"), list(stops(RUN_PHASES)))
def test_a_run_that_is_stopped_leaves_nobody_and_can_be_repeated(tmp_path, phase, number):
    words = ["run", "p15", "--target", "nvidia", "--backend", "simulator", "--json", str(tmp_path / "report.json")]
    stopped = Stopped(tmp_path, RUN_PHASES[phase], words, number)

    assert stopped.status not in (exit_code.OK, None) and "Traceback" not in stopped.told
    assert not (tmp_path / "report.json").exists()
    assert main(words) == exit_code.OK and json.loads((tmp_path / "report.json").read_text())


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_programs_that_are_interrupted_side_by_side_leave_nobody(tmp_path):
    """They run in threads, which learn nothing of Ctrl-C."""
    (tmp_path / "cases.txt").write_text(f"{ROOT / 'tests/programs/limits/endless.mojo'} host\n" * 5)
    (tmp_path / "tmp").mkdir()
    words = ["exec", "--cases", str(tmp_path / "cases.txt"), "--target", "nvidia", "--backend", "simulator"]
    running = subprocess.Popen(
        [sys.executable, "-m", "harness", *words],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    try:
        assert comes_to(lambda: any("harness.programs.child" in command(pid) for pid in list_descendants(running.pid)))
        started = list_descendants(running.pid)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == exit_code.INTERRUPTED and told.splitlines()[-1] == "interrupted"
    assert comes_to(lambda: not any(map(alive, started))), "nobody is left"
    assert not list((tmp_path / "tmp").glob("puzzles-*")), "nor a folder of theirs"


def _can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    probe = "mount -t tmpfs -o size=64k none /mnt"
    return subprocess.run(["unshare", "-m", "sh", "-c", probe], capture_output=True).returncode == 0


# A small file system fills up; the same command again, when there is room.
FULL = """
mount -t tmpfs -o size={size} none {place} || exit 99
{command}
echo "first: $?"
mount -o remount,size=1g {place} || exit 99
{command}
echo "second: $?"
"""


@pytest.mark.skipif(not _can_mount(), reason="no file system can be mounted here")
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(
    ("place", "size", "known"),
    [
        ("out", "4k", True),
        pytest.param("tmp", "4k", True, marks=pytest.mark.full),
        pytest.param("out", "16k", True, marks=pytest.mark.full),
        pytest.param("tmp", "64k", False, marks=pytest.mark.full),
        pytest.param("cache", "4k", False, marks=pytest.mark.full),
    ],
)
def test_a_full_disk_is_one_sentence_and_no_verdict(tmp_path, place, size, known):
    """Of results, of boxes, of what is compiled (if it is not known already); a right kernel is right afterwards."""
    for name in ("out", "tmp", "cache", "people/ann"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copyfile(MOJO / "p15" / "solution.mojo", tmp_path / "people" / "ann" / "p15.mojo")
    words = [sys.executable, "-m", "harness", "grade", tmp_path / "people", "--out", tmp_path / "out", *FLAGS]
    given = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    if not known:
        given["HARNESS_CACHE"] = str(tmp_path / "cache")
    script = FULL.format(size=size, place=tmp_path / place, command=" ".join(map(str, words)))

    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=ROOT, env=given, capture_output=True, text=True)

    told = done.stdout + done.stderr
    assert f"first: {exit_code.ENVIRONMENT}" in told and "second: 0" in told, told
    assert ("Traceback" not in told and "No space left" in done.stderr) or "room" in done.stderr, told
    assert "0 of 1 graded" in told or "error: cannot write" in done.stderr, "not a verdict"
