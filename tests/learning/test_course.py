"""A learner is led through all puzzles, part by part: how far one is, and what each builds on."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from harness.catalogue import CASES, PARTS, PUZZLES, find_case
from harness.cli import checking
from harness.cli.main import main
from harness.learning.loop import Desk
from harness.learning.progress import LearnerProgress
from harness.model.place import puzzle_number
from harness.model.verdict import Verdict

ALL = len({puzzle_number(puzzle) for puzzle in PUZZLES})
WHEN = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A new workspace with three puzzles, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p15", "p26", "p34", "."]) == 0
    capsys.readouterr()
    return tmp_path


def test_a_puzzle_is_solved_with_all_of_its_modes(desk, capsys):
    """Of all files with its number; what a puzzle builds on is told without those that are solved."""
    record = LearnerProgress.read(desk)
    modes = [entry.id for entry in CASES if entry.puzzle in ("p04", "p07") or entry.id == "p26:pair-swap"]
    for name in modes:
        record.update(name, solved=WHEN)

    assert main([]) == 0
    out = capsys.readouterr().out
    assert f"1 of {ALL} puzzles solved, {len(modes)} of {len(CASES)} modes." in out
    assert "it builds on:   p07, p12 (not solved yet: p12)" in out and "A mode is" not in out
    record.update("p04_tile_tensor", solved=WHEN)
    record.update("p12", solved=WHEN)
    assert main([]) == 0
    out = capsys.readouterr().out
    assert f"3 of {ALL} puzzles solved" in out and "it builds on:   p07, p12\n" in out


@pytest.mark.parametrize(
    ("language", "told"), [("en", "p04 and p04_tile_tensor are one puzzle"), ("ko", "합쳐서 한 퍼즐")]
)
def test_a_puzzle_whose_other_part_is_open_says_why_the_count_stays(desk, capsys, language, told, monkeypatch):
    monkeypatch.setattr("harness.model.language._chosen", [language])
    report, plan = SimpleNamespace(verdict=Verdict.PASS, ok=True), SimpleNamespace(backend="simulator")
    for name in ("p04", "p04_tile_tensor"):
        LearnerProgress.read(desk).update(name, solved=WHEN)
        checking._print_advice(Desk.of_current_folder(), find_case(name), report, plan, again=False, leads=False)
        assert (told in " ".join(capsys.readouterr().out.split())) == (name == "p04")


@pytest.mark.slow
def test_one_is_led_from_part_to_part(tmp_path, monkeypatch, capsys):
    """Where all that is here is solved the next part is named, and after the last one that it is the end."""
    monkeypatch.chdir(tmp_path)
    for at, (part, puzzles) in enumerate(PARTS.items(), 1):
        assert main(["start", ".", "--part", str(at)]) == 0
        capsys.readouterr()
        assert main([]) == 0 and f"Next: {puzzles[0]}" in capsys.readouterr().out
        for entry in (entry for entry in CASES if entry.puzzle in puzzles):
            LearnerProgress.read(tmp_path).update(entry.id, solved=WHEN)
        assert main(["progress"]) == 0
        assert f"Part {at}: {part} ({len({puzzle_number(name) for name in puzzles})} of" in capsys.readouterr().out
        assert main([]) == 0
        out = capsys.readouterr().out
        if at < len(PARTS):
            title = list(PARTS)[at]
            assert f"All that is here is solved. Next: part {at + 1}, {title}: " in out
            assert f"`puzzles start --part {at + 1}` adds it." in out
        else:
            assert "All are solved. `puzzles claims`" in out


def test_a_puzzle_without_hints_says_what_it_builds_on(desk, capsys, monkeypatch):
    monkeypatch.setattr("harness.learning.hints.lesson_path", lambda *_: None)
    assert main(["hint", "p16:tiled"]) == 2
    told = "there are no hints for p16:tiled: its lesson has none. It builds on p07, p12: look at these again."
    assert told in capsys.readouterr().err
    assert main(["hint", "p01"]) == 2
    assert "its lesson has none.\n" in capsys.readouterr().err
