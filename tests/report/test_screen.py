"""Tables are as wide as what stands in them, and no wider than a terminal."""

from __future__ import annotations

import sys

import pytest

from harness.report.screen import Screen

HEADS = ("verdict", "case", "reason")
ROWS = [("PASS", "p15", ""), ("FINDING", "p26", "some words and a_long_word_without_end and 커널이 지켜야 할 약속")]


def test_columns_are_as_wide_as_their_cells(capsys):
    Screen().table(HEADS, [("PASS", "p15", "a\nbc"), ("X", "p26:pair-swap", "d")])

    assert capsys.readouterr().out.splitlines() == [
        "verdict  case           reason",
        "PASS     p15            a",
        "                        bc",
        "X        p26:pair-swap  d",
    ]


def test_the_widest_column_is_folded_where_there_is_no_room(capsys):
    """Between words, and inside of a word that is wider than its column; Korean letters take two columns."""
    Screen(32).table(HEADS, ROWS)

    assert capsys.readouterr().out.splitlines() == [
        "verdict  case  reason",
        "PASS     p15",
        "FINDING  p26   some words and",
        "               a_long_word_witho",
        "               ut_end",
        "               and 커널이 지켜야",
        "               할 약속",
    ]


def test_names_and_values_have_no_head(capsys):
    Screen().table((), [("python", "3.11"), ("max", "26.7.0")])

    assert capsys.readouterr().out == "python  3.11\nmax     26.7.0\n"


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}], ids=str)
def test_verdicts_have_colours_where_the_terminal_has_some(capsys, monkeypatch, plain):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in plain.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Screen(80).table(HEADS, ROWS)

    shown = capsys.readouterr().out
    assert ("\x1b[32mPASS" in shown, "\x1b[1;31mFINDING" in shown, "\x1b[1mcase" in shown) == (not plain,) * 3
    assert "\x1b" not in shown or plain == {}
