"""A learner's file: what is not filled in, and what was changed where nothing was to be."""

from __future__ import annotations

import time

import pytest

from harness.catalogue import CASES
from harness.model.frames import (
    Change,
    blank_regions,
    count_regions,
    extract_frame,
    find_changes,
    find_left_empty,
    is_untouched,
)
from harness.model.frames import find_unfilled as unfilled_in
from harness.model.handout import Blank
from harness.model.sources import Sources

SOLUTION = """\
comptime TPB = 8
\"\"\"The threads of a block.\"\"\"


def one(a: Int):
    var i = thread_idx.x
    # FILL ME IN: about 1 line
    a[i] = 1
    # END OF FILL ME IN


def two(a: Int):
    # FILL ME IN: about 2 lines
    a[0] = 2

    a[1] = 2
    # END OF FILL ME IN
"""
PROBLEM = blank_regions(SOLUTION)
END = "    # END OF FILL ME IN\n"


def unfilled(text, kernel):
    return unfilled_in(text, [kernel], SOLUTION)


def test_a_problem_is_its_solution_with_its_regions_blank():
    assert "a[i] = 1" not in PROBLEM and PROBLEM.count("    pass\n") == count_regions(PROBLEM) == 2
    assert extract_frame(PROBLEM) == extract_frame(SOLUTION)


def test_each_kernel_has_its_own_region():
    """By the line of its mark."""
    assert (unfilled(PROBLEM, "one"), unfilled(PROBLEM, "two"), unfilled(PROBLEM, "three")) == (7, 13, None)
    assert unfilled(SOLUTION, "one") is unfilled(SOLUTION, "two") is None
    half = PROBLEM.replace("    pass", "    a[i] = 3", 1)
    assert (unfilled(half, "one"), unfilled(half, "two")) == (None, 13)


@pytest.mark.parametrize("body", ["", "    pass\n", "    # later\n\n    pass  # really\n", "    ...\n"])
def test_comments_fill_nothing_in(body):
    assert unfilled(PROBLEM.replace("    pass\n", body, 1), "one") == 7


@pytest.mark.parametrize(
    ("now", "was"),
    [
        (f"{END}    a[i] = 1\n", END),
        ("    a[i] = 1\n    # FILL", "    # FILL"),
        ("thread_idx.x + 1", "thread_idx.x"),
        (f'{END}    # """; a[i] = 1\n', END),
    ],
    ids=["below", "above", "changed", "hidden"],
)
def test_code_counts_wherever_in_its_kernel_it_stands(now, was):
    """What another kernel has is not this one's."""
    text = PROBLEM.replace(was, now, 1)

    assert (unfilled(text, "one"), unfilled(text, "two")) == (None, text.count("\n", 0, text.rindex("    # FILL")) + 1)
    assert not is_untouched(text, SOLUTION)


def test_a_file_with_comments_is_as_it_was_handed_out():
    text = f"# Ann's\n\n{PROBLEM}  \n# {'x' * 99}\n".replace("    pass\n", "\n    # later\n    pass # yet\n\n")

    assert is_untouched(text, SOLUTION) and is_untouched(text.replace("\n", "\r\n"), SOLUTION)
    assert is_untouched(PROBLEM, PROBLEM) and not is_untouched(SOLUTION, SOLUTION)
    for more in ("from math import sqrt\n", "\u3000\n", '"""more"""\n'):
        assert not is_untouched(PROBLEM + more, SOLUTION)


def test_what_is_filled_in_is_no_change():
    assert not list(find_changes(SOLUTION, SOLUTION)) and not list(find_changes(PROBLEM, SOLUTION))
    assert not list(find_changes(PROBLEM.replace("    pass\n", "    x\n\n    y\n" * 9, 1), SOLUTION))


@pytest.mark.parametrize(
    ("edit", "change"),
    [
        (("TPB = 8", "TPB = 16"), Change(1, "comptime TPB = 16", "comptime TPB = 8")),
        (("    var i = thread_idx.x\n", ""), Change(6, "", "var i = thread_idx.x")),
        (("def two", "from math import sqrt\ndef two"), Change(14, "from math import sqrt", "")),
        (("two(a: Int)", "two(a: Int, b: Int)"), Change(14, "def two(a: Int, b: Int):", "def two(a: Int):")),
    ],
)
def test_a_change_outside_is_told_with_its_line(edit, change):
    """As it stands in the learner's file, longer regions and all."""
    text = PROBLEM.replace("    pass\n", "    one\n    two\n    three\n", 1)

    assert list(find_changes(text.replace(*edit), SOLUTION)) == [change]


