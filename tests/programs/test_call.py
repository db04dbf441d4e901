"""Exported functions, called on arrays: what each comes to on every vendor's GPU without one, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.backends import devices
from harness.build import toolchain
from harness.cases import call as calls
from harness.cli.main import main
from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.programs import Options, call, program_plan
from harness.programs.exported_call import ArrayAfterCall
from harness.simt import Buffer
from tests.processes import import_path

pytest_plugins = ["pytester"]
FILE = Path(__file__).parent / "exported" / "functions.mojo"
ON_HOST = FILE.with_name("on_host.mojo")
TARGETS = [
    "nvidia:sm_90",
    pytest.param("amd:gfx942", marks=pytest.mark.full),
    pytest.param("apple:apple-m4", marks=pytest.mark.full),
]
NVIDIA = TARGETS[0]
compiler = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def output(*shape: int, dtype: Any = np.float32) -> Buffer:
    return Buffer(np.zeros(shape, dtype), initialised=False)


def smoothed(values: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(2 * steps):
        inner = (values[:-2] + values[2:]) / 2
        values = np.concatenate([values[:1], inner, values[-1:]])
    return values


@dataclass(frozen=True)
class Made:
    """A call and what it comes to: the ids of errors and warnings, and the arrays that it changes."""

    arguments: Callable[[], Any]
    expected: dict[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    error: str = ""
    host: tuple[str, ...] = ()
    file: Path = FILE


SCALARS = (-8, 200, -300, 1 << 31, -(1 << 62) - 1, (1 << 62) + 1, -(1 << 53) - 1, 1 << 40, True, 1.5, -2.25, 0.125)
MADE = {
    "added": Made(lambda: [floats(100), floats(100), output(100), 100], {"c": 2 * floats(100)}, changed=("c",)),
    "counted": Made(
        lambda: [np.zeros(128, np.int32), np.zeros(4, np.int32), 128],
        findings=("race",),
        changed=("bins",),
    ),
    "shifted": Made(lambda: [floats(16), 16], findings=("out-of-bounds.after",), changed=("a",)),
    "smoothed": Made(
        lambda: {"a": floats(40) ** 2, "n": 40, "steps": 5},
        {"a": smoothed(floats(40) ** 2, 5)},
        changed=("a",),
    ),
    "squares": Made(
        lambda: [floats(64), output(64), output(1)],
        {"sum": np.sum(floats(64) ** 2), "b": floats(64) ** 2},
        changed=("b", "sum"),
    ),
    "scalars": Made(
        lambda: [output(12, dtype=np.int64), *SCALARS],
        {"to": [*map(int, SCALARS[:9]), 12, -18, 1]},
        changed=("to",),
    ),
    "scaled": Made(
        lambda: [np.arange(8) / 3, 3.0, 8],
        {"a": np.arange(8) / 3 * 3.0},
        changed=("a",),
    ),
    "widened": Made(
        lambda: [np.full(8, 100, np.int8), np.full(8, 65535, np.uint16), output(2, 4, dtype=np.uint64), 8],
        {"c": 6553500},
        changed=("c",),
    ),
    "short": Made(
        lambda: [floats(10), floats(10), output(10), 10],
        findings=("check.never-written",),
        changed=("c",),
    ),
    "raising": Made(
        lambda: [floats(4), -1],
        findings=("call.raised",),
        error="n is -1, but must be at least 0",
        file=ON_HOST,
    ),
    "given_context": Made(lambda: [floats(8), floats(8), output(8), 8], {"c": 2 * floats(8)}, changed=("c",)),
    "unawaited": Made(
        lambda: [floats(8), floats(8), output(8), 8],
        {"c": 2 * floats(8)},
        findings=("never-awaited.returned",),
        changed=("c",),
    ),
    "on_host": Made(
        lambda: [floats(8), output(1, dtype=np.int64), 8],
        {"a": -floats(8), "to": 28},
        changed=("a", "to"),
        host=("a", "to"),
        file=ON_HOST,
    ),
    "beside_on_host": Made(
        lambda: [floats(8), 8],
        findings=("check.outside.before", "check.outside.after"),
        host=("a",),
        file=ON_HOST,
    ),
    "copied": Made(lambda: [floats(8), output(8), 8], {"to": 2 * floats(8)}, changed=("to",), host=("source",)),
    "leaving": Made(lambda: [floats(8)], findings=("call.ended",), file=ON_HOST),
    "optional": Made(lambda: [floats(8), None, 8], {"a": 2 * floats(8)}, changed=("a",)),
}


@compiler
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MADE)
def test_a_function_comes_to_this(name: str, target: str):
    made = MADE[name]
    result = call(made.file, name, made.arguments(), made.expected, host=made.host, target=target, backend="simulator")

    told = [each for each in result.findings if each.severity != "information"]
    errors = [each.id for each in told if each.severity == "error"]
    if target.startswith("apple") and name == "scaled":  # its kernel has doubles
        assert errors and not result.ok
        return
    assert {each.id if each.id in made.findings else each.kind for each in told} == set(made.findings), result.findings
    assert (result.changed, result.error) == (made.changed, made.error)
    assert result.ok == (not errors) and bool(result.reason) == bool(errors)
    for each in told:
        assert each.sites and each.sites[0].file.endswith(made.file.name), each
    for array, wanted in made.expected.items():
        np.testing.assert_array_equal(result.results[array], np.broadcast_to(wanted, result.results[array].shape))


def simulated(name: str, *given: Any, **how: Any) -> calls.CallResult:
    file = how.pop("file", FILE)
    return call(file, name, *given, **{"target": NVIDIA, "backend": "simulator", **how})


@compiler
@pytest.mark.slow
def test_the_callers_arrays_are_not_changed():
    given = {"a": floats(40), "n": 40, "steps": 1}
    result = simulated("smoothed", given, options=Options(engine="reference", counters=False))

    np.testing.assert_array_equal(given["a"], floats(40))
    np.testing.assert_array_equal(result.results["a"], smoothed(floats(40), 1))
    assert [launch.kernel for launch in result.execution.launches] == ["smooth"] * 2


@compiler
@pytest.mark.slow
def test_arrays_that_share_memory_share_it_in_the_call():
    """An output that is an input, and two parts of one array, the second of which the host never wrote."""
    same = floats(8)
    result = simulated("added", [same, same, same, 8], {"a": 2 * floats(8), "c": 2 * floats(8)})
    assert result.ok and result.changed == ("a", "b", "c")

    whole = floats(12)
    parts = [whole[:8], whole[2:10], Buffer(whole[8:], initialised=False), 4]
    result = simulated("added", parts, {"c": floats(12)[:4] + floats(12)[2:6]})
    assert result.ok and result.changed == ("b", "c")
    np.testing.assert_array_equal(result.results["b"][-2:], result.results["c"][:2])


@compiler
@pytest.mark.slow
def test_values_are_compared_within_tolerances_and_where_nothing_is_masked():
    given = lambda: [floats(8), floats(8), output(8), 8]  # noqa: E731
    near = 2 * floats(8) * (1 + 1e-5)

    assert [each.id for each in simulated("added", given(), {"c": near}).findings] == ["check.wrong-value.shared"]
    assert simulated("added", given(), {"c": near}).execution.verdict == "MISMATCH"
    assert simulated("added", given(), {"c": near}, rtol=1e-4).ok
    assert simulated("added", given(), {"c": np.ma.array(np.zeros(8), mask=floats(8) > 0)}).ok
    # Float64 has no more than 53 bits.
    wide = [output(12, dtype=np.int64), *SCALARS]
    wanted = [*map(int, SCALARS[:9]), 12, -18, 1]
    wanted[4] += 1
    result = simulated("scalars", wide, {"to": wanted})
    assert "1 of 12 wrong" in str(result.findings[0])


@pytest.mark.parametrize(
    ("value", "masked"),
    [(np.ma.masked, True), (np.ma.array(3, mask=True), True), (np.ma.array(3), False), (3, False)],
)
def test_a_number_is_expected_of_all_elements_and_a_masked_one_of_none(value, masked):
    tensors = {"a": calls.TensorArgument("a", "inout", (2, 3), np.dtype(np.int32), form="pointer")}
    answer = calls._answer("f", "a", tensors, value)

    assert (answer.shape, answer.dtype) == ((2, 3), np.int32)
    assert (np.ma.getmaskarray(answer) == masked).all() and (masked or (answer == 3).all())
    zeros = ArrayAfterCall(np.zeros((2, 3), np.int32), np.zeros((2, 3), bool))
    assert len(list(calls._judged(tensors["a"], True, zeros, answer, None))) == (not masked)


@compiler
@pytest.mark.slow
def test_an_output_that_is_not_whole_is_told_with_its_first_places():
    result = simulated("short", [floats(10), floats(10), output(2, 5), 10], {"c": (2 * floats(10)).reshape(2, 5)})

    assert [str(each).partition(", at tests")[0] for each in result.findings] == ["c never written: 1 of 10, at [9]"]


@compiler
@pytest.mark.slow
def test_what_the_command_prints(capfd, tmp_path):
    """Arrays on stdout, findings on stderr; all reports of programs, and the arrays as files."""
    words = ["call", str(FILE), "short", *("--target", NVIDIA, "--backend", "simulator"), *ADDED]
    reports = [word for name in ("json", "sarif", "junit") for word in (f"--{name}", str(tmp_path / name))]

    assert main([*words, "--expect", "c=arange:f32:8", "--out", str(tmp_path / "out"), *reports]) == 1
    told = capfd.readouterr()
    assert told.out.startswith("c = [ 0.  2.  4.  6.  8. 10. 12. ")
    assert "c never written: 1 of 8, at [7]" in told.err.lower() and "6 of 8 wrong in c" in told.err
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "c.npy")[:7], 2 * floats(7))
    (program,) = json.loads((tmp_path / "json").read_text())["programs"]
    assert (program["verdict"], program["arguments"], program["exit_code"]) == ("MISMATCH", ["short"], 1)
    results = json.loads((tmp_path / "sarif").read_text())["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {"check.never-written", "check.wrong-value.shared"}
    assert "short" in (tmp_path / "junit").read_text()

    assert main([*words, "--expect", "c=arange:f32:8", "--format", "lines", "--language", "ko"]) == 1
    first = capfd.readouterr().err.splitlines()[0]
    line = 1 + FILE.read_text().split("\n").index(next(t for t in FILE.read_text().split("\n") if "def short(" in t))
    assert first.startswith(f"tests/programs/exported/functions.mojo:{line}:5: error: check.never-written: ")

    assert main(["call", str(ON_HOST), "on_host", "--arg", "a=ones:f32:4", "--arg", "to=zeros:i64:1", "--arg", "n=4",
                 *("--host", "a", "--host", "to", "--expect", "to=4"), *words[3:7]]) == 0  # fmt: skip
    assert capfd.readouterr().out == "sum 4\na = [-1. -1. -1. -1.]\nto = [4]\n"


ADDED = [word for text in ("a=arange:f32:8", "b=arange:f32:8", "c=empty:f32:8", "n=8") for word in ("--arg", text)]


def given(*otherwise: str) -> list[str]:
    """The arguments of `added`, some of them otherwise."""
    texts = {text.partition("=")[0]: text for text in (*ADDED[1::2], *otherwise)}
    return [word for text in texts.values() for word in ("--arg", text)]


REFUSED = {
    "a name that is nearly right": (["aded"], "did you mean 'added'?"),
    "no function of this name": (["zzz"], "unknown function 'zzz': known: added, "),
    "not exported": (["hidden"], "hidden of {file} is not exported: write `@export` above it."),
    "a type that no call gives": (["of_structs"], "a of of_structs is of type Pointer[String, MutAnyOrigin], which"),
    "a missing argument": (["added", *ADDED[:2]], "no argument b, c, n: added takes a, b, c, n."),
    "an argument too many": (["added", *given("d=1")], "unknown argument 'd': known: a, b, c, n."),
    "an argument twice": (["added", *ADDED, "--arg", "n=9"], "--arg n=... is given twice."),
    "another element type": (["added", *given("a=zeros:f64:8")], "a of added points to float32 ("),
    "a number for a pointer": (["added", *given("a=5")], "give an array, not 5."),
    "an array for a number": (["added", *given("n=zeros:i32:1")], "give a number, not an array."),
    "NaN for an integer": (["added", *given("n=nan")], "n of added is of type Int32, which does not hold nan."),
    "NaN spelled wrong": (["added", *given("n=nann")], "unknown kind of value 'nann': did you mean 'nan'?"),
    "a number that is too large": (["added", *given("n=3000000000")], "does not hold 3000000000."),
    "null for a number": (["added", *given("n=null")], "n of added is a number, but got NoneType."),
    "no value": (["added", "--arg", "n"], "--arg 'n' is not NAME=VALUE."),
    "no elements": (["added", *given("a=zeros:f32:0")], "a: an array needs at least one element."),
    "an array that is not given": (["added", *given("a=@x")], "@x: no array is given."),
    "a result that there is not": (["added", *ADDED, "--expect", "z=1"], "unknown array 'z': known: a, b, c."),
    "a result of another length": (
        ["added", *ADDED, "--expect", "c=zeros:f32:9"],
        "c of added has shape (8,), but what is expected has (9,).",
    ),
    "a result that its type does not hold": (
        [
            "counted",
            *("--arg", "data=zeros:i32:64", "--arg", "bins=zeros:i32:1", "--arg", "n=64"),
            "--expect",
            "bins=.5",
        ],
        "bins of counted holds int32, which does not hold all that is expected.",
    ),
    "a result that is none": (["added", *ADDED, "--expect", "c=null"], "an array or a number, but got None."),
    "memory that is half the host's": (["added", *given("c=@a"), "--host", "c"], "a, c of added share memory"),
    "a number in the host's memory": (["added", *ADDED, "--host", "n"], "unknown pointer 'n': known: a, b, c."),
    "a tolerance below 0": (["added", *ADDED, "--rtol", "-1"], "must be a number from 0 on, but is '-1'"),
    "no function": ([], "the following arguments are required: FUNCTION"),
}
FILES = {
    "no file": ("none.mojo", "", "no file at {file}."),
    "a folder": ("", "", "{file} is a folder: name the file in it that holds the function."),
    "no Mojo file": ("a.txt", "def f():", "{file} is no Mojo file: name one that ends in .mojo."),
    "no functions": ("a.mojo", "comptime A = 1\n", "{file} has no functions: define one with `@export` above it."),
    "an open bracket": ("a.mojo", "@export\ndef f(a: Int\n", "what f of {file} takes cannot be read"),
    "parameters of the compile time": (
        "a.mojo",
        "@export\ndef f[n: Int](a: Int): pass\n",
        "n of f is of type Int, which",
    ),
}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("what", [*REFUSED, *FILES])
def test_what_cannot_be_called_is_refused_in_a_sentence(what: str, language: str, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    if what in REFUSED:
        file, (words, sentence) = FILE, REFUSED[what]
    else:
        name, text, sentence = FILES[what]
        file, words = tmp_path / name, ["f"]
        if text:
            file.write_text(text)
    before = sorted(tmp_path.rglob("*"))

    assert main(["call", str(file), *words, "--language", language]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and sorted(tmp_path.rglob("*")) == before
    if language == "en":
        assert sentence.format(file=file) in err
    else:
        plain = re.sub(r"`[^`]*`|'[^']*'|[\w./]*/[\w./]*|known.*", "", err)
        assert re.search("[가-힣]", err) and not re.search(r"[a-z]+ [a-z]+ [a-z]+", plain), err


@pytest.mark.parametrize(
    ("given", "how", "sentence"),
    [
        ([np.zeros(8), 8], {}, "got 2 arguments, but added takes a, b, c, n."),
        (3, {}, "arguments are a dict by name, or a list in order, but got int"),
        ([np.zeros(8, complex), 1, 2, 3], {}, "a of added holds complex128, which no kernel takes"),
        ([floats(8), floats(8), floats(8), "8"], {}, "n of added is a number, but got str."),
        ([floats(8)] * 3 + [8], {"rtol": float("nan")}, "rtol is a number from 0 on, but got nan."),
        ([floats(8)] * 3 + [8], {"expected": {"a": "x"}}, "what is expected of a is an array or a number"),
        ([floats(8)] * 3 + [8], {"target": "nvdia"}, "unknown target 'nvdia'"),
        ([floats(8)] * 3 + [8], {"backend": "gpu"}, "unknown backend 'gpu'"),
    ],
)
def test_what_python_cannot_call_is_refused_too(given: Any, how: dict[str, Any], sentence: str):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        simulated("added", given, **how)


def test_exec_names_the_command_for_a_file_without_main(capsys):
    assert main(["exec", str(FILE)]) == 2
    assert f"exports added: `puzzles call {FILE} added` calls it." in capsys.readouterr().err


BROKEN = """
@export
def broken(a: Pointer[Float32, MutAnyOrigin]):
    what_is_not_there(a)

