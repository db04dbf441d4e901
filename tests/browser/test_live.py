"""The page of a watch in a real browser: it follows the file, and what is looked at stays."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from harness.cases import pipeline
from harness.catalogue import find_case
from harness.cli.main import main
from harness.learning.live import LivePage
from harness.learning.loop import CheckResult, Desk
from harness.model import language as languages
from harness.model.case import Case
from tests.browser.conftest import HIDDEN
from tests.learning.traced import put

pytestmark = pytest.mark.slow  # where Playwright is installed

P15 = find_case("p15")
PLAN = replace(pipeline.plan("nvidia:sm_90", "simulator"), data_seed=0)


class Watched:
    """A workspace with p15 and its page; what is clicked comes into `asked`."""

    def __init__(self) -> None:
        self.desk, self.asked = Desk.of_current_folder(), queue.SimpleQueue[str]()
        self.live = LivePage(
            self.desk, PLAN, {name: lambda name=name: self.asked.put(name) for name in ("hint", "next")}
        )

    def save(self, learner: str, mode: Case = P15) -> None:
        """Saves one of the learners' files, checks it and tells the page."""
        put(mode.id, learner, self.desk.kernel_file(mode))
        report = pipeline.learner(mode, plan=PLAN, sources=self.desk.sources(mode)).case
        self.live.show_result(CheckResult(mode, report, seconds=1.5))


@pytest.fixture
def watched(tmp_path, monkeypatch, capsys) -> Iterator[Callable[..., Watched]]:
    """Makes a watch, in a language."""
    monkeypatch.chdir(tmp_path)
    made: list[Watched] = []

    def make(language: str = "en", puzzle: str = "p15") -> Watched:
        assert main(["start", puzzle, "."]) == 0
        languages.set_language(language)
        made.append(Watched())
        return made[-1]

    yield make
    languages.set_language(None)
    for one in made:
        one.live.close()


@pytest.fixture
def opened(visited) -> Callable[..., Any]:
    """Opens a watch's page."""

    def show(watch: Watched, *, width: int = 1280, height: int = 800, **how: Any) -> Any:
        return visited(watch.live.address, width=width, height=height, **how)

    return show


def drawn(page: Any, number: int) -> None:
    page.wait_for_selector(f"body[data-drawn='{number}']", timeout=60_000)


def test_it_follows_the_file_and_keeps_the_step(watched, opened):
    watch = watched()
    page = opened(watch)
    assert "Waiting for the first verdict." in page.inner_text("#state")

    watch.save("no first barrier")
    drawn(page, 1)
    assert "FINDING" in page.inner_text("#verdict") and page.title() == "✗ p15"
    assert "in 1.5 s" in page.inner_text("#state")
    assert "This picture shows the file as last saved." in page.inner_text("#state")
    found = page.locator("pre.source .bad .found").all_inner_texts()
    assert len(found) == 3 and all(text.startswith("! Race: a write and a read of cache") for text in found)
    assert page.locator("#told .finding").count() == 0, "the picture shows them with their steps"

    page.locator("#page .blocks .c[data-number='3']").click()
    page.select_option("#variable", "2")
    page.select_option("#by", "lane")
    page.evaluate("view.go(11)")
    at = "[view.trace.lineText(view.step), view.trace.moment(view.step).times]"
    before = page.evaluate(at)
    page.focus("#next")
    watch.save("p15 solved")
    drawn(page, 2)
    assert page.title() == "✓ p15" and "PASS" in page.inner_text("#verdict")
    assert page.locator("pre.source .bad").count() == 0
    assert page.evaluate("[view.lane, view.by, view.variable]") == [3, "lane", "2"]
    assert page.evaluate(at) == before and before[0], "the same line, as often as it had run"
    assert page.evaluate("view.step") == 12, "a barrier has come before it"
    assert page.evaluate("document.activeElement.id") == "next"


def test_who_comes_later_sees_what_is_there(watched, opened):
    watch = watched()
    watch.save("no first barrier")
    page = opened(watch)
    drawn(page, 1)
    assert "FINDING" in page.inner_text("#verdict") and page.locator("#page .finding").count() >= 2


def test_without_a_picture_the_findings_stand_at_the_lines_of_the_file(watched, opened):
    watch = watched()
    page = opened(watch)
    watch.save("no first barrier")
    drawn(page, 1)

    file = watch.desk.kernel_file(P15)
    wrong = file.read_text(encoding="utf-8").replace("barrier()", "barier()", 1)
    file.write_text(wrong, encoding="utf-8")
    report = pipeline.learner(P15, plan=PLAN, sources=watch.desk.sources(P15)).case
    watch.live.show_result(CheckResult(P15, report))

    page.wait_for_selector("body[data-number='2']")
    line = wrong[: wrong.index("barier()")].count("\n") + 1
    bad = page.locator("#told pre.source .bad")
    assert bad.count() == 1 and bad.locator(".number").inner_text().endswith(str(line))
    assert "unknown declaration" in page.locator("#told .finding").inner_text()
    assert "There is no picture of this save; below is the one before." in page.inner_text("#state")
    assert page.locator("#page.stale").count() == 1


