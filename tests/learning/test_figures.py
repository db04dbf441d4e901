"""Figures of lessons are drawn from what ran."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from harness.catalogue import CASES as CATALOGUE
from harness.catalogue import case
from harness.errors import UsageError
from harness.learning.figures import DECLARED, Wish, draw_declared, drawn, figure_phrases
from harness.learning.replay import Replay
from harness.model.target import Target
from tests.generate.figures import FIGURE, WIDEST, wanted
from tests.generate.lessons import path as path_of_lesson
from tests.generate.lessons import texts as texts_of_lessons
from tests.generate.stored_traces import compile_ahead_of, data_of, target_of, traced
from tests.learning.traced import CASES, known
from tests.learning.traced import DRAWN as COMPILED

SVG = "{http://www.w3.org/2000/svg}"


@cache
def stored(id):
    return data_of(case(id), target_of(case(id)))


def figure(text, language="en", data=None):
    wish = Wish.parse(text)
    return drawn(data or stored(wish.case), wish, figure_phrases(language))


def text_of_lesson(puzzle, language):
    return path_of_lesson(puzzle, language).read_text(encoding="utf-8")


def texts(drawing):
    return [element.text or "" for element in ElementTree.fromstring(drawing.svg).iter(f"{SVG}tspan")]


def shapes(drawing, style):
    """How many shapes of a style there are."""
    paths = [path for path in ElementTree.fromstring(drawing.svg).iter(f"{SVG}path") if path.get("class") == style]
    return sum(path.get("d").count("M") for path in paths)


DRAWN = [entry.id for entry, target in wanted(texts_of_lessons()) if target == target_of(entry)]


@pytest.fixture(scope="module")
def built(request):
    """One compilation for those that are wanted and are not compiled with others."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    wanted = {item.callspec.params["id"] for item in own if "built" in item.fixturenames}
    for id in wanted & {*CASES, *COMPILED}:
        known(id, Target.parse("nvidia:sm_90"))
    compile_ahead_of([(case(id), target_of(case(id))) for id in DRAWN if id in wanted])


@pytest.mark.parametrize(
    "id", [id if at % 4 == 0 else pytest.param(id, marks=pytest.mark.full) for at, id in enumerate(DRAWN)]
)
@pytest.mark.slow
def test_a_stored_trace_is_what_a_run_gives(id, built):
    recorded = traced(case(id), target_of(case(id)))

    assert recorded["trace"] == stored(id)
    assert {**recorded["trace"], **recorded["ko"]} == data_of(case(id), target_of(case(id)), "ko")


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

    assert drawing.rows == 4 and shapes(drawing, "run") == 24
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


def declared(text, language="en", **changed):
    """A figure of what the catalogue says, with some of the case's fields changed."""
    wish = Wish.parse(text)
    own = case(wish.case)
    others = [entry for entry in CATALOGUE if entry.puzzle == own.puzzle and entry != own]
    return draw_declared([replace(own, **changed), *others], wish, figure_phrases(language))


def test_the_node_of_a_graph_has_its_tensors_and_the_launches_of_its_op():
    drawing = declared("p19 graph")
    launched = [text for text in texts(drawing) if re.match(r"\d \w+_", text)]

    assert [text.split()[1] for text in launched] == [step.name for step in case("p19").steps[0].own]
    assert {"q (16)", "k (16 x 16)", "v (16 x 16)", "output (16)", "seq_len = 16, d = 16"} <= set(texts(drawing))
    assert shapes(drawing, "tip") == 3 + 1, "three inputs, one result"


def test_the_caller_of_torch_makes_the_result():
    """It stands among the tensors that are there before the call."""
    made, given = declared("p17 graph"), declared("p20 graph")

    assert shapes(made, "written") == shapes(given, "written") == 1
    assert made.alt.endswith("output (15) comes out. The op launches conv1d_kernel (2) x (15).")
    assert "with output (15), which it has made before" in given.alt


def test_bars_are_the_numbers_that_each_run_is_checked_for():
    entries = [entry for entry in CATALOGUE if entry.puzzle == "p22"][:2]
    promised = [
        claim.expected(32)
        for entry in entries
        for claim in entry.claims
        if getattr(claim, "counter", "") == "global_stores"
    ]
    drawn_numbers = [text for text in texts(declared("p22:fused counts global_stores most=2")) if text.isdecimal()]

    assert drawn_numbers == list(map(str, promised)) == ["256", "128", "128", "256", "256"]
    assert declared("p22:fused counts global_stores", claims=()).rows == 5, "the two other modes have five launches"


def test_the_room_of_blocks_is_the_occupancy_that_is_asked_for():
    """The questions of the puzzle have the same numbers."""
    drawing = declared("p31:sophisticated room")
    room, hopper = (question.answer for question in case("p31:sophisticated").given.questions)

    said = " ".join(texts(drawing))
    assert f"KiB of shared memory: 228. Blocks that fit: {room}" in said and f"64 of 64 warps, {hopper}%" in said
    assert "sm_86: 32 of 48 warps, 66.67%" in said
    assert texts(drawing).count("1,024") == 2 + 1 and texts(drawing).count("49") == 2 + 1


