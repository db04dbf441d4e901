"""A real browser, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.learning.page import render_page as html
from harness.learning.words import load_phrases
from harness.model import language as languages
from tests.learning.traced import Watched, made, spoilt

# What of a step is not to be seen: its line, a row of cells that it touches, a lane that runs it.
HIDDEN = """() => ["pre .now", ".buffer .c[data-mark]", ".blocks .c.active"].flatMap((asked) => {
  const frame = document.querySelector("pre.source").getBoundingClientRect();
  const shown = [...document.querySelectorAll(asked)].filter((one) => one.offsetParent);
  return shown.map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, box]) => box.top < 0 || box.bottom > innerHeight || box.right > innerWidth
      || (one.matches(".row") && (box.top < frame.top || box.bottom > frame.bottom)))
    .map(([one, box]) => `${asked} ${Math.round(box.top)}-${Math.round(box.bottom)} ${one.textContent}`);
})"""

CHROMIUM, CHROME = shutil.which("chromium"), shutil.which("google-chrome")


@pytest.fixture(scope="module", autouse=True)
def nobody_is_left_behind() -> None:
    """The browser stays for the next file."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, or Google's Chrome."""
    playwright = pytest.importorskip("playwright.sync_api", reason="`nox -s browser` installs Playwright")
    if not (CHROMIUM or CHROME):
        pytest.skip("there is neither chromium nor google-chrome here")
    where = {"executable_path": CHROMIUM} if CHROMIUM else {"channel": "chrome"}
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(args=["--no-sandbox"], **where)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def written(tmp_path_factory) -> Callable[..., tuple[Path, Watched]]:
    """Writes the page of a case, or of one whose solution is spoilt, once for each language."""
    folder, known = tmp_path_factory.mktemp("pages"), {}

    def write(
        id: str, *, wrong: str | None = None, language: str = "en", target: str = "nvidia"
    ) -> tuple[Path, Watched]:
        key = id, wrong, language, target
        if key not in known:
            languages.set_language(language)
            trace, watched = made(id, spoilt(wrong, folder) if wrong else None, target)
            languages.set_language(None)
            file = folder / f"{'-'.join(map(str, key)).replace(':', '-')}.html"
            file.write_text(html([trace], load_phrases(language)), encoding="utf-8")
            known[key] = file, watched
        return known[key]

    return write


@pytest.fixture
def visited(browser) -> Iterator[Callable[..., Any]]:
    """Opens an address; nothing may be said on its console, and nothing requested that does not begin with it."""
    contexts, wrongs = [], []

    def visit(address: str, *, width: int, height: int, theme: str = "light", at: str = "") -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrongs.append(message.text))
        page.on("pageerror", lambda error: wrongs.append(str(error)))
        page.on("request", lambda made: made.url.startswith((address, "data:")) or wrongs.append(made.url))
        page.goto(address + at)
        page.wait_for_selector("body[data-ready]")
        return page

    yield visit
    assert wrongs == []
    for context in contexts:
        context.close()


@pytest.fixture
def shown(visited) -> Callable[..., Any]:
    """Opens a file, as `visited` does."""

    def show(file: Path, *, width: int = 1440, height: int = 900, **how: Any) -> Any:
        return visited(file.as_uri(), width=width, height=height, **how)

    return show


@pytest.fixture
def opened(shown, written) -> Callable[..., Any]:
    """Opens the page of a case, as `shown` does."""

    def open_page(id: str, *, wrong=None, language="en", target="nvidia", **how: Any) -> Any:
        file, _ = written(id, wrong=wrong, language=language, target=target)
        return shown(file, **how)

    return open_page
