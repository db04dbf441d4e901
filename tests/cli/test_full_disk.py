"""A disk that is full: no command leaves half a file, nor takes away what was there, and the error names the file."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from harness.cli import pictures, simulate
from harness.cli.main import main
from harness.errors import EnvironmentFault
from harness.learning.progress import FILE
from harness.model.report import RunReport
from harness.model.sources import MOJO, ROOT
from harness.report import json_report, junit, sarif
from tests.processes import import_path

PROBLEM = Path("p15") / "problem.mojo"


@pytest.fixture
def puzzles(tmp_path, monkeypatch):
    """Runs a command in an empty folder on a disk with room for files of so many bytes each."""
    monkeypatch.chdir(tmp_path)

    def run(*words, room):
        return subprocess.run(
            [sys.executable, "-m", "harness", *words],
            env={**os.environ, "PYTHONPATH": import_path(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
            capture_output=True,
            text=True,
        )

    return run


def files(folder):
    """Every file with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_start_leaves_no_part_of_a_file_and_goes_on_later(puzzles, tmp_path):
    done = puzzles("start", "p15", ".", room=4000)

    assert done.returncode == 3 and "cannot write to p15/README.ko.md: File too large." in done.stderr
    written = files(tmp_path)
    assert not PROBLEM.exists()

    assert main(["start", "p15", "."]) == 0
    given = {name: held for name, held in files(tmp_path).items() if name.startswith("p15")}
    others = {name: held for name, held in given.items() if not name.endswith(".md")}  # lessons lose their comments
    assert all(held == (MOJO / name).read_bytes() for name, held in others.items()) and len(others) > 3
    assert main(["start", "p15", "elsewhere"]) == 0
    elsewhere = {name: held for name, held in files(tmp_path / "elsewhere").items() if name.startswith("p15")}
    assert given == elsewhere and written.items() <= given.items()


def test_an_empty_problem_is_no_problem_that_is_kept(tmp_path, monkeypatch, capsys):
    """An earlier `start` may have left it."""
    monkeypatch.chdir(tmp_path)
    main(["start", "."])
    PROBLEM.write_text("")
    (tmp_path / "p26" / "problem.mojo").write_text("mine")
    capsys.readouterr()

    assert main(["start"]) == 0
    assert PROBLEM.read_bytes() == (MOJO / PROBLEM).read_bytes()
    assert (tmp_path / "p26" / "problem.mojo").read_text() == "mine"
    assert capsys.readouterr().out.splitlines()[0].startswith(f"Now fill in {PROBLEM} ")


@pytest.mark.slow
def test_reset_and_the_record_of_progress_keep_what_there_was(puzzles, tmp_path):
    main(["start", "p15", "."])
    PROBLEM.write_text("mine\n" * 1000)
    assert main(["hint", "p15"]) == 0
    before = files(tmp_path)

    done = puzzles("reset", "p15", room=10)
    assert done.returncode == 3 and "cannot write to " in done.stderr and "p15/problem.1.mojo: " in done.stderr
    assert files(tmp_path) == before
    done = puzzles("hint", "p15", room=10)
    assert done.returncode == 0 and "p15, hint 2 of" in done.stdout and files(tmp_path) == before
    assert f"Not noted: {tmp_path / FILE} cannot be written to (File too large)." in done.stderr


REPORTS = {
    "json": lambda path: json_report.write(path, {"cases": []}),
    "sarif": lambda path: sarif.write(path, []),
    "junit": lambda path: junit.write(path, RunReport(plan=None, kernels="", cases=())),
    "out": lambda path: simulate._write_reports(
        Namespace(json=None, out=path.parent, launches=None), [], {path.stem: np.ones(9)}
    ),
    "show": lambda path: pictures.show(Namespace(case="p15", output=path)),
}


@pytest.mark.parametrize("kind", REPORTS)
def test_a_report_that_has_no_room_leaves_the_one_before(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(
        pictures, "_record", lambda *_, **__: SimpleNamespace(traces=[None], code=0, profile=(), questions=())
    )
    monkeypatch.setattr(pictures, "render_page", lambda *_: "a page" * 9)
    report = tmp_path / "report.npy"
    report.write_text("before")
    room = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (20, room[1]))
    try:
        with pytest.raises(EnvironmentFault, match=f"{re.escape(str(report))}: File too large"):
            REPORTS[kind](report)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)

    assert files(tmp_path) == {"report.npy": b"before"}
