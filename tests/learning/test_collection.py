"""Each collected mistake is told by its cause, at its line, with the remedy that leads on, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from harness.build import toolchain
from harness.model.report import CaseReport
from harness.model.verdict import Verdict
from tests.learning.collection import COLLECTION, NEW, REMEDIES, Entry
from tests.learning.collection.judging import faults_of
from tests.learning.collection.running import check, render

LONGEST = 20  # lines of a report
# What is told of these is right, but names another remedy, or not the line: exponentials and divisors hide what one
# input does to a result, integers are not followed, and time may run out before all inputs are tried.
MISSED = frozenset(
    {
        "p18-own-sum",
        "p18-sum-starts-too-low",
        "p19-tile-not-turned",
        "p21-axes-swapped",
        "p21-index-not-checked",
        "p22:unfused-first-scale",
        "p22:unfused-one-element-short",
        "p33:tensor-core-tile-that-stays",
    }
)
FOLLOWED = [entry for entry in COLLECTION if entry.follow is not None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.full,  # each is compiled
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture(scope="module")
def reports() -> Mapping[str, CaseReport]:
    """The reports of all mistakes, by id, from one compilation."""
    return check(COLLECTION)


@pytest.fixture(scope="module")
def after() -> Mapping[str, CaseReport]:
    """The reports after the remedies were followed, where that is not the solution again."""
    return check(FOLLOWED, followed=True)


@pytest.mark.parametrize("entry", COLLECTION, ids=lambda entry: entry.id)
def test_a_mistake_is_told_by_its_cause_at_its_line_with_its_remedy(entry: Entry, reports):
    report = reports[entry.id]

    assert report.verdict not in (Verdict.PASS, Verdict.SKIPPED)
    if entry.id not in MISSED:
        assert faults_of(entry, render(report, entry, "en"), render(report, entry, "ko")) == []


@pytest.mark.parametrize("entry", FOLLOWED, ids=lambda entry: entry.id)
def test_a_remedy_that_is_followed_leads_to_a_pass_or_to_the_next_true_mistake(entry: Entry, after):
    report = after[entry.id]

    if entry.then == "PASS":
        assert report.verdict == Verdict.PASS
    else:
        said = "\n".join(render(report, entry, "en"))
        assert any(text in said for text in REMEDIES[entry.then].english.split("|")), said


@pytest.mark.parametrize("entry", [one for one in COLLECTION if one.follow is None], ids=lambda entry: entry.id)
def test_a_remedy_that_undoes_the_mistake_leads_to_the_solution(entry: Entry):
    """Which passes, as its own tests assert; the remedy names what was changed, as the test above asserts."""
    assert entry.followed() == entry.solution != entry.source()


def test_the_first_lines_say_what_is_wrong(reports):
    """After the verdict, and after at which size and launch it ran, stands what kind of mistake it is."""
    for entry in COLLECTION:
        lines = render(reports[entry.id], entry, "en")
        assert len(lines) <= LONGEST or entry.id in MISSED, lines
        assert any("(" in line and ")" in line for line in lines[1:4]) or entry.python, lines[:4]


def test_there_are_enough_of_them():
    assert len(COLLECTION) >= 120 and len(NEW) >= 40 and len({entry.id for entry in COLLECTION}) == len(COLLECTION)
    known = {entry.id for entry in COLLECTION}
    assert len(known) >= 20 * len(MISSED) and known >= MISSED
