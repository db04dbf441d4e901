"""The glossary names what is there, and each thing once."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from importlib.util import find_spec

from harness.model.sources import ROOT

ROW = re.compile(r"^\| (?P<word>[^|]+) \| [^|]+ \| `(?P<name>[\w./]+)` \|$")


def rows() -> list[tuple[str, str]]:
    """The words of the glossary, each with its name in code."""
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    tables = [line for line in lines if line.startswith("| ") and not line.startswith(("| word |", "| --- |"))]
    matches = [(line, ROW.match(line)) for line in tables]
    assert [line for line, match in matches if match is None] == []
    return [(match["word"], match["name"]) for _, match in matches if match is not None]


def exists(name: str) -> bool:
    """Whether a module of the simulator, something in one, or a C file has this name."""
    if "/" in name:
        return (ROOT / "harness" / "simt" / name).is_file()
    parts = f"harness.simt.{name}".split(".")
    for end in range(len(parts), 2, -1):
        module = ".".join(parts[:end])
        try:
            if find_spec(module) is None:
                continue
        except ModuleNotFoundError:
            continue
        found = import_module(module)
        for part in parts[end:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_each_name_in_the_glossary_exists():
    assert [name for _, name in rows() if not exists(name)] == []


def test_each_word_stands_in_the_glossary_once():
    assert [word for word, count in Counter(word for word, _ in rows()).items() if count > 1] == []


def test_a_name_that_is_not_there_does_not_exist():
    names = ("compile.registry.Nothing", "compile.nothing", "compile.registry.Effect.nothing", "nothing", "native/no.h")
    assert [name for name in names if exists(name)] == []
