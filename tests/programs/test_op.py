"""Ops of a library of custom ops: right, and each with five defects, on every vendor's GPU without one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from harness.backends import devices
from harness.build import stage, toolchain
from harness.build.hosts import build_host_programs
from harness.build.unit import Build, make_units
from harness.cases import op as ops
from harness.cases.op_library import find_op
from harness.cli.main import main
from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.model.sources import ROOT
from harness.model.steps import HostStep
from harness.model.target import Target
from harness.programs import op
from tests.programs import hosts
from tests.programs.hosts import CALLS, LIBRARY, ROWS, SOME, A, B, K, Q, V, of_ops

# By op and defect, what tells: a finding's kind, or a part of what is said.
DEFECTS = {
    ("softmax", 1): "race",
    ("softmax", 2): "out-of-bounds",
    ("softmax", 3): "wrong in output",
    ("softmax", 4): "uninitialised",
    ("softmax", 5): "race",
    ("matmul", 1): "race",
    ("matmul", 2): "out-of-bounds",
    ("matmul", 3): "wrong in output",
    ("matmul", 4): "wrong in output",
    ("matmul", 5): "wrong in output",
    ("attention", 1): "wrong in output",
    ("attention", 2): "out-of-bounds",
    ("attention", 3): "race",
    ("attention", 4): "output never written: 1 of 24, at [23]",
    ("attention", 5): "uninitialised",
}
CASES = [(name, defect) for name in CALLS for defect in range(6)]
TARGETS = [
    "nvidia:sm_90",
    pytest.param("amd:gfx942", marks=pytest.mark.full),
    pytest.param("apple:apple-m4", marks=pytest.mark.full),
]
compiler = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def called(name: str, defect: int, **how: object) -> ops.Called:
    inputs, expected = CALLS[name]
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "parameters": {"defect": defect}}
    return op(LIBRARY, name, inputs, expected=[expected.astype(np.float32)], **{**tolerance, **how})


@pytest.fixture(scope="module")
def built():
    """Ops of a target in one program, `SOME` or the others; what is called then is in the cache."""
    done = set()

    def build(target: str, *, some: bool = True) -> None:
        if some and target == TARGETS[0]:
            hosts.built()
        elif (target, some) not in done:
            cases = of_ops(case for case in CASES if (case in SOME) == some)
            programs = build_host_programs(cases, Build(target=Target.parse(target)))
            assert not [one for one in programs.values() if isinstance(one, CompileError)]
            done.add((target, some))

    return build


@compiler
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "defect"), [pytest.param(*case, marks=[] if case in SOME else pytest.mark.full) for case in CASES]
)
def test_an_op_is_right_or_told_what_is_wrong(built, target, name, defect):
    """A defect of a kernel, or of what launches it, is told as of any other kernel."""
    built(target, some=(name, defect) in SOME)
    result = called(name, defect, target=target, backend="simulator")
    wanted = DEFECTS.get((name, defect))
    if wanted is None:
        assert result.ok, result.report.reason
        np.testing.assert_allclose(result.outputs["output"], CALLS[name][1], rtol=1e-4, atol=1e-5)
    else:
        kinds = {finding.kind for finding in result.findings if finding.severity == "error"}
        assert not result.ok and (wanted in kinds or wanted in result.report.reason), (kinds, result.report.reason)


@compiler
@pytest.mark.slow
def test_what_an_op_gives_is_judged_by_what_is_expected_alone(built):
    """Without that a wrong value is none; the defects that show without it are told all the same."""
    built("nvidia:sm_90")
    forms = [((24,), "float32")]
    inputs, _ = CALLS["attention"]
    how = {"target": "nvidia:sm_90", "backend": "simulator"}
    assert op(LIBRARY, "attention", inputs, forms, parameters={"defect": 1}, **how).ok
    named = {"q": Q, "k": K, "v": V}
    left_out = op(LIBRARY, "attention", named, {"output": np.empty(24, np.float32)}, parameters={"defect": 4}, **how)
    assert "output never written: 1 of 24" in left_out.report.reason


@compiler
@pytest.mark.slow
def test_the_command_tells_it_at_the_line(built, tmp_path, capsys, monkeypatch):
    built("nvidia:sm_90")
    monkeypatch.chdir(ROOT)
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "b.npy", B)
    np.save(tmp_path / "c.npy", (A @ B).astype(np.float32))
    words = ["op", str(LIBRARY), "matmul", "--target", "nvidia:sm_90", "--backend", "simulator"]
    words += ["--input", str(tmp_path / "a.npy"), "--input", str(tmp_path / "b.npy"), "--output", "f32[20,18]"]
    expected = ["--expect", str(tmp_path / "c.npy"), "--rtol", "1e-4", "--atol", "1e-5"]
    assert main([*words, *expected, "--parameter", "defect=0"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("matmul_mojo:matmul: PASS, 1 of 1 data sets\n") and "output = [[" in said
    assert main([*words, "--parameter", "defect=1", "--format", "lines"]) == 1
    line = (
        (LIBRARY / "matmul.mojo")
        .read_text()
        .split("\n")
        .index("            sum += rebind[Float32](left[y, j]) * rebind[Float32](right[j, x])")
    )
    said = capsys.readouterr().out
    assert f"tests/programs/ops/matmul.mojo:{line + 1}:" in said and ": error: race" in said
    assert main([*words, "--parameter", "defect=2"]) == 1
    assert "output[unsafe_offset=row * cols + col] = sum" in capsys.readouterr().out


@compiler
@pytest.mark.slow
def test_an_op_that_does_not_compile_is_shown_at_its_line():
    """So is one whose parameter is another's type."""
    with pytest.raises(CompileError) as caught:
        called("matmul", "SIDE")  # type: ignore[arg-type]
    assert "matmul" in caught.value.diagnostics


