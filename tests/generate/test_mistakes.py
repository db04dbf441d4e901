"""The pages of common mistakes: each quotes what a learner is told, in both languages, and gives no solution away."""

from __future__ import annotations

import re

import pytest

from harness.model.sources import ROOT
from tests.generate import mistakes
from tests.generate.common_mistakes import COMMON
from tests.korean import english

REPORT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(language: str) -> str:
    return mistakes.page_of(ROOT, language).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", mistakes.LANGUAGES)
def test_each_mistake_has_its_section_with_what_is_told(language):
    """In the words that the collection expects of each."""
    reports = REPORT.findall(page(language))

    assert re.findall(r"^## (.*)$", page(language), re.MULTILINE) == [common.title[language] for common in COMMON]
    assert len(reports) == len(COMMON) >= 12
    for common, report in zip(COMMON, reports, strict=True):
        mistake = mistakes.KNOWN[common.mistake]
        assert (mistake.english if language == "en" else mistake.korean) in report, common.mistake
        assert "/problem.mojo:" in report and "/tmp" not in report


@pytest.mark.parametrize("language", mistakes.LANGUAGES)
def test_no_report_shows_the_line_as_it_should_be(language):
    for common, report in zip(COMMON, REPORT.findall(page(language)), strict=True):
        mistake = mistakes.KNOWN[common.mistake]
        right = {line.strip() for line in mistake.old.splitlines()} - {
            line.strip() for line in mistake.new.splitlines()
        }
        lines = {line.rpartition("|")[2].strip() for line in report.splitlines()}
        assert not lines & right - {"barrier()"}, common.mistake


def test_the_korean_page_is_korean():
    names = {*re.findall(r"[A-Za-z]+", "".join(mistake.new for mistake in mistakes.KNOWN.values()))}
    names |= {"puzzles", "check", "made", "from", "text", "cache", "a", "output", "input"}

    assert english(re.sub(r"<[^>]*>|```\w*", "", page("ko")), names) == []


def test_a_page_is_stale_when_its_making_changes(monkeypatch, tmp_path):
    (tmp_path / "docs").mkdir()
    for language in mistakes.LANGUAGES:
        mistakes.page_of(tmp_path, language).write_text(page(language), encoding="utf-8")
    assert not any(file.stale for file in mistakes.generated(tmp_path, run_stale=False))
    monkeypatch.setattr(mistakes, "COMMON", COMMON[1:])

    assert all(file.stale for file in mistakes.generated(tmp_path, run_stale=False))
