"""`simulate`: any kernel, arrays by name, one launch or several; what is wrong is told before anything is compiled."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from harness.cli import simulate as command
from harness.cli.main import main
from harness.cli.values import Values
from harness.report.lines import PATTERN
from harness.simt.ir.parse import decode
from harness.simt.render import Renderer
from tests.cli.kernels import TID, TWICE

THREE = ["--arg", "out=empty:f32:8", "--arg", "in=ones:f32:8", "--arg", "n=i32:8"]


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    """The child that reads a stranger's IR has tests of its own, and takes half a second."""
    monkeypatch.setattr(command, "decode_foreign", decode)


@pytest.fixture
def simulate(tmp_path, monkeypatch):
    """Runs `simulate` on the kernels above, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels.ll").write_text(TWICE)

    def run(*arguments, kernel="twice", geometry=("--grid", "1", "--block", "8")):
        named = ["--kernel", kernel] if kernel else []
        return main(["simulate", "kernels.ll", "--target", "nvidia:sm_90", *named, *geometry, *arguments])

    return run


def test_arrays_go_in_and_come_out(simulate, tmp_path, capsys):
    np.save("in.npy", np.arange(8, dtype=np.float32))
    flags = ["--arg", "out=empty:f32:8", "--arg", "in=in.npy", "--arg", "n=i32:8"]

    assert simulate(*flags, "--out", "o", "--json", "r.json") == 0, capsys.readouterr()
    assert np.load(tmp_path / "o" / "out.npy").tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert json.loads((tmp_path / "r.json").read_text())["verdict"] == "clean"


def test_what_is_wrong_is_reported(simulate, capsys):
    """A guard that is too wide reads and writes past both arrays."""
    assert simulate("--arg", "out=empty:f32:4", "--arg", "in=ones:f32:4", "--arg", "n=8") == 1

    out = capsys.readouterr().out
    assert "========= Invalid __global__ read of size 4 bytes" in out
    assert "by thread (4,0,0) in block (0,0,0)" in out
    assert "ERROR SUMMARY" in out


@pytest.mark.slow
def test_findings_are_lines_for_editors_where_asked_for(simulate, capsys):
    """With the severity that is asked for; a launch without an end has a line too."""
    short = ["--arg", "out=empty:f32:4", "--arg", "in=ones:f32:4", "--arg", "n=8"]
    told = {}
    for severity in ("error", "information"):
        assert simulate(*short, "--format", "lines", "--severity", severity) == 1
        told[severity] = [line for line in capsys.readouterr().out.splitlines() if re.match(PATTERN, line)]

    assert all(line.startswith("kernels.ll:1:1: error: out-of-bounds.") for line in told["error"])
    assert "by thread (4,0,0) in block (0,0,0), warp 0 lane 4, 4 times" in told["error"][0]
    assert set(told["error"]) <= set(told["information"])
    assert simulate("--launch-seconds", "0.5", "--format", "lines", kernel="endless") != 0
    assert "kernels.ll:1:1: error: incomplete: " in capsys.readouterr().out


def test_a_finding_shows_its_line_from_beside_the_kernel(simulate, tmp_path, monkeypatch, capsys):
    """Wherever the command is given; of other folders it shows none."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.cu").write_text("__global__ void one(int *p) {\n  p[threadIdx.x] = 1;\n}\n")
    code = f"""define ptx_kernel void @one(ptr %p) !dbg !1 {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !3
  %q = getelementptr i32, ptr %p, i32 %t, !dbg !3
  store i32 1, ptr %q, align 4, !dbg !3
  ret void, !dbg !3
}}
{TID}!llvm.dbg.cu = !{{!0}}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!1 = distinct !DISubprogram(name: "one", file: !2, line: 1, unit: !0)
!2 = !DIFile(filename: "one.cu", directory: "{tmp_path / "in"}")
!3 = !DILocation(line: 2, column: 18, scope: !1)
!llvm.module.flags = !{{!4}}
!4 = !{{i32 2, !"Debug Info Version", i32 3}}
"""
    (tmp_path / "in" / "one.ll").write_text(code)
    flags = ["--target", "nvidia:sm_90", "--grid", "1", "--block", "8", "--arg", "p=zeros:i32:4"]

    assert main(["simulate", str(tmp_path / "in" / "one.ll"), *flags]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "=========          2 |   p[threadIdx.x] = 1;" in lines
    assert (
        lines[lines.index("=========          2 |   p[threadIdx.x] = 1;") + 1].index("^")
        == len("=========          2 | ") + 17
    )
    assert main(["simulate", str(tmp_path / "in" / "one.ll"), *flags, "--profile"]) == 1
    out = capsys.readouterr().out
    assert "=========     at in/one.cu:2:18 in one" in out and "\nin/one.cu:2:18  global store" in out
    assert str(tmp_path) not in out


def test_a_missing_argument_is_refused(simulate, capsys):
    assert simulate("--arg", "out=empty:f32:8", "--arg", "in=ones:f32:8") == 2
    assert "takes 3 arguments, but got 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--grid", "0"], "--grid '0' is not one to three positive numbers"),
        (["--block", "8,8,8,8"], "--block '8,8,8,8' is not"),
        (["--cluster", "1.5"], "--cluster '1.5' is not"),
        (["--target", "nvidia:sm_9"], "unknown target 'nvidia:sm_9': did you mean 'nvidia:sm_90'"),
        (["--observers", "race"], "unknown observer 'race': did you mean 'races'"),
        (["--observers", "races,no-sync"], "not both"),
        (["--severity", "fatal"], "unknown severity 'fatal'"),
        (["--engine", "fast"], "unknown engine 'fast'"),
        (["--launch-seconds", "0"], "must be a number of seconds above 0"),
        (["--launch-seconds", "nan"], "must be a number of seconds above 0"),
        (["--seed", "-2"], "at least 0"),
        (["--shared-bytes", "-4"], "at least 0"),
        (["--json", "nowhere/r.json"], "make the folder nowhere first"),
        (["--arg", "out"], "--arg 'out' is not NAME=VALUE"),
        (["--arg", "out=zeros:f33:4"], "unknown element type 'f33'"),
        (["--arg", "out=zeros:f32:4x"], "is not like 4x6"),
        (["--arg", "out=zeros:f32:-4"], "is not like 4x6"),
        (["--arg", "out=zeros:f32:0"], "at least one element"),
        (["--arg", "out=ones:f32:4:7"], "is not like zeros:f32:4x6 or random:f32:4x6:7"),
        (["--arg", "n=i32:seven"], "'seven' is no i32"),
        (["--arg", "n=i8:300"], "'300' is no i8"),
        (["--arg", "n=int:7"], "unknown kind of value 'int'"),
        (["--arg", "n=seven"], "unknown kind of value 'seven'"),
        (["--arg", "a=nowhere.npy"], "cannot read nowhere.npy"),
        (["--arg", "a=@b"], "@b: no array is given"),
        (["--arg", "b=zeros:f32:4", "--arg", "a=@c"], "unknown array 'c'"),
        (["--arg", "b=zeros:f32:4", "--arg", "a=@b[4:]"], "has no elements: b has 4"),
        (["--arg", "b=zeros:f32:4", "--arg", "a=@b[1]"], "is not like @NAME or @NAME[2:9]"),
        (["--arg", "b=zeros:f32:4", "--arg", "b=zeros:f32:4"], "there is an array 'b' already: @b refers to it"),
        (["--arg", "a={i32:1,{2}"], "is not like {VALUE,VALUE}"),
        (["--arg", "a={1}{2}"], "a: {1}{2} is not like {VALUE,VALUE}"),
        (["--arg", "a={1},{2}"], "a: {1},{2} is not like {VALUE,VALUE}"),
        (["--arg", "a={1,{2}}{3,4}"], "a: {1,{2}}{3,4} is not like {VALUE,VALUE}"),
        (["--arg", "a={1,{2}{3}}"], "is not like {VALUE,VALUE}"),
        (["--launches", "nowhere.json"], "--launches and --grid cannot be combined"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_told_before_anything_is_compiled(flags, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "compiled", lambda *_, **__: pytest.fail("the compiler was asked"))
    (tmp_path / "kernels.mojo").write_text("def main():\n    pass\n")

    code = main(["simulate", "kernels.mojo", "--target", "nvidia", "--grid", "1", "--block", "8", *flags])

    captured = capsys.readouterr()
    assert code in (2, 3) and captured.out == ""
    assert message in captured.err and captured.err.startswith("error: ") and captured.err.count("\n") == 1


@pytest.mark.parametrize("flag", ["--grid", "--block"])
def test_a_geometry_that_is_missing_is_asked_for(flag, simulate, capsys):
    left = {"--grid": ("--block", "8"), "--block": ("--grid", "1")}[flag]
    assert simulate(*THREE, geometry=left) == 2
    assert f"{flag} is missing" in capsys.readouterr().err


def test_random_data_is_the_same_for_the_same_seed():
    first, again, other = (Values().read("a", f"random:f32:4x6:{seed}").array for seed in (1, 1, 2))
    second = Values().read("b", "random:f32:4x6:1").array

    assert first.shape == (4, 6) and (first == again).all()
    assert not (first == other).any() and not (first == second).any()
    assert (Values().read("a", "random:f32:9").array == Values().read("a", "random:f32:9:0").array).all()
    for kind, least in (("i32", -100), ("u8", 0)):
        drawn = Values().read("n", f"random:{kind}:1000").array
        assert (drawn.min(), drawn.max()) == (least, 100)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("7", 7),
        ("0x10", 16),
        ("-1.5", -1.5),
        ("true", True),
        ("i64:-3", np.int64(-3)),
        ("f16:0.5", np.float16(0.5)),
        ("{1,{i32:2,null}}", (1, (np.int32(2), None))),
    ],
)
def test_numbers_and_structs_are_read(text, value):
    read = Values().read("x", text)
    assert read == value and type(read) is type(value)