@compiler
@pytest.mark.slow
@pytest.mark.skipif(not devices.discover(), reason="there is no GPU here")
@pytest.mark.parametrize("name", CALLS)
def test_on_a_gpu_a_call_and_a_graph_give_the_same_bits(name):
    """Both are held against what is expected, too."""
    result = called(name, 0, backend="max", graph=True)
    assert result.ok and result.graph is not None and result.graph.ok, result.report.reason
    assert (result.report.backend, result.graph.backend) == ("max", "max")


def library(tmp_path: Path, text: str = "") -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "__init__.mojo").write_text("")
    (folder / "one.mojo").write_text(
        text or 'from extensibility import register\n@register("one")\nstruct One:\n    pass\n'
    )
    return folder


HEAD = '@register("one")\nstruct One:\n    @staticmethod\n    def execute[target: StaticString]({}):\n        pass\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the op one of .*one.mojo has no `execute` that can be read: a static method of One"),
        ("def f():\n    pass\n", "own registers no op: none of its structs has a decorator"),
        (HEAD.format("output: OutputTensor, x: InputTensor"), "cannot launch: `execute` must take a DeviceContext"),
        (HEAD.format("x: InputTensor, ctx: DeviceContext"), "has no result: `execute` takes no OutputTensor"),
        (HEAD.format("output: OutputTensor, ctx: DeviceContext"), "^got 1 argument, but one takes nothing"),
        (HEAD.format("output: OutputTensor, x: Span[Int], ctx: DeviceContext"), "^x of one is of type Span"),
        ("\x0c", "is no Mojo file: line 1 has a form feed"),
    ],
)
def test_a_library_that_cannot_be_called(tmp_path, text, said):
    folder = library(tmp_path, text)
    with pytest.raises(UsageError, match=said):
        op(folder, "one", [np.ones(4, np.float32)], [((4,), "f4")])


def test_a_file_that_cannot_be_imported(tmp_path):
    folder = library(tmp_path, HEAD.format("output: OutputTensor, ctx: DeviceContext"))
    (folder / "one.mojo").rename(folder / "one-op.mojo")
    with pytest.raises(UsageError, match=r"one-op\.mojo cannot be imported, since 'one-op' is no name in Mojo"):
        op(folder, "one", [], [((4,), "f4")])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["src", "kernels", "ops_1"])
def test_a_folder_of_any_name_is_built_and_left_alone(tmp_path, monkeypatch, name):
    """Also of one that a build has for files of its own."""

    class Mojo:
        def __init__(self, *_: object) -> None:
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def run(self, words, _origin):
            assert (Path(words[1]) / "one.mojo").is_file()
            Path(words[-1]).write_text("package")
            return ""

    monkeypatch.setattr(toolchain, "Compiler", Mojo)
    monkeypatch.setattr(toolchain, "require_mojo", lambda: Path("mojo"))
    monkeypatch.setattr(stage, "_Compiler", lambda _build: SimpleNamespace(close=lambda: None))
    folder = library(tmp_path, HEAD.format("output: OutputTensor, ctx: DeviceContext")).rename(tmp_path / name)
    case = ops.make_op_case(find_op(folder, "one"), [], [((4,), "f4")], {}, None)
    build = Build(target=Target.parse("nvidia"))
    with stage.GraphBuilder(build) as made:
        made.add_kernels(make_units([case], build, kind=HostStep))
        assert not made.errors
    assert sorted(path.name for path in folder.iterdir()) == ["__init__.mojo", "one.mojo"]


def test_two_ops_of_one_name(tmp_path):
    folder = library(tmp_path, HEAD.format("output: OutputTensor, ctx: DeviceContext"))
    (folder / "two.mojo").write_text((folder / "one.mojo").read_text())
    with pytest.raises(UsageError, match=r"both register an op 'one': rename one\.$"):
        op(folder, "one", [], [((4,), "f4")])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"folder": "nowhere"}, "^no library of ops at .*nowhere: name a folder"),
        ({"folder": ROOT / "tests" / "browser"}, "is no library of ops: it needs an __init__.mojo"),
        ({"name": "sofmax"}, "^unknown op 'sofmax': did you mean 'softmax'"),
        ({"inputs": []}, "^got 0 arguments, but softmax takes input"),
        ({"inputs": {"x": ROWS}}, "^unknown argument 'x'"),
        ({"inputs": [[1.0]]}, "^input of softmax is a tensor: give a NumPy array, not list"),
        ({"outputs": None}, "^say what softmax gives, output: its shape and type"),
        ({"outputs": [(4,)]}, r"^output of softmax is given by an array, or by \(shape, type\)"),
        ({"outputs": [((0, 4), "f4")]}, r"^output of softmax has shape \(0, 4\)"),
        ({"outputs": [((4,), "f5")]}, "^output of softmax is given by an array"),
        ({"expected": {"other": ROWS}}, "^unknown result 'other'"),
        ({"expected": [np.ones(100, "f4")]}, r"^output of softmax has shape \(3, 100\), but .* has \(100,\)\.$"),
        ({"rtol": -1}, "^rtol is a number from 0 on, but got -1"),
        ({"atol": "much"}, "^atol is a number from 0 on, but got 'much'"),
        ({"parameters": {}}, "^execute has a compile-time parameter defect"),
        ({"parameters": {"defects": 1}}, "^unknown parameter 'defects': did you mean 'defect'"),
        ({"parameters": {"target": "cpu"}}, "^target of softmax is no parameter to give"),
        ({"parameters": {"defect": [1]}}, "^parameter defect of execute is a number"),
        ({"backend": "cpu"}, "^an op is called on a GPU or in the simulator"),
        ({"target": "nvidia:sm_9"}, "^unknown target 'nvidia:sm_9'"),
    ],
)
def test_bad_arguments_are_one_sentence(change, said):
    given = {"folder": LIBRARY, "name": "softmax", "inputs": [ROWS], "outputs": [((3, 100), "f4")]}
    with pytest.raises(UsageError, match=said) as caught:
        op(**{**given, "parameters": {"defect": 0}, **change})
    assert "\n" not in str(caught.value)


def test_an_element_type_that_no_graph_is_given(tmp_path):
    """The op alone has it."""
    text = HEAD.format("output: OutputTensor, ctx: DeviceContext").replace("[target", "[kind: DType, target")
    folder = library(tmp_path, text)
    case = ops.make_op_case(find_op(folder, "one"), [], [((4,), "f4")], {"kind": "bfloat16"}, None)
    assert "kind=DType.bfloat16" in case.steps[0].parameters
    with pytest.raises(UsageError, match=r"a graph takes element types that NumPy has, and kind is DType\.bfloat16"):
        ops._require_graph(case)


def test_a_graph_needs_a_gpu(monkeypatch):
    monkeypatch.setattr(ops.pipeline.devices, "discover", list)
    monkeypatch.setattr("harness.backends.planning.devices.discover", list)
    with pytest.raises(
        EnvironmentFault, match=r"^a graph runs on a GPU, and there is none for nvidia:sm_90 here: leave it out\.$"
    ):
        called("softmax", 0, graph=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--input f32[4", "--input 'f32[4' is not like f32[4,6]=arange"),
        ("--input f32[4]=many", "is not like f32[4,6]=arange"),
        ("--input f32[4,x]=ones", "the shape [4,x] is not like [4,6]"),
        ("--input f33[4]=ones", "unknown element type 'f33': did you mean"),
        ("--input none.npy", "cannot read none.npy as a NumPy array"),
        ("--input f32=x", "'x' is no f32"),
        ("--output f32", "--output 'f32' is not like f32[4]"),
        ("--output f33[4]", "unknown element type 'f33'"),
        ("--parameter size", "--parameter 'size' is not NAME=VALUE"),
        ("--expect y", "unknown kind of value 'y'"),
        ("--rtol -1", "must be a number from 0 on, but is '-1'"),
        ("--sarif nowhere/x.sarif", "cannot write the report to nowhere/x.sarif"),
    ],
)
def test_what_the_command_refuses(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    flag, value = words.split()
    assert main(["op", str(LIBRARY), "softmax", f"{flag}={value}"]) in (2, 3)
    told = capsys.readouterr()
    assert said in " ".join(told.err.split()) and not told.out and not list(tmp_path.iterdir())
