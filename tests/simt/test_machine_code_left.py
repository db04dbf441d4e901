"""What a block that is left to Python does to memory, and what it noted before: as if native code had never run it."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch  # without the tests' own observers
from harness.simt.state.device import Device
from tests.simt.engines import BARRIER, OUT, SHARED
from tests.simt.snippets import kernel

# The fifth block comes to `%a` from `%o`, by their distance: native code takes `%a` for what is only read.
CROSS = """
  %ai = ptrtoint ptr %a to i64
  %oi = ptrtoint ptr %o to i64
  %far = sub i64 %ai, %oi
  %q = getelementptr i32, ptr %r, i64 %i
  %c = icmp eq i32 %bx, 5
  br i1 %c, label %one, label %others
one:
  %x = getelementptr i8, ptr %o, i64 %far
  %xi = getelementptr i32, ptr %x, i64 %i
  CHANGE
  MORE
  br label %all
others:
  %p = getelementptr i32, ptr %a, i64 163
  %v = load i32, ptr %p
  br label %all
all:
  %w = phi i32 [ %v, %others ], [ 5, %one ]
  store i32 %w, ptr %q"""
PLAIN = "%old = load i32, ptr %xi\n  %new = add i32 %old, 1\n  store i32 %new, ptr %xi"
UPDATE = "%old = atomicrmw add ptr %xi, i32 1 monotonic"
# A lane runs ahead of its neighbour's store natively, and goes where no thread goes.
AHEAD = f"""
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %t64 = zext i32 %t to i64
  %b64 = zext i32 %bx to i64
  %x = getelementptr i32, ptr %r, i64 %b64
  %near = xor i64 %t64, 1
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %theirs = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %near
  store i32 %v, ptr addrspace(3) %mine
  {BARRIER}
  %is5 = icmp eq i32 %bx, 5
  %is1 = icmp eq i32 %t, 1
  %st = and i1 %is1, %is5
  br i1 %st, label %s, label %read
s:
  store i32 1, ptr %x
  br label %read
read:
  %z = load i32, ptr %x
  %zc = icmp eq i32 %z, 0
  br i1 %zc, label %never, label %end
never:
  %hi = load i32, ptr addrspace(3) %theirs
  %lo = call i32 @llvm.ctpop.i32(i32 %hi)
  br label %end
end:
  %w = phi i32 [ %lo, %never ], [ %v, %read ]{OUT}"""
HALVES = """
  %lo64 = zext i32 %lo to i64
  %hi64 = zext i32 %hi to i64
  %up = shl i64 %hi64, 32
  %n = or i64 %up, %lo64
  %b = inttoptr i64 %n to ptr
  %p = getelementptr i32, ptr %b, i64 %i
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %j1 = add i32 %j, 1
  %c = icmp ult i32 %j1, 40
  br i1 %c, label %loop, label %end
end:"""


def both(body, last):
    """The results by Python and by machine code, once what they left and found is the same."""
    results, left = [], []
    for engine in ("reference", "native"):
        arrays = [np.arange(384, dtype=np.int32), np.zeros(384, np.int32), last.copy()]
        how = {"observers": simt.observers(counters=False), "options": simt.Options(engine=engine)}
        text = kernel(body, "ptr %a, ptr %o, ptr %r", SHARED)
        results.append(launch(text, target="nvidia:sm_90", grid=12, block=32, args=arrays, **how))
        left.append([array.tolist() for array in arrays])
    assert left[0] == left[1]
    assert repr(results[0].findings) == repr(results[1].findings)
    assert dict(results[0].fidelity) == dict(results[1].fidelity)
    return results


@pytest.mark.slow
@pytest.mark.parametrize("change", [PLAIN, UPDATE], ids=["plain", "update"])
@pytest.mark.parametrize("more", ["", "%z = load i32, ptr %r"], ids=["alone", "reads what others store"])
def test_it_stores_where_others_were_proved_to_read_alone(change, more):
    """That is told, once, and nothing is done twice."""
    _, result = both(CROSS.replace("CHANGE", change).replace("MORE", more), np.zeros(384, np.int32))

    assert "race" in {finding.kind for finding in result.findings}


@pytest.mark.slow
def test_where_it_went_natively_counts_for_nothing():
    """A barrier that nobody needs is told, though there somebody seemed to."""
    _, result = both(AHEAD, np.where(np.arange(384) == 5, 0, 1).astype(np.int32))

    assert {finding.kind for finding in result.findings} == {"race", "redundant-barrier"}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "native", "auto"])
def test_a_launch_begins_anew_on_memory_as_it_was(engine):
    """Also where it comes to memory whose address it is given in halves."""
    device = Device()
    memory = device.allocate(4 * 64 * 256, "a", initialised=True)
    memory.data[:] = 0
    halves = [(int(memory.base) >> by & 0xFFFFFFFF).to_bytes(4, "little") for by in (0, 32)]
    how = {"observers": simt.observers(counters=False), "options": simt.Options(engine=engine)}
    text = kernel(HALVES, "i32 %lo, i32 %hi", "")
    simt.launch_on(device, text, target="nvidia:sm_90", grid=64, block=256, parameters=halves, **how)

    assert set(memory.data.view(np.int32).tolist()) == {40}


# The fifth block's access begins in the middle of its last element, and ends in the next block's first.
ACROSS = """
  %q = getelementptr i32, ptr %r, i64 %i
  %five = icmp eq i32 %bx, 5
  br i1 %five, label %some, label %all
all:
  store i32 7, ptr %q
  br label %end
some:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %end
one:
  %p = getelementptr i8, ptr %r, i64 766
  ACCESS
  br label %end
end:"""


@pytest.mark.slow
@pytest.mark.parametrize("access", ["%x = load i32, ptr %p, align 4", "store i32 9, ptr %p, align 4"])
def test_it_comes_to_an_element_of_another_block_by_a_part(access):
    """A race, though machine code proved the other one clean."""
    _, result = both(ACROSS.replace("ACCESS", access), np.zeros(384, np.int32))

    assert {"misaligned", "race"} <= {finding.kind for finding in result.findings}


# Of the fifth block two threads store to one place, as wide as WIDTH; the others store half of that each.
NARROW = """
  %five = icmp eq i32 %bx, 5
  %q = getelementptr i64, ptr %r, i64 %i
  br i1 %five, label %some, label %all
all:
  store HALF 7, ptr %q, align 8
  br label %end
some:
  %even = and i64 %i, -2
  %p = getelementptr i64, ptr %r, i64 %even
  store i64 %i, ptr %p, align 8
  br label %end
end:"""


@pytest.mark.slow
@pytest.mark.parametrize(("half", "native"), [("i32", 0), ("i64", 11)])
def test_how_wide_the_places_are_that_it_is_told_of_others_decide(half, native):
    """A place that is touched in parts by anybody is told in parts."""
    result, found = both(NARROW.replace("HALF", half), np.zeros(768, np.int32))

    assert (found.engine.native, {one.kind for one in found.findings}) == (native, {"race"})
    assert result is not found
