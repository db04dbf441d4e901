"""Ops that torch calls: the graph that a `CustomOpLibrary` makes is read as MAX writes it, and asserted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.build.graph_reading import compare_graph
from harness.build.graph_stage import GraphRecording
from harness.cases import python_graph
from harness.cases.python_graph import GraphVerdict, check_case_graph, merge_graph_verdict
from harness.catalogue import find_case
from harness.errors import CompileError, PythonError
from harness.model.frames import blank_regions
from harness.model.project import installed_version
from harness.model.report import CaseReport
from harness.model.sources import MOJO, Sources
from harness.process.box import SandboxPool, choose_strongest

P20 = find_case("p20")
FILE = MOJO / "p20" / "solution.py"
PYTHON = FILE.read_text(encoding="utf-8")
_CALL = 'mo.custom [symbol = "conv1d", parameters = {conv_size = 4 : index, input_size = 15 : index}](%arg1, %arg2)'
GRAPH = f"""mo.graph @conv1d(%arg0: !mo.buffer<[15], f32>, %arg1: !mo.tensor<[15], f32>, %arg2: !mo.tensor<[4], f32>) {{
  %0 = mo.chain.create()
  %1 = {_CALL} : (!mo.tensor<[15], f32>, !mo.tensor<[4], f32>) -> !mo.tensor<[15], f32>
  %2 = rmo.mo.mutable.store(%arg0, %1, %0) : (!mo.buffer<[15], f32>, !mo.tensor<[15], f32>, !mo.chain) -> !mo.chain
  mo.output
}}
"""
STORE = GRAPH.splitlines()[3]
RIGHT = GraphRecording(graphs=(GRAPH,), lines=((),), executed=((0, 1),), returned=(-1,))


def found(**changed):
    """The ids of what is wrong with what a box told."""
    return [told.id for told in compare_graph(P20.graph, P20.instance(32), "cpu", FILE, replace(RIGHT, **changed))]


def test_a_graph_that_fills_its_callers_tensor_is_read():
    assert found() == []


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("(%arg1, %arg2)", "(%arg2, %arg1)", "graph.operands"),
        ('"conv1d"', '"other"', "graph.op"),
        ("conv_size = 4", "conv_size = 3", "graph.parameter"),
        ("%arg0, %1, %0", "%arg0, %arg1, %0", "graph.output"),
        (STORE, "", "graph.unreadable"),
        (STORE, f"{STORE}\n{STORE}", "graph.more"),
        (STORE, STORE.replace("mutable.store", "mutable.store.slice"), "graph.more"),
        (STORE, STORE.replace("buffer<[15]", "buffer<[16]"), "graph.more"),
        (STORE, f"  %9 = rmo.add(%1, %1) : (!mo.tensor<[15], f32>) -> !mo.tensor<[15], f32>\n{STORE}", "graph.more"),
    ],
)
def test_another_graph_is_told(was, now, told):
    assert GRAPH.count(was) == 1 and found(graphs=(GRAPH.replace(was, now),)) == [told]


def test_what_is_done_with_it_is_told():
    assert found(graphs=(), executed=(), returned=(None,)) == ["graph.uncalled"]
    assert found(returned=(None,)) == ["graph.unfilled"]
    assert found(executed=((1, 0),)) == ["graph.operands"]
    assert found(executed=((0, 1), (0, 1))) == ["graph.executed"]


@pytest.fixture
def no_torch(monkeypatch):
    monkeypatch.setattr(python_graph, "installed_version", lambda _: "")
    monkeypatch.setattr(python_graph, "check_graph", lambda *_: pytest.fail("it is run"))


@pytest.mark.slow
def test_without_torch_the_kernels_are_judged_and_the_rest_is_said(no_torch, tmp_path):
    graph = check_case_graph(P20, FILE, None, 32, Cache(tmp_path), choose_strongest())
    assert (graph.verdict, [told.id for told in graph.findings]) == ("PASS", ["graph.no-torch"])
    right = CaseReport(
        case="p20", target="t", backend="simulator", device="d", verdict="PASS", launches=(), datasets=()
    )
    report = merge_graph_verdict(right, graph, P20)
    assert report.ok and [told.id for told in report.findings] == ["graph.no-torch"]


@pytest.mark.slow
def test_without_torch_python_that_nobody_filled_in_does_not_pass(no_torch, tmp_path):
    graph = check_case_graph(P20, FILE, blank_regions(PYTHON), 32, Cache(tmp_path), choose_strongest())
    assert graph.verdict == "FINDING"


CALL = "conv1d(output_tensor, input_tensor, kernel_tensor)"
WRONG = {
    "right": (CALL, CALL, []),
    "swapped": (CALL, "conv1d(output_tensor, kernel_tensor, input_tensor)", ["graph.operands"]),
    "parameter": ('"conv_size": kernel_tensor.shape[0]', '"conv_size": 3', ["graph.parameter"]),
    "computes": ("return output_tensor", "return output_tensor + 1", ["graph.unfilled"]),
    "not-called": (CALL, "output_tensor = torch.zeros(15)", ["graph.uncalled"]),
    "longer": ("empty_like(input_tensor)", "empty(16)", ["graph.type"]),
    "writes": (CALL, "open('x', 'w')", ["run.no-graph"]),
}


@pytest.fixture(scope="module")
def judged() -> dict[str, GraphVerdict]:
    """What became of each, in boxes that stay warm."""
    with SandboxPool(choose_strongest()) as boxes:
        return {
            name: check_case_graph(P20, FILE, PYTHON.replace(was, now), 32, Cache.default(), boxes)
            for name, (was, now, _) in WRONG.items()
        }


@pytest.mark.slow
@pytest.mark.skipif(
    toolchain.find_mojo() is None or not installed_version("max") or not installed_version("torch"),
    reason="MAX and torch are not both installed here",
)
@pytest.mark.parametrize("name", WRONG)
def test_pythons_call_is_judged_where_torch_is(name, judged):
    assert [told.id for told in judged[name].findings] == WRONG[name][2], judged[name].findings


def test_the_op_is_handed_out_whole_and_its_call_is_not():
    kernels, python = Sources().learner_files(P20)
    assert kernels.original == Path(kernels.path).read_text() and python.original == blank_regions(PYTHON) != PYTHON


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("TypeError: unsupported operand", PythonError),
        ("ValueError: no such op", PythonError),
        ("SyntaxError: invalid", CompileError),
    ],
)
def test_python_that_ends_with_an_exception_is_told_apart_from_what_is_no_python(error, kind):
    with pytest.raises(CompileError) as raised:
        found(error=error, line=7)

    assert type(raised.value) is kind and error in raised.value.diagnostics
