"""What is compiled to device code, what is found again, and what a broken file costs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build import device_code as code
from harness.build import toolchain
from harness.build.cache import Cache
from harness.build.device_code import build_device_code, compile_ahead, compile_kernels
from harness.build.graphs import build_graphs
from harness.build.unit import FEW, Build, make_units
from harness.catalogue import CASES, find_case
from harness.errors import CompileError, CompileTimeout, UsageError
from harness.model.sources import MOJO, ROOT, Sources
from harness.model.target import Target
from tests import compiled as in_cache
from tests import learners

pytestmark = pytest.mark.slow

SM_90, GFX942, APPLE = (Target.parse(name) for name in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4"))
P26 = [entry for entry in CASES if entry.puzzle == "p26"]
needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


@pytest.fixture
def build(tmp_path):
    return Build(target=SM_90, cache=Cache(tmp_path / "cache"))


@pytest.fixture
def compiled(monkeypatch):
    """Replaces the compiler by one that records which kernels it was asked for, and may refuse some."""
    asked: list[list[str]] = []
    broken: set[str] = set()

    def compiler(parts, *_):
        names = [unit.case.id for unit, _ in parts]
        asked.append(names)
        if broken & set(names):
            raise CompileError(f"{names} do not compile", "broken")
        return [{level: f"{level} of {unit.case.id} for {target}" for level in code.LEVELS} for unit, target in parts]

    monkeypatch.setattr(code, "_compile_program", compiler)
    return asked, broken


def test_of_files_that_are_apart_none_waits_for_anothers_limit(monkeypatch, tmp_path, build):
    """All of them together came to it, or one did: nobody knows, and in halves each half could again."""
    asked = []

    def compiler(parts, *_):
        asked.append(len(parts))
        raise CompileTimeout("still compiling")

    monkeypatch.setattr(code, "_compile_program", compiler)
    monkeypatch.setattr(code.generate, "relocate_error", lambda error, *_: error)
    parts = [(unit, SM_90) for unit in make_units([find_case("p01"), find_case("p15")], build)]

    with pytest.raises(CompileTimeout):
        code.compile_kernels(parts, apart=True)
    assert asked == [2]
    errors = code.compile_kernels(parts)
    assert asked == [2, 2, 1, 1] and all(isinstance(error, CompileTimeout) for error in errors)


def test_files_that_are_apart_know_no_name_of_one_another(monkeypatch, build):
    """Neither a module's nor a call's; of one file nothing changes."""
    programs = []
    monkeypatch.setattr(
        code.toolchain, "emit_strings", lambda _compiler, program, **_: programs.append(program.read_text())
    )

    def compiled(*ids):
        with pytest.raises(TypeError):  # nothing comes back
            code.compile_kernels(
                [(unit, SM_90) for unit in make_units([find_case(name) for name in ids], build)], apart=True
            )
        return programs[-1]

    names = [set(re.findall(r"^import (p\d\d_\w+)", compiled("p01", "p15"), re.MULTILINE)) for _ in range(2)]
    assert [len(each) for each in names] == [2, 2] and not names[0] & names[1]
    assert not re.search(r'"llvm_\d+"', programs[-1])
    assert "import p15\n" in compiled("p15") and 'external_call["llvm_0"' in programs[-1]


def changed(tmp_path: Path, puzzle: str, old: str = "", new: str = "# changed\n") -> Sources:
    text = (MOJO / puzzle / "solution.mojo").read_text()
    assert old in text
    path = tmp_path / f"{puzzle}.mojo"
    path.write_text(text.replace(old, new, 1))
    return Sources(overrides={puzzle: path})


def test_ir_and_assembly_come_from_one_compilation(compiled, build):
    """Of all that is missing; the second time nothing is compiled."""
    asked, _ = compiled
    lines: list[str] = []
    build = replace(build, notify=lines.append)
    assert build_device_code(P26, build, "llvm")["p26:pair-swap"] == ("llvm of p26:pair-swap for nvidia:sm_90",)
    assert build_device_code(P26, build, "asm")["p26:pair-swap"] == ("asm of p26:pair-swap for nvidia:sm_90",)
    assert asked == [[entry.id for entry in P26]]
    assert lines == [f"compiling the kernels of {', '.join(asked[0])} for nvidia:sm_90"]


def test_only_what_is_asked_for_is_compiled(compiled, build):
    """An edit of one kernel does not wait for the others in its file."""
    asked, _ = compiled
    build_device_code(P26[1:2], build, "llvm")
    build_device_code(P26, build, "llvm")
    names = [entry.id for entry in P26]
    assert names[:3] == ["p26:pair-swap", "p26:parallel-max", "p26:conditional-max"]
    assert asked == [["p26:parallel-max"], [names[0], *names[2:]]]


def test_what_does_not_compile_costs_its_own_case(compiled, build):
    """Together they fail, alone only one does; errors are not kept."""
    asked, broken = compiled
    broken.add("p26:parallel-max")
    few = P26[:3]  # of no more than `FEW` each is tried alone
    codes = build_device_code(few, build, "llvm")
    assert [name for name, text in codes.items() if isinstance(text, CompileError)] == ["p26:parallel-max"]
    assert sorted(asked[1:]) == sorted([entry.id] for entry in few)
    build_device_code(few, build, "llvm")
    assert asked[4:] == [["p26:parallel-max"]]


def test_of_many_the_half_that_compiles_is_done_with(compiled, build):
    """And what costs only itself is found in the other."""
    asked, broken = compiled
    broken.add("p26:parallel-max")
    names = [entry.id for entry in P26]
    assert len(names) > FEW
    codes = build_device_code(P26, build, "llvm")
    assert list(codes) == names
    assert [name for name, text in codes.items() if isinstance(text, CompileError)] == ["p26:parallel-max"]
    assert asked[0] == names and sorted(asked[1:]) == sorted([names[:2], names[2:], names[:1], names[1:2]])
    build_device_code(P26, build, "llvm")
    assert asked[5:] == [["p26:parallel-max"]]


def test_another_file_target_or_program_is_another_entry(compiled, build, tmp_path, monkeypatch):
    """The generated program counts as a source."""
    asked, _ = compiled
    wanted = [find_case("p15")]
    build_device_code(wanted, build, "llvm")
    build_device_code(wanted, replace(build, target=GFX942), "llvm")
    build_device_code(wanted, replace(build, sources=changed(tmp_path, "p15")), "llvm")
    honest = code.generate.generate_device_program
    monkeypatch.setattr(code.generate, "generate_device_program", lambda parts: honest(parts) + "# changed\n")
    build_device_code(wanted, build, "llvm")
    assert len(asked) == 4


def test_several_targets_are_compiled_at_once(compiled, build):
    """What a target refuses is left out, what fails says for which; later each target finds its own."""
    asked, broken = compiled
    builds = [build, replace(build, target=GFX942)]
    assert compile_ahead(CASES, builds) == {"nvidia:sm_90": {}, "amd:gfx942": {}}
    steps = [(entry, entry.id) for entry in CASES for _ in entry.kernel_steps]
    refused = [name for entry, name in steps if entry.refusal(GFX942)]
    assert {"p29:double-buffer", "p34:reduction"} <= set(refused) and "p15" not in refused
    names = [name for _, name in steps]
    assert asked == [names + [name for name in names if name not in refused]]
    assert build_device_code([find_case("p15")], builds[1], "asm") == {"p15": ("asm of p15 for amd:gfx942",)}
    assert len(asked) == 1
    broken.add("p15")
    errors = compile_ahead([find_case("p15")], [replace(build, target=APPLE)])
    assert list(errors["apple:apple-m4"]) == ["p15"]


def test_an_unknown_level_is_refused(build):
    with pytest.raises(UsageError, match="no level 'ptx' of device code: known are llvm, asm"):
        build_device_code(CASES, build, "ptx")


@pytest.fixture
def spoilt(tmp_path):
    """A build in which p15 does not compile, the cases p15 and p34, and how the compiler's words begin."""
    sources = changed(tmp_path, "p15", "local_i = thread_idx.x", "local_i = nothing")
    file = sources.kernel_file(find_case("p15"))
    line = next(number for number, text in enumerate(file.read_text().splitlines(), 1) if "nothing" in text)
    place = f"{file}:{line}:19: error: use of unknown declaration 'nothing'"
    return Build(target=SM_90, sources=sources), [find_case("p15"), find_case("p34:reduction")], place