def test_two_trees_halve_the_threads_of_a_block_twice():
    drawing = figure("p18 warps")

    tree = [32, 32, 32, 16, 8, 4, 2, 1]  # two warps with stride 64, then one
    written, updated = (
        [int(text.split()[1]) for text in texts(drawing) if re.fullmatch(rf"{sign} \d+", text)] for sign in ("W", "RW")
    )
    assert written == [*[32] * 4, *tree, *[32] * 4] and updated == [*tree, *[32] * 4]
    assert "barriers: 16. Times that a warp first reads what another one wrote in a step: 12." in drawing.alt


def test_what_a_library_exchanges_in_one_step_is_a_butterfly():
    """Each lane's sum so far stands in a column, and in the last one the sum of all that the kernel stores."""
    drawing = figure("p24:kernel exchange")
    total = sum(lane * lane for lane in range(32))

    assert shapes(drawing, "link") + shapes(drawing, "weak") == 5 * 32 * 2
    assert texts(drawing).count(str(total)) == 32 and f"→ {total}" in drawing.alt


def test_the_warps_of_a_block_work_alone_and_one_adds_what_they_left():
    drawing = figure("p27:block-sum-dot-product warps")

    assert [text for text in texts(drawing) if text == "W 1"] == ["W 1"] * (4 + 1) and "R 4" in texts(drawing)
    assert texts(drawing).count("↔ 32") == 4 + 1 and shapes(drawing, "link") == 3


def test_a_copy_arrives_while_the_weights_are_loaded():
    """In all lanes; the five that load the weights are of the first warp."""
    drawing = figure("p28 warps")

    assert texts(drawing).count("⇣ 32") == 7 and "RW 5 ⇣" in texts(drawing)
    assert "⇣ what a lane has copied asynchronously arrives" in " ".join(texts(drawing))


def test_other_warps_have_other_stages():
    drawing = figure("p29:multi-stage warps")

    assert texts(drawing).count("RW 32") == 2 * 4, "two elements for each thread of the first half"
    assert shapes(drawing, "barrier") == 2 * 8 * 2


def test_a_sector_has_the_lanes_that_want_its_elements():
    """Of the figures that the puzzle asks for, the first."""
    drawing = figure("p30:kernel1 sectors a")
    (sectors, *_) = (question.answer for question in case("p30:kernel1").given.questions)

    assert f"sectors: {sectors}; bytes used: 128 of 128" in drawing.alt
    assert shapes(drawing, "run") == 32 and shapes(drawing, "idle") == 0
    assert [text for text in texts(drawing) if text.isdecimal()] == [str(lane) for lane in range(32)]


def test_a_bank_that_two_lanes_want_takes_two_passes():
    """The number is that which the puzzle asks for."""
    drawing = figure("p32:two-way banks shared_mem")
    (passes, _) = (question.answer for question in case("p32:two-way").given.questions)

    assert f"passes for one request: {passes}" in drawing.alt and "banks in use: 16 of 32" in drawing.alt
    assert shapes(drawing, "written") == 32 == shapes(drawing, "idle")


def test_a_piece_of_a_matrix_lies_in_the_registers_as_ptx_says():
    """Of `mma.m16n8k8`: a lane has rows 8 apart, that of its number over 4, and columns 4 apart, those of the rest."""
    drawing = figure("p33:tensor-core fragment shared-array-0 across=32 label=a_shared")
    lanes = [[4 * (row % 8) + column % 4 for column in range(8)] for row in range(16)]

    shown = [int(text) for text in texts(drawing) if text.isdecimal()]
    assert shown == [lane for row in lanes for lane in row]
    assert "a_shared, 16 x 8 elements, spread over 32 lanes: 4 elements" in drawing.alt


def test_a_tile_for_each_thread_touches_twice_the_sectors():
    drawing = declared("p23:elementwise counts global_transactions")

    assert [text for text in texts(drawing) if text.isdecimal()] == ["384", "768"]


PICTURED = [f"p{number:02}" for number in range(17, 36)]


@pytest.mark.parametrize("puzzle", PICTURED)
def test_each_later_puzzle_has_a_picture(puzzle):
    """Which is as wide as a telephone takes it, and says what it shows in both languages."""
    wishes = [match["wish"] for match in FIGURE.finditer(text_of_lesson(puzzle, "en"))]

    assert wishes
    for wish in wishes:
        for language in ("en", "ko"):
            kind = Wish.parse(wish).kind
            drawing = declared(wish, language) if kind in DECLARED else figure(wish, language)
            assert drawing.width <= WIDEST and drawing.rows and len(drawing.alt) > 20


@pytest.mark.parametrize("text", ["p15 graph", "p17 room", "p17 counts bank_conflicts"])
def test_what_the_catalogue_does_not_say_is_refused(text):
    with pytest.raises(UsageError):
        declared(text)


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
    data = traced(case("p26:pair-swap"), target)["trace"]

    assert Replay(data).steps[0].active.tolist() == list(range(64))
    assert "64 lanes exchange" in figure("p26:pair-swap exchange target=amd:gfx942", data=data).alt


def test_each_exchange_of_a_line_is_named_by_its_distance():
    """The line is the same for all of them."""
    drawing = figure("p26:parallel-max exchange largest")

    assert re.findall(r">over (\d+)<", drawing.svg) == ["16", "8", "4", "2", "1"]
