"""Lays the documents out as the site has them: `python -m tests.generate.site` fills `build/pages`.

Two trees of plain Markdown, `en` and `ko`: any generator can take them. The start page of each is the README,
the lessons and the themes follow, and in English the other documents. A link between documents leads to the page; one
to a file that is no page is shown as its name. Beside them lie the pages of `show`, one for each case that a figure is
drawn of and each language; each lesson has those of its cases inside.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
from pathlib import Path

from harness.catalogue import PUZZLES
from harness.learning.page import render_page as shown_page
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from harness.model.case import Case
from harness.model.sources import MOJO, ROOT
from tests.generate.figures import wanted
from tests.generate.lessons import LANGUAGES, SECTIONS, taught, texts
from tests.generate.stored_traces import data_of, target_of

__all__ = ["lay_out", "pages", "shown_cases"]

PAGES = ROOT / "build" / "pages"
_WORKER = Path(__file__).parent / "iframe-worker.js"
_START = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Mojo GPU puzzles</title>
<p><a href="en/index.html">English</a> <a href="ko/index.html" lang="ko">한국어</a></p></html>
"""
_PROMISED = "What is promised"
_SAID = {
    "en": {"step": "Step through {case}", "alone": "On a page of its own", "more": "More"},
    "ko": {"step": "{case} 한 단계씩 따라가기", "alone": "별도 페이지에서 열기", "more": "더 보기"},
}
_FRAME = "width: 100%; height: 85vh; border: 1px solid var(--md-default-fg-color--lightest)"
# A figure that is folded has the room of those that are not: on a phone its letters are small enough. There a table is
# moved sideways rather than its names broken.
_STYLE = (
    ".md-typeset details img { max-width: calc(100% + 1.2rem); margin-inline: -.6rem }\n"
    ":lang(ko) { word-break: keep-all; overflow-wrap: anywhere }\n"
    ".md-typeset td code { word-break: normal; overflow-wrap: normal; white-space: nowrap }\n"
    ".md-typeset td:nth-child(3) { min-width: 8rem }\n"  # a lesson's buffers, with their shapes
)
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>(?!https?:)[^)#\s]*)(?P<anchor>#[^)\s]+)?\)")


def pages() -> dict[Path, Path]:
    """Each document, relative to the repository, and its page, relative to the trees."""
    made = {}
    for language in LANGUAGES:
        end = ".md" if language == "en" else f".{language}.md"
        made[Path(f"README{end}")] = Path(language) / "index.md"
        made |= {Path(f"mojo/{name}/README{end}"): Path(language) / f"{name}.md" for name in taught(MOJO)}
        made |= {
            Path(f"docs/themes/{path.stem}{end}"): Path(language, "themes", f"{path.stem}.md")
            for path in sorted((ROOT / "docs" / "themes").glob("*.mojo"))
        }
    documents = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
    for path in documents:
        korean = path.stem.endswith(".ko")
        made[path.relative_to(ROOT)] = Path("ko" if korean else "en", "documents", path.name.replace(".ko.", "."))
    return made


def lay_out(folder: Path = PAGES) -> None:
    """Writes all pages anew, and for each case the page of `show`, from the solution's stored trace."""
    shutil.rmtree(folder, ignore_errors=True)
    there = pages()
    for document, page in there.items():
        text = (ROOT / document).read_text(encoding="utf-8")
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        if document.parent.name in PUZZLES:
            text = _with_shown(text, document.parent.name, page.parts[0])
            text += _themes(document, there)
        text = _linked(text, document, page, there, folder)
        if document.parent.name == "themes":
            text = _with_program(text, document)
        (folder / page).write_text(text, encoding="utf-8")
    for language in LANGUAGES:
        (folder / language / "site.css").write_text(_STYLE, encoding="utf-8")
        shutil.copyfile(_WORKER, folder / language / _WORKER.name)
        for case in shown_cases():
            trace = Trace(data_of(case, target_of(case), language))
            (folder / language / _shown(case)).write_text(shown_page([trace], load_phrases(language)), encoding="utf-8")