@needs_mojo
@pytest.mark.parametrize("missing", ["one", pytest.param("all", marks=pytest.mark.full)])
def test_a_kernel_that_does_not_compile(missing, spoilt, tmp_path):
    """Its file and line are named; the other puzzles are found, or compiled all the same."""
    build, wanted, place = spoilt
    if missing == "all":
        build = replace(build, cache=Cache(tmp_path / "cache"))
    else:
        in_cache.solutions()
    codes = build_device_code(wanted, build, "llvm")
    assert isinstance(codes["p15"], CompileError) and codes["p15"].diagnostics.startswith(place)
    assert isinstance(codes["p34:reduction"], tuple)


@needs_mojo
@pytest.mark.full  # MAX compiles each graph alone then
def test_a_kernel_that_does_not_compile_in_a_graph(spoilt):
    build, wanted, place = spoilt
    in_cache.graphs()
    built = build_graphs(wanted, build)
    assert built.errors["p15"].diagnostics.startswith(place) and "p34:reduction" in built.artifacts


@pytest.mark.full
@needs_mojo
def test_the_compiler_refuses_what_the_catalogue_refuses():
    """Clusters on gfx942: the library's own constraint, at the line that asks for them."""
    build = Build(target=GFX942)
    error = build_device_code([find_case("p34:reduction")], build, "llvm", force=True)["p34:reduction"]
    assert isinstance(error, CompileError)
    assert "mojo/p34/solution.mojo:" in error.diagnostics
    assert "only supported by NVIDIA SM90+ GPUs" in error.diagnostics
    assert not build_device_code([find_case("p34:reduction")], build, "llvm")


