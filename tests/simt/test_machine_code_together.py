"""Machine code of what lanes do together: atomic updates, votes, reductions; and of random kernels."""

from __future__ import annotations

import pytest

from tests.simt import compare
from tests.simt.compare_touches import touched_natively
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE, both, run

pytestmark = pytest.mark.slow

ALIKE = "%h = and i64 %i, 3\n  %p4 = getelementptr i32, ptr %o, i64 %h"


@pytest.mark.parametrize("operation", ["add", "sub", "xor", "or", "and", "max", "min", "umax", "umin"])
def test_updates_of_one_kind_run_in_any_order(operation):
    body = f"{VALUE}\n  {ALIKE}\n  %old = atomicrmw {operation} ptr %p4, i32 %v monotonic"
    result = both(body, grid=2, block=32, initialised=True)

    assert result.engine.native == 2
    assert not result.ordered


def test_updates_of_a_place_of_ones_own_may_be_asked_what_they_found():
    body = f"""{VALUE}
  %p4 = getelementptr i32, ptr %o, i64 %i
  %x = atomicrmw xchg ptr %p4, i32 %v monotonic
  %y = cmpxchg ptr %p4, i32 %v, i32 7 monotonic monotonic
  %z = cmpxchg ptr %p4, i32 1000, i32 8 monotonic monotonic
  %k = extractvalue {{i32, i1}} %y, 0
  %l = extractvalue {{i32, i1}} %z, 1
  %m = zext i1 %l to i32
  %n = add i32 %k, %m
  %w = add i32 %n, %x{OUT}"""

    assert both(body, initialised=True).engine.native == 1


MIXED = {
    "two kinds": "%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %y = atomicrmw xor ptr %p4, i32 %v monotonic",
    "two widths": "%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %y = atomicrmw add ptr %p4, i16 1 monotonic, align 2",
    "what it found": f"%w = atomicrmw add ptr %p4, i32 1 monotonic{OUT}",
    "a load": f"%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %w = load i32, ptr %p4{OUT}",
    "a load before": "%x = load i32, ptr %p4\n  %y = atomicrmw add ptr %p4, i32 %x monotonic",
    "a store before": "store i32 1, ptr %p4\n  %y = atomicrmw add ptr %p4, i32 %v monotonic",
    "of a block": '%x = atomicrmw add ptr %p4, i32 1 syncscope("block") monotonic',
}


@pytest.mark.parametrize("what", MIXED)
def test_other_updates_of_a_place_that_others_update_run_in_python(what):
    result = both(f"{VALUE}\n  {ALIKE}\n  {MIXED[what]}", grid=2, block=32, initialised=True)

    assert not result.engine.native


def test_what_another_block_updated_is_found_behind_a_barrier_too():
    """This block's barrier orders nothing of the others."""
    body = (
        f"{VALUE}\n  {ALIKE}\n  %x = atomicrmw add ptr %p4, i32 1 monotonic\n  {BARRIER}\n  %w = load i32, ptr %p4{OUT}"
    )
    two = both(body, grid=2, block=32, initialised=True)

    assert not two.engine.native
    assert {finding.kind for finding in two.findings} == {"race"}


BATCH = 10
SEEDS = [pytest.param(0), *(pytest.param(first, marks=pytest.mark.full) for first in range(BATCH, 200, BATCH))]


@pytest.mark.slow  # compiles each
@pytest.mark.parametrize(
    ("first", "count"), [(0, BATCH), *(pytest.param(at, 60, marks=pytest.mark.full) for at in (10, 70, 130))]
)
def test_random_kernels_are_the_same_and_most_run_as_machine_code(first, count):
    seeds = range(first, first + count)
    ran = [kind(seed) for kind in (compare.plain_natively, compare.graph_natively) for seed in seeds]

    assert sum(ran) >= 0.8 * len(ran)


@pytest.mark.slow
@pytest.mark.parametrize("first", SEEDS)
def test_random_kernels_that_lack_a_barrier_or_go_out_of_bounds_are_found_out(first):
    """What they leave and what is said of them is Python's, and some of them are wrong."""
    ran = [compare.broken_natively(seed) for seed in range(first, first + BATCH)]

    assert ran.count(False) >= BATCH // 4


@pytest.mark.slow
@pytest.mark.parametrize("first", SEEDS)
def test_random_kernels_that_touch_memory_of_all_kinds_are_the_same(first):
    """For each vendor, counted or not, by a worker that ran a launch before, or begun anew; some are not clean."""
    ran = [touched_natively(seed) > 0 for seed in range(first, first + 2 * BATCH)]

    assert BATCH // 5 <= sum(ran) < len(ran)


COPIED = """  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %p = getelementptr i32, ptr %a, i64 %i
  %g = addrspacecast ptr %p to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %g)"""
ALL = "call void @llvm.nvvm.cp.async.wait.all()"
GROUPS = "call void @llvm.nvvm.cp.async.commit.group()\n  call void @llvm.nvvm.cp.async.wait.group(i32 0)"
MINE = "%w = load i32, ptr addrspace(3) %s"
AGAIN = COPIED.rsplit("\n", 1)[1]


@pytest.mark.parametrize("wait", [ALL, GROUPS])
@pytest.mark.parametrize("use", [MINE, f"{BARRIER}{FROM_TILE}"])
def test_copies_that_are_waited_for_are_the_same(wait, use):
    assert both(f"{COPIED}\n  {wait}\n  {use}{OUT}").engine.native == 1


