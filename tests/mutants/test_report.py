"""The tables of mutants are counted right, and the document has them."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from tests.mutants import report
from tests.mutants.report import Ended


def test_each_mutant_is_counted_once():
    """By target and by operator, in the order in which they come."""
    ended = [
        Ended("nvidia:sm_90", "p15", "delete-store", "killed", ""),
        Ended("nvidia:sm_90", "p26", "delete-store", "equivalent", ""),
        Ended("amd:gfx942", "p15", "by hand", "survived", ""),
    ]
    lines = report.totals(ended).splitlines()

    assert "| nvidia:sm_90 | 1 | 1 | 0 |" in lines and "| amd:gfx942 | 0 | 0 | 1 |" in lines
    assert "| delete-store | 1 | 1 | 0 |" in lines and "| by hand | 0 | 0 | 1 |" in lines
    assert lines.count("| all | 1 | 1 | 1 |") == 2


def test_a_survivor_fails_the_report_and_is_named(monkeypatch, capsys):
    survivor = Ended("nvidia:sm_90", "p15", "by hand", "survived", "p15-nothing: PASS")
    monkeypatch.setattr(report, "automatic", list)
    monkeypatch.setattr(report, "handwritten", lambda: [survivor])

    assert report.main([]) == 1
    assert "survived: nvidia:sm_90 p15 p15-nothing: PASS" in capsys.readouterr().out
    monkeypatch.setattr(report, "handwritten", list)
    assert report.main([]) == 0


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_document_shows_what_became_of_them():
    """`nox -s mutants -- --write` writes it."""
    assert report.totals([*report.automatic(), *report.handwritten()]) in report.DOCUMENT.read_text()
