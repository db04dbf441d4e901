"""`check` of several cases: what it says and notes does not depend on how many processes run them."""

from __future__ import annotations

import re

import pytest

from harness.cli.main import main
from harness.learning.progress import FILE, LearnerProgress
from harness.model.sources import MOJO
from harness.process import reaper

CHECK = ("check", "--all", "--data-seed", "7", "--target", "nvidia:sm_90", "--backend", "simulator")


def workspace(folder, monkeypatch):
    """Make one in which a puzzle is right, one wrong, and one open in all modes but one."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    for puzzle in ("p02", "p15", "p26"):
        assert main(["start", puzzle, "."]) == 0
    for puzzle in ("p02", "p15"):
        (folder / puzzle / "problem.mojo").write_bytes((MOJO / puzzle / "solution.mojo").read_bytes())
    wrong = folder / "p15" / "problem.mojo"
    text = wrong.read_text()
    assert "+=" in text
    wrong.write_text(text.replace("+=", "-=", 1))


@pytest.mark.slow
@pytest.mark.skipif(not reaper.LINUX, reason="nothing is forked here")
def test_what_is_said_and_noted_does_not_depend_on_the_jobs(tmp_path, monkeypatch, capsys):
    workspace(tmp_path / "desk", monkeypatch)
    capsys.readouterr()
    said, noted = {}, {}
    for jobs in (1, 2, 20):
        assert main([*CHECK, "--jobs", str(jobs)]) == 1
        said[jobs] = capsys.readouterr()
        progress = LearnerProgress.read(tmp_path / "desk")
        noted[jobs] = {name: (progress.of(name).tries, bool(progress.of(name).solved)) for name in ("p02", "p15")}
        (tmp_path / "desk" / FILE).unlink()

    assert said[1].out == said[2].out == said[20].out
    assert noted[1] == noted[2] == noted[20] == {"p02": (1, True), "p15": (1, False)}
    verdicts = re.findall(r"^(\S+?):? (PASS|MISMATCH|is not filled in)", said[1].out, re.MULTILINE)
    assert verdicts[:3] == [("p02", "PASS"), ("p15", "MISMATCH"), ("p26:pair-swap", "is not filled in")]
    assert "compiling the kernels of p02, p15" in said[1].err  # one program for all of them


def test_jobs_are_for_the_simulator(tmp_path, monkeypatch, capsys):
    from harness.cli import checking
    from harness.model.launch_plan import LaunchPlan
    from harness.model.target import Target

    workspace(tmp_path / "a", monkeypatch)
    on_gpu = LaunchPlan(Target.parse("nvidia:sm_90"), "max", "a GPU", "")
    monkeypatch.setattr(checking, "make_plan", lambda _: on_gpu)
    assert main(["check", "p02", "--jobs", "2"]) == 2
    assert "--jobs is for the simulator" in capsys.readouterr().err
