"""Figures of lessons are drawn from what ran."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from harness.catalogue import find_case
from harness.errors import UsageError
from harness.learning.replay import DecodedTrace
from harness.model.target import Target
from tests.generate.figures import wanted
from tests.generate.lessons import texts as texts_of_lessons
from tests.generate.stored_traces import compile_ahead_of, data_of, target_of, traced
from tests.learning.drawings import SVG, figure, shapes, stored, texts
from tests.learning.traced import CASES, known
from tests.learning.traced import DRAWN as COMPILED

DRAWN = [entry.id for entry, target in wanted(texts_of_lessons()) if target == target_of(entry)]


@pytest.fixture(scope="module")
def built(request):
    """One compilation for those that are wanted and are not compiled with others."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    wanted = {item.callspec.params["id"] for item in own if "built" in item.fixturenames}
    for id in wanted & {*CASES, *COMPILED}:
        known(id, Target.parse("nvidia:sm_90"))
    compile_ahead_of([(find_case(id), target_of(find_case(id))) for id in DRAWN if id in wanted])


@pytest.mark.parametrize(
    "id", [id if at % 4 == 0 else pytest.param(id, marks=pytest.mark.full) for at, id in enumerate(DRAWN)]
)
@pytest.mark.slow
def test_a_stored_trace_is_what_a_run_gives(id, built):
    recorded = traced(find_case(id), target_of(find_case(id)))

    assert recorded["trace"] == stored(id)
    assert {**recorded["trace"], **recorded["ko"]} == data_of(find_case(id), target_of(find_case(id)), "ko")


def test_the_butterfly_has_a_line_from_each_lane_to_each_that_reads_it():
    drawing = figure("p26:parallel-max exchange largest")

    assert shapes(drawing, "link") + shapes(drawing, "weak") == 5 * 32 * 2  # five exchanges; to itself and to another
    assert shapes(drawing, "link") == 2 * (16 + 8 + 4 + 2 + 1)  # what comes to lane 0 in the end
    assert texts(drawing).count("1000") == 1 + 2 + 4 + 8 + 16 + 32
    assert "distances 16, 8, 4, 2, 1. 0 2 4 6 … 60 1000 → 1000" in drawing.alt


def test_one_exchange_shows_what_lanes_give_and_get():
    drawing = figure("p26:pair-swap exchange")

    values = [text for text in texts(drawing) if text.isdecimal()][32:]  # after the lanes' numbers
    assert values == [*map(str, range(32)), *(str(lane ^ 1) for lane in range(32))]
    assert shapes(drawing, "link") == 32 and shapes(drawing, "weak") == 0


def test_the_tree_of_a_sum_halves():
    drawing = figure("p15 cells cache label=stride")

    assert [text for text in texts(drawing) if text.startswith("stride")] == ["stride 4", "stride 2", "stride 1"]
    assert (shapes(drawing, "link"), shapes(drawing, "same")) == (7, 7)
    assert drawing.alt.endswith("stride 4: 4 6 2 3 4 5 0 0; stride 2: 6 9 2 3 4 5 0 0; stride 1: 15 9 2 3 4 5 0 0")
    assert "line 58, line 60: 0 1 2 3 4 5 0 0" in drawing.alt  # two branches fill the cells together


def test_the_partial_sums_of_a_cluster_are_there():
    assert "32640 98176 163712 229248" in figure("p34:reduction cells temp_storage").alt


def test_each_cell_has_the_thread_that_reads_it():
    drawing = figure("p15 owners a")

    assert drawing.row_count == 4 and shapes(drawing, "run") == 24
    assert "row 3, block 3: 0 1 2 3 4 5" in drawing.alt


def test_what_one_thread_reads_of_another_crosses_a_barrier():
    drawing = figure("p15 lanes")

    assert shapes(drawing, "link") == 4 + 2 + 1
    assert shapes(drawing, "barrier") == 7 * 2  # a double line for each
    assert texts(drawing).count("Barrier") == 7


def test_lanes_that_a_branch_parts_are_on_two_lines():
    drawing = figure("p26:conditional-max lanes")

    assert texts(drawing).count("W") == 32 and shapes(drawing, "idle") == 32  # sixteen lanes on each of the two


def test_blocks_meet_at_the_cluster_barrier_and_one_reads_of_three():
    drawing = figure("p34:reduction blocks")

    assert shapes(drawing, "cluster") == 1 and shapes(drawing, "barrier") == 9 * 4 * 2
    assert shapes(drawing, "link") == 3
    written = {text for text in texts(drawing) if text.startswith("= ")}
    assert written == {"= 32640", "= 98176", "= 163712", "= 229248", "= 523776"}, "a value is no number of threads"
    assert "behind =, the value" in " ".join(texts(drawing))


