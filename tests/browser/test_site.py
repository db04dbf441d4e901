"""The site in a real browser: no request leaves it, its search finds Korean, its figures and pages can be seen."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from harness.model.sources import ROOT
from tests.generate import site
from tests.generate.lessons import LANGUAGES

pytestmark = pytest.mark.slow  # where Playwright is installed
PUZZLES = dict.fromkeys(case.puzzle for case in site.shown_cases())  # whose lessons have figures

BUILD = """
import sys
from pathlib import Path
from mkdocs.commands.build import build
from mkdocs.config import load_config
folder = Path(sys.argv[1])
for tree, language in (("mkdocs.yml", "en"), ("mkdocs.ko.yml", "ko")):
    pages, output = folder / "pages" / language, folder / "site" / language
    build(load_config(tree, docs_dir=str(pages), site_dir=str(output)))
"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing of it."""

    def log_message(self, *arguments):
        """Says nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The site's folder."""
    pytest.importorskip("mkdocs", reason="`nox -s browser` installs the site's generator")
    folder = tmp_path_factory.mktemp("site")
    site.lay_out(folder / "pages")
    done = subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def address(built):
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def refused(text):
    """What a browser says where the generator's menu of languages asks for a list of pages, which no disk gives."""
    return "sitemap.xml" in text or text == "Failed to load resource: net::ERR_FAILED"


@pytest.fixture
def visit(browser, address, built):
    """Opens a page of the site; nothing may be said on its console, and no request may leave it or fail."""
    contexts, wrongs = [], []

    def open_page(path, *, width=1440, theme="light", disk=False):
        start = built.as_uri() if disk else address
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: (disk and refused(message.text)) or wrongs.append(message.text))
        page.on("pageerror", lambda error: wrongs.append(str(error)))
        page.on("response", lambda answer: wrongs.append(answer.url) if answer.status >= 400 else None)
        page.on(
            "request",
            lambda request: (
                wrongs.append(request.url) if not request.url.startswith((start, "data:", "blob:")) else None
            ),
        )
        page.goto(f"{start}/{path}")
        page.wait_for_load_state()
        return page

    yield open_page
    assert wrongs == []
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 420])
def test_lessons_show_their_figures_and_ask_nobody(language, theme, width, visit):
    for puzzle in PUZZLES:
        page = visit(f"{language}/{puzzle}.html", width=width, theme=theme)
        figures = page.locator("article img")

        assert figures.count() >= 1
        for figure in figures.all():
            figure.scroll_into_view_if_needed()
            assert figure.evaluate("image => image.complete && image.naturalWidth > 100")
            assert len(figure.get_attribute("alt")) > 40
            assert figure.evaluate("image => 9 * image.clientWidth / image.naturalWidth") >= 7  # the smallest letters
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_case_can_be_stepped_through_in_its_lesson(language, visit):
    for puzzle in PUZZLES:
        page = visit(f"{language}/{puzzle}.html")
        folded = page.locator("details.show")
        assert folded.count() == sum(case.puzzle == puzzle for case in site.shown_cases())
        for at in range(folded.count()):
            folded.nth(at).locator("summary").click()
            frame = folded.nth(at).frame_locator("iframe")
            frame.locator("body[data-ready]").wait_for()
            frame.locator("#last").click()
            where = frame.locator("#where").inner_text()
            assert (
                frame.locator("#slider").input_value() in where
                and frame.locator("html").get_attribute("lang") == language
            )


def test_folders_are_named_in_the_sites_language(visit):
    page = visit("ko/index.html")
    titles = page.locator(".md-nav--primary .md-nav__item--section > label").all_inner_texts()

    assert [title.strip() for title in titles if title.strip()] == ["문서", "주제"]


def test_names_in_a_table_are_whole_on_a_phone(visit):
    page = visit("en/p16.html", width=420)
    heights = "codes => codes.map((code) => code.getClientRects().length)"

    assert set(page.locator("article td code").evaluate_all(heights)) == {1}


def search(page, asked):
    """The first result."""
    page.locator("input[name=query]").click()
    page.keyboard.type(asked)
    page.keyboard.press("End")  # letters that no key of this keyboard has come without one
    first = page.locator(".md-search-result__link").first
    first.wait_for()
    return first.get_attribute("href")


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "butterfly"), ("ko", "배리어"), ("ko", "워프"), ("ko", "공유 메모리")]
)
def test_search_finds(language, asked, visit):
    page = visit(f"{language}/index.html")
    ready = {"en": "Type to start searching", "ko": "검색어를 입력하세요"}[language]
    page.get_by_text(ready).wait_for(state="attached")
    assert search(page, asked)


@pytest.mark.parametrize(("language", "asked"), [("en", "butterfly"), ("ko", "공유 메모리")])
def test_search_finds_without_a_server(language, asked, visit):
    """In pages that were opened from a disk, in whatever folder they lie."""
    for path in ("index.html", "themes/warps.html"):
        page = visit(f"{language}/{path}", disk=True)
        page.wait_for_function("typeof __index === 'object'")
        assert search(page, asked)


def test_korean_lines_end_between_words(visit):
    page = visit("ko/p15.html", width=420)

    broken = """() => {
      const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT), found = [];
      const range = document.createRange();
      for (let node; (node = walker.nextNode()); ) {
        for (const match of node.data.matchAll(/[가-힣]{2,8}/g)) {
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
          if (lines.size > 1) found.push(match[0]);
        }
      }
      return found;
    }"""
    assert page.evaluate(broken) == []
    page.add_style_tag(content="* { word-break: break-all !important }")
    assert page.evaluate(broken) != [], "a line that breaks within a word is seen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_the_site_leads_somewhere(language, visit, address):
    page = visit(f"{language}/index.html")
    seen, todo = set(), [page.url]
    while todo:
        page.goto(todo.pop())
        for link in page.eval_on_selector_all("a[href]", "links => links.map((link) => link.href)"):
            target = link.partition("#")[0]
            if target.startswith(address) and target not in seen:
                seen.add(target)
                assert page.request.get(target).ok, (page.url, target)
                if target.startswith(f"{address}/{language}/") and target.endswith(".html"):
                    todo.append(target)
    assert {f"{address}/{language}/{puzzle}.html" for puzzle in PUZZLES} <= seen
    assert f"{address}/{'ko' if language == 'en' else 'en'}/index.html" in seen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_text_of_a_lesson(language, theme, visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = visit(f"{language}/p26.html", theme=theme)
    # What the generator makes of code and of wide tables is its own.
    own = {name: {"enabled": False} for name in ("landmark-unique", "scrollable-region-focusable")}
    report = axe.run(page, context="article", options={"rules": own}).response

    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in report["violations"]] == []
