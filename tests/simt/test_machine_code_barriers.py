"""Barriers that no exchange needs are told as Python tells them, also where machine code ran all."""

from __future__ import annotations

import re

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.analysis.notes import NEEDS
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.native.module import write_module
from harness.simt.native.runtime.library import functions_of
from harness.simt.observing.races import RaceDetector
from harness.simt.observing.redundant_barriers import MAX_BARRIERS, RedundantBarriers
from harness.simt.targets import target_of
from tests.simt import engines
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE, both
from tests.simt.launches.barriers import AGAIN_OUT, APPLE, DEVICE, FROM_OUT, TILE

# Two calls of a function with a barrier: it is one line, of which each copy has its own frames.
CALLED = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 9, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocation(line: 10, column: 5, scope: !3, inlinedAt: !6)
!6 = distinct !DILocation(line: 2, column: 5, scope: !2)
!7 = !DILocation(line: 10, column: 5, scope: !3, inlinedAt: !8)
!8 = distinct !DILocation(line: 3, column: 5, scope: !2)
!9 = !{i32 2, !"Debug Info Version", i32 3}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("second", "native"), [("!5", 1), ("!7", 0)])
def test_copies_of_a_barrier_are_told_as_the_first_of_them(second, native, monkeypatch):
    body = f"{VALUE}\n  {BARRIER}, !dbg !5\n  {BARRIER}, !dbg {second}\n  %w = add i32 %v, 1{OUT}"
    made = engines.kernel
    monkeypatch.setattr(engines, "kernel", lambda *how: made(*how) + CALLED)
    result = both(body, initialised=True)

    assert result.engine.native == native
    assert [(finding.id, finding.sites[0].line) for finding in result.findings] == [("redundant-barrier.one", 10)]


@pytest.mark.slow
def test_of_more_barriers_than_are_told_apart_nothing_is_told():
    rounds = [VALUE]
    for number in range(MAX_BARRIERS):
        lines = f"{IN_TILE}\n  {BARRIER}{FROM_TILE}".replace("@tile", ("@tile", "@other")[number % 2])
        rounds.append(re.sub(r"%([sruw])\b", rf"%\g<1>{number}", lines))
    body = f"{''.join(rounds)}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}"
    result = both(body, initialised=True)

    assert result.engine.python == 1
    assert not result.findings


EITHER = APPLE.format(3)
# What happens behind which barriers, and the flags of those that can be left out, all together.
LEFT_OUT = {
    "device memory needs its own, behind the threadgroup's": (f"{AGAIN_OUT}\n  {TILE}\n  {EITHER}{FROM_OUT}", [2]),
    "device memory needs its own, before the threadgroup's": (f"{AGAIN_OUT}\n  {EITHER}\n  {TILE}{FROM_OUT}", [2]),
    "one for both is enough behind one": (
        f"{IN_TILE}{AGAIN_OUT}\n  {TILE}\n  {EITHER}{FROM_TILE}{FROM_OUT}",
        [2],
    ),
    "one for both is enough before one": (
        f"{IN_TILE}{AGAIN_OUT}\n  {EITHER}\n  {DEVICE}{FROM_TILE}{FROM_OUT}",
        [1],
    ),
    "device memory needs one that the threadgroup's does not": (
        f"{AGAIN_OUT}\n  {EITHER}{IN_TILE}\n  {TILE}{FROM_TILE}{FROM_OUT}",
        [],
    ),
    "the threadgroup's needs one that device memory does not": (
        f"{IN_TILE}\n  {EITHER}{AGAIN_OUT}\n  {DEVICE}{FROM_TILE}{FROM_OUT}",
        [],
    ),
    "one that orders nothing stands in for none": (f"{IN_TILE}\n  {TILE}\n  {APPLE.format(0)}{FROM_TILE}{OUT}", []),
    "each needs one of two": (f"{IN_TILE}{AGAIN_OUT}\n  {EITHER}\n  {EITHER}{FROM_TILE}{FROM_OUT}", [3]),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LEFT_OUT)
def test_a_barrier_is_not_redundant_beside_one_for_other_memory(what):
    body, told = LEFT_OUT[what]
    result = both(f"{VALUE}{body}", target="apple:apple-m4", initialised=True)

    assert [finding.sites[0].instruction for finding in result.findings] == [APPLE.format(flags) for flags in told]


@pytest.mark.slow
def test_a_barrier_between_a_thread_s_own_updates_is_not_needed():
    """Also where it stored there before, so that others may not update the place, and updates it twice in an epoch."""
    update = '\n  %u{} = atomicrmw add ptr addrspace(3) %s, i32 1 syncscope("block") monotonic'
    body = f"""{VALUE}{IN_TILE}
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %loop ]
  {BARRIER}{update.format(1)}{update.format(2)}
  %more = add i32 %n, 1
  %on = icmp ult i32 %more, 3
  br i1 %on, label %loop, label %done
done:
  %w = add i32 %v, 1{OUT}"""

    assert {finding.id for finding in both(body).findings} == {"redundant-barrier.one"}


@pytest.mark.slow
@pytest.mark.parametrize("observers", [(), (RaceDetector,), (RaceDetector, RedundantBarriers)], ids=len)
def test_which_barriers_are_needed_is_noted_where_somebody_asks(observers, monkeypatch):
    """Nobody else pays for it."""
    noted, settle = [], BlockRunner.settle
    monkeypatch.setattr(BlockRunner, "settle", lambda bound: noted.append(bound.needs) or settle(bound))
    body = f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}{OUT}"

    result, _ = engines.run(body, "native", observers=[make() for make in observers])

    assert result.engine.native and not result.findings
    assert [len(needs.alone) for needs in noted] == [int(RedundantBarriers in observers)]
    program = compile_kernel(simt.decode(engines.made(body)), None, target_of("nvidia:sm_90"))
    asked = {
        notes: functions_of("shadow_cells.plain.needs") in write_module(program, notes).text
        for notes in (frozenset(), frozenset({NEEDS}))
    }
    assert list(asked.values()) == [False, True]
