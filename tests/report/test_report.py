"""What programs and pages read: JUnit totals, text that XML cannot hold, and GitHub's summary."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from harness.model.case import Launch
from harness.model.report import CaseReport, DatasetReport, Plan, RunReport
from harness.model.target import Target
from harness.report import console, junit


def report(verdict: str, *datasets: DatasetReport, reason: str = "") -> RunReport:
    case = CaseReport(
        case="p15",
        target="nvidia:sm_90",
        backend="simulator",
        device="d",
        verdict=verdict,
        reason=reason,
        launch=Launch(grid=(1, 1, 1), block=(1, 1, 1)),
        datasets=datasets,
    )
    return RunReport(plan=Plan(Target.parse("nvidia"), "simulator", "D", ""), kernels="k", cases=(case,))


PASSED = DatasetReport("documented", "PASS")
WRONG = DatasetReport("one-hot", "MISMATCH", "expected 1, got 2")


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


def test_the_summary_is_a_row_for_each_case(tmp_path, monkeypatch):
    """Appended, as other steps write there too; a bar in a reason does not end its cell."""
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    console.step_summary(report("MISMATCH", PASSED, WRONG, reason="a | b\nc"))
    console.step_summary(report("SKIPPED", reason="no clusters"))

    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert "| MISMATCH | `p15` | 1/2 | a \\| b c |" in lines
    assert "| SKIPPED | `p15` | - | no clusters |" in lines
    assert [lines[number - 1] for number, line in enumerate(lines) if line.startswith("###")][1] == ""


def test_a_summary_that_cannot_be_written_costs_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    console.step_summary(report("PASS", PASSED))

    assert capsys.readouterr().err == f"no summary at {tmp_path}: Is a directory\n"
