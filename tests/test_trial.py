"""What a trial of a pair of MAX and Mojo reports, read from reports that lie here: nothing is run."""

from __future__ import annotations

import json

import pytest

from harness.build import versions
from tests import trial
from tests.pairs import NEEDS, limits_of
from tests.programs.expectation import RUNS

RUN = {
    "cases": [
        {"case": "p01", "verdict": "PASS", "reason": "", "findings": []},
        {"case": "p20", "verdict": "SKIPPED", "reason": "no torch", "findings": []},
        {
            "case": "p17",
            "verdict": "COMPILE_ERROR",
            "reason": "",
            "findings": [
                {
                    "message": "mojo/p17/solution.mojo does not compile",
                    "items": [
                        "mojo/p17/solution.mojo:74:15: error: invalid call | to '__setitem__'",
                        "  output[i] = 1",
                    ],
                }
            ],
        },
        {"case": "p34:reduction", "verdict": "MISMATCH", "reason": "output[0] is 1", "findings": []},
    ]
}
PROGRAMS = """<testsuites><testsuite>
<testcase classname="tests.programs.test_programs" name="test_a_program_prints_and_ends_as_it_says[softmax-nvidia]"/>
<testcase classname="tests.programs.test_programs" name="test_a_program_prints_and_ends_as_it_says[histogram-nvidia]">
<failure message="harness.errors.CompileError: histogram.mojo does not compile&#10;second line">a traceback</failure>
</testcase></testsuite></testsuites>"""
TESTS = """<testsuites><testsuite>
<testcase classname="tests.simt.test_run" name="test_a"/>
<testcase classname="tests.simt.test_run" name="test_b"><skipped message="no GPU"/></testcase>
<testcase classname="tests.build.test_mlir" name="test_c"><error message="cannot import"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    (tmp_path / "programs.xml").write_text(PROGRAMS)
    (tmp_path / "quick.xml").write_text(TESTS)
    return tmp_path


def test_what_broke_is_reported_by_puzzle_program_and_test(folder, capsys):
    assert trial.main([str(folder), "--read"]) == 1

    told = capsys.readouterr().out
    assert told.rstrip("\n") == (folder / "report.md").read_text().rstrip("\n")
    lines = told.splitlines()
    assert [line for line in lines if line.startswith("- ") and "not run" not in line] == [
        "- puzzles: 1 of 3 pass",
        "- programs: 1 of 2 pass",
        "- tests: 1 of 2 pass",
    ]
    rows = [line for line in lines if line.startswith("| ") and "---" not in line and "verdict" not in line]
    assert rows == [
        "| p17 | COMPILE_ERROR | mojo/p17/solution.mojo:74:15: error: invalid call \\| to '__setitem__' |",
        "| p34:reduction | MISMATCH | output[0] is 1 |",
        "| histogram | failure | harness.errors.CompileError: histogram.mojo does not compile |",
        "| tests.build.test_mlir.test_c | error | cannot import |",
    ]


def test_a_step_without_a_report_is_no_success(folder):
    (folder / "quick.xml").unlink()
    (folder / "run.json").write_text('{"cases": [')

    assert trial.main([str(folder), "--read"]) == 1
    told = (folder / "report.md").read_text()
    assert "- puzzles: ended without a report" in told and "- tests: ended without a report" in told


def test_all_well(folder):
    (folder / "run.json").write_text(json.dumps({"cases": RUN["cases"][:2]}))
    (folder / "programs.xml").write_text(
        PROGRAMS.partition("<testcase classname")[0] + "<testcase name='a[b]'/></testsuite></testsuites>"
    )
    (folder / "quick.xml").write_text(TESTS.replace('<error message="cannot import"/>', ""))

    assert trial.main([str(folder), "--read"]) == 0
    assert "What broke" not in (folder / "report.md").read_text()


def test_nothing_that_ran_is_no_success(folder):
    (folder / "run.json").write_text('{"cases": []}')
    assert not trial.read_puzzles(folder / "run.json").ok


def test_there_are_ten_programs_that_have_an_expectation():
    known = {str(run).removesuffix("-nvidia") for run in RUNS if run.vendor == "nvidia"}
    assert len(set(trial.TEN)) == 10 and set(trial.PROGRAMS) <= known


@pytest.mark.parametrize("pair", versions.PAIRS, ids=str)
def test_each_tested_pair_can_run_ten(pair):
    assert not {program for program, _ in limits_of(pair)} & {name.partition("-")[0] for name in trial.TEN}


def test_a_program_that_a_pair_cannot_run_is_named_with_why(monkeypatch, tmp_path):
    limit = versions.Limit("programs that use it do not compile", "it moved")
    monkeypatch.setitem(NEEDS, limit.what, ("softmax",))
    monkeypatch.setattr(versions, "installed_pair", lambda: versions.ReleasePair("1", "1", (limit,)))

    *_, programs, _ = trial.steps(tmp_path)
    assert not any("[softmax-nvidia]" in word for word in programs) and any(
        "[atomics-nvidia]" in word for word in programs
    )
    told = trial.report("", (), trial.left_out())
    assert "- not run: softmax (MAX 1 with Mojo 1: programs that use it do not compile (it moved))" in told
