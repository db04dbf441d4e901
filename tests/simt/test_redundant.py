"""A barrier that is called redundant is one that no pair of accesses needs."""

import itertools
import random

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.redundant_barriers import RedundantBarriers

HEAD = """target triple = "nvptx64-nvidia-cuda"
@cells = internal addrspace(3) global [8 x i32] zeroinitializer, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
THREADS = 8


DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!9 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.mojo", directory: "")
!2 = distinct !DISubprogram(name: "k", file: !1, line: 3, unit: !0, spFlags: DISPFlagDefinition)
"""


def kernel(steps, space):
    """The text of a straight-line kernel, and what each step does.

    Args:
        steps: The source line of a barrier, else (store, factor, offset): every thread touches
            the slot thread * factor + offset, modulo 8.
    """
    lines = [HEAD.replace("@k()", "@k() !dbg !2")]
    for number, step in enumerate(steps):
        if isinstance(step, int):
            lines.append(f"  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !{step}")
            continue
        store, factor, offset = step
        lines += [
            f"  %m{number} = mul i32 %t, {factor}",
            f"  %a{number} = add i32 %m{number}, {offset}",
            f"  %i{number} = and i32 %a{number}, 7",
            f"  %p{number} = getelementptr i32, ptr addrspace(3) @cells, i32 %i{number}",
        ]
        place = f"ptr addrspace(3) %p{number}, align 4"
        lines.append(f"  store i32 1, {place}" if store else f"  %v{number} = load i32, {place}")
    places = [
        f"!{line} = !DILocation(line: {line}, column: 7, scope: !2)"
        for line in {s for s in steps if isinstance(s, int)}
    ]
    return "\n".join([*lines, "  ret void", "}", DEBUG, *places])


def conflicts(steps):
    """By comparing all pairs of accesses: the lines of which each needs one barrier."""
    touched = {
        number: [(thread * step[1] + step[2]) % 8 for thread in range(THREADS)]
        for number, step in enumerate(steps)
        if not isinstance(step, int)
    }
    needed = set()
    for first, second in itertools.combinations(touched, 2):
        between = frozenset(step for step in steps[first:second] if isinstance(step, int))
        if not between or not (steps[first][0] or steps[second][0]):
            continue
        for thread, other in itertools.permutations(range(THREADS), 2):
            if touched[first][thread] == touched[second][other]:
                needed.add(between)
    return needed


def reported(steps, space=3):
    """The lines of the barriers that are reported, each with those that must stay then."""
    result = simt.launch(
        kernel(steps, space), target="nvidia:sm_90", grid=1, block=THREADS, args=[], observers=[RedundantBarriers()]
    )
    assert all(finding.kind == "redundant-barrier" for finding in result.findings)
    return {finding.sites[0].line: {site.line for site in finding.sites[1:]} for finding in result.findings}


def steps_of(seed):
    """Random accesses and barriers of a few lines."""
    pick = random.Random(seed)
    lines = range(20, 20 + pick.choice((2, 3, 9)))
    return [
        pick.choice(lines)
        if pick.random() < 0.4
        else (pick.random() < 0.5, pick.choice((0, 1, 1, 1, 3)), pick.choice((0, 0, 0, 1, 4)))
        for _ in range(pick.randint(3, 12))
    ]


@pytest.mark.parametrize("space", [3, 1], ids=["shared", "global"])
@pytest.mark.parametrize("seed", range(60))
def test_what_is_reported_can_be_left_out_together_and_no_more(seed, space):
    """Random straight-line kernels, against a comparison of all pairs; a line stands for all its barriers."""
    steps = steps_of(seed)
    lines, needed = {step for step in steps if isinstance(step, int)}, conflicts(steps)

    removable = reported(steps, space)

    left = set(removable)
    assert left <= lines
    assert not [barriers for barriers in needed if barriers <= left], steps
    for line in lines - left:
        assert [barriers for barriers in needed if barriers <= left | {line}], (line, steps)
    for line, others in removable.items():
        assert not others & left
        assert all(any(line in barriers <= left | {other} for barriers in needed) for other in others)


def test_copies_of_one_line_are_one_barrier():
    """An unrolled loop's last barrier orders nothing, but there is one line to delete."""
    assert reported([(True, 1, 0), 20, (False, 1, 1), 20, (True, 1, 0), 20]) == {}
    assert reported([(True, 1, 0), 20, (False, 1, 1), 21, (True, 1, 0), 22]) == {22: set()}


def test_of_two_barriers_that_stand_in_for_each_other_one_is_named_with_the_other():
    assert reported([(True, 1, 0), 20, 21, (False, 1, 1)]) == {20: {21}}


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_barrier_of_a_librarys_function_stays(engine):
    """It is shown at the call of that function, where no barrier is to be seen; one beside it is told."""
    called = """!3 = !DIFile(filename: "max/mojo/max/gpu/primitives/block.mojo", directory: "")
!4 = distinct !DISubprogram(name: "prefix_sum", file: !3, line: 700, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 30, column: 9, scope: !2)
!20 = !DILocation(line: 727, column: 12, scope: !4, inlinedAt: !5)
"""

    def told(*steps):
        text = kernel(steps, 3)
        if 20 in steps:
            text = text.replace("!20 = !DILocation(line: 20, column: 7, scope: !2)", called)
        given = {"observers": [RedundantBarriers()], "options": simt.Options(engine=engine)}
        result = simt.launch(text, target="nvidia:sm_90", grid=1, block=THREADS, args=[], **given)
        return [site.line for finding in result.findings for site in finding.sites]

    assert told((True, 1, 0), 20, (False, 1, 0)) == []
    assert told((True, 1, 0), 21, (False, 1, 0)) == [21]
    assert told((True, 1, 0), 20, 21, (False, 1, 1)) == [21]


def test_nothing_is_said_once_blocks_exchange_data():
    """The barrier before a block's last store may be what another block waits for."""
    text = """target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    define ptx_kernel void @k(ptr %o) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %v = atomicrmw add ptr %o, i32 1 monotonic, align 4
      ret void
    }"""

    def kinds(grid):
        result = simt.launch(
            text,
            target="nvidia:sm_90",
            grid=grid,
            block=1,
            args=[np.zeros(1, np.int32)],
            observers=[RedundantBarriers()],
        )
        return [finding.kind for finding in result.findings]

    assert kinds(1) == ["redundant-barrier"]
    assert kinds(2) == []