def test_a_trace_with_another_value_makes_another_figure():
    """A figure is not a drawing kept beside the run."""
    data = deepcopy(stored("p15"))
    data["texts"][data["texts"].index("15.0")] = "16.0"

    assert "stride 1: 16 9" in figure("p15 cells cache label=stride", data=data).alt


def test_equal_traces_give_equal_bytes_in_each_language():
    assert figure("p15 lanes").svg == figure("p15 lanes").svg
    assert re.search("58행, 60행", figure("p15 cells cache", "ko").alt)
    assert "배리어" in texts(figure("p15 lanes", "ko"))


@pytest.mark.parametrize("id", DRAWN)
def test_a_figure_needs_nothing_from_outside_and_no_colour_of_its_page(id):
    kind = "exchange" if id.startswith("p26") else "lanes"
    drawing = figure(f"{id} {kind} most=16")

    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|currentColor|<script|@import|url\(", drawing.svg)
    assert "prefers-color-scheme:dark" in drawing.svg and 'class="sheet"' in drawing.svg
    assert len(drawing.svg) < 40_000


def covered(drawing):
    """The tips of arrows that lie on a text, with that text."""
    root, found = ElementTree.fromstring(drawing.svg), []
    shapes = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "tip"]
    tips = [tuple(map(int, tip)) for shape in shapes for tip in re.findall(r"M(-?\d+) (-?\d+)l", shape)]
    for line in root.iter(f"{SVG}text"):
        style, y = line.get("class") or "", float(line.get("y"))
        high = 9 if "small" in style else 11
        for part in line.iter(f"{SVG}tspan"):
            wide, x = 0.6 * high * len(part.text or ""), float(part.get("x"))
            left = x if "left" in style else x - wide if "right" in style else x - wide / 2
            found += [
                (tip, part.text)
                for tip in tips
                if left < tip[0] + 4 and tip[0] - 4 < left + wide and y - 0.75 * high < tip[1] and tip[1] - 6 < y + 2
            ]
    return tips, found


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_tip_of_an_arrow_lies_on_a_text(language):
    drawings = [
        figure(text, language) for text in ("p15 cells cache label=stride", "p15 lanes", "p34:reduction blocks")
    ]

    for drawing in drawings:
        tips, found = covered(drawing)
        assert len(tips) >= 3 and found == []
    drawing = drawings[0]
    (x, y), *_ = covered(drawing)[0]
    drawing = replace(
        drawing, svg=drawing.svg.replace("</svg>", f'<text y="{y}"><tspan x="{x}">7</tspan></text></svg>')
    )
    assert [text for _, text in covered(drawing)[1]] == ["7"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("p26:pair-swap exchange sum", "unknown variable 'sum': known: global_i, value"),
        ("p15 cells shared", "unknown buffer 'shared': known: output, a, cache"),
        ("p15 butterfly", "unknown kind of figure 'butterfly': known: cells, owners"),
        ("p15 lanes width=3", "unknown option of a figure 'width'"),
        ("p15 lanes most=all", "most has to be a whole number"),
        *((f"p15 {kind} most=0", "most has to be at least 1") for kind in ("lanes", "owners a", "cells cache")),
        ("p15 fragment a across=0", "across has to be at least 1"),
        ("p15", "asked for by case, kind and name"),
        ("p15 exchange", "nothing happens there"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_what_could(asked, told):
    with pytest.raises(UsageError, match=re.escape(told)):
        figure(asked)


@pytest.mark.slow
def test_lanes_of_64_fit():
    """On AMD a warp is wider; what a lesson shows of it is drawn from its own trace."""
    target = Target.parse("amd:gfx942")
    known("p26:pair-swap", target)
    data = traced(find_case("p26:pair-swap"), target)["trace"]

    assert DecodedTrace(data).steps[0].active.tolist() == list(range(64))
    assert "64 lanes exchange" in figure("p26:pair-swap exchange target=amd:gfx942", data=data).alt


def test_each_exchange_of_a_line_is_named_by_its_distance():
    """The line is the same for all of them."""
    drawing = figure("p26:parallel-max exchange largest")

    assert re.findall(r">over (\d+)<", drawing.svg) == ["16", "8", "4", "2", "1"]
