"""Figures of single lessons: each shows its puzzle's idea, with the numbers of the catalogue or of a recorded run."""

from __future__ import annotations

import re

import pytest

from harness.catalogue import CASES as CATALOGUE
from harness.catalogue import find_case
from harness.errors import UsageError
from harness.learning.figures import DECLARED, FigureRequest
from tests.generate.figures import FIGURE, WIDEST
from tests.learning.drawings import declared, figure, shapes, text_of_lesson, texts


def test_the_node_of_a_graph_has_its_tensors_and_the_launches_of_its_op():
    drawing = declared("p19 graph")
    launched = [text for text in texts(drawing) if re.match(r"\d \w+_", text)]

    assert [text.split()[1] for text in launched] == [step.name for step in find_case("p19").steps[0].expected_launches]
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
    assert declared("p22:fused counts global_stores", claims=()).row_count == 5, "other modes have five launches"


def test_the_room_of_blocks_is_the_occupancy_that_is_asked_for():
    """The questions of the puzzle have the same numbers."""
    drawing = declared("p31:sophisticated room")
    room, hopper = (question.answer for question in find_case("p31:sophisticated").handout.questions)

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
    (sectors, *_) = (question.answer for question in find_case("p30:kernel1").handout.questions)

    assert f"sectors: {sectors}; bytes used: 128 of 128" in drawing.alt
    assert shapes(drawing, "run") == 32 and shapes(drawing, "idle") == 0
    assert [text for text in texts(drawing) if text.isdecimal()] == [str(lane) for lane in range(32)]


def test_a_bank_that_two_lanes_want_takes_two_passes():
    """The number is that which the puzzle asks for."""
    drawing = figure("p32:two-way banks shared_mem")
    (passes, _) = (question.answer for question in find_case("p32:two-way").handout.questions)

    assert f"passes for one request: {passes}" in drawing.alt and "banks in use: 16 of 32" in drawing.alt
    assert shapes(drawing, "written") == 32 == shapes(drawing, "idle")


def test_a_piece_of_a_matrix_lies_in_the_registers_as_ptx_says():
    """Of `mma.m16n8k8`: a lane has rows 8 apart, that of its number over 4, and columns 4 apart, those of the rest."""
    drawing = figure("p33:tensor-core fragment shared-array-0 across=32 label=a_shared")
    lanes = [[4 * (row % 8) + column % 4 for column in range(8)] for row in range(16)]

    shown = [int(text) for text in texts(drawing) if text.isdecimal()]
    assert sorted(shown) == sorted(lane for row in lanes for lane in row)  # lane 0 is drawn apart
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
            kind = FigureRequest.parse(wish).kind
            drawing = declared(wish, language) if kind in DECLARED else figure(wish, language)
            assert drawing.width <= WIDEST and drawing.row_count and len(drawing.alt) > 20


@pytest.mark.parametrize("text", ["p15 graph", "p17 room", "p17 counts bank_conflicts"])
def test_what_the_catalogue_does_not_say_is_refused(text):
    with pytest.raises(UsageError):
        declared(text)