def shown_cases() -> list[Case]:
    """Those whose run is stored, for the figures of their lessons."""
    return list(dict.fromkeys(case for case, target in wanted(texts()) if target == target_of(case)))


def _shown(case: Case) -> str:
    """The name of the page of `show`."""
    return f"show-{case.id.replace(':', '-')}.html"


def _with_shown(text: str, puzzle: str, language: str) -> str:
    """A lesson in which its cases can be stepped through, before what is promised of them."""
    said = _SAID[language]
    frames = []
    for case in (case for case in shown_cases() if case.puzzle == puzzle):
        title = html.escape(said["step"].format(case=case.id))
        frames.append(
            f'<details class="show"><summary>{title}</summary>\n'
            f'<p><a href="{_shown(case)}" target="_blank">{said["alone"]}</a></p>\n'
            f'<iframe src="{_shown(case)}" title="{title}" loading="lazy" style="{_FRAME}"></iframe>\n</details>\n'
        )
    heading = _PROMISED if language == "en" else SECTIONS[_PROMISED]
    head, heading_line, tail = text.partition(f"## {heading}\n")
    return f"{head}{''.join(frames)}\n{heading_line}{tail}"


def _with_program(text: str, theme: Path) -> str:
    """A theme with the text of its program: a page of the site has no file beside it."""
    program = ROOT / theme.parent / f"{theme.name.partition('.')[0]}.mojo"
    source = program.read_text(encoding="utf-8").partition("\n# targets:")[0].rstrip()  # below is what a test expects
    folded = f'<details markdown="1"><summary>{program.name}</summary>\n\n```mojo\n{source}\n```\n\n</details>\n\n'
    head, fence, tail = text.partition("```sh\n")
    return f"{head}{folded}{fence}{tail}"


def _themes(lesson: Path, there: dict[Path, Path]) -> str:
    """Below a lesson, links to the themes that name it: a learner's workspace has no themes."""
    language = there[lesson].parts[0]
    links = []
    for theme in (path for path, page in there.items() if page.parts[:2] == (language, "themes")):
        text = (ROOT / theme).read_text(encoding="utf-8")
        if f"](../../{lesson.as_posix()})" in text:
            links.append(f"[{text.splitlines()[0].removeprefix('# ')}](../../{theme.as_posix()})")
    return f"\n{_SAID[language]['more']}: {', '.join(links)}\n" if links else ""


def _linked(text: str, document: Path, page: Path, there: dict[Path, Path], folder: Path) -> str:
    """A page's text, whose links lead to pages, and whose pictures lie beside it."""

    def link(match: re.Match[str]) -> str:
        if not match["target"]:
            return match[0]
        target = Path(os.path.normpath(document.parent / match["target"]))
        anchor = match["anchor"] or ""
        if target in there and there[target].parts[0] != page.parts[0]:  # the other language's tree, a site of its own
            other = os.path.relpath(there[target].with_suffix(".html"), page.parent)
            return f'<a href="{other}{anchor}">{match["text"]}</a>'
        if target in there:
            return f"{match['image']}[{match['text']}]({os.path.relpath(there[target], page.parent)}{anchor})"
        if match["image"] and (ROOT / target).is_file():
            shutil.copyfile(ROOT / target, folder / page.parent / target.name)
            return f"![{match['text']}]({target.name})"
        return match["text"]

    # In code brackets before parentheses are no link: `row_major[4](...)`.
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    text = "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)
    return text.replace("<details>", '<details markdown="1">')  # what is folded is Markdown too


def main() -> int:
    """Lays the pages out where `mkdocs.yml` looks for them, and makes the page that leads to both trees."""
    lay_out()
    site = PAGES.parent / "site"
    site.mkdir(parents=True, exist_ok=True)
    (site / "index.html").write_text(_START, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
