"""A case is right if its kernels and its graph are; each says what is wrong with it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.backends.launch import make_outcome
from harness.backends.protocol import LaunchReply
from harness.cases import prepare, python_graph
from harness.cases.case_run import run_case
from harness.cases.frame_check import add_file_causes, add_file_remarks
from harness.cases.python_graph import GraphVerdict, check_case_graphs, merge_graph_verdict
from harness.cases.runner import Runner
from harness.catalogue import CASES, find_case
from harness.errors import CompileError, CompileTimeout, PythonError, UsageError
from harness.grading.work import is_graded
from harness.model import language as languages
from harness.model.case import Graph
from harness.model.frames import blank_regions
from harness.model.handout import Blank
from harness.model.launch_plan import LaunchPlan
from harness.model.messages import make_finding
from harness.model.report import CaseReport, DatasetReport
from harness.model.sizes import OtherSize
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.report.findings import format_case, make_renderer

CASE = replace(CASES[0], graph=Graph("add", CASES[0].op, "a"))
WRONG = make_finding("graph.output", op="add", function="add")
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
    report = merge_graph_verdict(RIGHT, GraphVerdict("FINDING", (WRONG,)), CASE)
    assert (report.verdict, report.findings, report.ok) == ("FINDING", (WRONG,), False)
    assert "the output of add's graph is not the result of add" in report.reason


@pytest.mark.parametrize("verdict", ["COMPILE_ERROR", "LAUNCH_ERROR", "TIMEOUT", "FINDING"])
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "; its kernels are right, on 1 of 1 data sets"),
        ("ko", ". 커널은 맞습니다(데이터 세트 1개 중 1개 통과)"),
    ],
)
def test_a_wrong_graph_beside_right_kernels_does_not_read_as_all_right(verdict, language, told):
    languages.set_language(language)
    try:
        lines = list(
            format_case(merge_graph_verdict(RIGHT, GraphVerdict(verdict, (WRONG,)), CASE), make_renderer(None))
        )
    finally:
        languages.set_language(None)

    assert lines[0].startswith(f"{CASE.id}: ") and lines[0].endswith(told)


def test_kernels_that_are_wrong_come_first():
    unstable = make_finding("check.unstable", argument="output", runs=2)
    wrong = replace(RIGHT, verdict="MISMATCH", findings=(unstable,))
    report = merge_graph_verdict(wrong, GraphVerdict("TIMEOUT", (WRONG,)), CASE)
    assert (report.verdict, report.findings) == ("MISMATCH", (unstable, WRONG))


def test_without_a_gpu_it_is_told_that_the_graph_was_not_executed():
    assert [told.id for told in merge_graph_verdict(RIGHT, GraphVerdict("PASS"), CASE).findings] == ["graph.asserted"]
    assert merge_graph_verdict(replace(RIGHT, backend="max"), GraphVerdict("PASS"), CASE).findings == ()
    skipped = replace(RIGHT, verdict="SKIPPED")
    assert merge_graph_verdict(skipped, GraphVerdict("FINDING", (WRONG,)), CASE) is skipped


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (CompileError("no graph", "mine.py:1:1: error: x"), "COMPILE_ERROR"),
        (PythonError("no graph", "mine.py:1:1: error: TypeError: x"), "LAUNCH_ERROR"),
        (CompileTimeout("no end"), "TIMEOUT"),
    ],
)
def test_python_that_builds_no_graph_has_a_verdict(sources, monkeypatch, error, verdict):
    def raised(*_):
        raise error

    monkeypatch.setattr(python_graph, "check_graph", raised)
    (made,) = check_case_graphs([CASE, CASES[1]], sources, 32).values()
    assert made.verdict == verdict
    assert made.findings[0].message == str(error)
    assert len(made.findings[0].values["items"]) == bool(error.diagnostics)


def test_a_case_with_a_graph_needs_its_python(sources, tmp_path):
    (tmp_path / "mine.py").unlink()
    with pytest.raises(UsageError, match=r"no Python file at .*mine\.py"):
        check_case_graphs([CASE], sources, 32)
    (tmp_path / "mine.py").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"mine\.py is no Python file: line 1 is no text"):
        check_case_graphs([CASE], sources, 32)


P17 = find_case("p17")


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
        return make_outcome(request, [LaunchReply(arrays, traced, 0.1)])


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
    plan = LaunchPlan(Target.parse("nvidia:sm_90"), "max", "a GPU", "it is here")
    report = run_case(P17, replace(plan, data_seed=7), backend)
    assert report.verdict == verdict
    assert told is None or [finding.id for finding in report.findings] == told
    assert {tensor.name for request in backend.asked for tensor in request.instance.tensors} == {
        "output",
        "input",
        "kernel",
    }


@pytest.mark.parametrize(
    "puzzle", dict.fromkeys(entry.puzzle for entry in CASES if entry.graph and entry.graph.handout == Blank())
)
def test_python_is_handed_out_blank_beside_its_kernels(puzzle, tmp_path):
    entry = next(entry for entry in CASES if entry.puzzle == puzzle)
    kernels, python = Sources().learner_files(entry)
    assert (MOJO / puzzle / "problem.py").read_text() == python.original == blank_regions(python.path.read_text())
    (tmp_path / "mine.mojo").write_text(kernels.path.read_text())
    (tmp_path / "mine.py").write_text(python.original)
    mine = Sources(overrides={puzzle: tmp_path / "mine.mojo"})
    (told,) = add_file_causes((WRONG,), entry, mine)
    assert told.id == "frame.unfilled" and f"{tmp_path}/mine.py:" in told.values["place"]
    (tmp_path / "mine.py").write_text(python.path.read_text().replace("graph.output", "graph . output"))
    assert [finding.id for finding in add_file_remarks((), entry, mine)] == []
    (tmp_path / "mine.py").write_text(python.path.read_text().replace("from pathlib", "import os\nfrom pathlib"))
    assert [finding.id for finding in add_file_remarks((), entry, mine)] == ["frame.outside"]


P20 = find_case("p20")
PYTHON = Sources().python_file(P20).read_text()
HANDED_OUT = blank_regions(PYTHON)
NO_MARKS = "\n".join(line for line in HANDED_OUT.split("\n") if "FILL ME IN" not in line)
CALL = "    conv1d(output_tensor, input_tensor, kernel_tensor)\n"


@pytest.fixture
def no_torch(monkeypatch):
    monkeypatch.setattr(python_graph, "installed_version", lambda _: "")


def read(text: str, tmp_path: Path) -> GraphVerdict:
    """What becomes of Python of puzzle 20 in the box, through the entry that graders have too."""
    (tmp_path / "p20.mojo").write_text(Sources().kernel_file(P20).read_text())
    (tmp_path / "p20.py").write_text(text)
    (made,) = check_case_graphs([P20], Sources("problems", {"p20": tmp_path / "p20.mojo"}), 32).values()
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("this is (no Python at all\n", 1, "SyntaxError"),
        (PYTHON.replace("    return output_tensor", "  return output_tensor"), 25, "IndentationError"),
        (f"{PYTHON}\nreturn 1\n", 27, "SyntaxError"),
        (PYTHON.replace("def conv1d_pytorch", "def another"), 1, "no function conv1d_pytorch"),
        (f"x = {'(' * 300}\n{PYTHON}", 1, "SyntaxError"),
    ],
    ids=["no Python", "indentation", "a return", "another function", "parentheses"],
)
def test_without_torch_what_is_no_python_does_not_compile(no_torch, tmp_path, text, line, said):
    made = read(text, tmp_path)
    (told,) = made.findings

    assert made.verdict == "COMPILE_ERROR" and told.id == "run.no-graph"
    place = told.values["items"][0]["line"]
    assert f"p20.py:{line}:1: error: " in place and said in place


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        HANDED_OUT,
        NO_MARKS,
        NO_MARKS.replace("    pass\n", ""),
        NO_MARKS.replace("    pass\n", "    ...  # done\n    'the op fills it'\n"),
        f"import os\n{NO_MARKS}",
    ],
    ids=["as handed out", "marks gone", "all gone", "what does nothing", "an import"],
)
def test_without_torch_what_nobody_filled_in_does_not_pass(no_torch, tmp_path, text):
    made = read(text, tmp_path)

    assert (made.verdict, [told.id for told in made.findings]) == ("FINDING", ["graph.uncalled"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        PYTHON.replace(CALL, "    conv1d(output_tensor, kernel_tensor, input_tensor)\n"),
        PYTHON.replace(CALL, "    1 + 1\n"),
        PYTHON.replace("import torch", "import os, torch"),
        f"{PYTHON}\nCustomOpLibrary = None\n",
    ],
    ids=["swapped", "computes nothing", "an import", "no library"],
)
def test_without_torch_what_was_not_run_is_not_judged(no_torch, tmp_path, text):
    """Right kernels do not make up for it, and wrong ones are told first."""
    made = read(text, tmp_path)
    report = merge_graph_verdict(replace(RIGHT, case="p20"), made, P20)

    assert (report.verdict, [told.id for told in report.findings]) == ("SKIPPED", ["graph.no-torch"])
    assert "torch is not installed" in report.reason and not report.ok
    assert merge_graph_verdict(replace(RIGHT, verdict="MISMATCH"), made, P20).verdict == "MISMATCH"
    assert not is_graded(report.verdict)
    told = list(format_case(report, make_renderer(Sources())))
    assert told[-1].endswith("Remedy: `pip install torch`, and run it again."), "a learner needs to know why"


@pytest.mark.slow
@pytest.mark.parametrize("text", [PYTHON, PYTHON.replace(CALL, f"    # the op\n{CALL}\n")], ids=["ours", "a comment"])
def test_without_torch_what_our_own_solution_says_passes_and_the_rest_is_said(no_torch, tmp_path, text):
    made = read(text, tmp_path)

    assert (made.verdict, [told.id for told in made.findings]) == ("PASS", ["graph.no-torch"])


def test_python_may_be_handed_out_whole():
    kernels, python = Sources().learner_files(find_case("p19"))
    assert python.original == python.path.read_text() and kernels.original != kernels.path.read_text()


def test_the_graph_is_asserted_at_the_documented_size(monkeypatch, sources):
    """The Python has no other: a small size is the simulator's own business."""
    asked = []
    monkeypatch.setattr(python_graph, "check_case_graph", lambda case, *_: asked.append(case) or GraphVerdict("PASS"))
    monkeypatch.setattr(prepare, "build_device_code", lambda *_, **__: {})
    entry = replace(CASE, small=replace(CASE, resized=OtherSize("SIZE", 2, 4)))
    with Runner([entry], LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "", ""), sources):
        assert asked == [entry]