ASTRAY = {
    "read before": f"{COPIED}\n  {MINE}\n  {ALL}{OUT}",
    "written before": f"{COPIED}\n  store i32 1, ptr addrspace(3) %s\n  {ALL}\n  {MINE}{OUT}",
    "copied to twice": f"{COPIED}\n{AGAIN}\n  {ALL}\n  {MINE}{OUT}",
    "in no group": f"{COPIED}\n  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n  {MINE}{OUT}",
    "of another": f"{COPIED}\n  {ALL}{FROM_TILE}{OUT}",
    "waited for behind the barrier": f"{COPIED}\n  {BARRIER}\n  {ALL}{FROM_TILE}{OUT}",
    "updated before": f"{COPIED}\n  %w = atomicrmw xchg ptr addrspace(3) %s, i32 1 monotonic\n  {ALL}{OUT}",
    "its source written": f"{COPIED.replace('ptr %a', 'ptr %o')}\n  store i32 1, ptr %p\n  {ALL}\n  {MINE}{OUT}",
}


@pytest.mark.parametrize("use", ASTRAY)
def test_copies_that_are_used_too_early_are_found_by_python(use):
    result = both(ASTRAY[use], initialised=True)

    assert not result.engine.native
    assert result.findings or use == "its source written"


def test_what_a_copy_does_not_touch_may_be_used_meanwhile():
    body = f"""{COPIED}
  %q2 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %i
  store i32 3, ptr addrspace(3) %q2
  %x = load i32, ptr addrspace(3) %q2
  {ALL}
  %y = load i32, ptr addrspace(3) %s"""

    assert both(f"{body}\n  %w = add i32 %x, %y{OUT}").engine.native == 1


def exchange(barrier, space="shared"):
    """Each thread leaves a value for another, behind a barrier."""
    if space == "shared":
        return f"{VALUE}{IN_TILE}\n  {barrier}{FROM_TILE}{OUT}"
    far = FROM_TILE.replace("[64 x i32], ptr addrspace(3) @tile, i64 0,", "i32, ptr %o,").replace("addrspace(3) ", "")
    return f"{VALUE}\n  %w0 = add i32 %v, 1{OUT.replace('%w,', '%w0,')}\n  {barrier}{far}"


RELEASE, ACQUIRE = (f'fence syncscope("workgroup") {ordering}' for ordering in ("release", "acquire"))
AMD = "call void @llvm.amdgcn.s.barrier()"
APPLE = "call void @air.wg.barrier(i32 {}, i32 1)"


@pytest.mark.parametrize("space", ["shared", "global"])
@pytest.mark.parametrize(
    ("target", "barrier"),
    [("amd:gfx942", f"{RELEASE}\n  {AMD}\n  {ACQUIRE}"), ("apple:apple-m4", APPLE.format(3))],
)
def test_barriers_that_order_all_memory_are_the_same(target, barrier, space):
    assert both(exchange(barrier, space), target=target, initialised=True).engine.native == 1


def test_a_barrier_that_orders_shared_memory_alone_orders_that():
    apple = {"target": "apple:apple-m4", "initialised": True}

    assert both(exchange(APPLE.format(2)), **apple).engine.native == 1
    assert {finding.kind for finding in both(exchange(APPLE.format(2), "global"), **apple).findings} == {"race"}
    assert {finding.kind for finding in both(exchange(APPLE.format(1)), **apple).findings} == {"race"}


@pytest.mark.parametrize(
    "barrier",
    [
        AMD,
        f"{RELEASE}\n  {AMD}",
        f"{AMD}\n  {ACQUIRE}",
        f"{ACQUIRE}\n  {AMD}\n  {RELEASE}",
        f'fence syncscope("wavefront") release\n  {AMD}\n  {ACQUIRE}',
        f"{RELEASE}\n  %v2 = add i32 %v, 1\n  store i32 %v2, ptr addrspace(3) %s\n  {AMD}\n  {ACQUIRE}",
    ],
)
def test_a_barrier_without_its_fences_orders_nothing(barrier):
    result = both(exchange(barrier), target="amd:gfx942", initialised=True)

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"race"}


STRONG = {
    "volatile": "store volatile i32 %v, ptr addrspace(3) %s\n  %w = load volatile i32, ptr addrspace(3) %s",
    "atomic": "store atomic i32 %v, ptr addrspace(3) %s release, align 4\n"
    "  %w = load atomic i32, ptr addrspace(3) %s acquire, align 4",
}
PLACE = "\n  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i\n  "
FLAG = f"""{VALUE}
  %c = icmp eq i32 %t, 63
  br i1 %c, label %one, label %wait
one:
  store atomic i32 5, ptr %o release, align 4
  br label %end
wait:
  %f = load atomic i32, ptr %o acquire, align 4
  %set = icmp eq i32 %f, 5
  br i1 %set, label %end, label %wait
end:"""


@pytest.mark.parametrize("how", STRONG)
def test_volatile_and_atomic_accesses_that_nobody_meets_are_like_others(how):
    """And nobody says that the launch has no order, as nobody does in Python."""
    result = both(f"{VALUE}{PLACE}{STRONG[how]}{OUT}")

    assert (result.engine.native, result.ordered) == (1, False)


def test_a_flag_that_threads_wait_for_is_left_to_python():
    result, _ = run(FLAG, "native", initialised=True)

    assert result.engine.python == 1
    assert not result.findings