def test_arrays_are_filled_as_they_say():
    values = Values()
    assert values.read("a", "arange:u8:2x3").array.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert values.read("b", "ones:f64:2").array.tolist() == [1, 1]
    assert (values.read("c", "empty:i32:2").initialised, values.arrays["b"].initialised) == (False, True)
    part = values.read("d", "@a[1:4]")
    part.array[0] = 9
    assert values.arrays["a"].array.tolist() == [[0, 9, 2], [3, 4, 5]] and list(values.arrays) == ["a", "b", "c"]


def test_a_struct_takes_an_array_and_numbers(simulate, capsys):
    assert simulate("--arg", "v={zeros:i64:1,{42,7}}", kernel="view", geometry=("--grid", "1", "--block", "1")) == 0
    assert "v.0 = [42]" in capsys.readouterr().out
    assert simulate("--arg", "v=zeros:i64:1", kernel="view", geometry=("--grid", "1", "--block", "1")) == 2
    assert "nothing is given for v.1.0 (i64), v.1.1 (i32)" in capsys.readouterr().err


def test_a_null_pointer_can_be_given(simulate, capsys):
    assert simulate("--arg", "out=null", "--arg", "in=ones:f32:8", "--arg", "n=8") == 1
    assert "through a null pointer" in capsys.readouterr().out


