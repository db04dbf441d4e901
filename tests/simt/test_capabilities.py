"""What a target lacks is an error at its line, by whichever engine, and nothing where the target has it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from harness import simt
from harness.build import registers, sdk
from harness.errors import EnvironmentFault
from harness.simt import gpus
from harness.simt.capabilities import CAPABILITIES
from tests.simt.lacking import AMD, APPLE, CALLS, PTX, Sample, kernel, ptx_module, statement

pytestmark = pytest.mark.slow  # together they take seconds

SAMPLES = [*map(statement, PTX), *CALLS, *AMD, *APPLE]
ENGINES = ("reference", "native", "auto")
IDS = {"ids": str}


def launch(text, target, engine="reference"):
    return simt.launch(
        text,
        kernel="k",
        target=target,
        grid=1,
        block=32,
        args=[np.zeros(512, np.uint8), np.int32(0)],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )


def lacks(result):
    """The findings of what the target lacks."""
    return [finding for finding in result.findings if finding.kind == "capability"]


def test_every_row_has_a_sample():
    sampled = {(sample.what, sample.lacks.partition(":")[0]) for sample in SAMPLES}

    assert sampled == {(row.what, row.vendor) for row in CAPABILITIES}


def test_every_row_has_a_source_and_is_lacking_somewhere():
    for row in CAPABILITIES:
        assert row.source
        targets = [gpu for gpu in gpus.GPUS if gpu.vendor == row.vendor]
        assert any(not row.has(gpu) for gpu in targets), row.what
        assert any(row.has(gpu) for gpu in targets) == bool(row.targets) or row.targets == "gfx125x", row.what


@pytest.mark.parametrize("sample", SAMPLES, **IDS)
def test_what_the_target_lacks_is_an_error(sample: Sample):
    """Lanes do not even have to come there: the target's compiler refuses the kernel. A heap fails where it is used."""
    runs = "a heap in a kernel" in sample.what
    results = [launch(kernel(sample, reached=runs), sample.lacks, engine) for engine in ENGINES]

    for result in results:
        (finding, *_) = found = lacks(result)
        assert {each.severity for each in found} == {"error"}
        assert finding.values["target"] == sample.lacks
        assert result.findings == results[0].findings
        assert result.verdict == "findings"


@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if sample.has], **IDS)
def test_the_same_is_clean_where_the_target_has_it(sample: Sample):
    result = launch(kernel(sample, reached=False), sample.has)

    assert result.verdict == "clean", result.findings


@pytest.mark.parametrize("sample", [sample for sample in APPLE if "function" not in sample.what], **IDS)
def test_lanes_that_come_there_are_named(sample: Sample):
    found = lacks(launch(kernel(sample, reached=True), sample.lacks))

    assert found[0].who
    assert found[0].sites


def test_a_heap_that_no_lane_asks_for_is_none():
    assert launch(kernel(APPLE[0], reached=False), "apple:apple-m4").verdict == "clean"


def test_dead_code_needs_nothing():
    """A double that nothing takes, and one behind what nothing reaches."""
    text = (
        "define ptx_kernel void @k(ptr %o, i32 %n) {\n  %a = sitofp i32 %n to double\n  %b = fadd double %a, 1.0\n"
        "  store i32 %n, ptr %o\n  ret void\ngone:\n  %c = sitofp i32 %n to double\n  store double %c, ptr %o\n"
        "  ret void\n}\n"
    )
    assert launch(text, "apple:apple-m4").verdict == "clean"


def test_the_old_value_of_a_wide_maximum_is_not_there_on_any():
    """Metal's returns nothing."""
    (wide,) = (sample for sample in APPLE if "whose old value" in sample.what)
    text = kernel(wide, reached=True).replace("  br label %end\nend", "  store i64 %r, ptr %o\n  br label %end\nend")

    assert lacks(launch(text, "apple:apple-m2"))


@pytest.mark.parametrize("name", ["add", "sub", "and", "or", "xor", "xchg"])
def test_only_the_wide_minimum_and_maximum_are_there(name):
    """Metal has no other atomic of an `ulong`, also where the old value is not used."""
    (wide,) = (sample for sample in APPLE if "whose old value" in sample.what)
    text = kernel(wide, reached=True)
    assert not lacks(launch(text, "apple:apple-m2"))

    assert lacks(launch(text.replace("atomic.global.max.u", f"atomic.global.{name}.u"), "apple:apple-m2"))


def test_recursion_is_not_lacking():
    """Metal's specification no longer rules it out, and the others have a stack."""
    text = (
        "define i32 @f(i32 %n) {\n  %z = icmp sle i32 %n, 0\n  br i1 %z, label %end, label %more\nmore:\n"
        "  %m = sub i32 %n, 1\n  %r = call i32 @f(i32 %m)\n  %s = add i32 %r, %n\n  ret i32 %s\nend:\n  ret i32 0\n}\n"
        "define ptx_kernel void @k(ptr %o, i32 %n) {\n  %r = call i32 @f(i32 %n)\n  store i32 %r, ptr %o\n"
        "  ret void\n}\n"
    )
    for target in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4"):
        assert not lacks(launch(text, target))


def test_a_heap_that_the_module_brings_is_its_own():
    """HIP's device library defines one for AMD."""
    text = kernel(APPLE[1], reached=True).replace(
        "declare ptr @malloc(i64)",
        "@pool = addrspace(1) global [64 x i8] zeroinitializer\n"
        "define ptr @malloc(i64 %n) {\n  ret ptr addrspacecast (ptr addrspace(1) @pool to ptr)\n}",
    )
    assert not lacks(launch(text, "amd:gfx942"))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_kind_has_its_words(language):
    from harness.simt.messages import words

    for row in CAPABILITIES:
        assert f"capability.{row.id}" in words(language).messages


# Against the vendors' compilers.


def _is_there() -> bool:
    try:
        return sdk.find_shared_library(registers.LIBRARY).is_file()
    except EnvironmentFault:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not _is_there(), reason="NVIDIA's compiler of PTX is not installed")
def test_nvidias_own_compiler_agrees():
    """For the targets that it still knows, it takes a statement on the one and refuses it on the other."""
    asked = [
        (sample, target, has)
        for sample in PTX
        for target, has in ((sample.has, True), (sample.lacks, False))
        if int(target.partition("sm_")[2]) >= 75
    ]
    made = registers.find_resources([ptx_module(sample, target) for sample, target, _ in asked])

    assert len(asked) > 70
    assert [
        (str(sample), target) for (sample, target, has), own in zip(asked, made, strict=True) if has != bool(own)
    ] == []


COMPILE = """
import sys
import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
module = llvm.parse_assembly(sys.stdin.read())
target = llvm.Target.from_triple("amdgcn-amd-amdhsa")
target.create_target_machine(cpu=sys.argv[1], codemodel="default").emit_assembly(module)
"""


@pytest.mark.slow
@pytest.mark.parametrize("sample", [sample for sample in AMD if sample.has], **IDS)
def test_llvm_agrees_on_what_amds_processors_have(sample: Sample):
    """It ends its process where it cannot select an instruction."""
    text = kernel(sample, reached=True).replace("ptx_kernel", "amdgpu_kernel")
    for target, has in ((sample.has, True), (sample.lacks, False)):
        ended = subprocess.run(
            [sys.executable, "-c", COMPILE, target.partition(":")[2]], input=text, capture_output=True, text=True
        )
        assert (ended.returncode == 0) == has, (target, ended.stderr[-300:])
