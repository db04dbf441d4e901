"""The picture of the front page: as runs have it, in each language, and whole."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from harness.model import codec
from harness.model.report import CaseReport
from harness.model.sources import ROOT
from harness.simt.messages import LANGUAGES
from tests.generate import front

STORED = json.loads((ROOT / front.STORED).read_text(encoding="utf-8"))
REPORTS = [codec.build_record(CaseReport, report) for report in STORED["reports"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_the_race_at_both_lines_and_the_page_s_step(language):
    svg = front.picture(REPORTS, language)
    texts = [text.text or "" for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]

    assert svg == (ROOT / "docs" / f"front{'' if language == 'en' else '.ko'}.svg").read_text(encoding="utf-8")
    for place in ("p15/problem.mojo:75:18", "p15/problem.mojo:70:27", "race.shared.write-read", "$ puzzles show p15"):
        assert any(place in text for text in texts), place
    assert [text for text in texts if re.fullmatch(r"\d+", text)][-8:] == ["0", "1", "2", "3", "4", "5", "0", "0"]
    assert len(re.findall('class="flow"', svg)) == 4, "the lanes that read a partner's element"
    assert texts.count("R") == texts.count("↷") == 4, "what they read is marked, and who skips the line"
    widest = max(map(len, texts))
    assert 60 < widest <= 112, "the terminal's lines end within it"


def test_what_is_stale_is_told_and_not_drawn(tmp_path):
    (tmp_path / front.STORED).parent.mkdir(parents=True)
    (tmp_path / front.STORED).write_text(json.dumps({**STORED, "from": "another"}))

    (file,) = front.generated(tmp_path, compile_stale=False)

    assert file.stale and file.text == ""


@pytest.mark.full
def test_what_is_stored_is_what_a_check_says():
    for report, kernel, verdict in zip(REPORTS, (front._wrong(), front._right()), ("FINDING", "PASS"), strict=True):
        told = front.judged(kernel)

        assert told.verdict == report.verdict == verdict and told.tally == report.tally
        assert told.findings == report.findings
