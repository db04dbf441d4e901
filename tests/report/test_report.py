"""What programs read: JUnit totals, and text that XML cannot hold."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from harness.report import junit
from tests.report.reports import PASSED, WRONG, report


@pytest.mark.parametrize(
    ("of", "totals"),
    [
        (report("PASS", PASSED), {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"}),
        (report("MISMATCH", PASSED, WRONG), {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}),
        (report("FINDING", PASSED, reason="a race"), {"tests": "2", "failures": "0", "errors": "1", "skipped": "0"}),
        (report("SKIPPED", reason="no clusters"), {"tests": "1", "failures": "0", "errors": "0", "skipped": "1"}),
    ],
)
def test_junit_totals_are_those_of_its_tests(of, totals):
    """A verdict of the case itself, beside data sets that passed, counts as a test too."""
    suite = junit.tree(of).getroot().find("testsuite")

    assert {name: suite.get(name) for name in totals} == totals


def test_junit_is_xml_whatever_the_compiler_says(tmp_path):
    """Escape codes and other control characters have no place in XML 1.0; all else stays."""
    said = "\x1b[31merror\x1b[0m: a < b & \x00 \ufffe ✅\nline 2"
    junit.write(tmp_path / "run.xml", report("COMPILE_ERROR", reason=said))

    error = ElementTree.parse(tmp_path / "run.xml").getroot().find(".//error")
    assert error.get("message") == "?[31merror?[0m: a < b & ? ? ✅\nline 2"
