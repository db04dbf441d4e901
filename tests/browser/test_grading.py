"""The page of a grading in a real browser: who is shown, in which order, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.grading.grade import grade
from harness.grading.scheme import Scheme
from tests.grading.judges import SETTINGS, person, said

pytestmark = pytest.mark.slow  # where Playwright is installed

PEOPLE = [
    *(person(f"ann{number}", p15='verdict = "PASS"', p26=f'verdict = "FINDING"\nx = {number}') for number in range(20)),
    person("bob", p15='verdict = "FINDING"\nlong = 1'),
    person("cid", p15='verdict = "PASS"', p26='verdict = "PASS"'),
]


@pytest.fixture
def opened(shown, tmp_path: Path) -> Callable[..., Any]:
    """Opens the page of a small class."""
    grade(PEOPLE, tmp_path, SETTINGS, Scheme(), "limits", said)
    return lambda **how: shown(tmp_path / "index.html", **how)


def names(page: Any) -> list[str]:
    return page.locator("tbody:visible th").all_inner_texts()


def test_people_are_found_by_name_by_verdict_and_by_the_verdict_of_a_mode(opened):
    page = opened()
    assert len(names(page)) == len(PEOPLE)

    page.fill("[name=person]", "ANN1")
    assert len(names(page)) == 11 and page.inner_text("#shown") == "11 of 22 shown"
    page.fill("[name=person]", "")
    page.select_option("[name=verdict]", "FINDING")
    assert len(names(page)) == 21, "in any mode"
    page.select_option("[name=mode]", label="p15")
    assert names(page) == ["bob"]
    assert "FINDING (21)" in page.locator("[name=verdict] option").all_inner_texts()


def test_they_are_put_in_order_and_back(opened):
    page = opened()
    as_handed_in = names(page)

    page.select_option("[name=order]", "most")
    assert names(page)[0] == "cid" and names(page)[-1] == "bob"
    page.select_option("[name=order]", "least")
    assert names(page)[0] == "bob" and names(page)[-1] == "cid"
    page.select_option("[name=order]", "name")
    assert names(page) == as_handed_in


@pytest.mark.parametrize("width", [420, 1280])
def test_what_was_found_opens_below_a_name_with_room_to_be_read(opened, width):
    page = opened(width=width)
    assert not page.locator("pre:visible").count()

    page.get_by_role("button", name="ann0", exact=True).click()
    (found,) = page.locator("tbody:visible .found:visible").all()
    assert "p26:pair-swap: FINDING at p26.mojo:1" in found.inner_text()
    assert "p15 (p15.mojo), alike with 20 more: group 1 below" in found.inner_text()
    assert found.locator("pre").first.bounding_box()["width"] > 0.8 * width
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="ann0", exact=True).click()
    assert not page.locator("pre:visible").count()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_against_it(opened, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`nox -s browser` installs it").Axe()
    page = opened(theme=theme)
    page.get_by_role("button", name="bob").click()

    violations = axe.run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []
