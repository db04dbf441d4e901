"""A puzzle's Python is run in a box and believed in nothing: what counts is the graph, read strictly."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.build import graph_check, graph_stage
from harness.build.cache import Cache
from harness.build.graph_check import check_graph, generate_interface
from harness.build.graph_reading import compare_graph
from harness.errors import CompileError, CompileTimeout
from harness.model.case import Dataset, Graph, Instance, TensorArgument
from harness.process.box import SandboxAnswer, SandboxPool, choose_strongest
from harness.process.child import ProcessExit

GRAPH = Graph(
    "scaled",
    "scale",
    "values weights",
    results="output",
    parameters={"size": 15, "way": "fast"},
    defaults={"dtype": np.dtype(np.float32)},
)
INSTANCE = Instance(
    width=32,
    arguments=(
        TensorArgument("output", "output", (15,)),
        TensorArgument("values", "input", (15,)),
        TensorArgument("weights", "input", (4,)),
    ),
    datasets=(Dataset("zeros", {"values": np.zeros(15), "weights": np.zeros(4)}, "nothing"),),
)
RIGHT = """\
from pathlib import Path

from max.driver import CPU, Buffer
from max.dtype import DType
from max.graph import DeviceRef, Graph, TensorType, ops


def scaled(values, weights, session, device):
    ref = DeviceRef.from_device(device)
    given = [Buffer.from_numpy(array).to(device) for array in (values, weights)]
    types = [TensorType(DType.float32, tensor.shape, device=ref) for tensor in given]
    with Graph("any", input_types=types, custom_extensions=[Path(__file__).parent / "op"]) as graph:
        first, second = graph.inputs
        result = ops.custom(
            "scale",
            device=ref,
            values=[first, second],
            out_types=[TensorType(DType.float32, [15], device=ref)],
            parameters={"size": 15, "way": "fast", "dtype": DType.float32},
        )[0].tensor
        graph.output(result)
    model = session.load(graph)
    returned = model.execute(*given)[0]
    return returned.to(CPU())
"""
BODY, LAST = RIGHT.index("    ref ="), "    return returned.to(CPU())\n"


def edited(*edits: tuple[str, str]) -> str:
    text = RIGHT
    for was, now in edits:
        assert was in text
        text = text.replace(was, now)
    return text


def instead(body: str) -> str:
    """A file with another body of the function."""
    return RIGHT[:BODY] + "".join(f"    {line}\n" for line in body.strip().split("\n"))


# What a file that knows how Python works does first: it takes itself off the watch.
UNWATCHED = """
import gc
for known in gc.get_objects():
    if getattr(known, "__name__", "") == "refused":
        for cell in known.__closure__:
            cell.cell_contents = False
"""
FORGED = """
import json, os, sys
with open(sys.argv[2], "w") as file:
    json.dump({"result": {"graphs": ["verdict"], "lines": [[]], "executed": [[0, 1]], "returned": [-1]}}, file)
os._exit(0)
"""


@pytest.fixture(scope="module")
def boxes():
    with SandboxPool(choose_strongest()) as warm:
        yield warm


@pytest.fixture
def findings(tmp_path, tmp_path_factory, boxes):
    """The findings of a file's text, by id, with what they say."""
    held = tmp_path_factory.getbasetemp() / "graphs"

    def found(text: str) -> dict[str, dict]:
        (tmp_path / "p98.py").write_text(text)
        said = check_graph(GRAPH, INSTANCE, tmp_path / "p98.py", Cache(held), boxes)
        return {finding.id: {"argument": finding.argument, **finding.values} for finding in said}

    return found


# What MAX writes of the right file, as the first test below asserts.
VALUES, WEIGHTS = "!mo.tensor<[15], f32, gpu:0>", "!mo.tensor<[4], f32, gpu:0>"
TEXT = f"""\
mo.graph @any(%arg0: {VALUES}, %arg1: {WEIGHTS}) -> {VALUES} attributes {{_kernel_library_paths = ["op.mojoc"]}} {{
  %0 = mo.chain.create()
  %1 = mo.custom [symbol = "scale", device = #M.device_ref<"gpu", 0>, parameters = {{dtype = f32, size = 15 : index, \
way = "fast"}}](%arg0, %arg1) : ({VALUES}, {WEIGHTS}) -> {VALUES}
  mo.output %1 : {VALUES}
}}"""
SAID = graph_stage.GraphRecording(graphs=(TEXT,), lines=((12, 14, 21),), executed=((0, 1),), returned=(-1,))


@pytest.mark.slow
def test_the_documented_graph_has_no_finding(findings, monkeypatch):
    told = []
    monkeypatch.setattr(
        graph_check, "compare_graph", lambda *arguments: told.append(arguments[-1]) or compare_graph(*arguments)
    )
    assert findings(RIGHT) == {}
    (said,) = told
    (text,) = said.graphs
    text = re.sub(r"attributes \{[^}]*\}", 'attributes {_kernel_library_paths = ["op.mojoc"]}', text)
    assert replace(said, graphs=(text,)) == SAID


