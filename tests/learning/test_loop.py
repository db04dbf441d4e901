"""The learner's loop: what is next, what is checked, and that nothing of theirs is lost."""

from __future__ import annotations

import errno
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cases import pipeline
from harness.catalogue import CASES, PUZZLES, find_case
from harness.cli import pictures
from harness.cli import watching as watching_module
from harness.cli.learning import print_next_hint
from harness.cli.main import main
from harness.errors import EnvironmentFault
from harness.learning import watch
from harness.learning.loop import Desk, changed_cases, extract_kernels
from harness.learning.progress import FILE, CaseProgress, LearnerProgress
from harness.model.launch_plan import LaunchPlan
from harness.model.lines import display_width
from harness.model.report import CaseReport, LearnerReport
from harness.model.sources import MOJO, ROOT
from harness.model.target import Target
from harness.model.verdict import Verdict
from tests.learners import write
from tests.learning.traced import put
from tests.processes import import_path

pytestmark = pytest.mark.slow

REPORT = CaseReport(case="p15", target="", backend="", device="", verdict=Verdict.PASS, launches=())
WATCHED = {
    "fail_on": "warning",
    "case": "p15",
    "backend": "simulator",
    "target": "nvidia:sm_90",
    "assertions": False,
    "documented_size": False,
    "data_seed": None,
}
TARGET = ("--target", "nvidia:sm_90", "--backend", "simulator")
PUZZLES_THERE = len({int(puzzle[1:3]) for puzzle in PUZZLES})  # two files may share a number


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A new workspace with three puzzles, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    for puzzle in ("p15", "p26", "p34"):
        assert main(["start", puzzle, "."]) == 0
    capsys.readouterr()
    return tmp_path


def solve(folder, puzzle):
    write(f"{puzzle} solved", folder / puzzle / "problem.mojo")


def held(folder):
    return json.loads((folder / FILE).read_text())["cases"]


def test_without_a_workspace_the_first_step_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert main([]) == 0
    assert "`puzzles start` makes one" in capsys.readouterr().out
    for command in (["check"], ["watch"], ["hint"], ["solution", "--yes"], ["reset", "p15"], ["progress"]):
        assert main(command) == 2
        assert "there is no workspace here: make one with `puzzles start`" in capsys.readouterr().err


def test_the_first_thing_said_is_what_is_next_and_where(desk, capsys):
    """A terminal can follow the place."""
    assert main([]) == 0

    out = capsys.readouterr().out
    assert f"0 of {PUZZLES_THERE} puzzles solved, 0 of {len(CASES)} modes." in out and "Next: p15, axis sum" in out
    assert "A mode is one kernel of a puzzle" in out
    assert "it builds on:   p07, p12 (not solved yet: p07, p12)" in out
    (place,) = (line.split()[-1] for line in out.splitlines() if "write it here" in line)
    file, line, column = place.split(":")
    assert file == "p15/problem.mojo"
    assert (desk / file).read_text().splitlines()[int(line) - 1][int(column) - 1 :].startswith("# FILL ME IN")
    assert all(len(line) <= 120 for line in out.splitlines())


def test_what_nobody_began_is_not_wrong(desk, capsys):
    """Nothing is compiled for it, and no try is counted."""
    assert main(["check", *TARGET]) == 1

    captured = capsys.readouterr()
    assert captured.out.startswith("p15 is not filled in yet: p15/problem.mojo:")
    assert captured.out.count("\n") == 1 and captured.err == "" and not (desk / FILE).exists()


def test_a_solved_puzzle_is_told_remembered_and_followed_by_the_next(desk, capsys):
    solve(desk, "p15")

    assert main(["check", *TARGET]) == 0

    out = capsys.readouterr().out
    assert "p15: PASS, " in out and "p15 is solved." in out
    assert (
        f"1 of {PUZZLES_THERE} puzzles solved, 1 of {len(CASES)} modes." in out
        and "Next: p26:pair-swap, butterfly pair swap" in out
    )
    assert held(desk)["p15"]["tries"] == 1 and held(desk)["p15"]["solved"]
    assert main(["check", "p15", *TARGET]) == 0
    assert "p15 is still right." in capsys.readouterr().out


