"""The tables of docs/compiled-engine.md agree with the code."""

from __future__ import annotations

import re

import pytest

from harness.model.sources import ROOT
from harness.simt.native.emit.context import ALLOCATION_FACTS, SHADOW_CELL_BYTES, SLOTS
from harness.simt.native.execution import launch_memory, worker
from harness.simt.native.runtime.library import FOLDER

PAGE = (ROOT / "docs" / "compiled-engine.md").read_text(encoding="utf-8")
HEADER = (FOLDER / "shadow_cells.h").read_text(encoding="utf-8")
SEVERAL = {
    "several blocks": "SEVERAL_BLOCKS",
    "several threads of one epoch": "SEVERAL_THREADS",
    "several blocks of a cluster": "SEVERAL_BLOCKS_OF_CLUSTER",
}


def section(title: str) -> str:
    """Return the text below a heading, up to the next one."""
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_slots_of_the_context_are_those_of_the_code():
    rows = [(name, int(slot)) for slot, name in re.findall(r"^\| (\d+) \| `([^`]+)` \|", section("The context"), re.M)]

    assert rows == [*SLOTS.items(), *ALLOCATION_FACTS.items()]


def constant(name: str) -> int:
    """Return the value of a constant of the C header."""
    (value,) = re.findall(rf"^  {name} = (\w+),", HEADER, re.M)
    return int(value, 0)


@pytest.mark.parametrize("meaning", SEVERAL)
def test_the_numbers_that_stand_for_several_are_those_of_the_code(meaning):
    assert f"{constant(SEVERAL[meaning])}: {meaning};" in section("A shadow cell")


def test_python_has_the_numbers_that_stand_for_several_blocks():
    assert constant("SEVERAL_BLOCKS") == launch_memory.SEVERAL
    assert constant("SEVERAL_BLOCKS_OF_CLUSTER") == worker.THREADS


def test_a_cell_has_the_words_of_the_table():
    words = re.findall(r"^\| (\d) \| ", section("A shadow cell"), re.M)

    assert (words, SHADOW_CELL_BYTES) == (["0", "1", "2", "3"], 4 * len(words))
    assert f"A cell of {SHADOW_CELL_BYTES} bytes" in PAGE


def test_several_threads_of_a_warp_are_marked_as_the_table_says():
    assert f"{constant('SEVERAL_THREADS_OF_WARP')} and the number of a warp" in section("A shadow cell")


def test_the_rooms_stand_in_the_order_that_is_checked():
    rooms = re.findall(r"^\| `(\w+)` \|", section("Rooms"), re.M)
    checked = (ROOT / "tests" / "test_layering.py").read_text(encoding="utf-8").partition('"harness.simt.native": (')[2]

    assert [*rooms, "__init__"] == re.findall(r'"(\w+)",', checked.partition(")")[0])
