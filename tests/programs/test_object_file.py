"""What is loaded of an object file, and what is left out."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from harness.programs import jit
from harness.programs.object_file import remove_debug_sections

IR = """
@numbers = constant [2 x i32] [i32 40, i32 2]
define i32 @sum() !dbg !4 {
  %other = getelementptr i32, ptr @numbers, i32 1
  %a = load i32, ptr @numbers, !dbg !7
  %b = load i32, ptr %other, !dbg !7
  %c = add i32 %a, %b, !dbg !7
  ret i32 %c, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "who wrote it", emissionKind: FullDebug)
!1 = !DIFile(filename: "sum.mojo", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 2, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "sum", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, column: 3, scope: !4)
"""


@pytest.fixture(scope="module")
def code() -> bytes:
    machine = jit._machine()
    with llvm.parse_assembly(IR, context=llvm.create_context()) as module:
        module.triple = llvm.get_process_triple()
        return bytes(machine.emit_object(module))


def test_code_without_debug_information_runs_the_same(code: bytes):
    small = remove_debug_sections(code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), jit._machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(small))
    engine.finalize_object()

    assert ctypes.CFUNCTYPE(ctypes.c_int32)(engine.get_function_address("sum"))() == 42


@pytest.mark.skipif(not llvm.get_process_triple().endswith("linux-gnu"), reason="other systems have other object files")
def test_debug_information_is_left_out(code: bytes):
    small = remove_debug_sections(code)

    assert b"who wrote it" in code and b"who wrote it" not in small
    assert len(small) < len(code) and remove_debug_sections(small) == small


def test_what_is_no_whole_object_file_is_left_as_it_is(code: bytes):
    for other in (b"", b"\xcf\xfa\xed\xfe of another system", code[:70], code[:-100]):
        assert remove_debug_sections(other) == other