def read(*edits: tuple[str, str], **told) -> dict[str, dict]:
    text = TEXT
    for was, now in edits:
        assert was in text
        text = text.replace(was, now)
    found = compare_graph(GRAPH, INSTANCE, "gpu", Path("p98.py"), replace(SAID, **{"graphs": (text,), **told}))
    return {finding.id: {"argument": finding.argument, **finding.values} for finding in found}


CALLED = "(%arg0, %arg1) : ("
TWO_RESULTS = [("%1 = ", "%1:2 = "), (f"-> {VALUES}\n", f"-> ({VALUES}, {VALUES})\n")]


def test_a_default_may_be_left_out():
    assert read(("dtype = f32, ", "")) == {}


def test_inputs_may_stand_in_another_order_where_the_tensors_do_too():
    inputs = (f"%arg0: {VALUES}, %arg1: {WEIGHTS}", f"%arg0: {WEIGHTS}, %arg1: {VALUES}")
    assert read(inputs, (CALLED, "(%arg1, %arg0) : ("), executed=((1, 0),)) == {}


@pytest.mark.parametrize(
    ("edits", "told", "finding", "values"),
    [
        ([(CALLED, "(%arg1, %arg0) : (")], {}, "graph.operands", {"got": "weights, values"}),
        ([], {"executed": [[1, 0]]}, "graph.operands", {"got": "weights, values"}),
        ([], {"executed": [[0, None]]}, "graph.operands", {"got": "values, ?"}),
        ([("15 : index", "16 : index")], {}, "graph.parameter", {"argument": "size", "got": "16", "documented": "15"}),
        ([('"fast"', '"slow"')], {}, "graph.parameter", {"got": '"slow"', "documented": '"fast"'}),
        ([(', way = "fast"', "")], {}, "graph.parameter", {"argument": "way", "got": "nothing"}),
        ([("dtype = f32", "dtype = f16")], {}, "graph.parameter", {"argument": "dtype", "got": "f16"}),
        (
            [("size =", "size = 15 : index, more =")],
            {},
            "graph.parameter",
            {"argument": "more", "documented": "nothing"},
        ),
        ([(f"-> {VALUES}\n", f"-> {WEIGHTS}\n")], {}, "graph.type", {"argument": "output", "got": "[4], f32, gpu:0"}),
        ([("%arg1: !mo.tensor<[4]", "%arg1: !mo.tensor<[5]")], {}, "graph.type", {"argument": "weights"}),
        ([*TWO_RESULTS, ("output %1 : ", "output %1#0 : ")], {}, "graph.results", {"got": 2, "documented": 1}),
        (
            [*TWO_RESULTS, (f"output %1 : {VALUES}", f"output %1#0, %1#1 : {VALUES}, {VALUES}")],
            {"returned": [-1, -2]},
            "graph.results",
            {"got": 2, "documented": 1},
        ),
        ([TWO_RESULTS[1]], {}, "graph.results", {"got": 2, "documented": 1}),
        ([("  mo.output", "  %2 = rmo.add(%1, %1)\n  mo.output")], {}, "graph.more", {"operation": "rmo.add"}),
        ([("mo.output %1", "mo.output %arg0")], {}, "graph.output", {}),
        ([('"gpu", 0', '"cpu", 0')], {}, "graph.device", {"got": "cpu:0", "documented": "gpu:0"}),
        ([('"scale"', '"other"')], {}, "graph.op", {"got": "other"}),
        ([], {"executed": []}, "graph.executed", {"executions": 0}),
        ([], {"executed": [[0, 1], [0, 1]]}, "graph.executed", {"executions": 2}),
        ([], {"executed": [[0]]}, "graph.handed", {"got": 1, "inputs": 2}),
        ([], {"returned": [0]}, "graph.returned", {}),
        ([], {"graphs": [TEXT, TEXT]}, "graph.several", {"graphs": 2}),
        ([], {"graphs": []}, "graph.none", {}),
        ([], {"graphs": ["PASS"]}, "graph.unreadable", {"line": "PASS"}),
    ],
)
def test_another_graph_is_told_by_what_differs(edits, told, finding, values):
    found = read(*edits, **told)
    assert list(found) == [finding]
    assert values.items() <= found[finding].items()


def test_a_finding_stands_at_its_line():
    assert read(("15 : index", "16 : index"))["graph.parameter"]["place"] == "p98.py:14:1"