def test_what_is_next_stands_once_behind_a_range(desk, capsys, monkeypatch):
    for puzzle in ("p15", "p26"):
        (desk / puzzle / "problem.mojo").write_text((MOJO / puzzle / "solution.mojo").read_text())
    plan = LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "no GPU", "it is asked for")
    monkeypatch.setattr(pipeline, "plan", lambda *_: plan)
    monkeypatch.setattr(pipeline, "learner", lambda one, **_: LearnerReport((), replace(REPORT, case=one.id)))

    assert main(["check", "p26:pair-swap", "p15"]) == 0

    out = capsys.readouterr().out
    assert out.index("p15 is solved.") < out.index("p26:pair-swap is solved.") < out.index("Next: ")
    assert out.count("Next: ") == out.count(f"of {PUZZLES_THERE} puzzles solved") == 1


def test_a_wrong_kernel_offers_a_hint_and_takes_nothing_back(desk, capsys):
    """Once solved stays solved: a later experiment costs nothing."""
    solve(desk, "p15")
    main(["check", *TARGET])
    write("half of the tree", desk / "p15" / "problem.mojo")
    capsys.readouterr()

    assert main(["check", "p15", *TARGET]) == 1

    out = capsys.readouterr().out
    assert "p15: MISMATCH" in out and "Not right yet. `puzzles hint p15` gives a hint." in out
    assert "`puzzles show p15` draws what the threads of your kernel did, `puzzles trace p15` prints it." in out
    assert main([]) == 0 and "Next: p26:pair-swap" in capsys.readouterr().out


