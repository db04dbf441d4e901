"""Instructions that were made from one place in the source, such as the copies of an unrolled loop, are told as one."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %o) !dbg !2 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
TAIL = """  ret void
}
!llvm.module.flags = !{!100}
!llvm.dbg.cu = !{!0}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
"""


def found(lines, copies, offsets=(32,)):
    """What is found where each of some copies of `o[t] = o[t + offset]` stands at its own line and column."""
    body, places = "", ""
    for number, (line, column) in enumerate(lines):
        places += f"!{number + 3} = !DILocation(line: {line}, column: {column}, scope: !2)\n"
    for copy in range(copies):
        place = copy % len(lines) + 3
        body += f"""
  %i{copy} = add i32 %t, {offsets[copy % len(offsets)]}
  %p{copy} = getelementptr i32, ptr %o, i32 %i{copy}
  %v{copy} = load i32, ptr %p{copy}, align 4, !dbg !{place}
  %w{copy} = add i32 %v{copy}, %t
  %q{copy} = getelementptr i32, ptr %o, i32 %t
  store i32 %w{copy}, ptr %q{copy}, align 4, !dbg !{place}
"""
    result = simt.launch(
        HEAD + body + TAIL + places,
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[simt.Buffer(np.zeros(96, np.int32), "o")],
        observers=simt.observers(),
    )
    return [finding for finding in result.findings if finding.severity != "information"]


@pytest.mark.parametrize("copies", [1, 2, 4])
def test_copies_of_one_line_are_one_finding(copies):
    """With a count of all of them, and the line that is at fault."""
    (finding,) = found([(7, 5)], copies)

    assert finding.kind == "race"
    assert {(place.line, place.column) for place in finding.sites} == {(7, 5)}
    assert finding.count >= 32 * copies


def test_two_places_of_one_line_stay_two():
    """Their columns tell them apart."""
    assert len(found([(7, 5), (7, 30)], 2)) > 1


def test_accesses_out_of_bounds_are_told_once_for_each_line():
    """Each copy goes past the end; without a line, each instruction is a place of its own."""
    (finding,) = (each for each in found([(7, 5)], 4, (40, 41, 42, 43)) if each.kind == "out-of-bounds")
    apart = [each for each in found([(0, 0)], 4, (40, 41, 42, 43)) if each.kind == "out-of-bounds"]

    assert finding.count == sum(each.count for each in apart)
    assert len(apart) == 4