@export
def fine(a: Pointer[Float32, MutAnyOrigin]):
    pass
"""


@compiler
@pytest.mark.slow
def test_a_function_that_does_not_compile_spoils_no_other(tmp_path, capfd):
    file = tmp_path / "two.mojo"
    file.write_text(BROKEN)
    lines: list[str] = []
    how = {"target": NVIDIA, "backend": "simulator", "notify": lines.append}

    assert call(file, "fine", [floats(4)], {"a": floats(4)}, **how).ok and len(lines) == 2
    assert call(file, "fine", [floats(4)], **how).ok and len(lines) == 2
    with pytest.raises(CompileError) as error:
        call(file, "broken", [floats(4)], **how)
    assert f"{file}:4:5: error: " in error.value.diagnostics and "calls.mojo" not in error.value.diagnostics
    words = ["call", str(file), "broken", "--arg", "a=zeros:f32:4", "--target", NVIDIA, "--backend", "simulator"]
    assert main([*words, "--format", "lines"]) == 1
    assert f"{file}:4:5: error: run.compile-error: " in capfd.readouterr().err


@pytest.fixture
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program for a GPU is built and runs here; one that asks for the device finds none."""

    def plan(*arguments: object, **options: object) -> program_plan.ProgramPlan:
        made = program_plan.plan_program(*arguments, **{**options, "target": NVIDIA, "backend": "simulator"})
        return replace(made, launches=replace(made.launches, backend="max"))

    monkeypatch.setattr(calls, "plan_program", plan)