FORGERIES = {
    "numpy's own result": (instead("import numpy as np\nreturn np.asarray(values) * 2"), "graph.none"),
    "a printed verdict": (instead('print("p98: PASS, 6 of 6 data sets")\nreturn values'), "graph.none"),
    "a forged text": (edited((LAST, f'    Graph.__str__ = lambda _: "PASS"\n{LAST}')), "graph.unreadable"),
    "another op's text": (
        edited((LAST, f'    text = str(graph).replace("scale", "other")\n    Graph.__str__ = lambda _: text\n{LAST}')),
        "graph.op",
    ),
    "a patched module": (
        edited(("\n\ndef", "\n\nops.custom = lambda *_, values, **__: values\n\n\ndef")),
        "graph.calls",
    ),
    "an answer": (instead(UNWATCHED + FORGED), "graph.unreadable"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "forgery",
    # The text of another op is a forged one, too.
    [pytest.param(name, marks=[pytest.mark.full] * (name == "a forged text")) for name in FORGERIES],
)
def test_what_is_forged_is_told(findings, forgery):
    text, finding = FORGERIES[forgery]
    assert list(findings(text)) == [finding]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (edited(('"scale"', '"softmax"')), "no kernel registered for 'softmax'"),
        (instead('open("/tmp/graph-was-here", "w").write("x")'), "without writing files"),
        (instead('import os\nos.remove("/tmp/graph-was-here")'), "without writing files"),
        (instead('import subprocess\nsubprocess.run(["true"])'), "without other processes"),
        (instead("import socket\nsocket.socket()"), "without other processes, the network"),
        (instead("raise SystemExit(0)"), "SystemExit: 0"),
        (RIGHT.replace("def scaled", "def other"), "there is no function scaled"),
        ("def scaled(:\n", "SyntaxError"),
        (instead('session.load("mo.graph @any")'), "a session loads a Graph, but got str"),
        (edited(("        graph.output(result)\n", "")), "not yet terminated by a call to output"),
    ],
)
def test_what_builds_no_graph_says_why_and_where(findings, tmp_path, text, why):
    with pytest.raises(CompileError) as raised:
        findings(text)
    assert why in raised.value.diagnostics
    assert raised.value.diagnostics.startswith(f"{tmp_path}/p98.py:")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import os\nos._exit(0)", "without an answer"),
        (f"{UNWATCHED}\nimport os, time\nos.fork() or time.sleep(60)\ntime.sleep(60)", "more processes than"),
        ("held = [bytearray(1 << 28) for _ in range(64)]", "MemoryError"),
    ],
    ids=["an end without an answer", "processes past the watch", "memory"],
)
def test_what_ends_its_process_ends_nothing_else(findings, body, why):
    with pytest.raises(CompileError) as raised:
        findings(instead(body))
    assert why in f"{raised.value} {raised.value.diagnostics}"


@pytest.mark.slow
def test_an_endless_loop_ends_at_its_limit(findings, monkeypatch):
    monkeypatch.setattr(graph_stage, "LIMITS", replace(graph_stage.LIMITS, cpu_seconds=1))
    with pytest.raises(CompileTimeout, match=r"scaled in .*p98\.py did not end within 1 s"):
        findings(instead("while True:\n    pass"))


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "PASS",
        {"graphs": 1},
        {"graphs": [], "lines": [], "executed": 3, "returned": []},
        {"verdict": "PASS"},
    ],
)
def test_what_is_no_answer_is_not_believed(tmp_path, monkeypatch, said):
    class Forged:
        def ask(self, *_arguments, **_limits):
            return SandboxAnswer(ProcessExit(0), json.dumps({"result": said}).encode(), "")

    monkeypatch.setattr(graph_check, "compile_interface", lambda *_: b"")
    (tmp_path / "p98.py").write_text(RIGHT)
    with pytest.raises(CompileError, match="its box answered what is no result"):
        check_graph(GRAPH, INSTANCE, tmp_path / "p98.py", Cache(tmp_path / "cache"), Forged())


def test_a_kept_answer_is_read_again(tmp_path, monkeypatch):
    asked = []

    class Kept:
        def ask(self, *_arguments, **_limits):
            asked.append(1)
            answer = {"graphs": [], "lines": [], "executed": [], "returned": [None]}
            return SandboxAnswer(ProcessExit(0), json.dumps({"result": answer}).encode(), "")

    monkeypatch.setattr(graph_check, "compile_interface", lambda *_: b"")
    (tmp_path / "p98.py").write_text(RIGHT)
    for _ in range(2):
        found = check_graph(GRAPH, INSTANCE, tmp_path / "p98.py", Cache(tmp_path / "cache"), Kept())
        assert [finding.id for finding in found] == ["graph.none"]
    assert len(asked) == 1


def test_the_interface_takes_what_is_documented():
    text = generate_interface(GRAPH, INSTANCE)
    assert "execute[target: StaticString, size: Int, way: StaticString, dtype: DType = DType.float32](" in text
    assert "output: OutputTensor[dtype=DType.float32, rank=1, ...], values: InputTensor" in text