def test_parts_of_one_array_race(simulate, capsys):
    """What a block writes, its neighbour reads."""
    assert simulate("--arg", "out=zeros:f32:9", "--arg", "in=@out[1:9]", "--arg", "n=8") == 1
    assert "Race" in capsys.readouterr().out


@pytest.mark.slow
def test_an_endless_kernel_ends_at_its_limit(simulate, capsys):
    assert simulate("--launch-seconds", "0.5", kernel="endless") != 0
    captured = capsys.readouterr()
    assert "0.5 s" in captured.out + captured.err
    assert "its limit: --launch-seconds raises it, with fewer --observers it takes less" in captured.err


@pytest.mark.slow
def test_observers_are_chosen_by_name(simulate, capsys):
    """An undefined read and elements left out: two observers, each alone, both, and neither."""
    flags = ["--arg", "out=empty:f32:8", "--arg", "in=empty:f32:8", "--arg", "n=4"]
    seen = {}
    for chosen in ("uninitialised", "unwritten", "no-unwritten", "no-uninitialised,no-unwritten", None):
        simulate(*flags, *(["--observers", chosen] if chosen else []), "--json", "r.json")
        with open("r.json", encoding="utf-8") as report:
            seen[chosen] = {
                finding["kind"] for finding in json.load(report)["findings"] if finding["severity"] == "error"
            }
    assert seen == {
        "uninitialised": {"uninitialised"},
        "unwritten": {"never-written"},
        "no-unwritten": {"uninitialised"},
        "no-uninitialised,no-unwritten": set(),
        None: {"uninitialised", "never-written"},
    }