def test_what_a_gpu_may_hide_is_said_once_with_what_looks_for_it(desk, capsys, monkeypatch):
    solve(desk, "p15")
    plan = LaunchPlan(Target.parse("nvidia:sm_90"), "max", "a GPU", "it is here", (0,))
    monkeypatch.setattr(pipeline, "plan", lambda *_: plan)
    monkeypatch.setattr(pipeline, "learner", lambda *_, **__: LearnerReport((), REPORT))
    unseen = "`puzzles check p15 --backend simulator` looks for them."

    assert main(["check", "p15"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert unseen in said and said.index("p15 is solved.") < said.index(unseen) < said.index("Next: ")
    assert main(["check", "p15"]) == 0
    assert unseen not in " ".join(capsys.readouterr().out.split())


def test_assertions_are_the_simulators(desk, capsys):
    solve(desk, "p15")
    assert main(["check", "p15", "--assertions", "--backend", "max"]) == 2
    assert "they do not go with --backend max" in capsys.readouterr().err
    for name, said in (("cpu", "runs the reference, not your kernel"), ("gpu", "unknown backend 'gpu'")):
        assert main(["check", "p15", "--backend", name]) == 2
        assert said in capsys.readouterr().err


def test_what_is_checked_is_the_learners_own(desk, capsys):
    (desk / "p15" / "problem.mojo").write_text("this is no Mojo\n")

    assert main(["check", "p15", *TARGET]) == 1
    out = capsys.readouterr().out
    assert "p15: COMPILE_ERROR" in out and "p15/problem.mojo:1:" in out and str(desk) not in out


def test_korean_is_spoken_where_it_is_asked_for(desk, capsys, monkeypatch):
    for arguments, locale in ((["--language", "ko"], "C"), ([], "ko_KR.UTF-8")):
        monkeypatch.setenv("LC_ALL", locale)
        assert main(arguments) == 0
        assert f"퍼즐 {PUZZLES_THERE}개 중 0개, 세부 퍼즐 {len(CASES)}개 중 0개" in capsys.readouterr().out
        assert main(["check", *TARGET, *arguments]) == 1
        assert capsys.readouterr().out.startswith("p15: 아직 채우지 않았습니다.")
    assert main(["--language", "tlh"]) == 2
    assert "'tlh'라는 언어" in capsys.readouterr().err


def test_a_solution_needs_somebody_who_is_sure(desk, capsys, monkeypatch):
    assert main(["solution", "p26:pair-swap"]) == 2
    assert "`puzzles solution p26:pair-swap --yes` shows the solution" in capsys.readouterr().err
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    assert main(["solution", "p26:pair-swap"]) == 0
    assert "Not shown." in capsys.readouterr().out and not (desk / FILE).exists()
    monkeypatch.setattr("builtins.input", lambda prompt: "y")
    assert main(["solution", "p26:pair-swap"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("def butterfly_pair_swap[") and "shuffle_xor(value, 1)" in out
    assert "butterfly_parallel_max" not in out and held(desk)["p26:pair-swap"]["solution"] is True
    assert (desk / "p26" / "problem.mojo").read_bytes() == (MOJO / "p26" / "problem.mojo").read_bytes()


@pytest.mark.parametrize("command", ["solution p15", "show p15 --solution", "trace p15 --solution"])
def test_the_end_of_a_terminal_is_no_yes(command, desk, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ended)

    assert main(command.split()) == 0
    assert "Not shown." in capsys.readouterr().out and not (desk / FILE).exists()


def ended(_):
    raise EOFError


def test_a_record_that_cannot_be_written_keeps_no_hint_and_no_verdict_back(desk, capsys, monkeypatch):
    monkeypatch.setattr("harness.learning.progress.replace_file", refused)
    solve(desk, "p15")

    for command, told in ((["hint", "p15"], "p15, hint 1 of"), (["check", "p15", *TARGET], "p15 is solved.")):
        assert main(command) == 0
        said = capsys.readouterr()
        assert told in said.out and f"Not noted: {desk / FILE} cannot be written to (Permission denied)." in said.err


def refused(*_):
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_what_was_solved_and_is_handed_out_anew_is_not_filled_in(desk, capsys):
    """What counts is the file: nothing is compiled, as for one that nobody began."""
    LearnerProgress.read(desk).update("p15", solved="2026-01-02T03:04:05+00:00", tries=2)

    assert main(["check", "p15", *TARGET]) == 1
    assert capsys.readouterr().out.startswith("p15 is not filled in yet: p15/problem.mojo:")
    assert held(desk)["p15"]["tries"] == 2


def test_where_to_write_stays_at_the_marks_while_there_are_any(desk):
    file, first = desk / "p15" / "problem.mojo", "    # FILL ME IN"
    for text in (file.read_text(), (MOJO / "p15" / "solution.mojo").read_text()):
        file.write_text(text)
        line = next(at for at, line in enumerate(text.splitlines(), 1) if line.startswith(first))
        assert Desk.of_current_folder().location(find_case("p15")) == f"p15/problem.mojo:{line}:5"
    file.write_text(text.replace("FILL ME IN", ""))
    line = next(at for at, line in enumerate(text.splitlines(), 1) if line.startswith("def axis_sum"))
    assert Desk.of_current_folder().location(find_case("p15")) == f"p15/problem.mojo:{line}:1"


@pytest.mark.parametrize("command", ["show", "trace"])
def test_a_picture_is_of_the_learners_own_kernel(command, desk, capsys, monkeypatch):
    """The solution is drawn for those alone who ask for it and are sure."""
    asked = []
    monkeypatch.setattr(pictures, "record_case", lambda case, sources, **_: asked.append(sources) or ([], REPORT))

    assert main([command, "p15"]) == 0
    assert [sources.overrides for sources in asked] == [{"p15": Path("p15/problem.mojo")}]
    assert main([command, "p15", "--solution"]) == 2
    assert f"`puzzles {command} p15 --solution --yes`" in capsys.readouterr().err
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    assert main([command, "p15", "--solution"]) == 0
    assert "Not shown." in capsys.readouterr().out and len(asked) == 1 and not (desk / FILE).exists()
    assert main([command, "p15", "--solution", "--yes"]) == 0
    assert asked[1].overrides == {} and held(desk)["p15"]["solution"] is True
    assert main([command, "p15", "--solution", "--file", "p15/problem.mojo"]) == 2
    assert "give one of them" in capsys.readouterr().err
    (desk / "p15" / "problem.mojo").unlink()
    assert main([command, "p15"]) == 2 and "brings it back" in capsys.readouterr().err


@pytest.mark.parametrize(("lane", "told"), [("0", ""), ("32", "there is no lane 32: the grid has 0 to 31.")])
def test_a_lane_that_is_not_there_is_refused(lane, told, desk, capsys):
    put("p15", "p15 solved", desk / "p15" / "problem.mojo")
    assert main(["trace", "p15", "--lane", lane, "--target", "nvidia:sm_90"]) == (2 if told else 0)
    said = capsys.readouterr()
    assert told in said.err and bool(said.out) == (not told)


def test_the_solution_of_what_is_solved_is_shown_unasked_and_not_held_against_anybody(desk, capsys):
    LearnerProgress.read(desk).update("p15", solved="2026-01-02T03:04:05+00:00")

    assert main(["solution", "p15"]) == 0
    assert capsys.readouterr().out.startswith("def axis_sum(") and held(desk)["p15"].get("solution", False) is False


@pytest.mark.parametrize("name", ["en", "ko"])
def test_a_row_of_the_progress_fits_a_terminal(name, desk, capsys):
    for entry in CASES:
        LearnerProgress.read(desk).update(
            entry.id, solved="2026-01-02T03:04:05+00:00", tries=99, hints=99, solution=True
        )

    assert main(["progress", "--language", name]) == 0
    assert max(map(display_width, capsys.readouterr().out.splitlines())) <= 80


def test_a_reset_keeps_what_was_there(desk, capsys):
    file = desk / "p15" / "problem.mojo"
    for number, text in enumerate(("mine", "mine again"), 1):
        file.write_text(text)
        assert main(["reset", "p15"]) == 0
        assert f"Your version is kept in p15/problem.{number}.mojo." in capsys.readouterr().out
        assert (desk / "p15" / f"problem.{number}.mojo").read_text() == text
        assert file.read_bytes() == (MOJO / "p15" / "problem.mojo").read_bytes()
    assert main(["reset", "p15"]) == 2
    assert "there is nothing to reset" in capsys.readouterr().err
    assert main(["reset", "p16"]) == 2
    assert not (desk / "p15" / "problem.3.mojo").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check --all p15", "--all checks every puzzle: leave out p15, or --all."),
        ("reset p15-p26", "p15-p26 is several puzzles: reset one at a time, as in `puzzles reset p15`."),
        ("reset 15", "unknown puzzle '15': did you mean 'p15'"),
    ],
)
def test_what_says_too_much_or_too_little_is_refused(command, message, desk, capsys):
    assert main(command.split()) == 2
    assert message in capsys.readouterr().err


def test_all_are_those_that_are_here_and_one_that_a_target_does_not_run_stops_no_other(desk, capsys):
    """Nobody has filled them in, so that nothing is compiled."""
    assert main(["check", "--all", "--target", "amd", "--backend", "simulator"]) == 1

    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()] == [
        *("p15", "p26:pair-swap", "p26:parallel-max", "p26:conditional-max", "p26:prefix-sum", "p26:partition"),
        *("p34:coordination", "p34:reduction", "p34:advanced"),
    ]
    assert "p34:reduction does not run on amd:gfx942: thread block clusters need an NVIDIA GPU" in said
    assert main(["check", "p34:reduction", "--target", "amd", "--backend", "simulator"]) == 3


def test_a_range_is_checked_puzzle_by_puzzle(desk, capsys):
    assert main(["start", "p02-p03", "."]) == 0
    capsys.readouterr()
    assert main(["check", "p02-p03", *TARGET]) == 1
    assert re.findall(r"^(\w+) is not filled in", capsys.readouterr().out, re.MULTILINE) == ["p02", "p03"]


def test_progress_tells_begun_from_not_begun(desk, capsys):
    solve(desk, "p26")
    (desk / "p34" / "problem.mojo").unlink()
    LearnerProgress.read(desk).update("p26:parallel-max", tries=2)

    assert main(["progress"]) == 0
    out = capsys.readouterr().out
    assert "p15                  not filled in yet" in out
    assert "p26:pair-swap        begun, not checked yet; hints: 0" in out
    assert "p26:parallel-max     begun, not right yet; tries: 2" in out
    assert "p34:reduction        not here: `puzzles start p34` adds it" in out
    assert main(["progress", "--json"]) == 0
    states = {row["case"]: row["state"] for row in json.loads(capsys.readouterr().out)["cases"]}
    assert states == {case.id: {"p15": "untouched", "p26": "open"}.get(case.puzzle, "missing") for case in CASES}


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", '{"version": 2, "cases": {}}', '{"version": 1, "cases": {"p15": {"tries": "x"}}}', '{"cases": 1}',
     '{"version": 1, "cases": {"p15": {"solved": "yesterday"}}}', '{"version": 1, "cases": {"p15": 3}}', "[" * 99999],
)  # fmt: skip
def test_a_damaged_record_is_kept_aside(damage, desk, capsys):
    (desk / FILE).write_text(damage)

    assert LearnerProgress.read(desk).cases == {}
    assert "it is kept as .progress.1.json" in capsys.readouterr().err
    assert (desk / ".progress.1.json").read_text() == damage


