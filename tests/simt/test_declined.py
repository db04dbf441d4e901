"""Why the compiled engine declined a launch is a value, which each language has a text for."""

from __future__ import annotations

import ast
import string

import pytest

from harness.model import codec
from harness.model.sources import ROOT
from harness.programs.wire import LaunchTold
from harness.simt.declined import Cause, Declined, Reason, UnknownObserver
from harness.simt.findings import LaunchVerdict
from harness.simt.messages import words
from harness.simt.plain import plain
from harness.simt.result import EngineUsage
from tests.korean import english


def fields(template: str) -> set[str]:
    """Return the names that a template takes."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_has_a_text_in_each_language_with_the_same_names(reason):
    texts = {language: words(language).terms["interpreted"][reason] for language in ("en", "ko")}
    spoken = texts["ko"].format(**dict.fromkeys(fields(texts["ko"]), "X"))

    assert fields(texts["en"]) == fields(texts["ko"])
    assert english(spoken, ["X", "atomicrmw", "LLVM"]) == []


def test_no_text_is_left_without_its_reason():
    assert words().terms["interpreted"].keys() == {reason.value for reason in Reason}


def raised() -> dict[str, set[str]]:
    """Return by the name of a reason the names that the code gives where it declines for it."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "harness" / "simt").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "Declined" not in text and "Missing" not in text:  # most files, and to parse them takes seconds
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Declined", "Missing"):
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "Reason":
                        found.setdefault(part.attr, set()).update(one.arg or "" for one in node.keywords)
                assert not any(isinstance(part, ast.JoinedStr) for part in ast.walk(node.args[0])), path
    return found


@pytest.mark.slow
def test_the_code_gives_what_the_texts_name():
    texts, reasons = words().terms["interpreted"], raised()

    assert len(reasons) > 60
    for name, given in reasons.items():
        assert fields(texts[Reason[name]]) <= given, name


def test_numbers_stay_numbers_and_all_else_becomes_text():
    declined = Declined(Reason.LENGTH, characters=4_200_000, limit=4_000_000)

    assert declined.cause == Cause(Reason.LENGTH, {"characters": 4_200_000, "limit": 4_000_000})
    assert str(declined) == declined.why == "the length of its code"
    assert Declined(Reason.ATOMIC, operation="xchg").cause.text(words("ko")) == "xchg atomicrmw 명령"


def test_what_ran_a_launch_can_be_put_into_a_set():
    assert len({EngineUsage(0, 1, Declined(Reason.CALL_DEPTH, depth=3).cause) for _ in range(2)}) == 1


def test_the_note_is_said_in_the_language_asked_for():
    ran = EngineUsage(7, 1, Cause(Reason.DOUBT))

    assert ran.note("k") == (
        "note: the compiled engine ran k, 7 blocks; every check held for these. "
        "1 block ran in the interpreter because of a check that did not hold."
    )
    assert ran.note("k", words("ko")) == (
        "참고: k의 블록 7개는 컴파일된 엔진이 실행해 문제가 없음을 확인했고, 1개는 인터프리터가 "
        "실행했습니다(이유: 보고할 수도 있는 진단)."
    )
    assert EngineUsage(8).note("k") == "note: the compiled engine ran k, 8 blocks; every check held."
    unknown = UnknownObserver(("A", "B")).cause
    assert EngineUsage(0, 8, unknown).note("k") == (
        "note: the interpreter ran k because of the observers A and B, which have no compiled form."
    )


def test_a_cause_comes_back_from_another_process():
    cause = Declined(Reason.CALL_DEPTH, depth=3).cause
    dims = (1, 1, 1)
    facts = LaunchTold(
        "k",
        "k",
        dims,
        dims,
        dims,
        0,
        (),
        True,
        0.0,
        0,
        LaunchVerdict.CLEAN,
        {},
        (),
        (),
        {},
        (),
        EngineUsage(0, 1, cause),
    )

    assert codec.build_record(LaunchTold, plain(facts)).engine == EngineUsage(0, 1, cause)
