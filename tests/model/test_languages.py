"""Every text exists in every language, with the same parameters; Korean uses the field's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from harness.catalogue import CASES
from harness.catalogue.translations import translatable_texts
from harness.errors import UsageError
from harness.learning.hints import lesson_path
from harness.learning.messages import en as learning_en
from harness.learning.messages import ko as learning_ko
from harness.learning.words import TABLE
from harness.model import language
from harness.model.messages import en as model_en
from harness.model.messages import ko as model_ko
from harness.model.messages import make_finding
from harness.programs import messages as programs_en
from harness.programs import messages_ko as programs_ko
from harness.simt.messages import en as simt_en
from harness.simt.messages import ko as simt_ko
from harness.simt.messages import words
from tests.messages import fields

TABLES = {
    "simt": (simt_en.MESSAGES, simt_ko.MESSAGES),
    "model": (model_en.MESSAGES, model_ko.MESSAGES),
    "learning": (learning_en.MESSAGES, learning_ko.MESSAGES),
    "programs": (programs_en.MESSAGES, programs_ko.MESSAGES),
}
PARTS = ("title", "text", "remedy", "item")


@pytest.mark.parametrize("table", TABLES)
def test_every_message_has_its_korean(table):
    english, korean = TABLES[table]

    assert set(english) == set(korean)


@pytest.mark.parametrize("table", TABLES)
def test_the_korean_names_the_same_parameters(table):
    """A parameter that is left out would be left unsaid, one too many would end a run that found something."""
    english, korean = TABLES[table]

    for name, message in english.items():
        named = [{field for part in PARTS for field in fields(getattr(text, part))} for text in (message, korean[name])]
        assert named[0] == named[1], name
        given = [[bool(getattr(text, part)) for part in PARTS] for text in (message, korean[name])]
        assert given[0] == given[1], name


def test_what_learners_read_of_the_catalogue_has_its_korean():
    """Titles, promises with their reasons, what a case needs; of puzzles that have a lesson."""
    terms = words("ko").terms
    said = [told for case in CASES if lesson_path(case.puzzle, "ko") for told in translatable_texts(case)]

    assert len(said) > 20 and not [text for parameter, text in said if text not in terms[parameter]]


def test_every_term_has_its_korean():
    english, korean = words("en").terms, words("ko").terms

    for parameter, terms in english.items():
        for value, text in terms.items():
            assert fields(text) == fields(korean[parameter][value]), (parameter, value)


def korean_texts() -> list[str]:
    texts = [getattr(message, part) for message in words("ko").messages.values() for part in PARTS]
    return [*texts, *(text for terms in words("ko").terms.values() for text in terms.values())]


ONE_FORM = re.compile(r"\}[\"'`\]]*(은|는|이|가|을|를|과|와|으로|로|이라|라)(?![가-힣/])")


def lone(texts: Iterable[str]) -> list[str]:
    """The texts in which a particle has one form behind a name that anybody may have given."""
    return [text for text in texts if ONE_FORM.search(text)]


def test_a_particle_behind_a_name_has_both_forms():
    tables = [json.loads(file.read_text()) for file in (TABLE, TABLE.parents[1] / "figures" / "words.json")]
    pages = [texts["ko"] for table in tables for texts in table.values()]

    assert lone([*korean_texts(), *pages]) == []
    assert lone(["`{case}`를 다시", "{name}를", "{name}을/를", "함수({name})를", "{name}을"]) == [
        "`{case}`를 다시",
        "{name}를",
        "{name}을",
    ]


@pytest.mark.parametrize(
    ("case", "told"),
    [("p26:reduction", "`p26:reduction`을"), ("p15", "`p15`를"), ("p03", "`p03`을"), ("p31", "`p31`을")],
)
def test_a_text_has_the_particle_of_the_name_in_it(case, told):
    said = words("ko").text(make_finding("learn.more-hints", case=case))

    assert f"{told.replace('`p', '`puzzles hint p')} 다시 실행하세요" in said and "/" not in said


def test_each_data_set_has_a_korean_name():
    """Those of the catalogue, of data that nobody knew, and of another size."""
    named = {dataset.name for case in CASES for dataset in case.instance(32).datasets}
    said = {
        name: words("ko").text(make_finding("case.wrong", case="p15", verdict="PASS", dataset=name, passed=0, total=1))
        for name in (*named, "fresh-1", "fresh-size-64", "documented with SIZE = 32")
    }

    untold = {name for name, text in said.items() if re.search(rf"\({re.escape(name)}\)", text)}
    assert not untold and "(원래 교재의 데이터, SIZE = 32)" in said["documented with SIZE = 32"]


def test_korean_is_korean():
    """Whatever is more than a name, a number or a template has Hangul in it."""
    texts = (text for text in korean_texts() if not re.fullmatch("`[^`]+`", text))  # but for code
    plain = (re.sub(r"\{[^}]*\}|[^\w]|\d", "", text) for text in texts)

    assert not [text for text in plain if text and not re.search("[가-힣]", text)]


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko"}, "ko"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "kok_IN"}, "en"),
        ({}, "en"),
    ],
    ids=str,
)
def test_the_locale_chooses_the_language(variables, wanted, monkeypatch):
    for name in language.LOCALE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    language.set_language(None)

    assert language.current_language() == wanted


def test_what_is_asked_for_counts_more(monkeypatch):
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    language.set_language("en")
    assert language.current_language() == "en"
    language.set_language(None)
    assert language.current_language() == "ko"
    with pytest.raises(UsageError, match="unknown language 'kr': known: en, ko"):
        language.set_language("kr")


@pytest.mark.parametrize(
    "line",
    [
        "compiling the kernels of p15, p16:tiled for nvidia:sm_90, with the names of their variables",
        "compiling the host functions of p17 for nvidia:sm_90",
        "compiling p15 for nvidia:sm_90",
        "another process builds the same: waiting for it, at most 120 s.",
        "the other process has not finished: building it here too.",
        "the cache entry 0123456789ab is corrupt: building it again.",
    ],
)
def test_what_a_learner_waits_for_is_told_in_korean(line):
    """But for names."""
    said = words("ko").phrase(line)

    assert not set(re.findall("[a-z]{3,}", said)) - {"nvidia", "tiled"}, said


def test_a_finding_is_told_in_korean():
    told = make_finding("check.never-written", argument="output", count=2, total=4, places="[0]")

    assert words("ko").text(told) == "output: 원소 4개 중 2개가 한 번도 쓰이지 않았습니다(위치: [0])"


def test_a_list_cut_short_is_told_as_such():
    """Elements beyond the first few are left out: `...` in English, a word before the particle in Korean."""
    told = make_finding("check.reason.missing", argument="output", index="[1]", missing=("a[0]", "a[1]", "..."))

    assert words("en").text(told) == "output[1] leaves out a[0], a[1], ..."
    assert words("ko").text(told) == "output[1]을 계산할 때 a[0], a[1] 등을 사용하지 않았습니다"
    whole = make_finding("check.reason.missing", argument="output", index="[1]", missing=("a[0]", "a[1]"))
    assert words("ko").text(whole) == "output[1]을 계산할 때 a[0], a[1]을 사용하지 않았습니다"