@compiler
@pytest.mark.slow
def test_the_program_for_a_gpu_gets_and_leaves_the_same_bits(as_on_a_gpu):
    """Of functions that need no device: there is none in the ordinary tests."""
    for name in ("on_host", "beside_on_host"):
        made = MADE[name]
        results = [
            call(ON_HOST, name, made.arguments(), made.expected, host=made.host),
            simulated(name, made.arguments(), made.expected, host=made.host, file=ON_HOST),
        ]
        natively, told = results if results[0].execution.backend == "max" else (None, None)
        assert natively is not None and told is not None
        assert natively.execution.output == told.execution.output
        assert [each.id for each in natively.findings] == [each.id for each in told.findings] == [*made.findings]
        assert natively.results.keys() == told.results.keys()
        for array, values in told.results.items():
            assert natively.results[array].tobytes() == values.tobytes()
    assert call(ON_HOST, "leaving", [floats(8)], host=["a"]).findings[0].id == "call.ended"
    raised = call(ON_HOST, "raising", [floats(8), -1], host=["a"])
    assert (raised.findings[0].id, raised.error) == ("call.raised", "n is -1, but must be at least 0")


@pytest.mark.gpu
@pytest.mark.slow
@compiler
@pytest.mark.parametrize("name", [name for name, made in MADE.items() if not made.findings])
def test_a_gpu_leaves_the_same_bits(name: str):
    present = devices.discover()
    if not present:
        pytest.skip("no GPU of a known target on this machine")
    made, target = MADE[name], present[0].target
    how: dict[str, Any] = {"host": made.host, "target": target}
    natively = call(made.file, name, made.arguments(), made.expected, backend="max", **how)
    told = call(made.file, name, made.arguments(), made.expected, backend="simulator", **how)

    assert natively.ok and natively.changed == told.changed
    for array, values in told.results.items():
        assert natively.results[array].tobytes() == values.tobytes()


