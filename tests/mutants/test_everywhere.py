"""What became of every mode's automatic mutants is what the document says."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.catalogue import CASES, find_case
from tests.mutants import everywhere
from tests.mutants.equivalent import RULES
from tests.mutants.report import Ended

_TEXT = everywhere.DOCUMENT.read_text(encoding="utf-8")
DOCUMENT = _TEXT.partition(everywhere.BEGIN)[2].partition(everywhere.END)[0].splitlines()


def test_what_is_left_over_is_named():
    ended = [
        Ended("nvidia:sm_90", "p08", "delete-barrier", "redundant", "line 9: delete-barrier"),
        Ended("nvidia:sm_90", "p08", "change-constant", "left over", "line 7: change-constant"),
        Ended("nvidia:sm_90", "p12", "change-constant", "killed", ""),
    ]
    lines = everywhere.written(ended).splitlines()

    assert "| p08 | 0 | 0 | 1 | 0 | 0 | 1 |" in lines and "| all | 1 | 0 | 1 | 0 | 0 | 1 |" in lines
    assert everywhere.format_left_over(ended) == "p08: line 7: change-constant\n"


@pytest.mark.slow  # and so none of those that pass as soon as a puzzle is added: to make the document takes long
def test_the_document_has_every_mode():
    rows = [line.split(" | ")[0].removeprefix("| ") for line in DOCUMENT if line.startswith("| p")]

    assert rows == [entry.id for entry in CASES]


def test_rules_speak_of_modes_that_there_are():
    assert {name for rule in RULES for name in rule.cases} <= {entry.id for entry in CASES}


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize("name", ["p08", "p12", "p15", "p24:functional", "p25:average", "p27:traditional-dot-product"])
def test_the_document_says_what_became_of_them(name):
    """Of some modes, one of which calls a function of the host; `--write` looks at all."""
    ended = list(everywhere.everywhere([find_case(name)]))
    said = everywhere.written(ended).splitlines()
    row = next(line for line in said if line.startswith(f"| {name} |"))

    assert row in DOCUMENT
    stored = everywhere.LEFT_OVER.read_text(encoding="utf-8").splitlines()
    assert everywhere.format_left_over(ended).splitlines() == [x for x in stored if x.startswith(f"{name}: ")]
