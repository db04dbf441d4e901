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


ENDLESS = [
    "def kernel(size: Int):",
    "    var stride = 4",
    "    while stride > 0 and not done:",
    "        if i < stride:",
    "            total += shared[i + stride]",
    "        barrier()",
    "    while True:",
    "        total += 1",
    "    while stride < 8:",
    "        stride *= 1",
    "",
]


@pytest.mark.parametrize("line", [3, 4, 6])
def test_an_endless_loop_is_told_at_its_condition_with_what_never_changes(line):
    sites = (SourceLocation("k.mojo", line, 9, "br", function="kernel"),)
    finding = Finding("endless-loop.no-exit", "error", sites=sites)
    english, korean = (
        "\n".join(Renderer(lambda _: ENDLESS, words(language), detail=False).block(finding))
        for language in ("en", "ko")
    )

    assert "k.mojo:3:5" in english and "nothing in it changes `stride`, `done`, which line 3 reads" in english
    assert "change `stride`, `done` in the loop, until the condition of line 3 is false" in english
    assert "3번째 줄의 조건에 쓰이는 `stride`, `done`을 반복문 안에서 바꾸는 곳이 없습니다" in korean


@pytest.mark.parametrize("line", [8, 10])
def test_a_loop_without_a_condition_or_whose_variables_change_lacks_one(line):
    sites = (SourceLocation("k.mojo", line, 9, "br", function="kernel"),)
    finding = Finding("endless-loop.no-exit", "error", sites=sites)
    english = "\n".join(Renderer(lambda _: ENDLESS, words("en"), detail=False).block(finding))

    assert "no path leaves it" in english and "let a condition end the loop" in english


def test_what_both_parts_of_an_if_use_is_declared_before_it():
    """To end an `if` ends what is declared in it."""
    for name, lines, values in (
        ("race.shared.write-read", (7, 8), RACE),
        ("race.shared.read-write", (8, 8), RACE | {"level": "statement"}),
        ("missed-barrier.passed", (14, 16), {"ended": 1, "waits": "all", "way": "return"}),
    ):
        english, korean = remedies(name, lines, **values)
        assert "before the first `if`" in english or "declared before any `if`" in english
        assert "첫 `if` 앞에서 선언합니다" in korean
