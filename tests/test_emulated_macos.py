"""The commands as macOS lets them run: each difference on its own, and all of them at once (`tests/emulated`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.model.sources import MOJO, ROOT
from harness.process.child import Child, Limits
from harness.process.watch import LINUX
from tests.emulated import FILLS, MACOS, variables

pytestmark = [pytest.mark.skipif(not LINUX, reason="Linux is made to look like macOS"), pytest.mark.slow]
ALL = tuple(MACOS)
EACH = [pytest.param(ALL, id="all"), *(pytest.param((name,), id=name, marks=pytest.mark.full) for name in MACOS)]


def puzzles(*words: str, on: tuple[str, ...], cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs a command on a machine with some differences."""
    environment = {**os.environ, **variables(*on)}
    environment["PYTHONPATH"] = os.pathsep.join((environment["PYTHONPATH"], str(ROOT)))
    command = [sys.executable, "-m", "harness", *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=900)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is compiled yet."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("differences", EACH)
def test_puzzles_run(differences, tmp_path):
    report = tmp_path / "report.json"

    done = puzzles("run", "p15", "p17", "p34:reduction", "--json", str(report), on=differences)
    assert done.returncode == 0, done.stderr
    assert {case["case"]: case["verdict"] for case in json.loads(report.read_text())["cases"]} == {
        "p15": "PASS",
        "p17": "PASS",
        "p34:reduction": "PASS",
    }


@pytest.mark.parametrize("differences", EACH)
def test_a_program_runs(differences, tmp_path):
    (tmp_path / "fills.mojo").write_text(FILLS)

    done = puzzles("exec", "--target", "nvidia", "fills.mojo", on=differences, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1.0 8.0\n"), done.stderr


def test_what_a_program_does_wrong_is_found(tmp_path):
    early = FILLS.replace("    with b.map_to_host() as h:\n        print(h[0], h[7])", "")
    text = (
        early
        + "    var h = ctx.enqueue_create_host_buffer[DType.float32](8)\n    b.enqueue_copy_to(h)\n    print(h[0])\n"
    )
    (tmp_path / "early.mojo").write_text(text)

    here, there = (
        puzzles("exec", "--target", "nvidia", "--format", "lines", "early.mojo", on=on, cwd=tmp_path)
        for on in ((), ALL)
    )
    assert here.returncode == there.returncode == 1
    assert "missing-wait.read" in here.stderr
    assert [line for line in here.stderr.splitlines() if line.startswith("early")] == [
        line for line in there.stderr.splitlines() if line.startswith("early")
    ]


@pytest.mark.parametrize("differences", EACH)
def test_a_learners_file_is_checked(differences, tmp_path):
    started = puzzles("start", str(tmp_path / "own"), on=differences)
    assert started.returncode == 0, started.stderr
    folder = tmp_path / "own"
    (problem,) = (path for path in folder.rglob("*.mojo") if path.parent.name == "p15" or path.stem == "p15")

    problem.write_bytes((MOJO / "p15" / "solution.mojo").read_bytes())
    right = puzzles("check", "p15", on=differences, cwd=folder)
    problem.write_text(problem.read_text().replace("barrier()", "pass"))
    wrong = puzzles("check", "p15", on=differences, cwd=folder)

    assert right.returncode == 0, right.stdout + right.stderr
    assert wrong.returncode == 1 and "race" in (wrong.stdout + wrong.stderr).lower(), wrong.stdout + wrong.stderr


@pytest.mark.parametrize("differences", EACH)
def test_a_class_is_graded(differences, tmp_path):
    solution = (MOJO / "p15" / "solution.mojo").read_text()
    for name, text in (("ann", solution), ("bob", solution.replace("barrier()", "pass"))):
        (tmp_path / "people" / name).mkdir(parents=True)
        (tmp_path / "people" / name / "p15.mojo").write_text(text)

    words = ("grade", str(tmp_path / "people"), "--out", str(tmp_path / "out"), "--sandbox", "limits")
    done = puzzles(*words, on=differences)
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = (tmp_path / "out" / "results.csv").read_text()
    assert "PASS" in next(line for line in verdicts.splitlines() if "ann" in line), verdicts
    assert "PASS" not in next(line for line in verdicts.splitlines() if "bob" in line), verdicts
    assert "NOT_GRADED" not in verdicts


@pytest.mark.usefixtures("cold")
@pytest.mark.full
def test_all_is_compiled_where_memory_cannot_be_limited(tmp_path):
    (tmp_path / "fills.mojo").write_text(FILLS)

    done = puzzles("exec", "--target", "nvidia", "fills.mojo", on=ALL, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1.0 8.0\n"), done.stderr


def test_the_examination_says_what_is_not_seen_nor_limited():
    here, there = puzzles("doctor", on=()), puzzles("doctor", on=ALL)

    assert here.returncode == there.returncode == 0
    assert "every access to a watched page is seen" in here.stdout and "limit on memory         holds" in here.stdout
    assert "no single steps" in there.stdout and "limit on memory         none" in there.stdout
    assert "command    all of them" in here.stdout and "command    those of its group" in there.stdout
    assert "of AMD's kernels alone" in there.stdout and "libNVPTX" in here.stdout


@pytest.mark.usefixtures("cold")
@pytest.mark.full
def test_registers_that_are_not_known_are_said_and_fail_nothing():
    done = puzzles("claims", "p31:minimal", "--target", "nvidia:sm_90", on=("registers",))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "not measured: there is no libNVPTX" in done.stdout


def test_a_host_function_that_cannot_run_ends_no_other_puzzle(tmp_path):
    report = tmp_path / "report.json"

    done = puzzles("run", "p15", "p23:elementwise", "p16:naive", "--json", str(report), on=("runtime",))
    cases = {case["case"]: case for case in json.loads(report.read_text())["cases"]}
    assert done.returncode == 3
    assert {name: case["verdict"] for name, case in cases.items()} == {
        "p15": "PASS",
        "p16:naive": "PASS",
        "p23:elementwise": "INCOMPLETE",
    }
    assert "there is no libKGENCompilerRTShared" in cases["p23:elementwise"]["reason"]


LIMITED = """
import sys
from harness.process.child import Child, Limits
with Child(Limits(memory_bytes=4 << 30)) as child:
    child.start([sys.executable, "-c", "held = bytearray(300 << 20); held[::4096] = b'x' * (300 << 8)"])
    ended = child.wait()
    print(ended.status, ended.peak_bytes >> 20)
"""


@pytest.mark.parametrize("differences", [(), ("system", "usage"), ("memory", "system", "usage")])
def test_a_limit_that_the_system_refuses_is_left_out_and_memory_is_counted(differences):
    """In bytes, as macOS counts it, or in KiB."""
    environment = {**os.environ, **variables(*differences)}
    environment["PYTHONPATH"] = os.pathsep.join((environment["PYTHONPATH"], str(ROOT)))
    done = subprocess.run([sys.executable, "-c", LIMITED], env=environment, capture_output=True, text=True, timeout=60)

    status, peak = map(int, done.stdout.split())
    assert status == 0 and 300 <= peak < 400, done.stderr


def test_here_a_limit_that_is_refused_is_a_fault():
    """Nothing runs without a limit that somebody counts on."""
    with Child(Limits(memory_bytes=1 << 30)) as child:
        child.start([sys.executable, "-c", "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[1])"])
        child.wait()
        assert child.output().strip() == str(1 << 30)
