"""A case is right if its kernels and its graph are; each says what is wrong with it."""

from dataclasses import replace

import numpy as np
import pytest

from harness.backends.launch import outcome
from harness.backends.protocol import LaunchReply
from harness.cases import python_graph, runner
from harness.cases.case_run import run_case
from harness.cases.frame_check import behind, in_front_of
from harness.cases.python_graph import Checked, checked, with_graph
from harness.cases.runner import Runner
from harness.catalogue import CASES, case
from harness.errors import CompileError, CompileTimeout, UsageError
from harness.model.case import Graph
from harness.model.frames import blank
from harness.model.given import Blank
from harness.model.messages import finding
from harness.model.report import CaseReport, DatasetReport, Plan
from harness.model.sizes import OtherSize
from harness.model.sources import MOJO, Sources
from harness.model.target import Target

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


P17 = case("p17")


class Executing:
    """Stands in for MAX: gives what the graph's op is to give, after a launch."""

    name, device, executes_kernel = "max", "a GPU", True

    def __init__(self, block: int, off: float = 0.0) -> None:
        self.block, self.off, self.asked = block, off, []

    def launch(self, request):
        self.asked.append(request)
        traced = (("p17_conv1d_kernel_0", (2, 1, 1), (self.block, 1, 1)),)
        right = P17.expected(request.dataset, 32)["output"].astype(np.float32) + np.float32(self.off)
        arrays = {name: request.dataset.inputs[name] for name in ("input", "kernel")} | {"output": right}
        return outcome(request, [LaunchReply(arrays, traced, 0.1)])


@pytest.mark.parametrize(
    ("backend", "verdict", "told"),
    [
        (Executing(15), "PASS", []),
        (Executing(8), "MISMATCH", ["check.made.other"]),
        (Executing(15, 1), "MISMATCH", None),
    ],
    ids=["as documented", "another block", "other values"],
)
def test_an_executed_graph_is_judged_by_results_and_launches(backend, verdict, told):
    plan = Plan(Target.parse("nvidia:sm_90"), "max", "a GPU", "it is here")
    report = run_case(P17, plan, backend, data_seed=7)
    assert report.verdict == verdict
    assert told is None or [finding.id for finding in report.findings] == told
    # What the op is called with besides, for a longer vector, no graph takes.
    assert {tensor.name for request in backend.asked for tensor in request.instance.tensors} == {
        "output",
        "input",
        "kernel",
    }


@pytest.mark.parametrize(
    "puzzle", dict.fromkeys(entry.puzzle for entry in CASES if entry.graph and entry.graph.given == Blank())
)
def test_python_is_handed_out_blank_beside_its_kernels(puzzle, tmp_path):
    entry = next(entry for entry in CASES if entry.puzzle == puzzle)
    kernels, python = Sources().parts(entry)
    assert (MOJO / puzzle / "problem.py").read_text() == python.handed_out == blank(python.path.read_text())
    (tmp_path / "mine.mojo").write_text(kernels.path.read_text())
    (tmp_path / "mine.py").write_text(python.handed_out)
    mine = Sources(overrides={puzzle: tmp_path / "mine.mojo"})
    (told,) = in_front_of((WRONG,), entry, mine)
    assert told.id == "frame.unfilled" and f"{tmp_path}/mine.py:" in told.values["place"]
    (tmp_path / "mine.py").write_text(python.path.read_text().replace("graph.output", "graph . output"))
    assert [finding.id for finding in behind((), entry, mine)] == []
    (tmp_path / "mine.py").write_text(python.path.read_text().replace("from pathlib", "import os\nfrom pathlib"))
    assert [finding.id for finding in behind((), entry, mine)] == ["frame.outside"]


def test_python_may_be_handed_out_whole():
    kernels, python = Sources().parts(case("p19"))
    assert python.handed_out == python.path.read_text() and kernels.handed_out != kernels.path.read_text()


def test_the_graph_is_asserted_at_the_documented_size(monkeypatch, sources):
    """The Python has no other: a small size is the simulator's own business."""
    asked = []
    monkeypatch.setattr(python_graph, "graph_of", lambda case, *_: asked.append(case) or Checked("PASS"))
    monkeypatch.setattr(runner, "device_code", lambda *_, **__: {})
    entry = replace(CASE, small=replace(CASE, resized=OtherSize("SIZE", 2, 4)))
    with Runner([entry], Plan(Target.parse("nvidia:sm_90"), "simulator", "", ""), sources):
        assert asked == [entry]
