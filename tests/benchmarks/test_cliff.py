"""The benchmark of `auto` beside the interpreter, and that what analyses a kernel is linear in its length."""

from __future__ import annotations

from unittest import mock

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.analysis import block_invariance, uniformity
from harness.simt.targets import target_of
from tests.benchmarks import cliff
from tests.benchmarks.cliff_kernels import GROUPS, chain

LENGTH = 500
# A window over what a loop makes: each round every value moves on by one place.
WINDOW = "".join(
    [
        'target triple = "nvptx64-nvidia-cuda"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n',
        "define ptx_kernel void @k(ptr %o, i32 %n) {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n",
        "  br label %loop\n",
        "loop:\n  %i = phi i32 [ 0, %0 ], [ %j, %loop ]\n",
        *(f"  %w{k} = phi i32 [ 0, %0 ], [ %{f'w{k - 1}' if k else 't'}, %loop ]\n" for k in range(LENGTH)),
        "  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %end\nend:\n",
        f"  store i32 %w{LENGTH - 1}, ptr %o\n  ret void\n}}\n",
    ]
)


@pytest.mark.parametrize("module", [uniformity, block_invariance], ids=["uniformity", "block_invariance"])
@pytest.mark.parametrize("text", [chain(LENGTH), WINDOW], ids=["chain", "window"])
def test_an_instruction_is_looked_at_as_often_as_its_operands_change(text, module):
    program = compile_kernel(simt.decode(text), None, target_of("nvidia:sm_90"))
    flow = module._Flow
    with mock.patch.object(flow, "_takes", autospec=True, side_effect=flow._takes) as looks:
        found = flow(program)

    assert looks.call_count < 8 * (LENGTH + 20)
    values = {phi for segment in program.segments for phi, _ in segment.phis} | found.definitions.keys()
    assert module is block_invariance or len(values & found.varied) >= LENGTH


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "ten", "told"),
    [(0.17, 1.52, 0), (0.19, 1.52, 1), (0.17, 1.54, 1)],
    ids=["within", "the first is beyond", "ten are beyond"],
)
def test_the_benchmark_says_what_is_beyond(first, ten, told, monkeypatch, capsys):
    """Of an interpreter that takes 0.1 s for a launch and 1 s for ten."""
    found = {"reference": cliff.Times(0.1, 1.0, compiled=False), "auto": cliff.Times(first, ten, compiled=True)}
    monkeypatch.setattr(cliff, "measure", lambda _, engine: found[engine])

    assert cliff.main(["chain of 100, 1 x 32", "--groups", "chains", "--repeats", "1"]) == told

    row, count = capsys.readouterr().out.splitlines()
    assert row == f"| chain of 100, 1 x 32 | 100.0 | {1000 * first:.1f} | 1000.0 | {1000 * ten:.1f} | compiled |" + (
        " beyond" if told else ""
    )
    assert count.startswith(f"1 kernels, {told} beyond")


@pytest.mark.slow
def test_the_benchmark_measures_both_engines():
    kernel = next(one for one in GROUPS["chains"](0) if one.name == "chain of 100, 1 x 32")
    interpreted, compiled = (cliff.measure(kernel, engine) for engine in ("reference", "native"))
    assert not interpreted.compiled and compiled.compiled
    assert all(0 < times.first < times.ten for times in (interpreted, compiled))
