"""Figures of lessons are drawn from what ran."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from harness.learning.figure import lanes, memory
from harness.learning.words import phrases
from tests.learning.traced import traced

SAY = phrases("en")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def test_the_butterfly_has_a_line_from_each_lane_to_each_that_reads_it():
    svg = lanes(traced("p26:parallel-max")[0].data, "largest", SAY)

    assert svg.count("<line ") == 5 * 32 * 2  # five exchanges; to itself and to another
    assert texts(svg).count("1000.0") == 1 + 2 + 4 + 8 + 16 + 32


def test_the_tree_of_a_sum_halves():
    svg = memory(traced("p15")[0].data, "cache", SAY)
    rows = [text for text in texts(svg) if text.startswith("line")]

    assert rows == ["line 58", "line 75", "line 75", "line 75"]
    assert svg.count("<line ") == 4 * 2 + 2 * 2 + 1 * 2
    assert "15.0" in texts(svg)


def test_the_partial_sums_of_a_cluster_are_there():
    svg = memory(traced("p34:reduction")[0].data, "temp_storage", SAY)

    assert {"32640.0", "98176.0", "163712.0", "229248.0"} <= set(texts(svg))


def test_equal_traces_give_equal_bytes_in_each_language():
    data = traced("p15")[0].data

    assert memory(data, "cache", SAY) == memory(data, "cache", SAY)
    assert re.search("75행", memory(data, "cache", phrases("ko")))


def test_a_name_that_is_not_there_is_refused_by_name():
    with pytest.raises(ValueError, match="no variable 'sum': there are global_i"):
        lanes(traced("p26:pair-swap")[0].data, "sum", SAY)
