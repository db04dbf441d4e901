"""The harness's own messages: each is used, and has what it names."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from harness.model.messages import make_finding
from harness.model.messages.en import MESSAGES
from harness.model.sources import ROOT
from harness.simt.messages import words
from tests import messages

FOLDERS = [ROOT / "harness" / name for name in ("backends", "build", "cases", "report", "cli", "learning", "model")]


def test_every_report_has_its_text_and_what_the_text_names():
    reports = [report for folder in FOLDERS for report in messages.reported(folder) if re.match(r"\w+\\?\.", report[0])]

    assert len(reports) > 50
    assert messages.complaints(reports, MESSAGES, words().terms) == []


@pytest.mark.slow
def test_every_text_is_used():
    """The promises' ids are made of the names of counters, which the catalogue gives."""
    from harness.catalogue import CASES
    from harness.model.case import CounterClaim

    counters = {claim.counter for case in CASES for claim in case.claims if isinstance(claim, CounterClaim)}
    patterns = {pattern for folder in FOLDERS for pattern in messages.mentioned(folder)}
    patterns |= {re.escape(f"promise.{name}") for name in counters}
    patterns.discard(r"promise\.[\w-]+")

    assert messages.unused([*MESSAGES, "no.such.message"], patterns) == {"no.such.message"}
    assert "promise.counter" in MESSAGES, "of counters that have no sentence of their own"


def test_a_text_is_a_sentence_without_its_end():
    assert messages.unfinished(MESSAGES) == []


def test_a_finding_is_told_in_words():
    told = make_finding("check.launch.several", launches=2, names=("a", "b"), documented=1)

    assert told.message == "the driver saw 2 launches, where the puzzle has 1: a, b"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", ["double-free", "run.compile-error", "learn.next"])
def test_each_text_is_there_whatever_else_is_imported(language, name):
    code = (
        "import harness\nfrom harness.simt.messages import words\nfrom harness.simt.findings import Finding\n"
        f"print(words({language!r}).title(Finding({name!r}, 'error')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)

    assert done.returncode == 0 and done.stdout.strip(), done.stderr


def test_what_is_not_translated_is_told_in_english(monkeypatch):
    told = make_finding("check.launch.several", launches=2, names=("a", "b"), documented=1)
    monkeypatch.delitem(words("ko").messages, told.id)

    assert words("ko").text(told) == words("en").text(told)
