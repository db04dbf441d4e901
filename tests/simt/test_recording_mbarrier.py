"""What a recording shows of an `mbarrier`: its counts, not the word that stands for it in memory."""

import re

import numpy as np

from harness import simt
from harness.learning.text import format_value
from harness.learning.words import load_phrases
from harness.simt.observing.columns import ATOMIC, SETTLED, STORE, unpack_rows
from harness.simt.observing.recorded import recording_to_dict
from harness.simt.observing.recording import Recorder
from harness.simt.run.mbarrier import MBarrier

NAME, BAR = "llvm.nvvm.mbarrier", "ptr addrspace(3) @bar"
MODULE = f"""target triple = "nvptx64-nvidia-cuda"
@bar = internal addrspace(3) global [1 x i64] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @{NAME}.init.shared(ptr addrspace(3), i32)
declare i64 @{NAME}.arrive.shared(ptr addrspace(3))
declare i1 @{NAME}.test.wait.shared(ptr addrspace(3), i64)
declare void @llvm.dbg.value(metadata, metadata, metadata)
define ptx_kernel void @k(ptr %o) !dbg !4 {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !10
  %first = icmp eq i32 %t, 0, !dbg !10
  br i1 %first, label %begin, label %all, !dbg !10
begin:
  call void @{NAME}.init.shared({BAR}, i32 6), !dbg !11
  br label %all, !dbg !11
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !12
  %token = call i64 @{NAME}.arrive.shared({BAR}), !dbg !13
  call void @llvm.dbg.value(metadata i64 %token, metadata !20, metadata !DIExpression()), !dbg !13
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !14
  %again = icmp ult i32 %t, 3, !dbg !14
  br i1 %again, label %more, label %end, !dbg !14
more:
  %later = call i64 @{NAME}.arrive.shared({BAR}), !dbg !15
  br label %end, !dbg !15
end:
  ret void, !dbg !16
}}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2, !3}}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = !{{i32 2, !"Dwarf Version", i32 4}}
!3 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{{}})
!20 = !DILocalVariable(name: "token", scope: !4, file: !1, line: 5, type: !21)
!21 = !DIBasicType(name: "token", size: 64, encoding: DW_ATE_signed)
""" + "".join(f"!{10 + at} = !DILocation(line: {2 + at}, column: 1, scope: !4)\n" for at in range(7))


def recorded() -> dict:
    """Returns the facts of a launch of four threads, who arrive once, and three of them twice."""
    recorder = Recorder()
    simt.launch(
        simt.decode(MODULE, variables=True),
        target="nvidia:sm_90",
        grid=1,
        block=4,
        args=[np.zeros(4, np.float32)],
        observers=[recorder],
    )
    return recording_to_dict(recorder)


def test_a_cell_has_the_counts_of_its_mbarrier():
    data = recorded()
    texts, found = data["texts"], []
    for part in data["parts"]:
        steps = list(unpack_rows(part, "steps"))
        for access in unpack_rows(part, "accesses"):
            line = data["lines"][steps[access["step"]]["line"]][1]
            found.append((line, access["kind"], [texts[value] for value in access["values"]]))

    assert (3, STORE, ["mbarrier 0 0/6"]) in found
    assert (5, ATOMIC, []) in found and (5, SETTLED, ["mbarrier 0 4/6"]) in found
    assert (7, SETTLED, ["mbarrier 1 1/6"]) in found, "two more end the phase, and the third begins the next"
    assert not [text for text in texts if re.fullmatch(r"-?\d{10,}", text)], "no word of the simulator is shown"


def test_a_token_is_known_by_its_phase():
    data = recorded()
    (variable,) = [number for number, one in enumerate(data["variables"]) if one["name"] == "token"]
    values = [
        [data["texts"][value] for value in row["values"]]
        for part in data["parts"]
        for row in unpack_rows(part, "variables")
        if row["variable"] == variable
    ]

    assert values == [["token 0"]]


def test_counts_and_tokens_are_told_in_words():
    english, korean = load_phrases("en"), load_phrases("ko")
    barrier = MBarrier("bar", None, expected=6, pending=2, bytes=512, phase=3)

    assert format_value(english, barrier.text()) == "phase 3, 4 of 6 arrivals, 512 bytes missing"
    assert format_value(korean, "mbarrier 3 4/6") == "페이즈 3, 도착 6번 중 4번"
    assert format_value(english, "token 12") == "phase 12"
    assert format_value(english, "1.5") == "1.5"