def test_a_file_without_regions_is_the_learners_as_a_whole():
    """What is handed out wrong or complete: only another constant is told, and nothing of it is to be filled in."""
    whole = "comptime TPB = 8\n\n\ndef one(a: Int):\n    a[0] = 2\n"
    edited = whole.replace("a[0] = 2", "a[0] = 1\n    a[1] = 1")

    assert not list(find_changes(edited, whole)) and unfilled_in(edited, ["one"], whole) is None
    assert list(find_changes(edited.replace("8", "9"), whole)) == [Change(1, "comptime TPB = 9", "comptime TPB = 8")]
    assert is_untouched(f"# mine\n{whole}", whole) and not is_untouched(edited, whole)


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("    var i = thread_idx.x\n", "    var i = thread_idx.x  # mine: who am I?\n", False),
        ("    var i = thread_idx.x\n", "    # mine\n\n    var i = thread_idx.x\n", False),
        ("    var i = thread_idx.x\n", '    var i = thread_idx.x; print("#1")\n', True),
        ("    var i = thread_idx.x\n", "    var i = thread_idx.x + 1  # mine\n", True),
        ("    var i = thread_idx.x\n", '    var i = thread_idx.x  # """; a[0] = 1\n', True),
        ("    var i = thread_idx.x\n", "    var i = thread_idx.x ' # '\n", True),
    ],
    ids=["behind", "above", "in a text", "and code", "may close a text", "a text of its own"],
)
def test_a_comment_is_no_change_wherever_it_stands(was, now, told):
    """Of code behind its region, a comment on the line of code is as little as one on a line of its own."""
    edited = PROBLEM.replace(was, now, 1)
    assert edited != PROBLEM and bool(list(find_changes(edited, SOLUTION))) == told
    assert is_untouched(edited, SOLUTION) != told


def test_a_long_line_of_quotes_takes_no_time():
    started = time.process_time()
    assert list(find_changes(PROBLEM + "var x = " + "'\"\\" * 100_000 + "\n", SOLUTION))
    assert time.process_time() - started < 2


def test_of_a_pasted_kernel_only_the_constants_count():
    """It may bring a frame of its own, without marks."""
    pasted = 'comptime TPB = 16  # wide\n\n\ndef one(b: Int):\n    """Another."""\n    b[0] = 1\n'

    assert list(find_changes(pasted, SOLUTION)) == [Change(1, "comptime TPB = 16  # wide", "comptime TPB = 8")]
    assert not list(find_changes(pasted.replace("16  # wide", "8"), SOLUTION))


@pytest.mark.parametrize("puzzle", dict.fromkeys(case.puzzle for case in CASES if case.handout == Blank()))
def test_the_pristine_problems_are_recognised(puzzle):
    """By the functions of all their cases: some of these may be handed out whole."""
    cases = [case for case in CASES if case.puzzle == puzzle]
    functions = tuple(name for case in cases for name in case.functions)
    solution = Sources("solutions").kernel_file(cases[0]).read_text()

    assert unfilled_in(blank_regions(solution), functions, solution)
    assert not unfilled_in(solution, functions, solution)
    assert is_untouched(blank_regions(solution), solution)
    assert not list(find_changes(blank_regions(solution), solution))


HOSTILE = {
    "blanks": PROBLEM.replace("pass", " " * 250_000),
    "marks": PROBLEM + "    # FILL ME IN: a\n" * 12_000,
    "regions": PROBLEM + f"    # FILL ME IN: a\n{END}" * 6_000,
    "indentation": PROBLEM + " " * 250_000 + "# FILL ME IN: a\n",
    "functions": "def one\n" * 30_000 + PROBLEM,
    "a-word": f"{PROBLEM}comptime {'a' * 250_000}",
    "a-value": f"{PROBLEM}comptime TPB ={' ' * 250_000}x",
    "lines": PROBLEM + "x\n" * 120_000,
    "like-lines": PROBLEM + "    var i = thread_idx.y\n" * 8_000,
    "unlike-lines": PROBLEM + "".join(f"{number}\n" for number in range(35_000)),
    "a-long-line": PROBLEM.replace("var i", "var i" * 50_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_strangers_file_is_read_in_time_that_its_length_allows(text):
    """It took minutes of the processor where something was looked for from each of its characters on."""
    started = time.process_time()

    unfilled(text, "one")
    is_untouched(text, SOLUTION)
    list(find_changes(text, SOLUTION))

    assert time.process_time() - started < 5


THREE = """\
def three(a: Int):
    # FILL ME IN: about 1 line
    a[0] = 1
    # END OF FILL ME IN
    barrier()
    # FILL ME IN: about 1 line
    a[1] = 1
    # END OF FILL ME IN
"""


def test_a_kernel_of_which_one_region_holds_something_is_begun():
    """What the others are to hold may stand there too."""
    problem = blank_regions(THREE)
    assert (unfilled_in(problem, ["three"], THREE), find_left_empty(problem, ["three"], THREE)) == (2, None)

    for number, left in ((0, 6), (1, 2)):
        pieces = problem.split("    pass\n")
        half = "    pass\n".join(pieces[: number + 1]) + "    a[0] = 1\n" + "    pass\n".join(pieces[number + 1 :])
        assert (unfilled_in(half, ["three"], THREE), find_left_empty(half, ["three"], THREE)) == (None, left)
        assert find_left_empty(half.replace("barrier()", "a[2] = 1"), ["three"], THREE) is None  # code is where it is
    assert find_left_empty(THREE, ["three"], THREE) is None
