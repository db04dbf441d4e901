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
from harness.simt.observing.races import Races
from harness.simt.observing.redundant import MOST, Redundant
from harness.simt.targets import target_of
from tests.simt import engines
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE, both

OWN = "\n  %own = load i32, ptr addrspace(3) %s"
AGAIN = "\n  store i32 %w, ptr addrspace(3) %s"
LATER = FROM_TILE.replace("%r", "%r2").replace("%u", "%u2").replace("%w", "%w2")
# Whether machine code can tell, and how often which finding there is.
KERNELS = {
    "one alone": (f"{VALUE}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1, ["one"]),
    "one behind another": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}", 1, ["one"]),
    "none": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}{OUT}", 1, []),
    "none before others overwrite": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{AGAIN}{OUT}", 1, []),
    "two": (f"{VALUE}\n  {BARRIER}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1, ["one", "one"]),
    "either of two, and one": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}",
        0,
        ["either", "one"],
    ),
    "two around one": (f"{VALUE}\n  {BARRIER}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}", 1, ["one", "one"]),
    "either of two": (f"{VALUE}{IN_TILE}\n  {BARRIER}\n  {BARRIER}{FROM_TILE}{OUT}", 0, ["either"]),
    "none, but its threads read their own again": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OWN}{AGAIN}{OUT}",
        0,
        [],
    ),
    "none, but its threads read their own twice": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OWN}{OWN.replace('%own', '%own2')}{AGAIN}{OUT}",
        0,
        [],
    ),
    "one before others read again": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{LATER}{OUT}",
        1,
        ["one"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", KERNELS)
def test_barriers_that_nobody_needs_are_told_as_python_tells_them(what):
    body, native, told = KERNELS[what]
    result = both(body, initialised=True)

    assert result.engine.native == native
    assert [finding.id for finding in result.findings] == [f"redundant-barrier.{one}" for one in told]


# A loop of two rounds, in each of which a block comes to one of two barriers, by `%which`.
ROUNDS = f"""
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %begin
begin:
  br label %round
round:
  %n = phi i32 [ 0, %begin ], [ %m, %on ]
  {{which}}
  br i1 %which, label %first, label %second
first:
  {BARRIER}
  br label %on
second:
  {BARRIER}
  br label %on
on:
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 2
  br i1 %more, label %round, label %end
end:
  {VALUE}
  %w = add i32 %v, 1{OUT}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "native", "told"),
    [
        ("%which = icmp eq i32 %n, 0", 3, ["one", "one"]),
        ("%which = icmp eq i32 %n, 1", 3, ["one", "one"]),  # not as they stand in the source
        ("%x = add i32 %n, %b\n  %y = and i32 %x, 1\n  %which = icmp eq i32 %y, 0", 0, ["one", "one"]),
        ("%x = or i32 %n, %b\n  %which = icmp eq i32 %x, 0", 0, ["one", "one"]),  # the first block alone to both
    ],
)
def test_of_several_the_one_that_blocks_come_to_first_is_told_first(which, native, told):
    """Where all come to them in one order; else Python knows whose comes first."""
    result = both(ROUNDS.format(which=which), grid=3, block=32, initialised=True, size=96)

    assert result.engine.native == native
    assert [finding.id for finding in result.findings] == [f"redundant-barrier.{one}" for one in told]


@pytest.mark.slow
def test_where_blocks_update_one_place_nothing_is_told():
    body = f"{VALUE}\n  %old = atomicrmw add ptr %o, i32 1 monotonic\n  {BARRIER}"
    result = both(body, grid=2, block=32, initialised=True)

    assert result.engine.python == 2
    assert not result.findings


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
    for number in range(MOST):
        lines = f"{IN_TILE}\n  {BARRIER}{FROM_TILE}".replace("@tile", ("@tile", "@other")[number % 2])
        rounds.append(re.sub(r"%([sruw])\b", rf"%\g<1>{number}", lines))
    body = f"{''.join(rounds)}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}"
    result = both(body, initialised=True)

    assert result.engine.python == 1
    assert not result.findings


APPLE = "call void @air.wg.barrier(i32 {}, i32 1)"
AGAIN_OUT = """
  %q2 = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q2"""
FROM_OUT = """
  %far = sub i64 63, %i
  %q3 = getelementptr i32, ptr %o, i64 %far
  %w2 = load i32, ptr %q3
  %w3 = add i32 %w2, 1"""
DEVICE, TILE = APPLE.format(1), APPLE.format(2)
# Which memory is exchanged behind which barriers, and whether that is in order.
SPACES = {
    "device memory behind its barrier": (f"{AGAIN_OUT}\n  {DEVICE}{FROM_OUT}", True),
    "device memory behind the other": (f"{AGAIN_OUT}\n  {TILE}{FROM_OUT}", False),
    "the threadgroup's behind its barrier": (f"{IN_TILE}\n  {TILE}{FROM_TILE}", True),
    "the threadgroup's behind the other": (f"{IN_TILE}\n  {DEVICE}{FROM_TILE}", False),
    "both behind both": (f"{IN_TILE}{AGAIN_OUT}\n  {DEVICE}\n  {TILE}{FROM_TILE}{FROM_OUT}", True),
    "both behind one for both": (f"{IN_TILE}{AGAIN_OUT}\n  {APPLE.format(3)}{FROM_TILE}{FROM_OUT}", True),
    "any behind one for none": (f"{IN_TILE}\n  {APPLE.format(0)}{FROM_TILE}", False),
    "the threadgroup's behind several of the other": (
        f"{IN_TILE}\n  {DEVICE}\n  {DEVICE}\n  {DEVICE}{FROM_TILE}",
        False,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SPACES)
def test_a_barrier_orders_the_memory_that_it_names(what):
    body, fine = SPACES[what]
    quiet = simt.observers(counters=False, redundant=False)
    result = both(f"{VALUE}{body}", target="apple:apple-m4", initialised=True, observers=quiet)
    both(f"{VALUE}{body}", target="apple:apple-m4", initialised=True)

    assert result.engine.native == fine
    assert {finding.kind for finding in result.findings} == (set() if fine else {"race"})


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
@pytest.mark.parametrize("observers", [(), (Races,), (Races, Redundant)], ids=len)
def test_which_barriers_are_needed_is_noted_where_somebody_asks(observers, monkeypatch):
    """Nobody else pays for it."""
    noted, settle = [], BlockRunner.settle
    monkeypatch.setattr(BlockRunner, "settle", lambda bound: noted.append(bound.needs) or settle(bound))
    body = f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}{OUT}"

    result, _ = engines.run(body, "native", observers=[make() for make in observers])

    assert result.engine.native and not result.findings
    assert [len(needs.alone) for needs in noted] == [int(Redundant in observers)]
    program = compile_kernel(simt.decode(engines.made(body)), None, target_of("nvidia:sm_90"))
    asked = {
        notes: functions_of("shadow_cells.plain.needs") in write_module(program, notes).text
        for notes in (frozenset(), frozenset({NEEDS}))
    }
    assert list(asked.values()) == [False, True]
