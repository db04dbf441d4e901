"""The tables of docs/compiled-engine.md agree with the code."""

from __future__ import annotations

import re

import pytest

from harness.model.sources import ROOT
from harness.simt.native.emit.context import ALLOCATION_FACTS, SHADOW_CELL_BYTES, SLOTS
from harness.simt.native.runtime.shadow_cells import shadow_cell_functions

PAGE = (ROOT / "docs" / "compiled-engine.md").read_text(encoding="utf-8")
SEVERAL = {"several blocks": 65535, "several threads of one epoch": 65534, "several blocks of a cluster": 65533}


def section(title: str) -> str:
    """Return the text below a heading, up to the next one."""
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_slots_of_the_context_are_those_of_the_code():
    rows = [(name, int(slot)) for slot, name in re.findall(r"^\| (\d+) \| `([^`]+)` \|", section("The context"), re.M)]

    assert rows == [*SLOTS.items(), *ALLOCATION_FACTS.items()]


@pytest.mark.parametrize("meaning", SEVERAL)
def test_the_numbers_that_stand_for_several_are_those_of_the_code(meaning):
    code = shadow_cell_functions(clusters=True, needs=True, width=0)

    assert f"{SEVERAL[meaning]}: {meaning};" in section("A shadow cell")
    assert re.search(rf"\b{SEVERAL[meaning]}\b", code)


def test_a_cell_has_the_words_of_the_table():
    words = re.findall(r"^\| (\d) \| ", section("A shadow cell"), re.M)

    assert (words, SHADOW_CELL_BYTES) == (["0", "1", "2", "3"], 4 * len(words))
    assert f"A cell of {SHADOW_CELL_BYTES} bytes" in PAGE


def test_several_threads_of_a_warp_are_marked_as_the_table_says():
    code = shadow_cell_functions(clusters=False, needs=False, width=32)

    assert "32768 and the number of a warp" in PAGE
    assert "or i32 %warp, 32768" in code


def test_the_rooms_stand_in_the_order_that_is_checked():
    rooms = re.findall(r"^\| `(\w+)` \|", section("Rooms"), re.M)
    checked = (ROOT / "tests" / "test_layering.py").read_text(encoding="utf-8").partition('"harness.simt.native": (')[2]

    assert [*rooms, "__init__"] == re.findall(r'"(\w+)",', checked.partition(")")[0])
