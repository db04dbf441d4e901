"""What of a file counts, and where a line of one file stands in another."""

from __future__ import annotations

import pytest

from harness.grading.normal import normal, same_place
from harness.grading.work import Job
from harness.model.sources import MOJO

SOURCE = 'a = 1\n\n# why\nb = "# no comment"  # a comment\n'


@pytest.mark.parametrize(
    "other",
    [
        'a = 1\nb = "# no comment"\n',
        '# top\na = 1   \nb = "# no comment" # another\n\n\n',
        'a = 1\r\n\r\nb = "# no comment"\r\n',
        '\ufeffa = 1\nb = "# no comment"',
    ],
    ids=["bare", "commented", "of-windows", "byte-order-mark"],
)
def test_comments_and_blank_lines_do_not_count(other):
    assert normal(other).text == normal(SOURCE).text
    assert Job("p15", other).key == Job("p15", SOURCE).key


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a = 1", "a = 2"),
        ("if x:\n    a", "if x:\n  a"),
        ('a = "#1"', 'a = "#2"'),
        ('"""one\n\ntwo"""', '"""one\ntwo"""'),
        ("'''# one'''", "'''# two'''"),
        ('a = "\\"#1"', 'a = "\\"#2"'),
        ('"""unfinished # one', '"""unfinished # two'),
    ],
    ids=["value", "indentation", "string", "blank-line-in-a-string", "long-string", "escaped-quote", "open-string"],
)
def test_all_else_counts(text, other):
    assert normal(text).text != normal(other).text


def test_the_same_text_for_another_puzzle_is_another_job():
    assert Job("p15", SOURCE).key != Job("p26", SOURCE).key


def test_a_place_is_told_as_that_of_the_other_file():
    graded = normal("# one\n# two\nfirst\n\nsecond\n")
    own = normal("first\nsecond\n")

    assert [same_place(line, graded, own) for line in (3, 5)] == [1, 2]
    assert same_place(4, graded, own) == 2, "a blank line is told by the next that counts"
    assert same_place(99, graded, own) == 2


def test_the_solutions_are_as_long_without_what_does_not_count():
    for path in MOJO.glob("p*/solution.mojo"):
        lines = path.read_text().splitlines()
        kept = normal(path.read_text())
        assert [lines[number - 1].partition("  #")[0].rstrip() for number in kept.lines] == [
            line.partition("  #")[0].rstrip() for line in kept.text.split("\n")
        ]


@pytest.mark.parametrize("text", ["", "#", '"""', "'", "\\", '"\\', "\n" * 1000, '""' * 100_000, "'''" * 50_001])
def test_odd_texts_have_a_normal_form_quickly(text):
    assert len(normal(text).lines) == len(normal(text).text.split("\n")) or not normal(text).text
