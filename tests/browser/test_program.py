"""The page of a program in a real browser: its launches, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.learning.launches import record_program
from harness.learning.page import render_page as html
from harness.learning.replay import DecodedTrace
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from harness.model.sources import ROOT

pytestmark = pytest.mark.slow  # where Playwright is installed

PROGRAMS = ROOT / "tests" / "programs" / "programs"
# What the cells of a buffer show.
SHOWN = """(name) => {
  const number = view.trace.data.buffers.findIndex((buffer) => buffer.name === name);
  return [...document.querySelectorAll(`#buffer-${number} [role=gridcell]`)].map((cell) => cell.textContent);
}"""


@pytest.fixture(scope="module")
def scan() -> list[Trace]:
    return record_program(PROGRAMS / "scan.mojo", target="nvidia")[0]


@pytest.fixture
def opened(shown, scan, tmp_path: Path) -> Callable[..., Any]:
    """Opens the page of `scan.mojo`."""
    file = tmp_path / "scan.html"

    def open_page(*, language: str = "en", **how: Any) -> Any:
        file.write_text(html(scan, load_phrases(language)), encoding="utf-8")
        return shown(file, **how)

    return open_page


def test_each_launch_can_be_chosen_and_shows_the_simulators_numbers_at_every_step(opened, scan):
    page = opened()

    for number, trace in enumerate(scan):
        page.select_option("#launch", str(number))
        page.wait_for_selector(f"body[data-launch='{number + 1}']")
        assert page.evaluate("view.trace.data.kernel") == trace.data["kernel"]
        replay = DecodedTrace(trace.data)
        for step, state in enumerate(replay.states()):
            page.evaluate(f"view.go({step})")
            for at, buffer in enumerate(trace.data["buffers"]):
                if buffer["rows"] == "grid":
                    held = state.cells[at]
                    shown = [replay.text(held[cell]) if cell in held else "·" for cell in range(buffer["cells"])]
                    assert page.evaluate(SHOWN, buffer["name"]) == shown
    assert page.locator("#launch option").all_inner_texts() == ["1 · scan_block", "2 · add_before"]


def test_the_keyboard_goes_on_after_another_launch_is_chosen_and_steps_once(opened):
    page = opened()
    page.focus("#launch")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("body[data-launch='2']")

    assert page.evaluate("document.activeElement.id") == "launch"
    began = page.evaluate("view.step + 1")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.body.dataset.step") == f"{began - 1}"
    page.wait_for_function(f"() => location.hash === '#launch=2&step={began - 1}'")


def test_a_link_leads_to_a_launch_and_a_step(opened):
    page = opened(at="#launch=2&step=3")

    assert page.evaluate("[document.body.dataset.launch, document.body.dataset.step]") == ["2", "3"]
    assert "output = buffer 0" in page.locator("header").inner_text()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("width", [1440, 420])
def test_axe_finds_nothing(language, width, opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(language=language, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [
        (violation["id"], violation["nodes"][0]["html"][:120]) for violation in axe.run(page).response["violations"]
    ] == []