def test_a_damaged_record_that_cannot_be_renamed_is_one_sentence(desk, capsys, monkeypatch):
    (desk / FILE).write_text("{")
    monkeypatch.setattr(os, "replace", refused)

    assert main(["hint", "p15"]) == 3
    why = f"{desk / FILE} is damaged and cannot be renamed (Permission denied): make its folder writable."
    assert capsys.readouterr().err == f"error: {why}\n"


def test_what_is_noted_is_read_again(desk):
    LearnerProgress.read(desk).update("p15", tries=2)
    LearnerProgress.read(desk).update("p26:pair-swap", hints=1)

    assert LearnerProgress.read(desk).cases == {"p15": CaseProgress(tries=2), "p26:pair-swap": CaseProgress(hints=1)}
    assert not [name for name in os.listdir(desk) if name.startswith(f"{FILE}.")]


def test_what_another_process_notes_meanwhile_stays(desk, monkeypatch, capsys):
    """As a check in a second terminal beside `puzzles watch`; also of the same case, and if writing failed before."""
    watch, other = LearnerProgress.read(desk), LearnerProgress.read(desk)
    other.update("p15", tries=2, solved="2026-01-02T03:04:05+00:00")
    watch.change("p15", lambda before: replace(before, tries=before.tries + 1))
    with monkeypatch.context() as broken:
        broken.setattr("harness.learning.progress.replace_file", refused)
        watch.update("p26:pair-swap", hints=1)
    other.update("p26:partition", solution=True)
    watch.update("p26:partition", tries=1)

    assert (
        LearnerProgress.read(desk).cases
        == watch.cases
        == {
            "p15": CaseProgress("2026-01-02T03:04:05+00:00", tries=3),
            "p26:pair-swap": CaseProgress(hints=1),
            "p26:partition": CaseProgress(tries=1, solution=True),
        }
    )


