"""What a newcomer types is understood: one screen of help, paths as a shell completes them, the nearest right word."""

from __future__ import annotations

import argparse
import re
import shutil
from functools import cache

import pytest

from harness.catalogue import PUZZLES
from harness.cli.chosen import pictured_case
from harness.cli.main import main
from harness.cli.parser import GROUPS, make_parser, parse_command_line
from harness.cli.renamed import OLD_COMMANDS, OLD_FLAGS
from harness.learning.progress import LearnerProgress
from harness.model.language import set_language
from harness.model.lines import display_width
from harness.model.messages.help_ko import ARGUMENTS, COMMANDS
from harness.model.sources import MOJO

SOLVED = "2026-01-02T03:04:05+00:00"
# With which the line of an argument or a command begins.
# fmt: off
VERBS = frozenset((
    "accept", "add", "allow", "build", "call", "change", "check", "choose", "compare", "compile", "connect",
    "count", "declare", "define", "draw", "fail", "give", "grade", "judge", "keep", "launch", "leave", "limit",
    "list", "listen", "look", "make", "pass", "print", "read", "report", "reset", "rewrite", "run", "search",
    "seed", "serve", "set", "show", "skip", "stop", "take", "time", "use", "write",
))
# fmt: on


@pytest.fixture(autouse=True)
def in_english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "80")
    yield
    set_language(None)


@pytest.fixture
def work(tmp_path, monkeypatch, capsys):
    """A workspace in which nobody has begun anything; the current folder."""
    folder = tmp_path / "mine"
    assert main(["start", "p01", "p15", "p16", str(folder)]) == 0
    capsys.readouterr()
    monkeypatch.chdir(folder)
    return folder


@cache
def commands() -> dict[str, argparse.ArgumentParser]:
    (found,) = (action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found.choices)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("words", ["--help", "help", "-h"])
def test_the_help_fits_a_screen(words, language, capsys):
    """Of 40 lines with 80 columns, without a line for each puzzle."""
    with pytest.raises(SystemExit) as ended:
        main([words, "--language", language])

    lines = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0 and len(lines) <= 40 and max(map(display_width, lines)) <= 80
    assert [line for line in lines if re.match(r" +p\d\d\b", line)] == []
    listed = [line.split()[0] for line in lines if re.match(r"  \S", line)]
    assert listed == [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(set(commands()) - set(PUZZLES))
    assert listed[:4] == ["start", "next", "watch", "check"]


@pytest.mark.slow
def test_a_puzzle_is_still_a_command(capsys):
    for puzzle in PUZZLES:
        with pytest.raises(SystemExit):
            main([puzzle, "--help"])
    assert "--idiomatic-tiled" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in commands() if name not in PUZZLES[1:]])
def test_each_line_of_a_help_begins_with_a_verb(name):
    """And says the default, where a value has one."""
    actions = [action for action in commands()[name]._actions if action.help != argparse.SUPPRESS]
    told = {" ".join(action.option_strings) or action.dest: str(action.help) for action in actions}
    assert {flag: text for flag, text in told.items() if text.split()[0] not in VERBS} == {}
    defaults = [action for action in actions if action.default not in (None, False, 0, "", [], argparse.SUPPRESS)]
    assert [action.dest for action in defaults if "(default: " not in str(action.help)] == []


def test_each_command_s_line_begins_with_a_verb():
    summaries = {name: str(command.description) for name, command in commands().items() if name not in PUZZLES}
    assert {name for name, text in summaries.items() if text.split()[0].lower() not in VERBS} == set()


def test_each_korean_line_is_of_a_line_that_a_help_has():
    """A line that was changed in English alone would be told in English."""
    texts = {str(command.description) for command in commands().values()}
    texts |= {str(action.help) for command in (make_parser(), *commands().values()) for action in command._actions}
    assert [text for text in {**ARGUMENTS, **COMMANDS} if text not in texts and "{" not in text] == []


