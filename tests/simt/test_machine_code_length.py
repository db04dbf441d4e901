"""Kernels with many accesses run as machine code too: their checks are calls, and the same is found."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.module import write_module
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, VALUE, both, made

pytestmark = pytest.mark.slow

MANY = 450  # loads, and as many stores


def unrolled(count: int = MANY, last: str = "%i", barrier: str = BARRIER, flags: str = "") -> str:
    """Threads store to shared memory, meet, and add up what others stored, each written out so often."""
    lines = [VALUE]
    for k in range(count):
        place = "%i" if k + 1 < count else last
        lines.append(f"  %s{k} = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 {place}")
        lines.append(f"  store {flags} i32 %v, ptr addrspace(3) %s{k}")
    lines.append(f"  {barrier}")
    total = "0"
    for k in range(count):
        lines.append(f"  %x{k} = xor i64 %i, {k % 64}")
        lines.append(f"  %u{k} = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %x{k}")
        lines.append(f"  %l{k} = load {flags} i32, ptr addrspace(3) %u{k}")
        lines.append(f"  %w{k} = add i32 {total}, %l{k}")
        total = f"%w{k}"
    return "\n".join(lines) + OUT.replace("%w", total)


def test_a_long_kernel_runs_as_machine_code() -> None:
    result = both(unrolled())

    assert (result.verdict, result.engine.native) == ("clean", 1)


@pytest.mark.parametrize("wrong", [{"last": "%far"}, {"last": "0"}, {"barrier": ""}], ids=["bounds", "race", "barrier"])
def test_what_is_wrong_in_one_is_found(wrong: dict[str, str]) -> None:
    result = both(unrolled(**wrong).replace("  %s0 =", "  %far = add i64 %i, 1\n  %s0 =", 1))

    assert result.findings and result.engine.native == 0


def test_volatile_accesses_are_told_as_such() -> None:
    both(unrolled(flags="volatile"))


def test_its_module_grows_by_calls_alone() -> None:
    sizes = []
    for count in (MANY, 2 * MANY):
        program = compile_kernel(simt.decode(made(unrolled(count))), None, target_of("nvidia:sm_90"))
        sizes.append(len(write_module(program).text))

    assert sizes[1] - sizes[0] < 2 * MANY * 1000  # characters; a check that is written out has three times as many
