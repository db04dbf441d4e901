"""What programs and people read of a run: each finding once, and a right answer as right."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from harness.model.messages import make_finding
from harness.model.report import ClaimReport, DatasetReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.programs import Execution
from harness.report import console, json_report, junit, programs, sarif, screen
from harness.simt.findings import Finding, SourceLocation
from tests.report.reports import PASSED, WRONG, report

UNKEPT = ClaimReport(
    "one writer",
    "1",
    "8",
    make_finding("promise.output_writers", "information", sentence="one writer", measured=8, why="elect one"),
)
RACE = make_finding("check.unstable", argument="output", runs=8)
REDUNDANT = Finding(
    "redundant-barrier.one", "information", sites=(SourceLocation("<unknown>", 0, 0, "call void @barrier()"),)
)
RACY = DatasetReport("documented", "FINDING", (RACE, REDUNDANT))
SOLUTIONS, PROBLEMS = Sources(), Sources("problems")


@pytest.mark.parametrize(
    ("of", "totals"),
    [
        (report("PASS", PASSED), {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"}),
        (report("MISMATCH", PASSED, WRONG), {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}),
        (report("FINDING", RACY), {"tests": "1", "failures": "1", "errors": "0", "skipped": "0"}),
        (report("COMPILE_ERROR", reason="no"), {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}),
        (report("COMPILE_ERROR", PASSED, reason="no graph"), {"tests": "2", "failures": "0", "errors": "1"}),
        (report("FINDING", PASSED, findings=(RACE,)), {"tests": "2", "failures": "1", "errors": "0"}),
        (report("SKIPPED", reason="no clusters"), {"tests": "1", "failures": "0", "errors": "0", "skipped": "1"}),
        (
            report("PASS", PASSED, claims=(UNKEPT,), sources=SOLUTIONS),
            {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"},
        ),
        (
            report("PASS", PASSED, claims=(UNKEPT,), sources=PROBLEMS),
            {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"},
        ),
    ],
)
def test_junit_totals_are_those_of_its_tests(of, totals):
    """A race is a failure; the promises of a solution are a test of their own, those of a learner's kernel none.

    A wrong graph beside kernels that are right on all data sets is a test of its own, too.
    """
    suite = junit.tree(of).getroot().find("testsuite")

    assert {name: suite.get(name) for name in totals} == totals


def test_junit_is_xml_whatever_the_compiler_says(tmp_path):
    """Escape codes and other control characters have no place in XML 1.0; all else stays."""
    said = "\x1b[31merror\x1b[0m: a < b & \x00 \ufffe ✅\nline 2"
    junit.write(tmp_path / "run.xml", report("COMPILE_ERROR", reason=said))

    error = ElementTree.parse(tmp_path / "run.xml").getroot().find(".//error")
    assert error.get("message") == "\\x1b[31merror\\x1b[0m: a < b & \\x00 ? ✅; line 2"


def test_junit_has_a_finding_whole():
    """One line for a list, and all of it inside."""
    failure = junit.tree(report("FINDING", RACY)).getroot().find(".//failure")

    assert failure.get("message") == "output differs between 8 runs on the same inputs"
    assert failure.text.splitlines()[0] == "Unstable result (check.unstable)"
    assert "Redundant" not in failure.text


@pytest.mark.parametrize("width", [80, 240])
def test_a_finding_is_printed_once(width, monkeypatch, capsys):
    """With and without a terminal; what is for information only beside an answer that is right."""
    monkeypatch.setattr(screen, "PLAIN_WIDTH", width)
    console.print_run(report("FINDING", RACY, findings=RACY.findings))
    out = capsys.readouterr().out

    assert out.count("differs between 8 runs") == 1
    assert "p15: FINDING on data set documented; 0 of 1 data sets right" in out
    assert "Redundant" not in out


@pytest.mark.parametrize(("sources", "told"), [(SOLUTIONS, False), (PROBLEMS, True)], ids=["solution", "problem"])
def test_remarks_are_for_those_whose_kernel_it_is(sources, told, capsys):
    """The reference is as it should be, and a remark on it looks like a fault."""
    console.print_run(report("PASS", PASSED, findings=(REDUNDANT,), sources=sources))

    assert ("this barrier is redundant on this data" in capsys.readouterr().out.lower()) is told


@pytest.mark.parametrize(("sources", "code"), [(SOLUTIONS, 1), (PROBLEMS, 0), (None, 0)])
def test_a_right_answer_another_way_passes(sources, code, capsys):
    """And is told what the puzzle asks for, and why; only the documents' own solutions must keep it."""
    of = report("PASS", PASSED, claims=(UNKEPT,), sources=sources)
    console.print_run(of)
    out = capsys.readouterr().out

    assert of.exit_code == code
    assert "The answer is right." in out and "no case passed" not in out
    assert "- One writer; in this kernel 8 threads write it.\n      Why: elect one." in out
    (record,) = json_report.run(of)["cases"][0]["claims"]
    assert (record["holds"], record["unkept"]["id"]) == (False, "promise.output_writers")