@pytest.mark.parametrize(
    ("count", "flags", "note"),
    [
        (8, ["--observers", "no-counters"], "the compiled engine ran twice, 1 block; every check held."),
        (8, [], "the compiled engine ran twice, 1 block; every check held."),
        (4, ["--observers", "no-counters"], "the interpreter ran twice because of a check that did not hold."),
    ],
)
def test_machine_code_says_what_ran_and_the_report_is_the_same(count, flags, note, simulate, capsys):
    shown = []
    for engine in ("reference", "native"):
        simulate(
            "--arg", f"out=empty:f32:{count}", "--arg", "in=ones:f32:8", "--arg", "n=8", "--engine", engine, *flags
        )
        shown.append(capsys.readouterr())

    assert shown[0].out == shown[1].out
    assert (shown[0].err, shown[1].err) == ("", f"note: {note}\n")


def test_of_a_launch_with_a_wrong_block_it_says_what_ran_which(simulate, tmp_path, capsys):
    block = "llvm.nvvm.read.ptx.sreg.ctaid.x"
    places = f"""declare i32 @{block}()
define ptx_kernel void @places(ptr %o) {{
  %b = call i32 @{block}()
  %p = getelementptr i32, ptr %o, i32 %b
  store i32 %b, ptr %p
  ret void
}}
"""
    (tmp_path / "kernels.ll").write_text(places)
    flags = ("--arg", "o=zeros:i32:7", "--engine", "native", "--observers", "no-counters")
    simulate(*flags, kernel="places", geometry=("--grid", "8", "--block", "1"))

    assert capsys.readouterr().err == (
        "note: the compiled engine ran places, 7 blocks; every check held for these. 1 block ran in the interpreter "
        "because of a check that did not hold.\n"
    )


def test_less_severe_findings_can_be_hidden(simulate, tmp_path, capsys):
    """The summary and the report count them nevertheless."""
    every = "define ptx_kernel void @every(ptr %o) {\n  store i32 1, ptr %o\n  ret void\n}\n"
    (tmp_path / "kernels.ll").write_text(every)
    shown = {}
    for severity in ("information", "warning"):
        assert simulate("--arg", "o=zeros:i32:1", "--severity", severity, "--json", "r.json", kernel="every") == 0
        shown[severity] = capsys.readouterr().out
        assert len(json.loads((tmp_path / "r.json").read_text())["findings"]) == 1
    assert "Several threads write the same value" in shown["information"]
    assert "Several threads write the same value" not in shown["warning"]
    assert all("1 for information" in text for text in shown.values())


LAUNCHES = [
    {"kernel": "twice", "grid": 1, "block": 8, "args": {"out": "empty:f32:8", "in": "arange:f32:8", "n": 8}},
    {"kernel": "twice", "grid": [1], "block": "8,1", "args": {"in": "@out", "out": "@out", "n": "i32:8"}},
    {"kernel": "view", "grid": 1, "block": 1, "args": {"v": ["zeros:i64:1", [5, 6]]}},
]


def launch_all(simulate, launches, *flags):
    with open("l.json", "w", encoding="utf-8") as file:
        json.dump(launches, file)
    return simulate("--launches", "l.json", *flags, kernel=None, geometry=())