@compiler
def test_an_array_that_the_program_did_not_leave_is_named(monkeypatch):
    """The first of three is lost: nothing can be said of the call, and it is not the second's values."""

    def lose_first(*arguments: Any) -> Any:
        execution, arrays, error = calls_exported(*arguments)
        return execution, [None, *arrays[1:]], error

    calls_exported = calls.call_exported
    monkeypatch.setattr(calls, "call_exported", lose_first)
    arguments = [floats(100), floats(100), output(100), 100]

    with pytest.raises(EnvironmentFault, match="the call of added left nothing of a: call it again"):
        call(FILE, "added", arguments, target="nvidia:sm_90", backend="simulator")


def test_what_a_guard_shows_is_told_in_elements():
    tensor = calls.TensorArgument("a", "output", (4,), np.dtype(np.float32), form="pointer")
    left = ArrayAfterCall(floats(4), np.array([False, False, True, False]), [-3, -1], [4])
    told = list(calls._judged(tensor, False, left, None, None))

    assert [each.id for each in told] == ["check.outside.before", "check.outside.after", "check.never-written"]
    assert [each.count for each in told] == [2, 1, 1]


@pytest.mark.slow
@compiler
def test_the_fixture_of_pytest_calls_a_function(pytester: pytest.Pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", import_path(Path(__file__).parents[2]))
    (pytester.path / "functions.mojo").symlink_to(FILE)
    pytester.makepyfile(
        """
        import numpy as np

        def test_right(mojo_call):
            a = np.arange(8, dtype=np.float32)
            result = mojo_call("functions.mojo", "added", [a, a, a.copy(), 8], {"c": 2 * a})
            assert result.changed == ("a", "b", "c") or result.changed == ("c",)

        def test_wrong(mojo_call):
            mojo_call("functions.mojo", "shifted", {"a": np.zeros(16, np.float32), "n": 16})

        def test_checks_itself(mojo_call):
            result = mojo_call("functions.mojo", "shifted", {"a": np.zeros(16, np.float32), "n": 16}, check=False)
            assert not result.ok

        def test_refused(mojo_call):
            mojo_call("functions.mojo", "aded", [])
        """
    )
    words = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider", "--target", NVIDIA, "--backend", "simulator")
    result = pytester.runpytest_subprocess(*words)

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*out-of-bounds.after*", "*unknown function 'aded': did you mean 'added'?*"])
