"""A finding names the line at which its cause lies, and a remedy names what is missing there."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.messages import words

HEAD = """target triple = "nvptx64-nvidia-cuda"
@cells = internal addrspace(3) global [32 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""
TAIL = """
!llvm.module.flags = !{!100}
!llvm.dbg.cu = !{!0}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
!3 = !DILocation(line: 5, column: 9, scope: !2)
!4 = !DILocation(line: 25, column: 9, scope: !2)
!5 = !DILocation(line: 26, column: 9, scope: !2)
"""
# Only the first lanes fill their cell; all of them read one at line 5, and hand on what they read at line 25.
UNDEFINED = """
define ptx_kernel void @k(ptr %o) !dbg !2 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %c = icmp slt i32 %t, FILLED
  br i1 %c, label %in, label %end
in:
  store i32 1, ptr addrspace(3) %q, align 4
  br label %end
end:
  %v = load i32, ptr addrspace(3) %q, align 4, !dbg !3
  %w = add i32 %v, 7, !dbg !3
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %w, ptr %p, align 4, !dbg !4
  ret void
}
"""
# Each thread writes its element at line 5. The first thread of a block counts the block at line 25, and in the last
# block it reads at line 26 what the other block's second thread wrote.
TICKET = """
define ptx_kernel void @k(ptr %tickets, ptr %data, ptr %o) !dbg !2 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 64
  %i = add i32 %first, %t
  %p = getelementptr i32, ptr %data, i32 %i
  store i32 1, ptr %p, align 4, !dbg !3
  BARRIER
  %c = icmp eq i32 %t, 0
  br i1 %c, label %count, label %end
count:
  %n = atomicrmw add ptr %tickets, i32 1 syncscope("device") acq_rel, align 4, !dbg !4
  %last = icmp eq i32 %n, 1
  br i1 %last, label %sum, label %end
sum:
  %other = sub i32 65, %first
  %q = getelementptr i32, ptr %data, i32 %other
  %v = load i32, ptr %q, align 4, !dbg !5
  store i32 %v, ptr %o, align 4, !dbg !5
  br label %end
end:
  ret void
}
"""
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"


def found(kernel: str, grid: int, block: int, *buffers: simt.Buffer) -> list[simt.Finding]:
    result = simt.launch(
        HEAD + kernel + TAIL,
        target="nvidia:sm_90",
        grid=grid,
        block=block,
        args=list(buffers),
        observers=simt.observers(),
    )
    return [finding for finding in result.findings if finding.severity != "information"]


def test_an_undefined_value_is_told_with_the_line_that_read_it_first():
    """Twenty lines lie between the read and the use, which is the first place of the finding."""
    (finding,) = found(UNDEFINED.replace("FILLED", "24"), 1, 32, simt.Buffer(np.zeros(32, np.int32), "o"))

    assert finding.kind == "uninitialised"
    assert [place.line for place in finding.sites] == [25, 5]
    assert "[24]" in words("en").text(finding) or finding.values["cell"] == "[24]"
    assert found(UNDEFINED.replace("FILLED", "32"), 1, 32, simt.Buffer(np.zeros(32, np.int32), "o")) == []


def counted(between: str) -> list[simt.Finding]:
    buffers = [simt.Buffer(np.zeros(size, np.int32), name) for name, size in (("tickets", 1), ("data", 128), ("o", 1))]
    return found(TICKET.replace("BARRIER", between), 2, 64, *buffers)


@pytest.mark.parametrize(
    ("language", "lacks"),
    [
        ("en", "call `barrier()` between the write and the block's atomic"),
        ("ko", "쓰기와 블록의 원자 연산 사이에서 `barrier()`를 호출하세요"),
    ],
)
def test_a_ticket_without_a_barrier_is_told_what_it_lacks(language, lacks):
    """The ticket itself is right, and no advice says that blocks do not wait for one another."""
    (finding,) = counted("")

    assert finding.kind == "race" and {place.line for place in finding.sites} == {5, 26}
    assert words(language).remedy(finding).startswith(lacks)


def test_with_that_barrier_the_ticket_orders_the_blocks():
    assert counted(BARRIER) == []
