"""A remedy names the loop and the condition around its lines, read from the source's indentation."""

from __future__ import annotations

import pytest

from harness.simt.findings import Finding, SourceLocation
from harness.simt.messages import words
from harness.simt.nesting import common_headers, enclosing_headers, has_loop
from harness.simt.render import Renderer

SOURCE = [
    "def kernel(size: Int):",
    "    var i = 0",
    "    if (",
    "        i < size",
    "        and 0 <= i",
    "    ):",
    "        shared[i] = a[i]",
    "        total += shared[i - 1]",
    "",
    "    barrier()",
    "    comptime for step in range(3):",
    "        if i < size:",
    "            total += shared[i + step]",
    "            barrier()",
    "        # The end of a step.",
    "        shared[i] = total",
    "",
    "def other(size: Int):",
    "    output[0] = a[0]",
    "",
]


def test_headers_are_those_of_the_function_the_innermost_first():
    assert [(header.word, header.line) for header in enclosing_headers(SOURCE, 8)] == [("if", 3)]
    assert enclosing_headers(SOURCE, 8)[0].text.split() == ["(", "i", "<", "size", "and", "0", "<=", "i", "):"]
    assert [(header.word, header.line) for header in enclosing_headers(SOURCE, 13)] == [("if", 12), ("for", 11)]
    assert [header.line for header in common_headers(SOURCE, 13, 16)] == [11]
    assert enclosing_headers(SOURCE, 10) == enclosing_headers(SOURCE, 19) == enclosing_headers(SOURCE, 99) == []


def test_a_loop_is_one_of_the_lines_own_function():
    assert has_loop(SOURCE, 7) and not has_loop(SOURCE, 19)


NESTED = [
    "for i in range(3):",
    "    pass",
    "def outer(",
    "    size: Int,",
    "):",
    "    def inner(i: Int):",
    "        a[i] = 0",
    "",
    "    b[0] = 1",
    "    while b[0] < size:",
    "        inner(0)",
    "",
]


@pytest.mark.parametrize(
    ("lines", "line", "found"),
    [
        (NESTED, 7, False),  # of the inner function
        (NESTED, 9, True),  # of the outer one, after the inner one
        (NESTED, 11, True),
        ([*NESTED[:1], "    a[i] = 0"], 2, True),  # in no function: the loop is on the file's first line
        (["a[0] = 0", "b[0] = 0"], 2, False),
        ([], 1, False),
    ],
)
def test_a_function_with_one_inside_of_it_has_its_own_loops(lines, line, found):
    assert has_loop(lines, line) is found


def remedies(name, lines, **values):
    """What a finding at some lines advises, in both languages."""
    sites = tuple(SourceLocation("k.mojo", line, 9, "load", function="kernel") for line in lines)
    finding = Finding(name, "error", sites=sites, argument="shared", values=values)
    shown = [Renderer(lambda _: SOURCE, words(language), detail=False) for language in ("en", "ko")]
    return [next(line for line in show.block(finding) if "Remedy" in line or "고치는 법" in line) for show in shown]


RACE = {"level": "warp", "writers": "several", "first": "load", "second": "store", "between": "threads of one warp"}


@pytest.mark.parametrize(
    ("name", "lines", "values", "english", "korean"),
    [
        ("race.shared.read-write", (13, 16), RACE, "call `barrier()` between the two.", "두 접근 사이에서"),
        (
            "race.shared.read-write",
            (16, 13),
            RACE,
            "at the end of each step of the loop of line 11: after line 16, and outside any `if`",
            "11번째 줄의 반복문에서 단계가 끝날 때마다 `barrier()`를 호출하세요. 16번째 줄 뒤",
        ),
        (
            "race.shared.write-read",
            (7, 8),
            RACE,
            "between the two, outside the `if` of line 3: end that `if` before it",
            "3번째 줄의 `if` 밖에서",
        ),
        (
            "race.shared.read-write",
            (8, 8),
            RACE | {"level": "statement"},
            "end the `if` of line 3, call `barrier()` outside it, and write in an `if` after it.",
            "3번째 줄의 `if`를 끝내세요",
        ),
        (
            "race.shared.read-write",
            (13, 13),
            RACE | {"level": "statement"},
            "in an `if` after it; call `barrier()` again before the next step.",
            "다음 단계로 넘어가기 전에도",
        ),
        (
            "missed-barrier.passed",
            (14, 16),
            {"ended": 1, "waits": "all", "way": "return"},
            "end the `if` of line 12 before it, so that it stands outside",
            "12번째 줄의 `if`를 배리어 앞에서",
        ),
        (
            "divergent-barrier.warp",
            (10, 14),
            {"others": (), "way": "branches"},
            "end the `if` of line 12 before it, so that it stands outside",
            "12번째 줄의 `if`를 배리어 앞에서",
        ),
    ],
    ids=["in order", "round the loop", "in one if", "statement", "statement of a loop", "missed", "two barriers"],
)
def test_a_barrier_is_advised_where_all_threads_come(name, lines, values, english, korean):
    said = remedies(name, lines, **values)

    assert english in said[0] and korean in said[1], said


@pytest.mark.parametrize(("line", "loop"), [(13, True), (19, False)])
def test_a_loop_is_spoken_of_where_there_is_one(line, loop):
    for name in ("missing", "foreign", "times"):
        values = {"index": "[0]", "missing": ("a[0]",), "foreign": ("a[1]",), "weighed": ("a[0]",), "times": 2}
        said = remedies(f"check.reason.{name}", (line,), **values, items=())

        assert ("loop" in said[0], "반복문" in said[1]) == (loop, loop), said
