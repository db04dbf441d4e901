"""The instruction of a mutant is found in the code of another launch, or there is none."""

from __future__ import annotations

from tests.mutants.counterparts import find_counterpart
from tests.mutants.operators import mutants

DOCUMENTED = """define ptx_kernel void @own.1(ptr %0) {
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !1
  %3 = icmp slt i32 %2, 8, !dbg !2
  %4 = icmp slt i32 %2, 8, !dbg !3
  store i32 %2, ptr %0, align 4, !dbg !4
  store i32 %2, ptr %0, align 4, !dbg !4
  ret void
}
!1 = !DILocation(line: 5, column: 9, scope: !9)
!2 = !DILocation(line: 7, column: 9, scope: !9)
!3 = !DILocation(line: 90, column: 1, scope: !9, inlinedAt: !2)
!4 = !DILocation(line: 8, column: 9, scope: !9)
"""
FURTHER = """define ptx_kernel void @own.2(ptr %0, i32 %1) {
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7
  %6 = icmp slt i32 %5, 18, !dbg !9
  %7 = icmp slt i32 %5, 18, !dbg !8
  store i32 %5, ptr %0, align 4, !dbg !6
  ret void
}
!6 = !DILocation(line: 8, column: 9, scope: !1)
!7 = !DILocation(line: 5, column: 9, scope: !1)
!8 = !DILocation(line: 7, column: 9, scope: !1)
!9 = !DILocation(line: 90, column: 1, scope: !1, inlinedAt: !8)
"""


def _mutant(line, operator):
    return next(one for one in mutants(DOCUMENTED) if one.line == line and one.operator == operator)


def test_an_instruction_is_found_by_its_place_in_the_source():
    """In whatever order, with other registers, numbers and symbols; inlined calls count."""
    assert find_counterpart(_mutant(3, "change-constant"), DOCUMENTED, FURTHER).new == "%7 = icmp slt i32 %5, 19"
    assert find_counterpart(_mutant(4, "shift-comparison"), DOCUMENTED, FURTHER).new == "%6 = icmp sle i32 %5, 18"


def test_where_there_are_fewer_equal_instructions_none_is_chosen():
    assert find_counterpart(_mutant(5, "delete-store"), DOCUMENTED, FURTHER) is None
    assert find_counterpart(_mutant(6, "delete-store"), DOCUMENTED, DOCUMENTED).line == 6