@pytest.mark.parametrize(("more", "told"), [({}, True), ({"instructions": 9}, False)], ids=["in part", "whole"])
def test_counters_that_are_left_out_are_told(more, told, capsys):
    console.print_run(report("PASS", PASSED, counters=({"steps": 3, "lanes": 4} | more,)), counters=True)

    assert ("Machine code cannot count the rest of it" in capsys.readouterr().out) is told


def test_a_run_without_a_right_answer_says_so(capsys):
    console.print_run(report("MISMATCH", WRONG))
    assert capsys.readouterr().out.splitlines()[-1] == "1 MISMATCH: no case passed"


def test_json_has_every_finding_with_its_parts():
    """For the case and for each data set: id, words and parameters."""
    case = json_report.run(report("FINDING", PASSED, RACY, findings=RACY.findings))["cases"][0]
    race = case["findings"][0]

    assert [dataset["findings"] for dataset in case["datasets"]] == [[], case["findings"]]
    assert (race["id"], race["values"], race["argument"]) == ("check.unstable", {"runs": 8}, "output")
    assert race["message"] == "output differs between 8 runs on the same inputs"
    assert race["remedy"] and case["reason"] == "documented: " + race["message"]


def test_a_reason_names_files_from_the_current_folder(tmp_path, monkeypatch):
    """What a compiler says, and where a finding stands, as the text for people does."""
    monkeypatch.chdir(tmp_path)
    raced = Finding("livelock", "error", "k", (SourceLocation(f"{tmp_path}/p15.mojo", 3, 6, "br label %1"),))
    said = f"{tmp_path}/p15.mojo does not compile\n{tmp_path}/p15.mojo:7:1: error: no"

    uncompiled = json_report.run(report("COMPILE_ERROR", reason=said))["cases"][0]["reason"]
    assert uncompiled == "p15.mojo does not compile; p15.mojo:7:1: error: no"
    ran = json_report.run(report("FINDING", DatasetReport("documented", "FINDING", (raced,))))["cases"][0]
    assert " at p15.mojo:3:6" in ran["reason"] and ran["datasets"][0]["reason"] in ran["reason"]


def test_json_is_utf_8_wherever_it_is_written(tmp_path):
    """Names of files may hold bytes that are no characters."""
    json_report.write(tmp_path / "r.json", {"text": "épée \udcff"})
    assert (tmp_path / "r.json").read_bytes().decode("utf-8").count("épée \\udcff") == 1
    assert json_report.text({"text": "épée"}).isascii()


def test_what_a_kernel_prints_does_nothing(capsys):
    """Each line stands behind a bar; a flood is cut."""
    console.print_kernel_output(("a\n::error::b\n", "\x1b[2J", *["x"] * 1000))
    lines = capsys.readouterr().err.splitlines()

    assert lines[1:4] == ["    | a", "    | ::error::b", "    | \\x1b[2J"]
    assert lines[-1] == "    and 803 more lines"


def test_junit_of_programs_names_each_once_and_says_all_of_it(tmp_path, monkeypatch):
    """Two of one name in two folders are two tests; all errors of a compiler are there, and what is shown elsewhere."""
    source = tmp_path / "b" / "sum.mojo"
    source.parent.mkdir()
    source.write_text("def k():\n    var s = stack_allocation[4, Int, SHARED]()\n    s[0] = 1\n")
    place = SourceLocation(str(source), 3, 6, "store i32 1, ptr %p")
    hang = Finding("livelock", "error", "k", (place,))
    ran = {"target": Target.parse("nvidia"), "backend": "simulator"}
    monkeypatch.chdir(tmp_path)
    said = f"{tmp_path}/a/sum.mojo:1:1: error: no\n{tmp_path}/a/sum.mojo:2:1: error: nor this"
    executions = [
        Execution(file=tmp_path / "a" / "sum.mojo", status=1, diagnostics=said, **ran),
        Execution(file=source, status=0, findings=(hang,), **ran),
    ]

    show = programs.renderer(executions)
    junit.write_programs(tmp_path / "report.xml", executions, show)

    tests = ElementTree.parse(tmp_path / "report.xml").getroot().findall("testsuite/testcase")
    assert len({(test.get("classname"), test.get("name")) for test in tests}) == 2
    shown = "a/sum.mojo:1:1: error: no\na/sum.mojo:2:1: error: nor this"
    assert tests[0].find("error").text == shown
    assert programs.summarise(executions)[0]["reason"] == shown.splitlines()[0]
    assert programs.as_dict(executions)["programs"][0]["reason"] == shown.splitlines()[0]
    assert list(programs.format_execution(executions[0])) == ["error: a/sum.mojo does not compile", *shown.splitlines()]
    (result,) = sarif.document(sarif.of_programs(executions[:1]), show, root=tmp_path)["runs"][0]["results"]
    assert result["message"]["text"] == f"a/sum.mojo does not compile\n{shown}"
    assert tests[1].find("failure").get("message") == show.line(hang) == programs.summarise(executions)[1]["reason"]
    assert programs.as_dict(executions)["programs"][1]["reason"] == show.line(hang)
