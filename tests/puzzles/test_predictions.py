"""Answers to what is to be predicted are what the simulator counts on NVIDIA, and the solutions have them."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.build.device_code import build_device_code
from harness.build.registers import find_resources
from harness.build.unit import Build
from harness.cases import pipeline
from harness.catalogue import CASES
from harness.model.handout import Predict
from harness.model.occupancy import block_limits, compute_occupancy
from harness.model.predictions import blank_answers, find_answers, is_right, parse_number
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.simt.traffic import SECTOR
from tests import compiled

ASKED = [case for case in CASES if isinstance(case.handout, Predict)]
QUESTIONS = [(case, question) for case in ASKED for question in case.handout.questions]
LANES = 32

needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


@pytest.fixture(scope="module")
def counted():
    """By case the counters of its solution, and the elements of its result."""
    compiled.solutions()
    plan = pipeline.plan("nvidia:sm_90", "simulator")
    sized = {case.id: plan.case_to_run(case) for case in ASKED}
    run = pipeline.run(ASKED, plan=plan, sources=Sources())
    elements = {name: case.geometry(LANES).results[0].elements for name, case in sized.items()}
    return {report.case: (report.counters[0], elements[report.case], sized[report.case]) for report in run.cases}


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize(("case", "question"), QUESTIONS, ids=lambda one: getattr(one, "id", None))
def test_an_answer_is_what_is_counted(counted, case, question):
    counters, elements, sized = counted[case.id]
    (launch,) = sized.launches(LANES)
    threads = launch.block[0] * launch.grid[0]
    asked = question.sentence

    def room(target):
        (code,) = build_device_code([case], Build(target=target, sources=Sources()), "asm")[case.id]
        (taken,) = (own for own in find_resources([code])[0].values())
        return target.gpu, launch.block[0], taken.shared_bytes, taken.registers

    if asked.startswith("Sectors that a warp touches"):
        requests = (counters["global_loads"] + counters["global_stores"]) / LANES
        got = counters["global_transactions"] / requests
    elif asked.startswith("Bytes of global memory"):
        got = counters["global_transactions"] * SECTOR / elements
    elif asked.startswith("One thread in how many"):
        got = threads / counters["reads_per_input_element"]
    elif asked.startswith("Bytes that the lanes asked for"):
        got = 100 * counters["coalescing"]
    elif asked.startswith("Passes"):
        requests = (counters["shared_loads"] + counters["shared_stores"]) / LANES
        got = 1 + counters["bank_conflicts"] / requests
    elif asked.startswith("Bytes of shared memory"):
        got = counters["shared_bytes_per_block"]
    elif asked.startswith("Occupancy of "):
        got = compute_occupancy(*room(Target.parse(asked.split()[2].rstrip(",")))).percent
    else:
        assert asked.startswith("Blocks that the 228 KiB of shared memory of nvidia:sm_90")
        gpu, *taken = room(Target.parse("nvidia:sm_90"))
        assert gpu.multiprocessor_shared_bytes == 228 << 10
        got = block_limits(gpu, *taken)["shared memory"]
    assert got == pytest.approx(question.answer), asked


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.id)
def test_the_solution_answers_and_the_problem_asks(case):
    texts = {name: (MOJO / case.puzzle / f"{name}.mojo").read_text() for name in ("solution", "problem")}
    told = {name: find_answers(text, case.functions) for name, text in texts.items()}
    asked = [question.sentence for question in case.handout.questions]

    assert list(told["solution"]) == list(told["problem"]) == asked
    assert all(answer.is_open for answer in told["problem"].values())
    for question in case.handout.questions:
        assert is_right(parse_number(told["solution"][question.sentence].text), question.answer)


def test_each_puzzle_to_be_measured_asks():
    assert {case.puzzle for case in ASKED} == {"p30", "p31", "p32"}
    assert len(QUESTIONS) == 2 * len(ASKED)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("1,024", 1024), ("1_024", 1024), ("66.7", 66.7), ("66.7%", 66.7), (".5", 0.5), (" 4 ", 4)]
    + [(text, None) for text in ("", "?", "four", "-4", "1/2", "4 sectors", "1e3", "0x10", "4 or 5", "nan")],
)
def test_a_number_is_read(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("answer", "right"), [(66.7, True), (66.67, True), (67, True), (66, True), (65, False), (2, False)]
)
def test_a_figure_may_be_rounded(answer, right):
    assert is_right(answer, 200 / 3) is right


def test_only_lines_of_a_region_are_questions():
    region = "def f():\n    # PREDICT: write\n    # Loads: 3\n    # a remark\n    # END OF PREDICT\n"
    text = f"# Loads: 1\n{region}    # Stores: 2\n{region.replace('f()', 'g()').replace('3', '5')}"

    assert {name: answer.text for name, answer in find_answers(text, ["f"]).items()} == {"Loads": "3"}
    assert find_answers(text, ["g"])["Loads"].text == "5"
    assert find_answers(text, ["f"])["Loads"][:2] == (4, 14)
    assert blank_answers(text) == text.replace("Loads: 3", "Loads: ?").replace("Loads: 5", "Loads: ?")
    assert find_answers("def f():\n    # PREDICT: x\n    # Loads:\n", ["f"])["Loads"].is_open, "a region without an end"
