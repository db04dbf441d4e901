"""Text as lines of a terminal."""

from __future__ import annotations

import io

import pytest

from harness.model.lines import display_width, fold_for_stream, wrap


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """A terminal of 30 columns."""
    monkeypatch.setenv("COLUMNS", "30")


def test_lines_of_a_terminal_end_between_words_and_keep_their_indentation():
    text = "    Nothing orders a write of cache and a read of it."
    lines = fold_for_stream(text, Terminal()).split("\n")
    assert len(lines) > 1
    assert all(display_width(line) <= 30 and line.startswith("    ") for line in lines)
    assert " ".join(line.strip() for line in lines) == text.strip()


def test_elsewhere_a_text_stays_as_it_is():
    text = "one line that is longer than any terminal of thirty columns"
    assert fold_for_stream(text, io.StringIO()) == text


@pytest.mark.parametrize("line", ["   69 |     addend = cache[local_i + stride] + more", " " * 40 + " |      ^"])
def test_a_line_of_a_source_and_its_caret_are_never_broken(line):
    assert fold_for_stream(line, Terminal()) == line


def test_a_word_that_is_too_long_is_whole_so_that_it_can_be_clicked():
    place = "/a/folder/with/a/long/name/p15/problem.mojo:60:14"
    assert place in fold_for_stream(f"  write at {place} in axis_sum", Terminal()).replace("\n", " ").split()


def test_a_command_is_not_broken_unless_no_line_has_room_for_it():
    text = "Run `puzzles hint p15` once more, then `puzzles solution p26:conditional-max --yes` to see it."
    lines = wrap(text, 30)
    assert lines[:3] == ["Run `puzzles hint p15` once", "more, then `puzzles solution", "p26:conditional-max --yes` to"]
    assert wrap("`puzzles watch` checks, `puzzles check` once.", 32) == [
        "`puzzles watch` checks,", "`puzzles check` once."
    ]  # fmt: skip


def test_a_quote_without_an_end_loses_nothing():
    assert " ".join(wrap("one ` and many words behind it", 9)) == "one ` and many words behind it"


def test_korean_letters_take_two_columns():
    assert display_width("가b") == 3
    assert wrap("가나 다라 ab", 9) == ["가나 다라", "ab"]
    assert wrap("가나다라마 a", 4) == ["가나다라마", "a"]