def test_a_check_and_a_hint_count_on_what_others_noted_meanwhile(desk, monkeypatch):
    solve(desk, "p15")
    waiting = Desk.of_current_folder()

    def learner(*_, **__):
        LearnerProgress.read(desk).update("p15", tries=5, hints=3, solved="2026-01-02T03:04:05+00:00")
        return LearnerReport((), REPORT)

    monkeypatch.setattr(pipeline, "learner", learner)
    assert main(["check", "p15", *TARGET]) == 0
    print_next_hint(waiting, find_case("p15"))

    assert LearnerProgress.read(desk).of("p15") == CaseProgress("2026-01-02T03:04:05+00:00", tries=6, hints=3)


def test_processes_that_note_at_once_lose_nothing(desk):
    code = """if True:
        import sys
        from dataclasses import replace
        from pathlib import Path
        from harness.learning.progress import LearnerProgress
        progress = LearnerProgress.read(Path.cwd())
        for _ in range(20):
            progress.change("p15", lambda before: replace(before, tries=before.tries + 1))
            progress.change(sys.argv[1], lambda before: replace(before, tries=before.tries + 1))
    """
    environment = {**os.environ, "PYTHONPATH": import_path(ROOT)}
    commands = [[sys.executable, "-c", code, name] for name in ("p01", "p02", "p03")]
    started = [subprocess.Popen(command, env=environment) for command in commands]
    assert [one.wait(timeout=60) for one in started] == [0, 0, 0]

    tries = {name: progress.tries for name, progress in LearnerProgress.read(desk).cases.items()}
    assert tries == {"p01": 20, "p02": 20, "p03": 20, "p15": 60}


