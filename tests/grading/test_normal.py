"""By what files are alike: for people alone, and quickly, whatever they hold."""

from __future__ import annotations

import time

import pytest

from harness.grading.normal import normalize
from harness.grading.work import Job

SOURCE = 'a = 1\n\n# why\nb = "# no comment"  # a comment\n'
ALIKE = {
    "bare": 'a = 1\nb = "# no comment"\n',
    "commented": '# top\na = 1   \nb = "# no comment" # another\n\n\n',
    "of-windows": 'a = 1\r\n\r\nb = "# no comment"\r\n',
}


@pytest.mark.parametrize("other", ALIKE.values(), ids=ALIKE)
def test_comments_and_blank_lines_do_not_count(other):
    assert normalize(other) == normalize(SOURCE)


@pytest.mark.parametrize("other", [*ALIKE.values(), SOURCE + "\n"], ids=[*ALIKE, "one-line-more"])
def test_files_that_are_alike_are_judged_each(other):
    assert Job("p15", other).key != Job("p15", SOURCE).key


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
        ('"""one"""\nb = """two\n\n"""', '"""one"""\nb = """two\n"""'),
        ("a = 1", "a = 1\u3000"),
        ("a = 1", "a = 1\u00a0"),
    ],
    ids=[
        "value",
        "indentation",
        "string",
        "blank-line-in-a-string",
        "long-string",
        "escaped-quote",
        "open-string",
        "second-string",
        "wide-blank",
        "hard-blank",
    ],
)
def test_all_else_counts(text, other):
    assert normalize(text) != normalize(other)


def test_the_same_text_for_another_puzzle_is_another_job():
    assert Job("p15", SOURCE).key != Job("p26", SOURCE).key


ODD = ["", "#", '"""', "'", "\\", '"\\', "\n" * 1000, '""' * 100_000, "'''" * 50_001]
SLOW = ['\\"""\n' * 50_000 + "\\", '"""a\n"""\n' * 25_000, '"\\' * 125_000, '"""' + "\\" * 250_000]


@pytest.mark.parametrize("text", [*ODD, *SLOW], ids=range(len(ODD) + len(SLOW)))
def test_odd_texts_have_a_normal_form_in_little_time(text):
    """Each is read once: a second time for each of its lines would take minutes of the processor."""
    started = time.process_time()

    assert normalize(text).count("\n") <= text.count("\n")
    assert time.process_time() - started < 5
