"""Files that are handed out wrong have their findings, each at its line; mended ones and complete ones have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.catalogue import CASES, PUZZLES
from harness.model.case import Case
from harness.model.frames import count_regions
from harness.model.handout import Blank, Complete, Predict, Wrong
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.report.findings import format_case, make_renderer
from tests import compiled

WRONG = [case for case in CASES if isinstance(case.handout, Wrong)]
# Where kernels are complete the Python may still be blank.
WHOLE = [case for case in CASES if not isinstance(case.handout, Blank) and not case.graph]
TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")

needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
targets = pytest.mark.parametrize(
    "target", [TARGETS[0], *(pytest.param(other, marks=pytest.mark.full) for other in TARGETS[1:])], scope="module"
)


@pytest.fixture(scope="module")
def handed_out(target: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, CaseReport]:
    """What every file that is handed out wrong or complete comes to as it is, by case; all compiled together."""
    folder = tmp_path_factory.mktemp("given")
    files: dict[str, Path] = {}
    for case in WHOLE:
        files[case.puzzle] = folder / f"{case.puzzle}.mojo"
        files[case.puzzle].write_text(Sources().original_text(case))
    run = pipeline.run(WHOLE, plan=pipeline.plan(target, "simulator"), sources=Sources("problems", files))
    return {report.case: report for report in run.cases}


def lines(case: Case) -> dict[str, int]:
    """By id the line of the problem at which each finding must stand."""
    text = Sources().original_text(case)
    assert all(text.count(place) == 1 for place in case.handout.findings.values())
    return {id: text.count("\n", 0, text.index(place)) + 1 for id, place in case.handout.findings.items()}


@needs_mojo
@pytest.mark.slow
@targets
@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.id)
def test_what_is_handed_out_wrong_has_its_findings_at_their_lines(handed_out, case):
    report = handed_out[case.id]
    told = [finding for finding in report.findings if finding.severity != "information"]

    assert report.verdict in ("FINDING", "MISMATCH") and report.decisive.name == "documented"
    assert {finding.id: finding.sites[0].line for finding in told} == lines(case)


@needs_mojo
@pytest.mark.slow
@targets
def test_memory_that_the_host_makes_is_named_by_its_turn(handed_out):
    """The result, the input, and then the buffer of no elements that the file is handed out with."""
    said = "\n".join(format_case(handed_out["p09:first-case"], make_renderer()))
    assert "Invalid global read of 4 bytes in buffer 2, which has 0 elements" in said


@needs_mojo
@pytest.mark.slow
@targets
@pytest.mark.parametrize("case", [case for case in WHOLE if case not in WRONG], ids=lambda case: case.id)
def test_what_is_handed_out_complete_passes_as_it_is(handed_out, case):
    """But for its questions, which nobody has answered."""
    report = handed_out[case.id]
    if isinstance(case.handout, Predict) and report.verdict != "SKIPPED":
        assert {finding.id for finding in report.findings} == {"predict.open"}
        assert report.verdict == "FINDING" and report.passed == len(report.datasets)
    else:
        assert report.verdict in ("PASS", "SKIPPED")


@needs_mojo
@pytest.mark.slow
@targets
def test_what_is_mended_has_no_finding(target):
    compiled.solutions()
    run = pipeline.run(WRONG, plan=pipeline.plan(target, "simulator"), sources=Sources())
    assert {report.case: (report.verdict, report.findings) for report in run.cases} == dict.fromkeys(
        [case.id for case in WRONG], ("PASS", ())
    )


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_cases_of_a_file_are_given_alike(puzzle):
    """And only what is given blank has regions."""
    own = [case for case in CASES if case.puzzle == puzzle]
    texts = {Sources().original_text(case) for case in own}
    solution = Sources().kernel_file(own[0]).read_text()

    assert len(texts) == 1 and bool(count_regions(solution)) == isinstance(own[0].handout, Blank)
    if isinstance(own[0].handout, Complete):
        assert texts == {solution}


def test_a_solution_that_an_edit_does_not_fit_is_refused():
    for edits, times in (({"c": "d"}, 0), ({"a": "b"}, 2)):
        with pytest.raises(ValueError, match=f"has it {times} times"):
            Wrong(edits, {}).problem("a = a")
    assert Wrong({"a =": "b ="}, {}).problem("a = a") == "b = a"