def test_an_edit_concerns_the_kernel_that_it_changes():
    cases = [case for case in CASES if case.puzzle == "p26"]
    solved = (MOJO / "p26" / "solution.mojo").read_text()
    edited = solved.replace("shuffle_xor(value, 1)", "shuffle_xor(value, 2)")

    assert [case.id for case in changed_cases(solved, edited, cases)] == ["p26:pair-swap"]
    assert changed_cases(solved, solved, cases) == []
    assert changed_cases(solved, "# more\n" + solved, cases) == cases
    kernels = [extract_kernels(solved, case) for case in cases]
    assert all(text.startswith(f"def {case.kernels[0]}") for text, case in zip(kernels, cases, strict=True))
    assert sum(len(text) for text in kernels) < len(solved)
    assert extract_kernels(solved, find_case("p15")) == ""


def test_a_name_of_several_is_the_first_that_is_not_solved(desk):
    assert Desk.of_current_folder().select_case("p26").id == "p26:pair-swap"
    LearnerProgress.read(desk).update("p26:pair-swap", solved="2026-01-02T03:04:05+00:00")
    assert Desk.of_current_folder().select_case("p26").id == "p26:parallel-max"
    assert [case.id for case in Desk.of_current_folder().select_cases(["p26"])] == [
        case.id for case in CASES if case.puzzle == "p26"
    ]


@pytest.mark.parametrize("poll", [False, True])
def test_a_saved_file_is_noticed(poll, desk):
    """Written in place, or put in place of the old one, as editors do; other files are none of ours."""
    for path in desk.rglob("*.mojo"):
        os.utime(path, (1e9, 1e9))  # polling sees seconds
    noticed = queue.SimpleQueue()
    threading.Thread(
        target=lambda: [noticed.put(paths) for paths in watch.watch_saves(desk, poll=poll)], daemon=True
    ).start()
    time.sleep(1)
    (desk / "notes.txt").write_text("x")
    (desk / "p15" / "problem.mojo").write_text("new")
    seen = noticed.get(timeout=10)
    (desk / "p26" / "other").write_text("new")
    os.replace(desk / "p26" / "other", desk / "p26" / "problem.mojo")
    seen |= noticed.get(timeout=10)
    assert seen == {desk / "p15" / "problem.mojo", desk / "p26" / "problem.mojo"}


def test_a_file_that_cannot_be_looked_at_is_told(desk):
    (desk / "p15" / "problem.mojo").unlink()
    (desk / "p15" / "problem.mojo").symlink_to("problem.mojo")
    with pytest.raises(EnvironmentFault, match=r"cannot be watched: .*symbolic links"):
        next(watch.watch_saves(desk, poll=True))


def test_a_drive_that_tells_of_changes_is_known(desk, monkeypatch):
    """And one that does not: there files are looked at."""
    before = sorted(os.listdir(desk))
    assert watch.sends_change_events(desk)

    def silent(*_, **__):
        while True:
            time.sleep(0.05)
            yield set()

    monkeypatch.setattr(watch, "watch", silent)
    monkeypatch.setattr(watch, "PROBE_SECONDS", 0.2)
    assert not watch.sends_change_events(desk)
    assert sorted(os.listdir(desk)) == before


