"""A barrier that is called redundant is one that no pair of accesses needs."""

import itertools
import random

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.redundant import Redundant

HEAD = """target triple = "nvptx64-nvidia-cuda"
@cells = internal addrspace(3) global [8 x i32] zeroinitializer, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
THREADS = 8


def kernel(steps):
    """The text of a straight-line kernel, and what each step does.

    Args:
        steps: `None` for a barrier, else (store, factor, offset): every thread touches
            the slot thread * factor + offset, modulo 8.
    """
    lines = [HEAD]
    for number, step in enumerate(steps):
        if step is None:
            lines.append("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
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
    return "\n".join([*lines, "  ret void", "}"])


def unneeded(steps):
    """By comparing all pairs of accesses: which barriers are the only ones between none."""
    barriers = [number for number, step in enumerate(steps) if step is None]
    needed = set()
    touched = {
        number: [(thread * step[1] + step[2]) % 8 for thread in range(THREADS)]
        for number, step in enumerate(steps)
        if step is not None
    }
    for first, second in itertools.combinations(touched, 2):
        between = [one for one in barriers if first < one < second]
        if len(between) != 1 or not (steps[first][0] or steps[second][0]):
            continue
        for one, other in itertools.permutations(range(THREADS), 2):
            if touched[first][one] == touched[second][other]:
                needed.add(between[0])
    return [one for one in barriers if one not in needed]


def reported(steps):
    """The steps whose barrier is reported, by order of the barriers in the text."""
    sites = []

    class Order(simt.Observer):
        def barrier(self, event):
            sites.append(event.groups[0][0].index)

    result = simt.launch(
        kernel(steps),
        target="nvidia:sm_90",
        grid=1,
        block=THREADS,
        args=[],
        observers=[Redundant(), Order()],
    )
    count = sum(one.count for one in result.findings if one.kind == "redundant-barrier")
    assert len(result.findings) == count
    return count, len(sites)


@pytest.mark.parametrize("seed", range(60))
def test_as_many_barriers_are_reported_as_no_pair_of_accesses_needs(seed):
    """Random straight-line kernels, against a comparison of all pairs."""
    pick = random.Random(seed)
    steps = [
        None
        if pick.random() < 0.4
        else (pick.random() < 0.5, pick.choice((0, 1, 1, 1, 3)), pick.choice((0, 0, 0, 1, 4)))
        for _ in range(pick.randint(3, 10))
    ]
    count, executed = reported(steps)

    assert executed == steps.count(None)
    assert count == len(unneeded(steps)), steps


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
            observers=[Redundant()],
        )
        return [one.kind for one in result.findings]

    assert kinds(1) == ["redundant-barrier"]
    assert kinds(2) == []
