"""The learner's loop, of a file that is handed out wrong and of one with questions."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.catalogue import CASES, find_case
from harness.cli.main import main
from harness.learning.loop import Desk
from harness.learning.progress import LearnerProgress
from harness.model.handout import Wrong
from tests.learners import known, solution, write

TARGET = ("--target", "nvidia:sm_90", "--backend", "simulator")
WRONG, ASKED = find_case("p10:memory-bug"), find_case("p30:kernel1")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A new workspace with both, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    for entry in (WRONG, ASKED):
        assert main(["start", entry.puzzle, "."]) == 0
    capsys.readouterr()
    return Desk.of_current_folder()


def test_what_is_handed_out_wrong_is_checked_like_any_file(desk, capsys):
    """Its finding is told; it is not that nobody has filled it in. Mended it is solved."""
    file = desk.kernel_file(WRONG)
    assert desk.state(WRONG) == "untouched" and main(["progress"]) == 0
    assert "p10:memory-bug       not begun yet" in capsys.readouterr().out

    known("p10 as it is handed out", file)
    assert main(["check", WRONG.id, *TARGET]) == 1
    said = capsys.readouterr().out
    assert "p10:memory-bug: FINDING on data set documented" in said and "not filled in" not in said
    line = file.read_text().split("\n").index("    output[row, col] = a[row, col] + 10") + 1
    assert f"p10/problem.mojo:{line}:" in said

    file.write_text(file.read_text() + "# seen\n")
    assert desk.state(WRONG) == "untouched"
    write("p10 solved", file)
    assert desk.state(WRONG) == "open"
    assert main(["check", WRONG.id, *TARGET]) == 0
    said = capsys.readouterr().out
    assert (
        Desk.of_current_folder().state(WRONG) == "solved" and "changed outside" not in said and "the marks" not in said
    )


@pytest.mark.full  # `tests/puzzles/test_given.py` has its words
def test_memory_that_the_host_makes_is_named_by_its_turn(desk, capsys):
    """The result, the input, and then the buffer of no elements that the file is handed out with."""
    assert main(["start", "p09", "."]) == 0 and main(["check", "p09:first-case", *TARGET]) == 1

    assert "Invalid global read of 4 bytes in input, which has 0 elements" in capsys.readouterr().out


def answer(file, *texts):
    """Writes these answers into the file in the place of the first open ones."""
    text = file.read_text()
    for one in texts:
        text = text.replace(": ?", f": {one}", 1)
    file.write_text(text)


def test_a_question_is_not_solved_untouched(desk, capsys):
    file = desk.kernel_file(ASKED)
    assert desk.state(ASKED) == "untouched"

    assert main(["check", ASKED.id, *TARGET]) == 1
    said = capsys.readouterr().out
    assert "no figure is predicted yet at p30/problem.mojo:39:" in said and "PASS" not in said
    answer(file, "4")
    assert desk.state(ASKED) == "untouched" and main(["check", ASKED.id, *TARGET]) == 1
    assert "p30/problem.mojo:40:" in capsys.readouterr().out
    assert "p30:kernel1" not in LearnerProgress.read(desk.root).cases, "nothing was tried"


def test_a_prediction_is_compared_and_its_reason_told(desk, capsys):
    file = desk.kernel_file(ASKED)
    answer(file, "4", "16 bytes")
    assert desk.state(ASKED) == "open" and main(["check", ASKED.id, *TARGET]) == 1
    assert "16 bytes at p30/problem.mojo:40:75 is not a number" in capsys.readouterr().out

    file.write_text(file.read_text().replace("16 bytes", "16"))
    assert main(["check", ASKED.id, *TARGET]) == 1
    said = capsys.readouterr().out
    assert (
        "p30:kernel1: FINDING; its kernels are right, on 6 of 6 data sets" in said
        and "for each element of `output`: not 16" in said
    )
    assert "Remedy: measure it: `puzzles run p30 --profile`" in said and "none twice" not in said

    file.write_text(file.read_text().replace(": 16", ": 12"))
    assert main(["check", ASKED.id, *TARGET]) == 0
    said = capsys.readouterr().out
    assert "p30:kernel1: PASS, 6 of 6 data sets" in said and "in the simulator with SIZE = 65536" in said
    assert "12, since two elements of 4 bytes are read and one is written" in said and "changed" not in said
    assert Desk.of_current_folder().state(ASKED) == "solved"

    file.write_text(file.read_text().replace("Bytes of global", "Bytes of"))
    assert main(["check", ASKED.id, *TARGET]) == 1
    assert "p30/problem.mojo no longer has the question: Bytes of global" in capsys.readouterr().out


def test_where_to_work_is_said_as_it_is_given(desk, capsys):
    """At the kernel if there is no mark, and at the first question."""
    kernel = f"def {WRONG.functions[0]}("
    for entry, told, begin in ((WRONG, "find the fault", kernel), (ASKED, "predict:", "    # Sectors")):
        assert main([]) == 0
        out = capsys.readouterr().out
        (place,) = (line.split()[-1] for line in out.splitlines() if told in line)
        held = desk.kernel_file(entry).read_text().splitlines()[int(place.split(":")[1]) - 1]
        assert place.startswith(f"{entry.puzzle}/problem.mojo:") and held.startswith(begin)
        for mode in ("p10:memory-bug", "p10:race-condition"):
            desk.progress.update(mode, solved="2026-01-02T03:04:05+00:00")


def test_what_was_worked_on_is_handed_out_anew(desk, capsys):
    file = desk.kernel_file(WRONG)
    given = file.read_text()
    assert main(["reset", "p10"]) == 2 and "is the original: there is nothing to reset" in capsys.readouterr().err
    file.write_text(solution("p10"))
    assert main(["reset", "p10"]) == 0 and file.read_text() == given


def test_no_case_is_solved_by_a_file_that_nobody_has_touched(tmp_path, monkeypatch):
    """What is handed out wrong fails by itself; all else has something to fill in or to predict first."""
    monkeypatch.chdir(tmp_path)
    assert main(["start"]) == 0
    monkeypatch.chdir(tmp_path / "puzzles")
    desk = Desk.of_current_folder()

    assert [
        find_case.id
        for find_case in CASES
        if desk.first_unfilled(find_case) is None and not isinstance(find_case.handout, Wrong)
    ] == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "p33:tiled is complete already, as a comparison"), ("ko", "비교하라고 완성된 채로 나눠 준 커널")],
)
def test_what_is_given_as_a_whole_waits_for_the_mode_that_is_filled_in(language, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p33", "."]) == 0
    desk, tiled = Desk.of_current_folder(), find_case("p33:tiled")
    capsys.readouterr()

    assert main(["check", "p33:tiled", "--target", "nvidia:sm_90", "--language", language]) == 1
    out = capsys.readouterr().out
    assert said in out and "p33:tensor-core" in out and desk.location(find_case("p33:tensor-core")) in out
    assert desk.state(tiled) == "untouched"
    file = desk.kernel_file(tiled)
    file.write_text(file.read_text().replace("# END OF FILL ME IN", "    barrier()\n        # END OF FILL ME IN", 1))
    assert desk.first_unfilled(tiled) is None and desk.state(tiled) == "open"
