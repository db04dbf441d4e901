"""What the documents point at is there: files, sections, modules, sessions."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.model.sources import ROOT
from tests.sessions import sessions

FOLDERS = ("harness", "tests", "mojo", "docs", r"\.ci", r"\.github")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "mojo").rglob("*.md")])
SOURCES = sorted(path for folder in ("harness", "tests") for path in (ROOT / folder).rglob("*.py"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[^`\s:()]*)`")
MODULE = re.compile(r"python -m ((?:harness|tests)[\w.]*)")
OBJECT = re.compile(r"`(harness(?:\.\w+)+)(?:\([^`]*\))?`")
SESSION = re.compile(r"nox -s ([\w-]+)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(text: str) -> set[str]:
    """What GitHub calls the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(text: str, folder: Path) -> list[str]:
    """The links of a document that lead nowhere."""
    lost = []
    for target, anchor in LINK.findall(text):
        file = folder / target
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8") if target else text)):
            lost.append(f"{target}#{anchor}".rstrip("#"))
    return lost


def missing(text: str) -> list[str]:
    """What a text names that is not there; `pNN` stands for any puzzle, `*` for anything."""
    paths = [path.rstrip("/") for match in PATH.findall(text) for path in _alternatives(match)]
    lost = [path for path in paths if not any(ROOT.glob(path.replace("pNN", "p[0-9][0-9]")))]
    lost += [module for module in MODULE.findall(text) if find_spec(module.rstrip(".")) is None]
    lost += [name for name in OBJECT.findall(text) if not _importable(name)]
    return lost + [session for session in SESSION.findall(text) if session not in sessions()]


def _importable(name: str) -> bool:
    """Whether it is a module, or what a module has."""
    parent, _, last = name.rpartition(".")
    if find_spec(parent) is None:
        return False
    return hasattr(import_module(parent), last) or find_spec(name) is not None


def _alternatives(path: str) -> list[str]:
    """`a/{b,c}.py` as `a/b.py` and `a/c.py`."""
    braces = re.search(r"\{([^}]*)\}", path)
    return [path.replace(braces[0], name.strip()) for name in braces[1].split(",")] if braces else [path]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(path):
    assert broken_links(path.read_text("utf-8"), path.parent) == []


@pytest.mark.parametrize("path", [*DOCUMENTS, *SOURCES], ids=name_of)
def test_what_is_named_is_there(path):
    """In documents, docstrings and comments."""
    assert path == Path(__file__) or missing(path.read_text("utf-8")) == []


def test_the_checks_can_fail(tmp_path):
    """A file, a section, an alternative, a module and a session that are not there."""
    (tmp_path / "other.md").write_text("## A section, here\n")
    links = "[a](gone.md) [b](other.md#elsewhere) [c](other.md#a-section-here) [d](other.md) [e](#here)\n# Here\n"
    names = "`harness/gone.py` `harness/{cli,gone}/` `tests/*.py` `python -m tests.gone.` `nox -s gone` `nox -s lint`"
    names += " `harness.gone` `harness.simt.gone()` `harness.simt.launch(...)` `harness.run`"

    assert broken_links(links, tmp_path) == ["gone.md", "other.md#elsewhere"]
    files, objects = ["harness/gone.py", "harness/gone"], ["harness.gone", "harness.simt.gone"]
    assert missing(names) == [*files, "tests.gone.", *objects, "gone"]
