"""The page of a grading in a real browser: who is shown, in which order, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.catalogue import CASES
from harness.grading.grade import grade
from harness.grading.page import as_page
from harness.grading.result import assemble_grading, collect_jobs
from harness.grading.scheme import Scheme
from tests.grading.judges import SETTINGS, person, said

pytestmark = pytest.mark.slow  # where Playwright is installed

VERDICTS = ("PASS", "FINDING", "MISMATCH")
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
    return page.locator("tbody[data-person]:visible th").all_inner_texts()


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
    (found,) = page.locator("tbody[data-person]:visible .found:visible").all()
    assert "p26:pair-swap: FINDING at p26.mojo:1" in found.inner_text()
    assert "p15 (p15.mojo), alike with 20 more: group 1 below" in found.inner_text()
    assert found.locator("pre").first.bounding_box()["width"] > 0.8 * width
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="ann0", exact=True).click()
    assert not page.locator("pre:visible").count()


@pytest.mark.parametrize("width", [360, 420, 1280])
def test_a_long_name_leaves_room_for_the_verdicts(shown, browser, tmp_path, width):
    """Scrolled to the end too, most of the window is everybody's verdicts; the whole name stands below."""
    long = "x" * 240
    people = [person(name, p15='verdict = "PASS"', p26='verdict = "FINDING"') for name in ("ann", long, "ab " * 80)]
    grade(people, tmp_path, SETTINGS, Scheme(), "limits", said)
    page = shown(tmp_path / "index.html", width=width)

    boxes = [head.bounding_box() for head in page.locator("tbody[data-person] th").all()]
    assert all(box["x"] + box["width"] < 0.5 * width and box["height"] < 120 for box in boxes)
    page.evaluate("() => { const wide = document.querySelector('.wide'); wide.scrollLeft = wide.scrollWidth; }")
    last = page.locator("tbody[data-person] >> nth=1 >> tr >> nth=0 >> td >> nth=-1")
    at = last.bounding_box()
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).tagName", [at["x"] + 5, at["y"] + 5]) == "TD"
    page.locator("tbody[data-person] button >> nth=1").click()
    assert long in page.inner_text(".found:visible a")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        own = context.new_page()
        own.goto((tmp_path / "people" / "2.html").as_uri())
        assert long in own.inner_text("h1") and own.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_against_it(opened, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`nox -s browser` installs it").Axe()
    page = opened(theme=theme)
    page.get_by_role("button", name="bob").click()

    violations = axe.run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """The page of five hundred people, of whom each tried what the one before did not."""
    folder = tmp_path_factory.mktemp("large")
    files = [case.puzzle for case in CASES]
    people = [
        person(
            f"person{number}",
            **dict.fromkeys(files[number % 7 :: 1 + number % 3], f'verdict = "{VERDICTS[number % 3]}"'),
        )
        for number in range(500)
    ]
    results = {result.key: result for result in said(collect_jobs(people).values(), SETTINGS)}
    (folder / "index.html").write_bytes(as_page(assemble_grading(people, results, Scheme(), SETTINGS, "limits", {})))
    return folder / "index.html"


@pytest.mark.parametrize("width", [1280, 360])
def test_a_page_carries_five_hundred_people_and_every_mode(large, width, shown):
    page = shown(large, width=width)

    people, spans, marks = page.evaluate(
        "() => { const people = [...document.querySelectorAll('tbody[data-person]')];"
        "const heads = [...document.querySelectorAll('[scope=colgroup], .single')];"
        "return [people.length, heads.map((head) => head.colSpan),"
        "[...people[1].rows[0].cells].slice(2).map((cell) => cell.textContent.replace('*', ''))]; }"
    )
    assert people == 500 and len(spans) == len({case.puzzle for case in CASES})
    assert sum(spans) == len(marks) and set(marks) == {"✗", ""}
    apart = """() => {
      const heads = [...document.querySelectorAll(".modes th:nth-child(n + 3), .single")];
      const boxes = heads.map((head) => head.getBoundingClientRect()).sort((one, other) => one.left - other.left);
      const cells = [...document.querySelector("tbody[data-person]").rows[0].cells].slice(2);
      return cells.filter((cell, at) => Math.abs(cell.getBoundingClientRect().left - boxes[at].left) > 1).length;
    }"""
    assert page.evaluate(apart) == 0, "each mark stands below its mode's head"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.fill("[name=person]", "person49")
    assert page.inner_text("#shown") == "11 of 500 shown"
    assert "MISMATCH: " in page.text_content("table.class")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_persons_page_shows_the_file_beside_the_verdict(width, theme, browser, tmp_path):
    grade(PEOPLE, tmp_path, SETTINGS, Scheme(), "limits", said)
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("button", name="bob", exact=True).click()
    page.get_by_role("link", name="bob, beside the files").click()

    assert "p15: FINDING at p15.mojo:1" in page.inner_text(".beside pre >> nth=0")
    bad = page.locator(".code .bad")
    assert bad.count() == 1 and bad.inner_text().endswith('verdict = "FINDING" ✗ p15')
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`nox -s browser` installs it").Axe()
    violations = axe.run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []
    context.close()