@pytest.fixture
def attempt(tmp_path):
    """The solution of p15 as a learner's file, and its device code by level, compiled alone."""
    path = tmp_path / "my attempt.mojo"
    path.write_text((MOJO / "p15" / "solution.mojo").read_text())
    build = Build(target=SM_90, sources=Sources(overrides={"p15": path}), cache=Cache(tmp_path / "cache"))
    return path, {level: build_device_code([find_case("p15")], build, level)["p15"][0] for level in code.LEVELS}


@needs_mojo
def test_code_leads_to_its_own_file_and_is_the_same_alone_or_together(attempt):
    """Whatever a learner's file is called, and wherever it lies; and whatever else a program compiles."""
    path, alone = attempt
    assert f'!DIFile(filename: "{path.resolve()}"' in alone["llvm"]
    assert not any("/kernels-" in text or str(ROOT) in text for text in alone.values())

    # What tests share, which they take for what a command would compile.
    together = learners.code("p15 solved", find_case("p15"))
    here = {level: text.replace(in_cache.HOLE, str(path.resolve())) for level, text in together.items()}
    assert in_cache.settled(here["llvm"]) == in_cache.settled(alone["llvm"]) and here["asm"] == alone["asm"]


@needs_mojo
@pytest.mark.parametrize("target", [SM_90, GFX942, APPLE], ids=str)
def test_what_is_cached_holds_on_any_machine(target):
    """No path of this checkout or of a temporary folder is in the device code."""
    in_cache.solutions()
    for level in code.LEVELS:
        (text,) = build_device_code([find_case("p15")], Build(target=target), level)["p15"]
        assert "mojo/p15/solution.mojo" in text or level == "asm"
        assert str(ROOT) not in text and "/kernels-" not in text


@needs_mojo
@pytest.mark.full  # above with kernels of one target
def test_alone_or_together_for_several_targets_a_kernel_is_the_same():
    """What else a program compiles, for the same target or another, is not seen in the code."""
    parts = [(unit, target) for target in (SM_90, GFX942) for unit in make_units(P26[:2], Build(target=target))]
    together, (alone,) = compile_kernels(parts), compile_kernels(parts[1:2])
    assert together[1] == alone
    assert len({text["llvm"] for text in together}) == len(parts)


def test_a_checkout_elsewhere_finds_the_same_entries(build, tmp_path, monkeypatch):
    """The key holds the path below the root, and a learner's own path whole."""
    keys = []
    for root in (tmp_path / "here", tmp_path / "there"):
        file = root / "mojo" / "p15.mojo"
        file.parent.mkdir(parents=True)
        file.write_text("kernel")
        monkeypatch.setattr("harness.model.sources.ROOT", root)
        (unit,) = make_units([find_case("p15")], replace(build, sources=Sources(overrides={"p15": file})))
        keys.append(code._key(unit, build))
    monkeypatch.undo()
    assert keys[0] == keys[1] != code._key(unit, build)


@needs_mojo
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(  # asserted of what a learner is told by `tests/learning/test_mistakes.py`
            "comptime TPB = 8",
            "comptime TPB = 16",
            "{file}:10:1: error: TPB must be 8\ncomptime TPB = 16\n^",
            marks=pytest.mark.full,
        ),
        ("    size_dev: Int32,\n", "", "{file}:32:1: error: axis_sum must take (output, a, size_dev), return nothing"),
        pytest.param(
            "    size_dev: Int32,\n):",
            "    size_dev: Int32,\n) raises:",
            "{file}:32:1: error: axis_sum must take (output, a, size_dev), return nothing and raise nothing",
            marks=pytest.mark.full,
        ),
    ],
    ids=["size", "arguments", "raises"],
)
def test_what_the_catalogue_does_not_know_is_told_at_its_line(tmp_path, old, new, said):
    """Of the learner's file: nobody sees what is generated."""
    build = Build(target=SM_90, sources=changed(tmp_path, "p15", old, new))
    if not new:
        build.sources.kernel_file(find_case("p15")).write_text(
            build.sources.kernel_file(find_case("p15")).read_text().replace("Int(size_dev)", "6")
        )
    error = build_device_code([find_case("p15")], build, "llvm")["p15"]
    assert isinstance(error, CompileError)
    assert error.diagnostics.startswith(said.format(file=build.sources.kernel_file(find_case("p15"))))


@pytest.mark.full
@needs_mojo
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def axis_sum(", "def row_sum(", "{file}:1:1: error: there is no kernel axis_sum here: a function of"),
        pytest.param(
            "size_dev: Int32",
            "size_dev: Int64",
            "{file}:32:1: error: the argument size_dev must be a Scalar[DType.int32]",
            marks=pytest.mark.full,
        ),
    ],
    ids=["name", "type"],
)
def test_the_graph_s_compiler_says_the_same(tmp_path, old, new, said):
    """In its own words, which are brought to the same sentence."""
    build = Build(target=SM_90, sources=changed(tmp_path, "p15", old, new))
    error = build_device_code([find_case("p15")], build, "llvm")["p15"]
    assert isinstance(error, CompileError)
    assert error.diagnostics.startswith(said.format(file=build.sources.kernel_file(find_case("p15"))))
    assert build_graphs([find_case("p15")], build).errors["p15"].diagnostics == error.diagnostics
