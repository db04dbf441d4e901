"""A workspace of one's own: made, added to, never overwritten; what runs in it is what lies in it."""

from __future__ import annotations

import os
import re
from itertools import islice

import pytest

from harness.catalogue import CASES, PARTS, PUZZLES, find_case
from harness.cli.main import main
from harness.errors import UsageError
from harness.learning.editor import TASKS
from harness.model.sources import MOJO, Sources
from harness.model.workspace import MARKER, find_workspace, kernel_sources, problem_sources
from tests.learners import write


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_workspace_has_the_problems_and_no_solutions(empty, capsys):
    assert main(["start"]) == 0

    assert [name for name in files(empty / "puzzles") if name.endswith(".mojo")] == [
        f"{puzzle}/problem.mojo" for puzzle in PUZZLES
    ]
    assert (empty / "puzzles" / "p15" / "problem.mojo").read_bytes() == (MOJO / "p15" / "problem.mojo").read_bytes()
    first = f"Now `cd puzzles`, then fill in {PUZZLES[0]}/problem.mojo and run `puzzles watch`."
    assert first in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("p03-p05", ["p03", "p04", "p04_tile_tensor", "p05"]),
        ("p03..p05 p01", ["p01", "p03", "p04", "p04_tile_tensor", "p05"]),
        ("p15 p08 p15", ["p08", "p15"]),
        ("--part 2", list(PARTS[next(islice(PARTS, 1, None))])),
        ("p01 --part 2 --part 2", ["p01", *PARTS[next(islice(PARTS, 1, None))]]),
    ],
)
@pytest.mark.parametrize("folder", ["", "mine"])
def test_some_puzzles_are_begun(words, wanted, folder, empty, capsys):
    before, flag, after = words.partition("--part")
    assert main(["start", *before.split(), *folder.split(), *f"{flag}{after}".split()]) == 0

    made = sorted(path.parent.name for path in (empty / (folder or "puzzles")).rglob("*.mojo"))
    assert made == sorted(wanted)
    assert f"fill in {wanted[0]}/problem.mojo" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("folder", "shown"), [("mine", "mine"), ("a folder", "'a folder'")])
def test_where_to_go_is_written_as_a_shell_takes_it(folder, shown, empty, capsys):
    assert main(["start", "p01", folder]) == 0
    assert f"Now `cd {shown}`, then" in " ".join(capsys.readouterr().out.split())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_of_somebody_s_is_not_written_to(empty):
    """Whoever writes to one waits for a reader."""
    assert main(["start", "p01", "mine"]) == 0
    (empty / "mine" / "p01" / "README.md").unlink()
    pipe = empty / "mine" / "p01" / "README.md"
    os.mkfifo(pipe)
    (empty / "mine" / "p01" / "problem.mojo").write_text("")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert main(["start", "p01", "mine"]) == 0
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)
    assert (empty / "mine" / "p01" / "problem.mojo").read_bytes() == (MOJO / "p01" / "problem.mojo").read_bytes()


def given(puzzle):
    """What a learner gets of a puzzle: the problem, and the lesson with its figures if there is one."""
    taught = (MOJO / puzzle / "README.md").is_file()
    kinds = ("figures/*", "README*.md", "problem.*") if taught else ("problem.*",)
    return sorted(path.relative_to(MOJO).as_posix() for kind in kinds for path in (MOJO / puzzle).glob(kind))


def test_one_puzzle_can_be_begun_and_more_added(empty, monkeypatch, capsys):
    """Inside a workspace, `start` adds to it; what is there stays as it is."""
    assert main(["start", "p26", "mine"]) == 0
    assert files(empty / "mine") == [str(TASKS), *given("p26"), MARKER]
    (empty / "mine" / "p26" / "problem.mojo").write_text("mine")
    monkeypatch.chdir(empty / "mine" / "p26")

    assert main(["start"]) == 0
    assert (empty / "mine" / "p26" / "problem.mojo").read_text() == "mine"
    assert set(files(empty / "mine")) == {str(TASKS), MARKER, *(name for puzzle in PUZZLES for name in given(puzzle))}
    assert f"../{PUZZLES[0]}/problem.mojo" in capsys.readouterr().out


