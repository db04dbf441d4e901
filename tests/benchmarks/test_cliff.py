"""`auto` hardly takes longer than the interpreter, and what analyses a kernel is linear in its length."""

from __future__ import annotations

from unittest import mock

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.analysis import block_invariance, uniformity
from harness.simt.targets import target_of
from tests.benchmarks import cliff

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
@pytest.mark.parametrize("text", [cliff.chain(LENGTH), WINDOW], ids=["chain", "window"])
def test_an_instruction_is_looked_at_as_often_as_its_operands_change(text, module):
    program = compile_kernel(simt.decode(text), None, target_of("nvidia:sm_90"))
    flow = module._Flow
    with mock.patch.object(flow, "_takes", autospec=True, side_effect=flow._takes) as looks:
        found = flow(program)

    assert looks.call_count < 8 * (LENGTH + 20)
    values = {phi for segment in program.segments for phi, _ in segment.phis} | found.made.keys()
    assert module is block_invariance or len(values & found.varied) >= LENGTH


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chain of 4000, 16 x 1024", "chain of 1000 with loads, 1 x 32"])
def test_auto_takes_no_more_than_it_may(name, capsys):
    assert cliff.main([name, "--repeats", "3"]) == 0, capsys.readouterr().out
