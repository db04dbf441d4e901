"""Litmus tests of fences that synchronize by Fence-SC order, by the chapter "Memory Consistency Model" of the PTX ISA.

Block 0 writes a message and raises a flag by a relaxed atomic; thread 0 of the last block waits for the flag by relaxed
atomics, its block meets at a barrier, and all of its threads read the message.
"""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

pytestmark = pytest.mark.slow  # together they take seconds

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.membar.cta()
"""
# Of some threads alone: `{write}`, `{raise}`, `{forward}`, `{wait}` and `{read}`, with what is fenced between.
KERNEL = """define ptx_kernel void @k(ptr %o, ptr %f, ptr %seen) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %other = getelementptr i32, ptr %f, i64 1
  %is_writer = icmp eq i32 %t, {writer}
  %is_first = icmp eq i32 %t, 0
  switch i32 %b, label %last [ i32 0, label %zero
                               i32 1, label %middle ]
zero:
  br i1 %is_writer, label %write, label %written
write:
  store i32 42, ptr %o
  {own_fence}
  br label %written
written:
  {meet}
  br i1 %is_first, label %raise, label %end
raise:
  {fence}
  {set}
  br label %end
middle:
  br i1 %is_first, label %forward, label %end
forward:
  {forward}
  br label %end
last:
  br i1 %is_first, label %wait, label %waited
wait:
  %v = {get}
  %none = icmp {until}
  br i1 %none, label %wait, label %found
found:
  {found}
  br label %waited
waited:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  {after}
  %d = load i32, ptr %o
  %at = getelementptr i32, ptr %seen, i32 %t
  store i32 %d, ptr %at
  br label %end
end:
  ret void
}}
"""
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
MEMBAR, MEMBAR_BLOCK = "call void @llvm.nvvm.membar.gl()", "call void @llvm.nvvm.membar.cta()"
SC, LIGHT = 'fence syncscope("device") seq_cst', 'fence syncscope("device") acq_rel'
PLAIN = {
    "writer": "0",
    "own_fence": "",
    "meet": "",
    "fence": MEMBAR,
    "set": "%s = atomicrmw add ptr %f, i32 1 monotonic",
    "forward": "",
    "get": "atomicrmw or ptr %f, i32 0 monotonic",
    "until": "eq i32 %v, 0",
    "found": "",
    "after": MEMBAR,
}
# A third block waits for the flag and answers: it adds to the flag, overwrites it, or raises another one.
FORWARD = """br label %look
look:
  %w = atomicrmw or ptr %f, i32 0 monotonic
  %no = icmp eq i32 %w, 0
  br i1 %no, label %look, label %answer
