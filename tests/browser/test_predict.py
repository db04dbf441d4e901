"""Figures are predicted on the page before it shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.learning.page import render_page as html
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from harness.simt.rows import Row
from tests.learning.traced import traced

pytestmark = pytest.mark.slow  # where Playwright is installed

QUESTIONS = (
    {"sentence": "Passes that the store takes", "answer": 2, "why": "two words lie in one bank", "given": ""},
    {"sentence": "Occupancy, in percent", "answer": 200 / 3, "why": "1,024 of 1,536 threads run", "given": ""},
)


@pytest.fixture
def asked(shown, tmp_path) -> Callable[..., Any]:
    """Opens the page of p15 with two questions and with what one of its lines costs."""

    def open_page(*, given: tuple[str, str] = ("", ""), language: str = "en", **how: Any) -> Any:
        trace: Trace = traced("p15")[0]
        source = trace.data["files"][0]
        costs = [Row(source["name"], source["from"] + 1, 9, "shared store", requests=4, passes=8, least_passes=4)]
        questions = [question | {"given": text} for question, text in zip(QUESTIONS, given, strict=True)]
        file: Path = tmp_path / f"{language}.html"
        file.write_text(html([trace], load_phrases(language), costs, questions), encoding="utf-8")
        return shown(file, **how)

    return open_page


def test_figures_wait_for_right_answers_and_a_right_one_has_its_reason(asked):
    page = asked()
    assert page.locator(".cost:visible").count() == 0
    assert "two words lie in one bank" not in page.locator("main").inner_text()

    page.focus("#predict-0")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    first, second = page.locator("#predicted-0"), page.locator("#predicted-1")
    assert first.inner_text() == "✓ 2: two words lie in one bank" and second.inner_text() == ""
    assert page.locator(".cost:visible").count() == 0, "one question is open"

    page.fill("#predict-1", "half")
    page.click("#predict")
    assert second.inner_text() == "✗ not a number: write one such as 12 or 66.7"
    page.fill("#predict-1", "50")
    page.click("#predict")
    assert second.inner_text().startswith("✗ not this number")
    page.fill("#predict-1", "67%")
    page.keyboard.press("Enter")
    assert second.inner_text() == "✓ 66.7: 1,024 of 1,536 threads run", "a percentage may be rounded"
    assert page.locator(".cost:visible").all_inner_texts() == ["store: 2 passes (1)"]
    assert page.locator("#reveal, #predict").count() == 0


def test_the_answers_are_shown_when_they_are_asked_for(asked):
    page = asked()
    page.fill("#predict-0", "3")
    page.click("#reveal")

    assert page.locator("#predicted-0").inner_text() == "2: two words lie in one bank"
    assert page.locator("#predicted-0.right").count() == 0, "3 was not right"
    assert page.locator(".cost:visible").count() == 1


def test_what_a_learners_file_answers_is_judged_at_once(asked):
    assert asked(given=("2", "")).locator(".cost:visible").count() == 0
    page = asked(given=("2", "66.7"))
    assert page.locator(".question .right").count() == 2 and page.locator(".cost:visible").count() == 1


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing(theme, width, language, asked):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = asked(language=language, theme=theme, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    for _ in ("before", "after"):
        violations = axe.run(page).response["violations"]
        assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []
        page.evaluate("document.getElementById('reveal')?.click()")