def test_launches_of_one_file_share_their_arrays(simulate, tmp_path, capsys):
    assert launch_all(simulate, LAUNCHES, "--json", "r.json", "--out", "o") == 0, capsys.readouterr()

    out = capsys.readouterr().out
    assert "twice (1) x (8):" in out and "view (1) x (1):" in out and "v.0 = [5]" in out
    assert np.load(tmp_path / "o" / "out.npy").tolist() == [0, 4, 8, 12, 16, 20, 24, 28]
    report = json.loads((tmp_path / "r.json").read_text())
    assert [launch["kernel"] for launch in report["launches"]] == ["twice", "twice", "view"]


@pytest.mark.slow
def test_after_a_launch_that_did_not_end_no_more_are_made(simulate, capsys):
    endless = {"kernel": "endless", "grid": 1, "block": 1}
    assert launch_all(simulate, [LAUNCHES[0], endless, LAUNCHES[1]], "--launch-seconds", "0.2") != 0
    assert "1 more launches were not made" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("launches", "message"),
    [
        ({}, "is no list of launches"),
        ([], "is no list of launches"),
        ([3], "launch 1: a launch is an object with kernel, grid"),
        ([{"grid": 1}], "launch 1: 'block' is missing"),
        ([LAUNCHES[0], {**LAUNCHES[1], "gird": 1}], "launch 2: unknown key 'gird': did you mean 'grid'"),
        ([{**LAUNCHES[0], "grid": 1.5}], "launch 1: 'grid' 1.5 is not one to three"),
        ([{**LAUNCHES[0], "grid": True}], "launch 1: 'grid' True is not one to three"),
        ([{**LAUNCHES[0], "args": ["a"]}], "launch 1: 'args' is an object"),
        ([{**LAUNCHES[0], "kernel": 1}], "launch 1: 'kernel' is a name"),
        ([{**LAUNCHES[0], "shared_bytes": -1}], "launch 1: 'shared_bytes' is a number of at least 0"),
        ([{**LAUNCHES[0], "args": {"out": {"zeros": 4}}}], "launch 1: out is {'zeros': 4}: a value is a text"),
        ([LAUNCHES[1]], "launch 1: @out: no array is given"),
        ([LAUNCHES[0], LAUNCHES[0]], "launch 2: there is an array 'out' already"),
        ([{**LAUNCHES[0], "kernel": "thrice"}], "no kernel is called 'thrice'; there are: twice, view, endless"),
    ],
)
def test_a_wrong_file_of_launches_is_refused(simulate, launches, message, capsys):
    assert launch_all(simulate, launches) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""


def test_a_file_of_launches_that_is_no_json_is_refused(simulate, tmp_path, capsys):
    (tmp_path / "l.json").write_text("[{")
    assert simulate("--launches", "l.json", kernel=None, geometry=()) == 2
    assert "l.json is no JSON" in capsys.readouterr().err


def test_what_a_kernel_prints_does_nothing_to_the_terminal(capsys):
    """Nor to the log of the job that simulates it."""
    printed = ("\x1b[2J\n::error::x\n", "so")
    result = SimpleNamespace(printed=printed, findings=(), verdict="clean", fault=None, fidelity={})
    command._print_result(result, SimpleNamespace(format="text", severity="information", fail_on="warning"), Renderer())

    assert capsys.readouterr().out.startswith("\\x1b[2J\n\\::error::x\nso\n=========")


@pytest.mark.parametrize("form", ["text", "lines"])
def test_orderings_of_an_unknown_compiler_are_told_once(tmp_path, capsys, form):
    """In one line of the report, though two atomics are concerned; not if information is not asked for."""
    count = "atomicrmw add ptr %o, i32 1 seq_cst"
    file = tmp_path / "k.ll"
    file.write_text(
        f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {{
  %x = {count}
  %y = {count}
  ret void
}}"""
    )
    words = ["simulate", str(file), "--target", "nvidia:sm_90", "--grid", "1", "--block", "1", "--arg", "o=zeros:i32:1"]

    assert main([*words, "--format", form, "--json", str(tmp_path / "out.json")]) == 0
    assert capsys.readouterr().out.count("unknown-producer") == 1
    assert [note["id"] for note in json.loads((tmp_path / "out.json").read_text())["notes"]] == ["unknown-producer"]
    assert main([*words, "--format", form, "--severity", "warning"]) == 0
    assert "unknown-producer" not in capsys.readouterr().out
