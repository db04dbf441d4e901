"""What a learner's command takes, and why it refuses, in the language that is asked for."""

from __future__ import annotations

import contextlib
import re
import sys

import pytest

from harness.catalogue import CASES, PUZZLES
from harness.cli.main import main
from harness.cli.parser import make_parser
from harness.model.language import set_language
from harness.model.lines import display_width

LEARNERS = ("start", "next", "check", "watch", "hint", "solution", "reset", "progress", "list", "show", "trace")
HANGUL = re.compile("[가-힣]")
REFUSED = (
    ("chek", "'chek'이라는 명령은 없습니다"),
    ("check --foo", "'--foo'라는 옵션은 없습니다"),
    ("check --target", "값이 하나 필요합니다"),
    ("reset", "다음 인자가 필요합니다: PUZZLE"),
    ("watch p15 p26", "필요 없는 인자 'p26'"),
    ("p26", "하나를 고르세요: --pair-swap"),
    ("p26 --pair-swap --parallel-max", "--pair-swap 옵션과 함께 쓸 수 없습니다"),
    ("p15 --solution --file x.mojo", "함께 쓸 수 없습니다"),
    ("p15 --file none.mojo", "커널 파일이 없습니다: none.mojo"),
    ("p15 --target nvidia:sm_9", "'nvidia:sm_9'라는 타깃은 없습니다"),
    ("start --part 99", "'99'부는 없습니다. 1부터 "),
    ("run foo", "'foo'라는 퍼즐은 없습니다. `puzzles list`에서 볼 수 있습니다."),
    ("start ../mine p01", "../mine: 퍼즐이 아닙니다. 폴더는 맨 뒤에 쓰세요."),
    ("start p08-p03", "p08-p03: 순서가 거꾸로입니다. p03-p08로 쓰세요."),
    ("trace p15 --lane -1", "0 이상의 정수여야 하지만 '-1'입니다"),
)


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    yield
    set_language(None)


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[words for words, _ in REFUSED])
def test_a_refusal_is_told_in_korean(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        main(
            [*words.split(), "--language", "ko"]
            if words != "check --target"
            else ["check", "--language", "ko", "--target"]
        )
        == 2
    )
    told = capsys.readouterr().err
    assert told.startswith("오류: ") and said in told
    assert main(words.split()) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and not HANGUL.search(told)


def test_the_locale_decides_for_refusals_too(monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert main(["chek"]) == 2
    assert HANGUL.search(capsys.readouterr().err)


def test_no_command_at_all_is_told_in_the_language_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([]) == 0 and not HANGUL.search(capsys.readouterr().out)
    assert main(["--language", "ko"]) == 0 and HANGUL.search(capsys.readouterr().out)
    assert main(["--language=ko"]) == 0 and HANGUL.search(capsys.readouterr().out)


@pytest.mark.parametrize("words", [["--language", "ko"], ["--language=ko"]], ids=["two words", "one word"])
@pytest.mark.parametrize(
    "command", ["list", "help check", "check --help", "--help", "progress", "exec missing.mojo -- --language en"]
)
def test_the_language_may_stand_before_the_command(words, command, tmp_path, monkeypatch, capsys):
    """As the usage has it: the same is told as behind the command."""
    monkeypatch.chdir(tmp_path)

    def told(argv):
        with contextlib.suppress(SystemExit):
            main(argv)
        return "".join(capsys.readouterr())

    first, *others = command.split()
    before, behind = (
        told([*words, first, *others]),
        told([first, *words, *others] if first != "help" else ["check", *words, "--help"]),
    )
    assert before == behind and HANGUL.search(before)


def test_what_is_no_language_is_refused(capsys):
    assert main(["check", "--language", "kr"]) == 2
    assert "unknown language 'kr': known: en, ko." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", *LEARNERS, *PUZZLES])
def test_help_is_in_korean_and_fits_80_columns(command, capsys, monkeypatch):
    """Every line that explains something; names and signs stay as they are typed, and titles without Korean too."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help", "--language", "ko"])
    told = capsys.readouterr().out
    assert ended.value.code == 0 and max(map(display_width, told.splitlines())) <= 80
    flat = " ".join(told.split())
    for title in sorted((case.title for case in CASES), key=len, reverse=True):
        flat = flat.replace(title, "")
    english = re.findall(r"(?:[a-z]+ ){3}[a-z]+", flat)
    assert HANGUL.search(told) and not english


def test_help_in_english_has_no_korean(capsys):
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert not HANGUL.search(capsys.readouterr().out)


def test_no_command_is_left_out():
    """Those of the authors are in English; a new one belongs to one of the two."""
    names = set(make_parser()._subparsers._group_actions[0].choices)
    authors = {"worker", "doctor", "run", "build", "exec", "call", "grade", "claims", "inspect", "bench", "op"}
    authors |= {"simulate", "migrate"}
    assert names == {*LEARNERS, *authors, *PUZZLES}


@pytest.mark.parametrize("name", ["en", "ko"])
def test_a_refusal_fits_the_terminal(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert main(["check", "q", "--language", name]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1 and max(map(display_width, lines)) <= 80
