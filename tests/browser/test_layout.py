"""Where things stand on a page: nothing jumps from step to step, and the width is used."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow  # where Playwright is installed

TOPS = """() => {
  const tops = view.trace.steps.map((_, step) => {
    view.go(step);
    return Math.round(document.querySelector(".blocks").getBoundingClientRect().top);
  });
  return [...new Set(tops)];
}"""
ROWS = """() => [...document.querySelectorAll(".buffer [role=row]")].filter((row) => row.offsetParent)
  .map((row) => row.closest(".buffer").id + row.innerText.split("\\n")[0])"""


@pytest.mark.parametrize("id", ["p15", "p26:parallel-max"])
def test_lanes_stay_where_they_are_at_every_step(id, opened):
    page = opened(id, width=1280, height=800, at="#step=1")

    assert len(page.evaluate(TOPS)) == 1, "a barrier's box has its place at all steps"
    if id == "p15":
        page.evaluate("view.go(view.trace.steps.findIndex((step) => step.kind === 'barrier'))")
        meeting, blocks = (page.locator(part).bounding_box() for part in (".meeting", ".blocks"))
        assert page.locator(".meeting").is_visible() and meeting["y"] + meeting["height"] <= blocks["y"]
        page.keyboard.press("ArrowRight")
        assert not page.locator(".meeting").is_visible()


def test_rows_of_memory_stay_where_a_step_touches_nothing(opened):
    page = opened("p34:reduction", width=1280, height=800, at="#step=1")
    stores = "(step) => step.accesses.some(({ kind, touches }) => kind === STORE && touches.length > 500)"
    page.evaluate(f"view.go(view.trace.steps.findIndex({stores}))")
    before = page.evaluate(ROWS)

    page.keyboard.press("ArrowRight")
    assert page.evaluate("view.trace.steps[view.step].kind") == "barrier"
    assert len(before) > 6 and page.evaluate(ROWS) == before
    fold = page.locator(".buffer h3 .fold >> nth=0")
    assert fold.inner_text().endswith("more rows: show"), "none of them is touched any more"


def test_few_lanes_have_larger_cells_where_the_screen_is_wide(opened):
    wide, small = opened("p15", width=1280, height=800), opened("p15", width=420, height=800)

    def width(page) -> float:
        return page.locator(".blocks .c >> nth=0").bounding_box()["width"]

    assert width(wide) >= 50 > width(small)
    first, last, stage = (wide.locator(part).bounding_box() for part in (".c >> nth=0", ".c >> nth=7", ".stage"))
    assert last["x"] + last["width"] - first["x"] > stage["width"] / 2
    assert wide.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_lanes_mark_is_an_image_and_a_findings_mark_is_a_text(theme, opened):
    """A thousand elements for the marks of lanes that skip a line take most of a step's time."""
    page = opened("p15", wrong="p15", theme=theme)
    marks = page.locator(".blocks .c[data-mark]").evaluate_all(
        "(all) => all.map((one) => [one.dataset.mark, getComputedStyle(one, '::after').content, "
        "getComputedStyle(one).backgroundImage.includes('data:image/svg+xml')])"
    )

    assert {mark for mark, *_ in marks} >= {"↷", "1", "2"}
    for mark, text, image in marks:
        assert (text, image) == (("none", True) if mark == "↷" else (f'"{mark}"', False))
