"""Inside a job of GitHub: the table on its page, and marks at lines, whatever a kernel makes us say."""

from __future__ import annotations

import re

import pytest

from harness.model.report import DatasetReport
from harness.report import github
from harness.simt.findings import Finding, SourceLocation
from tests.report.reports import PASSED, WRONG, report, told

SITE = SourceLocation("mojo/a, b.mojo", 29, 5, "store float %1, ptr %2")


@pytest.fixture(autouse=True)
def _no_job(monkeypatch):
    """Whatever these tests run in."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_the_summary_is_a_row_for_each_case(tmp_path, monkeypatch):
    """Appended, as other steps write there too; a bar in a reason does not end its cell."""
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    barred = DatasetReport("one-hot", "MISMATCH", (told("expected 1 | 2\nb"),))
    github.report_to_job(report("MISMATCH", PASSED, barred))
    github.report_to_job(report("SKIPPED", reason="no clusters"))

    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert "| MISMATCH | `p15` | 1/2 | one-hot: expected 1 \\| 2; b |" in lines
    assert "| SKIPPED | `p15` | - | no clusters |" in lines
    assert [lines[number - 1] for number, line in enumerate(lines) if line.startswith("###")][1] == ""


def test_a_summary_that_cannot_be_written_costs_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    github.report_to_job(report("PASS", PASSED))

    assert capsys.readouterr().err == f"no summary at {tmp_path}: Is a directory\n"


def finding(severity="error", sites=(SITE,), **values):
    return Finding("trap.silent", severity, kernel="axis_sum", sites=sites, values=values)


def test_a_finding_marks_its_line():
    """With the place in the command's own properties, where a comma and a colon mean something else."""
    (line,) = github.format_annotations(report("FINDING", PASSED, findings=(finding(),)))

    assert line.startswith("::error file=mojo/a%2C b.mojo,line=29,col=5,title=p15 on nvidia%3Asm_90%3A FINDING::")
    assert "trap" in line.rpartition("::")[2]


def test_an_error_beside_a_remark_marks_its_line():
    """A graph that is no Python, beside kernels of which something is noted."""
    error = told("p17 has no graph\nmojo/p17.py:7:1: error: invalid syntax")
    ran = report("COMPILE_ERROR", PASSED, findings=(error, finding("information")))
    lines = list(github.format_annotations(ran))

    assert any(line.startswith("::error file=mojo/p17.py,line=7,") for line in lines)


def test_an_error_of_the_compiler_marks_its_line():
    said = "p15 does not compile\nmojo/p15.mojo:7:1: error: 100% wrong\n  x = 1\n  ^\nmojo/p15.mojo:9:2: error: too"
    first, second = github.format_annotations(report("COMPILE_ERROR", reason=said))

    assert first.startswith("::error file=mojo/p15.mojo,line=7,col=1,") and first.endswith("::100%25 wrong")
    assert ",line=9,col=2," in second


def test_a_wrong_answer_without_a_line_is_told_all_the_same():
    (line,) = github.format_annotations(report("MISMATCH", WRONG))

    assert line == "::error title=p15 on nvidia%3Asm_90%3A MISMATCH::one-hot: expected 1, got 2"


@pytest.mark.parametrize("of", [report("PASS", PASSED, findings=(finding("information"),)), report("SKIPPED")])
def test_what_is_right_marks_nothing(of):
    assert list(github.format_annotations(of)) == []


def test_a_warning_is_a_warning_and_an_unknown_place_none():
    nowhere = SourceLocation("<unknown>", 0, 0, "ret void")
    given = (finding("warning"), finding("error", sites=(nowhere,)))
    (line,) = github.format_annotations(report("FINDING", PASSED, findings=given))

    assert line.startswith("::warning file=")


def test_what_a_kernel_says_is_no_command(monkeypatch, capsys):
    """A line break in a reason would let it write commands of its own."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    github.report_to_job(report("COMPILE_ERROR", reason="x\r\n::error file=README.md,line=1::forged"))
    said = capsys.readouterr().out

    assert len(re.findall("^::", said, re.MULTILINE)) == said.count("\n") == 1
    assert "::x\\r; ::error" in said


def test_nothing_is_said_outside_a_job(capsys):
    github.report_to_job(report("MISMATCH", WRONG, reason="wrong"))

    assert capsys.readouterr() == ("", "")
