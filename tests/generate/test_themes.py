"""The pages of themes: short, afresh, in both languages, and each with a program that says what the page says."""

from __future__ import annotations

import re

import pytest

from harness.cli.main import main
from harness.model.sources import ROOT
from tests.generate import lessons, unlike
from tests.programs.expectation import read
from tests.programs.together import CHOICE, words

THEMES = ROOT / "docs" / "themes"
NAMES = sorted(path.stem for path in THEMES.glob("*.mojo"))
SAMPLE = "warps"  # whose program runs in `tests` too
COMMAND = re.compile(r"^```sh\npuzzles exec (\S+) --target nvidia( --profile)?\n```$", re.MULTILINE)
SAID = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str, language: str = "en") -> str:
    return (THEMES / f"{name}{'' if language == 'en' else '.' + language}.md").read_text(encoding="utf-8")


def test_each_program_has_its_page_in_both_languages():
    pages = {path.name for path in THEMES.glob("*.md")}

    assert len(NAMES) == 7 and pages == {f"{name}{end}" for name in NAMES for end in (".md", ".ko.md")}


@pytest.mark.parametrize("name", NAMES)
def test_a_theme_is_short_and_written_afresh(name: str):
    prose = re.sub(r"^#.*", "", lessons.prose(page(name)), flags=re.MULTILINE)

    assert 60 < len(re.findall(r"[^\W_]+(?:['-][^\W_]+)*", prose)) <= lessons.MOST_WORDS
    assert unlike.alike(page(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_are_built_alike_and_name_the_program(name: str):
    shape, commands, said, lead = (
        [pattern.findall(page(name, language)) for language in lessons.LANGUAGES]
        for pattern in (re.compile(r"^(#+|- |!\[|```\w*)", re.MULTILINE), COMMAND, SAID, re.compile(r"mojo/p\w+"))
    )
    for english, korean in (shape, commands, said, lead):
        assert english == korean and english
    assert [file for file, _ in commands[0]] == [f"docs/themes/{name}.mojo"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "beside"), [(SAMPLE, True), *(pytest.param(name, False, marks=pytest.mark.full) for name in NAMES)]
)
def test_a_page_quotes_what_its_command_says(name: str, beside: bool, capfd, monkeypatch):
    """Of its program alone, or of one that is compiled with others."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(CHOICE, name)
    (run,) = read(THEMES / f"{name}.mojo")
    ((file, profile),) = COMMAND.findall(page(name))
    given = words(name, "nvidia") if beside else [file, "--target", "nvidia", "--backend", "simulator"]
    status = main(["exec", *given, *profile.split()])
    out, err = capfd.readouterr()

    assert status == bool(run.findings) and out.startswith(run.output)
    assert all(finding in err and f"{file}:{line}" in err for _, finding, line in run.findings)
    assert ("=========" in err) is bool(run.findings), err
    for line in SAID.findall(page(name))[0].splitlines():
        assert line in [told.rstrip() for told in (out + err).splitlines()]
