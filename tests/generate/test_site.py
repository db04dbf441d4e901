"""The site's pages: in both languages, every link leads to a page, nothing asks for anything from outside."""

from __future__ import annotations

import re

import pytest

from harness.model.sources import MOJO, ROOT
from tests.generate import site
from tests.generate.lessons import LANGUAGES, taught

LINK = re.compile(r'(?:\]\(|href="|src=")(?!https?:|#)([^)#"\s]+)')


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    site.lay_out(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tree_has_its_start_and_the_lessons(language, laid_out):
    pages = {path.name for path in (laid_out / language).iterdir()}
    assert {"index.md", *(f"{name}.md" for name in taught(MOJO))} <= pages


@pytest.mark.slow
def test_every_link_leads_to_a_page(laid_out):
    for page in laid_out.rglob("*.md"):
        prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        for target in LINK.findall(prose):
            assert (page.parent / target).exists() or (page.parent / target).with_suffix(".md").exists(), (page, target)


@pytest.mark.slow
def test_a_link_between_the_languages_leaves_the_tree(laid_out):
    """Each tree is a site of its own: the generator would refuse a page that it does not have."""
    assert '<a href="../ko/index.html">README.ko.md</a>' in (laid_out / "en" / "index.md").read_text()
    assert "[puzzle" not in (laid_out / "ko" / "index.md").read_text()


@pytest.mark.parametrize(("language", "told"), [("en", "More: [Warps and lanes]"), ("ko", "더 보기: [워프와 레인]")])
def test_a_lesson_leads_to_the_themes_that_name_it(language, told, laid_out):
    assert f"{told}(themes/warps.md)" in (laid_out / language / "p26.md").read_text(encoding="utf-8")
    assert (laid_out / language / "themes" / "warps.md").is_file()
    assert "themes/" not in (MOJO / "p26" / "README.md").read_text(), "in a workspace the link would be dead"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_theme_has_its_program(language, laid_out):
    for program in sorted((ROOT / "docs" / "themes").glob("*.mojo")):
        page = (laid_out / language / "themes" / f"{program.stem}.md").read_text(encoding="utf-8")
        source = program.read_text(encoding="utf-8").partition("\n# targets:")[0].rstrip()
        assert f"```mojo\n{source}\n```\n" in page and source.count("def main") == 1
        assert f'<details markdown="1"><summary>{program.name}</summary>' in page


def test_what_is_folded_is_markdown_too(laid_out):
    text = (laid_out / "ko" / "p15.md").read_text()

    assert '<details markdown="1"><summary>' in text and "<details><summary>" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_holds_the_pages_of_its_cases_and_its_figures(language, laid_out):
    assert len(site.shown_cases()) >= 5
    for case in site.shown_cases():
        lesson = (laid_out / language / f"{case.puzzle}.md").read_text(encoding="utf-8")
        name = f"show-{case.id.replace(':', '-')}.html"
        page = (laid_out / language / name).read_text(encoding="utf-8")
        assert f'<iframe src="{name}" title="' in lesson
        assert (
            f'<html lang="{language}">' in page
            and any(name in page for name in case.functions)
            and "default-src 'none'" in page
        )
        assert re.findall(r"^!\[[^\]]{40,}\]\(([\w.-]+\.svg)\)$", lesson, re.MULTILINE)


def test_what_is_for_those_who_work_on_it_has_a_section_of_its_own(laid_out):
    """The first pages that a reader sees are the lessons."""
    assert {path.stem for path in (laid_out / "en").glob("*.md")} == {"index", *taught(MOJO)}
    assert (laid_out / "en" / "documents" / "pictures.md").is_file()


def test_nothing_is_fetched_from_outside():
    config = (ROOT / "mkdocs.yml").read_text()

    assert "font: false" in config and "strict: true" in config
    assert not re.search(r"https?://", config + (ROOT / "mkdocs.ko.yml").read_text())
