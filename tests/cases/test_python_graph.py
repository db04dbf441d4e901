"""A case is right if its kernels and its graph are; each says what is wrong with it."""

from dataclasses import replace

import pytest

from harness.cases import python_graph
from harness.cases.python_graph import Checked, checked, with_graph
from harness.catalogue import CASES
from harness.errors import CompileError, CompileTimeout, UsageError
from harness.model.case import Graph
from harness.model.messages import finding
from harness.model.report import CaseReport, DatasetReport
from harness.model.sources import Sources

CASE = replace(CASES[0], graph=Graph("add", CASES[0].op, "a"))
WRONG = finding("graph.output", op="add", function="add")
RIGHT = CaseReport(
    case=CASE.id,
    target="nvidia:sm_90",
    backend="simulator",
    device="SIMT simulator",
    verdict="PASS",
    launches=(),
    datasets=(DatasetReport("documented", "PASS"),),
)


@pytest.fixture
def sources(tmp_path):
    kernels = tmp_path / "mine.mojo"
    kernels.write_text("def add():\n    pass\n")
    kernels.with_suffix(".py").write_text("def add(): ...\n")
    return Sources(overrides={CASE.puzzle: kernels})


def test_a_graph_that_is_wrong_makes_the_case_wrong():
    report = with_graph(RIGHT, Checked("FINDING", (WRONG,)), CASE)
    assert (report.verdict, report.findings, report.ok) == ("FINDING", (WRONG,), False)
    assert "what the graph of add gives is not what add gives" in report.reason


def test_kernels_that_are_wrong_come_first():
    unstable = finding("check.unstable", argument="output", runs=2)
    wrong = replace(RIGHT, verdict="MISMATCH", findings=(unstable,))
    report = with_graph(wrong, Checked("TIMEOUT", (WRONG,)), CASE)
    assert (report.verdict, report.findings) == ("MISMATCH", (unstable, WRONG))


def test_without_a_gpu_it_is_told_that_the_graph_was_not_executed():
    assert [told.id for told in with_graph(RIGHT, Checked("PASS"), CASE).findings] == ["graph.asserted"]
    assert with_graph(replace(RIGHT, backend="max"), Checked("PASS"), CASE).findings == ()
    skipped = replace(RIGHT, verdict="SKIPPED")
    assert with_graph(skipped, Checked("FINDING", (WRONG,)), CASE) is skipped


@pytest.mark.parametrize(
    ("error", "verdict"),
    [(CompileError("no graph", "mine.py:1:1: error: x"), "COMPILE_ERROR"), (CompileTimeout("no end"), "TIMEOUT")],
)
def test_python_that_builds_no_graph_has_a_verdict(sources, monkeypatch, error, verdict):
    def raised(*_):
        raise error

    monkeypatch.setattr(python_graph, "check", raised)
    (made,) = checked([CASE, CASES[1]], sources, 32).values()
    assert made.verdict == verdict
    assert made.findings[0].message == str(error)


def test_a_case_with_a_graph_needs_its_python(sources, tmp_path):
    (tmp_path / "mine.py").unlink()
    with pytest.raises(UsageError, match=r"no Python file at .*mine\.py"):
        checked([CASE], sources, 32)
    (tmp_path / "mine.py").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"mine\.py is no Python file: line 1 is no text"):
        checked([CASE], sources, 32)
