"""`--file FILE` of `check` and `watch`: a file that lies anywhere, for the puzzle that it or the command names."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from harness.cli.chosen import puzzle_of_file
from harness.cli.main import main
from harness.errors import UsageError
from harness.learning import watch
from harness.learning.progress import LearnerProgress
from harness.model.sources import MOJO


@pytest.fixture
def work(tmp_path, monkeypatch, capsys):
    """A workspace in which nobody has begun anything; the current folder."""
    monkeypatch.setenv("LC_ALL", "C")
    folder = tmp_path / "work"
    assert main(["start", "p15", "p16", str(folder)]) == 0
    capsys.readouterr()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("name", ["my_p15.mojo", "p15-v2.mojo", "Puzzle_15.mojo", "p15/solve.mojo"])
@pytest.mark.parametrize("inside", [True, False], ids=["in a workspace", "anywhere"])
def test_a_file_anywhere_is_checked(name, inside, work, tmp_path, monkeypatch, capsys):
    """Nothing of it is noted: the workspace's own file is another one."""
    file = tmp_path / "elsewhere" / name
    file.parent.mkdir(parents=True)
    shutil.copy(work / "p15" / "problem.mojo", file)
    if not inside:
        monkeypatch.chdir(tmp_path)
    shown = os.path.relpath(file)

    assert main(["check", "--file", shown]) == 1
    assert re.fullmatch(rf"p15 is not filled in yet: {re.escape(shown)}:\d+:5\n", capsys.readouterr().out)
    assert main(["check", "p15", "--file", str(file)]) == 1
    assert not (file.parent / ".progress.json").exists() and not LearnerProgress.read(work).cases


def test_a_file_of_no_name_takes_the_puzzle_that_is_named(work, capsys):
    shutil.copy("p16/problem.mojo", "mine.mojo")
    assert main(["check", "p16:tiled", "--file", "mine.mojo"]) == 1
    assert capsys.readouterr().out.startswith("p16:tiled is not filled in yet: mine.mojo:")


@pytest.mark.parametrize("inside", [True, False], ids=["in a workspace", "anywhere"])
def test_a_case_of_full_size_has_no_file_to_check(inside, work, tmp_path, monkeypatch, capsys):
    """It has nothing to fill in; without the flag the command says the same."""
    if not inside:
        shutil.copy(work / "p15" / "problem.mojo", tmp_path)
        monkeypatch.chdir(tmp_path)
    file = "p15/problem.mojo" if inside else "problem.mojo"

    assert main(["check", "p15@scale", "--file", file]) == 2
    assert "p15@scale" in capsys.readouterr().err


def test_all_and_a_file_are_refused(work, capsys):
    assert main(["check", "--all", "--file", "p15/problem.mojo"]) == 2
    assert "leave out --file, or --all" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "puzzle"),
    [
        ("p15.mojo", "p15"),
        ("p04_tile_tensor.mojo", "p04_tile_tensor"),
        ("p04/p04.mojo", "p04"),
        ("p05/mine.mojo", "p05"),
        ("p05/p06.mojo", "p06"),
        ("puzzle 7.mojo", "p07"),
        ("old/p08/try/x.mojo", "p08"),
    ],
)
def test_a_file_s_name_says_its_puzzle(path, puzzle):
    assert puzzle_of_file(Path(path)) == puzzle


@pytest.mark.parametrize("path", ["map15.mojo", "p99.mojo", "x.mojo", "kp15.mojo"])
def test_a_name_that_says_no_puzzle_is_refused(path, tmp_path):
    with pytest.raises(UsageError, match="says no puzzle"):
        puzzle_of_file(tmp_path / path)


def test_a_file_anywhere_is_watched(tmp_path, monkeypatch, capsys):
    """Of its folder nothing else is: not what lies below it, not the files beside it."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my_p15.mojo"
    shutil.copy(MOJO / "p15" / "problem.mojo", file)
    asked = []

    def saved(folder, **how):
        asked.append((folder, how["recursive"]))
        yield {tmp_path / "p16.mojo"}
        file.write_text(file.read_text().replace("# FILL ME IN", "#  FILL ME IN"))
        yield {file}

    monkeypatch.setattr(watch, "sends_change_events", lambda _folder, **_: True)
    monkeypatch.setattr(watch, "watch_saves", saved)
    monkeypatch.setattr(
        "harness.cli.watching.checking.check_case", lambda desk, case, *_: print(case.id, desk.kernel_file(case))
    )
    monkeypatch.setattr("harness.cli.watching.learning.warm_up", lambda _: None)

    assert main(["watch", "--file", "my_p15.mojo"]) == 0
    out = capsys.readouterr().out
    assert asked == [(tmp_path, False)]
    assert out.count(f"p15 {file}\n") == 2 and "Watching p15: save its file" in out