def test_a_lesson_comes_without_comments_for_its_generator(empty):
    """They speak to tools; all else of the lesson is there, in both languages."""
    assert main(["start", "."]) == 0

    for copy in (path for puzzle in PUZZLES for path in (empty / puzzle).glob("README*.md")):
        lesson = copy.read_text(encoding="utf-8")
        whole = (MOJO / copy.relative_to(empty)).read_text(encoding="utf-8")
        shown = re.sub(r"<!--.*?-->", "", whole, flags=re.DOTALL)
        assert "<!--" not in lesson and lesson.split() == shown.split()
        assert "\n\n\n" not in lesson and lesson.endswith("\n")


def test_a_lesson_comes_to_a_puzzle_that_was_begun_without(empty, capsys):
    """As in a workspace that is older than the lesson; what the learner wrote stays."""
    main(["start", "p15", "."])
    whole = files(empty)
    for name in ("README.md", "figures/p15-lanes.svg"):
        (empty / "p15" / name).unlink()
    (empty / "p15" / "problem.mojo").write_text("mine")
    (empty / "p15" / "README.ko.md").write_text("mine too")
    capsys.readouterr()

    assert main(["start", "p15", "."]) == 0
    assert "Its lesson is p15/README.md." in capsys.readouterr().out
    assert files(empty) == whole
    assert (empty / "p15" / "problem.mojo").read_text() == "mine"
    assert (empty / "p15" / "README.ko.md").read_text() == "mine too"


@pytest.mark.parametrize("again", [["start"], ["start", "p15"], ["start", "p15", "."]])
def test_nothing_is_overwritten(again, empty, monkeypatch, capsys):
    main(["start", "."])
    (empty / "p15" / "problem.mojo").write_text("mine")
    capsys.readouterr()

    assert main(again) == 2
    assert (empty / "p15" / "problem.mojo").read_text() == "mine"
    captured = capsys.readouterr()
    assert "already, and nothing is overwritten" in captured.err and captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["p155"], "unknown puzzle 'p155': did you mean 'p15'"),
        (["q15", "here"], "unknown puzzle 'q15'"),
        (["p01-p77"], "unknown puzzle 'p77'"),
        (["p01-"], "unknown puzzle 'p01-': did you mean 'p01'"),
        (["../mine", "p01-p03"], "../mine is no puzzle: the folder comes last."),
        (["p08-p03"], "p08-p03 goes backwards: write p03-p08."),
        (["p08...p03", "here"], "p08...p03 goes backwards: write p03-p08."),
        (["--part", "0"], f"there is no part '0': name one of 1 to {len(PARTS)}, as `puzzles list` has them."),
        (["here", "--part", "one"], "there is no part 'one'"),
    ],
)
def test_a_puzzle_that_is_none_makes_no_folder(arguments, message, empty, capsys):
    assert main(["start", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(empty.iterdir())


def test_a_folder_that_cannot_be_made_is_said(empty, capsys):
    (empty / "file").write_text("")
    assert main(["start", "p15", "file"]) == 3
    assert "cannot write to file: File exists" in capsys.readouterr().err


def test_a_workspace_is_found_from_below(empty, monkeypatch):
    assert find_workspace() is None and problem_sources(["p15"]) == Sources("problems")
    main(["start", "p15", "mine"])
    below = empty / "mine" / "p15"
    assert find_workspace(below) == empty / "mine"
    monkeypatch.chdir(below)
    assert problem_sources(["p15"]).kernel_file(find_case("p15")) == below / "problem.mojo"


def test_only_the_learners_kernels_come_from_it(empty):
    main(["start", "."])
    p15 = [case for case in CASES if case.puzzle == "p15"]
    assert kernel_sources("problems", p15).kernel_file(p15[0]) == empty / "p15" / "problem.mojo"
    assert kernel_sources("solutions", p15).kernel_file(p15[0]) == MOJO / "p15" / "solution.mojo"


def test_a_puzzle_that_the_workspace_lacks_is_not_run_from_elsewhere(empty):
    main(["start", "p15", "."])
    with pytest.raises(UsageError, match="has no p26: `puzzles start p26` adds it"):
        problem_sources(["p26"])


@pytest.mark.slow
def test_in_a_workspace_its_own_file_runs(empty, capsys):
    """One that is solved shows that it is not the harness's problem, which is not."""
    main(["start", "p15", "."])
    write("p15 solved", empty / "p15" / "problem.mojo")
    assert main(["p15", "--target", "nvidia", "--backend", "simulator"]) == 0
    assert "p15/problem.mojo for nvidia:sm_90, in the simulator" in capsys.readouterr().err