def test_a_drive_that_cannot_be_written_to_is_waited_for(desk, monkeypatch):
    """Nothing is saved on it: that it tells of no changes is no fault."""
    monkeypatch.setattr(Path, "touch", lambda _: refused())
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: refused())
    assert watch.sends_change_events(desk)


def test_a_watch_of_one_puzzle_says_so(desk, capsys, monkeypatch):
    """Neither of the folder, nor of what is next: its file is not watched."""
    monkeypatch.setattr(watch, "watch_saves", lambda *_, **__: iter(()))
    monkeypatch.setattr(watch, "sends_change_events", lambda _folder, **_: True)

    assert main(["watch", "p15", *TARGET]) == 0
    said = capsys.readouterr().out
    assert "Watching p15: save its file and it is checked." in said and desk.name not in said

    LearnerProgress.read(desk).update("p15", solved="2026-01-02T03:04:05+00:00")
    watching = watching_module._Watch(Desk.of_current_folder(), (find_case("p15"),), Namespace(**WATCHED), 0)
    assert watching.handle("n")
    said = capsys.readouterr().out
    assert "Only p15 is watched here" in said and "Next:" not in said
    watching.close()


def test_a_watch_without_its_package_says_what_to_install(desk, capsys, monkeypatch):
    """No fault of the harness: the package is one of those that a checkout may lack."""
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    monkeypatch.delitem(sys.modules, "harness.learning.watch")
    monkeypatch.delattr("harness.learning.watch")
    assert main(["watch"]) == 3
    assert "`pip install watchfiles`" in capsys.readouterr().err


def test_the_watch_checks_what_is_saved(desk, capsys, monkeypatch):
    """What is next at the start, then what was saved; a verdict stays, and an interrupt is its end."""
    solve(desk, "p15")

    def saved(folder, *, poll, recursive):
        assert folder == desk and recursive and not poll
        solve(desk, "p26")
        yield {desk / "p26" / "problem.mojo"}
        (desk / "p26" / "problem.mojo").unlink()
        yield {desk / "p26" / "problem.mojo", desk / "elsewhere" / "problem.mojo"}
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "watch_saves", saved)
    monkeypatch.setattr(watch, "sends_change_events", lambda _folder, **_: True)

    assert main(["watch", *TARGET]) == 0

    said = capsys.readouterr().out
    assert said.endswith("\n\n")  # the prompt after an interrupt has a line of its own
    rounds = said.strip().split("\n\n")
    assert "p15 is solved." in rounds[0] and "p26" not in rounds[0].split("Next:")[0]
    assert [f"p26:{name} is solved." in rounds[1] for name in ("pair-swap", "parallel-max", "conditional-max")] == [
        True
    ] * 3
    assert "p26/problem.mojo is gone: `puzzles start p26` brings it back." in rounds[2]
    assert all("save a file and it is checked.\nCtrl-C ends." in part for part in rounds)
    assert set(held(desk)) == {entry.id for entry in CASES if entry.puzzle in ("p15", "p26")}
    assert find_case("p15").id in held(desk)


def test_code_of_three_regions_in_the_first_is_checked(tmp_path, monkeypatch, capsys):
    """It counts wherever in its kernel it stands, as for graders; and a part alone is told as what it is."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p29", "."]) == 0
    file = tmp_path / "p29" / "problem.mojo"

    write("three regions in the first", file)
    assert main(["check", "p29:multi-stage", *TARGET]) == 0

    write("a part alone", file)
    capsys.readouterr()
    assert main(["check", "p29:multi-stage", *TARGET]) == 1
    told = capsys.readouterr().out
    assert "p29:multi-stage is only partly filled in: the region at p29/problem.mojo:" in told
    assert "not filled in yet" not in told