# What is typed in the workspace, and what is said of it in both languages.
WRONG = (
    ("chekc", "'check'"),
    ("CHECK", "'check'"),
    ("nxt", "'next'"),
    ("status", "'next'"),
    ("test p15", "'check'"),
    ("answer p15", "'solution'"),
    ("p1", "'p01'"),
    ("P15", "'p15'"),
    ("p16:tild", "'p16 --tiled'"),
    ("check 15", "'p15'"),
    ("check P15", "'p15'"),
    ("check p16:tled", "'p16:tiled'"),
    ("check p16 --tiled", "'p16:tiled'"),
    ("check p15 --None", "known: --help|있는 것: --help"),
    ("hint p16:Naive", "'p16:naive'"),
    ("check p1/problem.mojo", "'p01'"),
    ("check --tagret amd", "'--target'"),
    ("check --FILE x.mojo", "'--file'"),
    ("check --target nvida", "'nvidia'"),
    ("check --target sm_90", "'nvidia:sm_90'"),
    ("check --backend Simulator", "'simulator'"),
    ("check --fail-on warn", "'warning'"),
    ("check --format line", "'lines'"),
    ("check --file other.mojo", "puzzles check PUZZLE --file other.mojo|puzzles check 퍼즐 --file other.mojo"),
    ("check other.mojo", "puzzles check --file other.mojo"),
    ("check p15 p16 --file other.mojo", "p15, p16"),
    ("run --kernels problem", "'problems'"),
    ("inspect p15 --level assembly", "asm"),
    ("run p15 --target", "run --help"),
    ("run p15 --data-seed x", "'x'"),
    ("start --foo", "'--foo'"),
    ("reset p15", "p15/problem.mojo"),
    ("exec", "--cases"),
    ("exec nosuch.mojo", "nosuch.mojo"),
    ("exec p15/problem.mojo", "`main`"),
    ("show p15 --file other.mojo --solution", "--solution"),
    ("grade nowhere", "--out"),
    ("grade nowhere --sandbox limits --out r", "nowhere"),
    ("check --backend cpu", "cpu"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "said"), WRONG, ids=[typed for typed, _ in WRONG])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_wrong_word_gets_the_nearest_right_one(typed, said, language, work, capsys):
    shutil.copy("p15/problem.mojo", "other.mojo")
    assert main([*typed.split(), "--language", language]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert any(one in " ".join(captured.err.split()) for one in said.split("|")), captured.err
    assert "fault of the harness" not in captured.err
    if language == "ko":  # whole, not an English sentence behind a Korean word
        plain = re.sub(r"`[^`]*`|'[^']*'|\S*/\S*|--\w+ \w+", "", captured.err)
        assert not re.search(r"(?:\b[a-z]{2,} ){2}[a-z]{2,}", plain), captured.err


def test_the_table_has_twenty_wrong_inputs():
    assert len({typed for typed, _ in WRONG}) >= 20


@pytest.mark.parametrize(("words", "shown"), [("", "p01"), ("p15 p16", "p15")])
def test_start_says_first_what_to_do_next(words, shown, tmp_path, monkeypatch, capsys):
    """In at most five lines, of which the first is enough."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", *words.split()]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Now `cd puzzles`, then fill in {shown}/problem.mojo and run `puzzles watch`."
    assert lines[1].startswith(f"Its lesson is {shown}/README.md.")
    assert lines[-1] == f"Added to puzzles: {words.replace(' ', '-') or f'{PUZZLES[0]}-{PUZZLES[-1]}'}."
    assert len(lines) <= 5


def test_start_names_the_lesson_of_the_language(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p01", "p15", "--language", "ko"]) == 0
    out = capsys.readouterr().out
    assert "p01/README.ko.md" in out and "p01, p15" in out


def test_next_says_what_is_next(work, capsys):
    assert main(["next"]) == 0
    first = capsys.readouterr().out
    assert "Next: p01" in first and "p01/README.md" in first
    assert main([]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("solved", "taken"),
    [((), "p16:naive"), (("naive",), "p16:single-block"), (("naive", "tiled"), "p16:single-block")],
)
@pytest.mark.parametrize("word", ["p16", "p16/problem.mojo", "p16/"])
def test_of_several_modes_the_open_one_is_taken(solved, taken, word, work, capsys):
    for mode in solved:
        LearnerProgress.read(work).update(f"p16:{mode}", solved=SOLVED)

    assert main(["hint", word]) == 0
    assert capsys.readouterr().out.startswith(f"{taken}, hint 1 of ")
    assert main(["solution", word, "--yes"]) == 0
    assert capsys.readouterr().out.startswith("def ")
    assert LearnerProgress.read(work).of(taken).solution
    assert pictured_case(word).id == taken


def test_of_a_solved_puzzle_the_first_mode_is_taken(work, capsys):
    for mode in ("naive", "single-block", "tiled", "idiomatic-tiled"):
        LearnerProgress.read(work).update(f"p16:{mode}", solved=SOLVED)
    assert main(["hint", "p16"]) == 0
    assert capsys.readouterr().out.startswith("p16:naive, hint 1 of ")


def test_the_mode_that_a_solution_is_of_is_told(work, capsys):
    assert main(["solution", "p16", "--yes"]) == 0
    assert "This is p16:naive" in capsys.readouterr().err
    assert main(["solution", "p16:tiled", "--yes"]) == 0
    assert capsys.readouterr().err == ""


PATHS = ("p15/problem.mojo", "p15/", "./p15", "p15/README.md", "../mine/p15/problem.mojo", "{work}/p15/problem.mojo")


@pytest.mark.parametrize("word", PATHS)
def test_a_path_in_the_workspace_is_its_puzzle(word, work, capsys):
    assert main(["check", word.format(work=work)]) == 1
    assert re.fullmatch(r"p15 is not filled in yet: p15/problem\.mojo:\d+:5\n", capsys.readouterr().out)


def test_a_path_is_as_the_current_folder_has_it(work, monkeypatch, capsys):
    monkeypatch.chdir(work / "p15")
    for word in ("problem.mojo", ".", "../p15/problem.mojo", "p15"):
        assert main(["check", word]) == 1
        assert capsys.readouterr().out.startswith("p15 is not filled in yet: problem.mojo:")


def test_reset_takes_a_path_too(work, capsys):
    (work / "p15" / "problem.mojo").write_text("# mine\n")
    assert main(["reset", "p15/problem.mojo"]) == 0
    assert (work / "p15" / "problem.mojo").read_bytes() == (MOJO / "p15" / "problem.mojo").read_bytes()


def test_a_case_that_is_not_a_puzzle_s_is_refused(work, capsys):
    assert main(["hint", "p15@scale"]) == 2
    assert "unknown case 'p15@scale': known: p15." in capsys.readouterr().err


@pytest.mark.parametrize("old", OLD_COMMANDS)
def test_an_old_command_is_understood_and_told(old, work, capsys):
    assert main([old]) == 0
    assert f"`puzzles {old}` is called `puzzles {OLD_COMMANDS[old]}` now" in capsys.readouterr().err
    assert old not in commands()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "old", "new"), [(name, *row) for name, flags in OLD_FLAGS.items() for row in flags.items()]
)
@pytest.mark.parametrize("form", ["{} 7", "{}=7"])
def test_an_old_flag_is_understood_and_told(command, old, new, form, capsys):
    words = {"grade": "x", "op": "x y", "show": "x", "simulate": "x.ll --target nvidia"}[command].split()
    present, former = (parse_command_line([command, *words, *form.format(flag).split()]) for flag in (new, old))
    assert vars(former).keys() == vars(present).keys()
    assert [name for name, value in vars(present).items() if str(value) in ("7", "7.0", "['7']")]
    assert all(
        getattr(former, name) == value for name, value in vars(present).items() if name not in ("command", "parser")
    )
    assert f"`{old}` is called `{new}` now" in capsys.readouterr().err
    assert old not in commands()[command].format_help()


def test_require_gpu_is_still_understood(capsys):
    """It says what `--backend max` says, and is not shown."""
    assert parse_command_line(["run", "--require-gpu"]).require_gpu
    assert "`--require-gpu` is called `--backend max` now" in " ".join(capsys.readouterr().err.split())
    assert "--require-gpu" not in commands()["run"].format_help()