def test_what_nobody_began_is_told_where_it_is_to_be_written(watched, opened):
    watch = watched()
    page = opened(watch)
    watch.live.show_result(CheckResult(P15, None))

    page.wait_for_selector("#told pre.source .focus")
    assert "FILL ME IN" in page.locator("#told pre.source .focus").inner_text()
    assert "p15 is not filled in yet" in page.inner_text("#verdict")
    assert "There is no picture yet" in page.inner_text("#state")


def test_a_hint_is_asked_for_and_shown(watched, opened):
    watch = watched()
    watch.live.show_result(CheckResult(P15, None))
    page = opened(watch)
    page.wait_for_selector("#hint")
    assert page.inner_text("#hint") == "Show a hint (1 of 4)"

    page.focus("#hint")
    page.keyboard.press("Enter")
    assert watch.asked.get(timeout=10) == "hint"
    watch.desk.progress.update("p15", hints=1)
    watch.live.show_hints(P15)
    page.wait_for_selector("#hints details")
    assert "Load an element for each thread" in page.inner_text("#hints")
    assert page.evaluate("document.activeElement.id") == "hint" and "(2 of 4)" in page.inner_text("#hint")
    page.keyboard.press("h")
    assert watch.asked.get(timeout=10) == "hint"
    page.keyboard.press("n")
    assert watch.asked.get(timeout=10) == "next"


def test_the_lesson_stands_beside_it_without_what_gives_it_away(watched, opened):
    watch = watched("ko")
    watch.live.show_result(CheckResult(P15, None))
    page = opened(watch, width=1600)
    page.wait_for_selector("#lesson img")

    text = page.inner_text("#lesson")
    assert "핵심 개념" in text and "할 일" in text
    assert page.evaluate("document.querySelector('#lesson img').naturalWidth") > 0
    assert "힌트 보기 (4개 중 1번째)" in page.inner_text("#hints")
    assert page.locator("#lesson .prose details").count() == 0


@pytest.mark.parametrize(
    ("id", "learner"),
    [("p15", "no first barrier"), ("p34:reduction", "no last barrier in p34"), ("p26:parallel-max", "p26 solved")],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_source_cells_and_lanes_are_in_view_together_at_every_step(language, id, learner, watched, opened):
    """At 1280 a lesson waits folded, and leaves its column to the picture."""
    watch = watched(language, find_case(id).puzzle)
    watch.save(learner, find_case(id))
    page = opened(watch)
    drawn(page, 1)
    assert page.locator("#read[open]").count() == 0

    for step in range(page.evaluate("view.trace.steps.length")):
        page.evaluate(f"view.go({step})")
        assert (step, page.evaluate(HIDDEN)) == (step, [])


def test_a_lesson_is_open_where_there_is_room_and_folds(watched, opened):
    watch = watched()
    watch.save("no first barrier")
    wide, page = opened(watch, width=1600), opened(watch)
    drawn(wide, 1), drawn(page, 1)
    assert wide.locator("#read[open]").count() == 1

    page.evaluate("view.go(9)")
    alone = page.locator("#page").bounding_box()["width"]
    page.evaluate("view.old = true")
    page.locator("#read summary").click()
    page.wait_for_function("!view.old")
    beside = page.locator("#page").bounding_box()["width"]
    assert beside < alone - 300 and page.evaluate("view.step") == 9, "the picture makes room, and stays where it was"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.locator("#read .prose").bounding_box()["x"] < page.locator("#page").bounding_box()["x"]


def test_an_end_of_the_watch_is_told(watched, browser):
    watch = watched()
    page = browser.new_page()
    page.goto(watch.live.address)
    page.wait_for_selector("body[data-ready]")
    watch.live.close()
    page.wait_for_selector("#lost")
    assert "The watch has ended" in page.inner_text("#lost")
    page.close()
    watch.live = Watched().live


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420, 360])
def test_axe_finds_nothing(language, theme, width, watched, opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`nox -s browser` installs it").Axe()
    watch = watched(language)
    watch.desk.progress.update("p15", hints=2)
    watch.save("no first barrier")
    page = opened(watch, width=width, theme=theme)
    drawn(page, 1)

    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    violations = axe.run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []
