"""What the documents' own check lets pass, as their readers reported: each has its finding at its line."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.model.report import CaseReport
from harness.model.sources import Sources
from tests import compiled
from tests.puzzles.forms import together
from tests.puzzles.reported import REPORTED, parts, written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture(scope="module")
def reports() -> dict[str, tuple[CaseReport, str]]:
    """What the wrong kernels and the mended ones come to, and their files; all compiled with others."""
    plan = pipeline.plan("nvidia:sm_90", "simulator")
    together()
    for entry, file in written():
        compiled.put(compiled.levels(parts(entry, file, plan.target)), entry, file, plan.target)
    files = {entry.puzzle: file for entry, file in written()}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    run = pipeline.run([entry for entry, _ in written()], plan=plan, sources=Sources("problems", files, texts))
    return {report.case: (report, texts[report.case]) for report in run.cases}


@pytest.mark.parametrize("name", REPORTED)
def test_a_kernel_that_the_documents_let_pass_is_found_at_its_line(reports, name):
    wrong, reported = reports[f"{name}-wrong".replace("-", "_")], REPORTED[name]
    report, lines = wrong[0], wrong[1].split("\n")
    first = report.findings[0]

    assert report.verdict == ("MISMATCH" if reported.finding == "check" else "FINDING"), report.reason
    assert first.kind == reported.finding and report.decisive.name == "documented"
    assert reported.at in {lines[site.line - 1].strip() for site in first.sites}


@pytest.mark.parametrize("name", REPORTED)
def test_the_mended_kernel_passes(reports, name):
    report, _ = reports[f"{name}-mended".replace("-", "_")]
    assert (report.verdict, report.reason) == ("PASS", "")