answer:
  """
ORDERED = {
    "membar on both sides": {},
    "fence.sc on both sides": {"fence": SC, "after": SC},
    "the flag is a store and a load": {
        "set": "store atomic i32 1, ptr %f monotonic, align 4",
        "get": "load atomic i32, ptr %f monotonic, align 4",
    },
    "the flag is volatile": {"set": "store volatile i32 1, ptr %f", "get": "load volatile i32, ptr %f"},
    "light fences, where the thread that waits fences": {"fence": LIGHT, "found": LIGHT, "after": ""},
    "another thread wrote and fenced before the barrier": {
        "writer": "1",
        "own_fence": MEMBAR,
        "meet": BARRIER,
        "fence": "",
    },
    "another thread wrote before the barrier": {"writer": "1", "meet": BARRIER},
    "another block adds to the flag": {
        "forward": f"{FORWARD}%x = atomicrmw add ptr %f, i32 1 monotonic",
        "until": "ult i32 %v, 2",
    },
}
UNORDERED = {
    "light fences": {"fence": LIGHT, "after": LIGHT},
    "a light fence before the flag": {"fence": LIGHT},
    "a light fence after the barrier": {"after": LIGHT},
    "no fence before the flag": {"fence": ""},
    "no fence after the barrier": {"after": ""},
    "the scope of a block before the flag": {"fence": MEMBAR_BLOCK},
    "the scope of a block after the barrier": {"after": MEMBAR_BLOCK},
    "the flag has the scope of a block": {"set": '%s = atomicrmw add ptr %f, i32 1 syncscope("block") monotonic'},
    "a release without a fence": {"fence": "", "set": "%s = atomicrmw add ptr %f, i32 1 release"},
    "the writer fences after the flag": {"fence": "", "set": f"{PLAIN['set']}\n  {MEMBAR}"},
    "another block raises another flag": {
        "forward": f"{FORWARD}%x = atomicrmw add ptr %other, i32 1 monotonic",
        "get": "atomicrmw or ptr %other, i32 0 monotonic",
    },
    "another block overwrites the flag": {
        "forward": f"{FORWARD}store atomic i32 2, ptr %f monotonic, align 4",
        "until": "ult i32 %v, 2",
    },
}


def findings(edits, engine, seed=None):
    """Launch three blocks of two warps; return the ids of errors, and what the last block read."""
    seen = np.zeros(64, np.int32)
    result = simt.launch(
        HEAD + KERNEL.format(**PLAIN | edits),
        target="nvidia:sm_90",
        grid=3,
        block=64,
        args=[np.zeros(1, np.int32), np.zeros(2, np.int32), seen],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine, seed=seed),
    )
    assert result.fault is None
    return {finding.id for finding in result.findings if finding.severity == "error"}, set(seen.tolist())


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("edits", ORDERED.values(), ids=ORDERED)
def test_fences_that_what_is_observed_puts_in_order_are_clean(edits, engine):
    """If the reader's fence came first, the flag would precede itself in causality order."""
    assert findings(edits, engine) == (set(), {42})


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("edits", UNORDERED.values(), ids=UNORDERED)
def test_fences_that_nothing_puts_in_order_leave_a_race(edits, engine):
    ids, _ = findings(edits, engine)

    assert "race.global.write-read" in ids


# In some orders the last block sees the flag before another block overwrites it: then it has observed the writer's.
EVERY = {name: edits for name, edits in (ORDERED | UNORDERED).items() if name != "another block overwrites the flag"}


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("edits", EVERY.values(), ids=EVERY)
def test_it_is_so_in_every_order(edits, seed):
    ids, _ = findings(edits, "reference", seed)

    assert bool(ids) == (edits in UNORDERED.values())


AMD = (
    ('"nvptx64-nvidia-cuda"', '"amdgcn-amd-amdhsa"'),
    ("i32 @llvm.nvvm.read.ptx.sreg.tid.x", "i32 @llvm.amdgcn.workitem.id.x"),
    ("i32 @llvm.nvvm.read.ptx.sreg.ctaid.x", "i32 @llvm.amdgcn.workgroup.id.x"),
    ("declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)", "declare void @llvm.amdgcn.s.barrier()"),
    (
        BARRIER,
        'fence syncscope("workgroup") release\n  call void @llvm.amdgcn.s.barrier()\n  '
        'fence syncscope("workgroup") acquire',
    ),
    ("declare void @llvm.nvvm.membar.gl()\n", ""),
    ("declare void @llvm.nvvm.membar.cta()\n", ""),
    (MEMBAR, 'fence syncscope("agent") seq_cst'),
    ("ptx_kernel", "amdgpu_kernel"),
)


@pytest.mark.parametrize(("found", "races"), [("", True), (MEMBAR, False)], ids=["after", "by the thread that waits"])
def test_on_amd_only_the_thread_that_observes_acquires(found, races):
    """LLVM's model orders sequentially consistent fences, but what they order does not synchronize."""
    text = HEAD + KERNEL.format(**PLAIN | {"found": found})
    for old, new in AMD:
        text = text.replace(old, new)
    result = simt.launch(
        text,
        target="amd:gfx942",
        grid=3,
        block=64,
        args=[np.zeros(1, np.int32), np.zeros(2, np.int32), np.zeros(64, np.int32)],
        observers=simt.observers(counters=False),
    )

    assert any(finding.severity == "error" for finding in result.findings) == races, result.findings
