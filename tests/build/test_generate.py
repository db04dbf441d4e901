"""Whose fault it is when what is generated around a kernel does not compile."""

from __future__ import annotations

import pytest

from harness.build import generate, toolchain, versions
from harness.build.cache import Cache
from harness.build.device_code import build_device_code, compile_kernels
from harness.build.graphs import build_graphs
from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import CASES, find_case
from harness.errors import CompileError, EnvironmentFault
from harness.model.target import Target
from tests import learners

SM_90 = Target.parse("nvidia:sm_90")
MOVED = "generated/device.mojo:4:24: error: module 'compile' has no declaration 'compile_info'"
needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def units_of(name: str) -> tuple[BuildUnit, ...]:
    return make_units([find_case(name)], Build(target=SM_90))


def fails(text: str) -> CompileError:
    return CompileError("p15 does not compile", text)


def test_a_fault_of_what_is_generated_is_not_the_kernel_s(monkeypatch):
    """An empty kernel has it too: nothing is judged, and the versions are named."""
    tried = []

    def compiles(others: tuple[BuildUnit, ...]) -> None:
        tried.append(others[0].file.read_text())
        raise fails(MOVED)

    monkeypatch.setattr(versions, "installed_version", {"max": "26.5.0", "mojo": "1.0.0"}.get)
    with pytest.raises(EnvironmentFault, match="what the harness generates around p15 does not compile here") as caught:
        generate.relocate_error(fails(MOVED), units_of("p15"), compiles)
    assert (
        f"whatever the kernel ({MOVED}): it is written for MAX/Mojo 26.6.0/1.1.0, 26.7.0/1.2.0; here is MAX 26.5"
        in (str(caught.value))
    )
    assert len(tried) == 1 and tried[0].endswith("size_dev: Scalar[DType.int32]):\n    pass\n")


def test_what_only_this_kernel_has_is_its_own():
    """The near twin: around an empty kernel all is well."""
    error = generate.relocate_error(fails(MOVED), units_of("p15"), lambda unit: None)
    assert error.diagnostics.startswith("mojo/p15/solution.mojo:32:1: error: module 'compile' has no")


@pytest.mark.parametrize(
    "said",
    [
        "generated/device.mojo:12:5: error: constraint failed: TPB must be 8",
        "generated/device.mojo:15:5: error: constraint failed: the argument size_dev must be a Scalar[DType.int32]",
        "generated/device.mojo:20:20: error: '_takes_0' parameter 'kernel' has another type",
        "generated/device.mojo:20:29: error: module 'p15' has no declaration 'axis_sum'",
        "mojo/p15/solution.mojo:40:5: error: use of unknown declaration 'x'",
    ],
)
def test_what_is_known_to_be_the_kernel_s_is_compiled_once(said):
    def compiles(_: tuple[BuildUnit, ...]) -> None:
        raise AssertionError("nobody asked")

    assert "solution.mojo:" in generate.relocate_error(fails(said), units_of("p15"), compiles).diagnostics


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize(
    "build_one",
    [
        pytest.param(lambda *of: build_device_code(*of, "llvm"), id="device code"),
        pytest.param(build_graphs, id="graph", marks=pytest.mark.full),
    ],
)
def test_a_library_that_has_changed_is_no_wrong_answer(build_one, tmp_path, monkeypatch):
    """By the compiler itself: an import that the library does not have."""
    monkeypatch.setattr(generate, "_TENSORS", generate._TENSORS.replace("row_major", "major_row"))
    with pytest.raises(EnvironmentFault, match=r"whatever the kernel \(.*major_row"):
        build_one([find_case("p15")], Build(target=SM_90, cache=Cache(tmp_path)))


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        case.id if case.id == "p28" else pytest.param(case.id, marks=pytest.mark.full)
        for case in CASES
        if case.kernel_steps  # what a host function launches is built with that function
    ],
)
def test_around_an_empty_kernel_everything_compiles(name):
    """In the file that the harness writes itself to find out whether a kernel is to blame."""
    compiled = []

    def compiles(empty: tuple[BuildUnit, ...]) -> None:
        beside, text = f"an empty kernel of {name}", empty[0].file.read_text(encoding="utf-8")
        if learners.LEARNERS.get(beside) == (find_case(name).puzzle, text):
            compiled.append(learners.code(beside, find_case(name)))
        else:
            compiled.extend(compile_kernels([(unit, SM_90) for unit in empty]))

    generate._require_compilable(units_of(name), compiles)
    assert len(compiled) == len(units_of(name)) and all(isinstance(code, dict) for code in compiled)
