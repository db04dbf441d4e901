"""Warps in lockstep: the compiled engine counts everything, as the interpreter does, where warps are divided."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from harness import simt
from harness.simt.declined import Reason
from harness.simt.native.emit.lane_tally import TALLIED
from harness.simt.observing.counted import BY_THREAD
from harness.simt.observing.counters import Counters
from tests.simt import compare_lockstep
from tests.simt.counted import COUNTED, DIVIDED, IN_ROUNDS, NESTED, ROUND, WAITING
from tests.simt.engines import BARRIER, FAR, LOOKS, OUT, VALUE, WIDE, WORKERS, alike, looks, made, run
from tests.simt.random_programs import KINDS

UPDATES = "updates in shared memory"
# Threads leave the inner loop at different rounds, and the outer one, too; between them some of a warp store.
UNEVEN = f"""{VALUE}
  %lane = and i32 %t, 7
  %low = and i32 %t, 3
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %at
  br label %outer
outer:
  %j = phi i32 [ 0, %0 ], [ %j1, %latch ]
  %sum = phi i32 [ %v, %0 ], [ %kept, %latch ]
  br label %inner
inner:
  %n = phi i32 [ 0, %outer ], [ %n1, %inner ]
  %part = phi i32 [ %sum, %outer ], [ %next, %inner ]
  %where = add i32 %n, %j
  %place = zext i32 %where to i64
  %e = getelementptr i32, ptr %a, i64 %place
  %x = load i32, ptr %e
  %next = add i32 %part, %x
  %n1 = add i32 %n, 1
  %on = icmp ule i32 %n1, %lane
  br i1 %on, label %inner, label %left
left:
  %odd = trunc i32 %n1 to i1
  br i1 %odd, label %stores, label %latch
stores:
  store i32 %next, ptr addrspace(3) %s
  %back = load i32, ptr addrspace(3) %s
  br label %latch
latch:
  %kept = phi i32 [ %next, %left ], [ %back, %stores ]
  %j1 = add i32 %j, 1
  %more = icmp ule i32 %j1, %low
  br i1 %more, label %outer, label %end
end:
  %w = add i32 %kept, %j1{OUT}""".replace("i64 %at", "i64 %i")
EXCHANGED = f"""{VALUE}
  %k = getelementptr i32, ptr %o, i64 %i
  %both = cmpxchg ptr %k, i32 -1, i32 %v monotonic monotonic"""
# Bytes, words and a vector of the same tile: what is counted are its bytes.
SIZES = f"""{VALUE}
  %tt = zext i32 %t to i64
  %word = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %tt
  store i32 %v, ptr addrspace(3) %word
  {BARRIER}
  %octet = getelementptr i8, ptr addrspace(3) @tile, i64 %tt
  %b = load i8, ptr addrspace(3) %octet
  %four = and i64 %tt, 12
  %wide = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %four
  %vector = load <4 x i32>, ptr addrspace(3) %wide
  %y = extractelement <4 x i32> %vector, i32 3
  %z = zext i8 %b to i32
  %w = add i32 %y, %z{OUT}"""
BODIES = {name: body for name, body in COUNTED.items() if name != UPDATES} | {
    "a warp that is divided": DIVIDED,
    "a loop that threads leave one by one": IN_ROUNDS,
    "rounds without requests": ROUND,
    "loops in a loop": UNEVEN,
    "an exchange with memory": EXCHANGED,
    "elements of three sizes": SIZES,
}
SHAPES = {"one block": {"block": 32}, "two warps": {"block": 64}, "a part of a warp": {"block": 40}}


def counted(body: str, target: str = "nvidia:sm_90", **how: object) -> simt.LaunchResult:
    """Return the launch by the compiled engine, once it counted in lockstep what the interpreter counts."""
    module = compare_lockstep.in_lockstep(simt.decode(made(body, target)), target)

    def launch(engine: str) -> tuple[simt.LaunchResult, np.ndarray]:
        result, left = run(module, engine, observers=[Counters()], initialised=True, target=target, **how)
        return result, left

    return compare_lockstep.counted_alike(launch)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_one_block_is_counted(body, shape):
    if body == COUNTED["through shared memory"] and shape["block"] == 40:
        pytest.skip("its threads take what others do not give")
    assert counted(body, **shape).engine.native == 1


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("what", ["a loop that threads leave one by one", "loops in a loop", "elements of three sizes"])
def test_blocks_are_counted_by_any_number_of_workers(what, workers):
    result = counted(BODIES[what], block=32, grid=2, workers=workers)

    assert (result.engine.native, result.engine.python) == (2, 0)


@pytest.mark.parametrize("target", ["amd:gfx942", "apple:apple-m4"])
@pytest.mark.parametrize("what", ["loops in a loop", "two words of one bank", "a warp that is divided"])
def test_warps_of_other_targets_are_counted(what, target):
    assert counted(BODIES[what], target, block=64).engine.native == 1


def test_a_launch_whose_blocks_go_many_ways_is_counted_without_being_told_to():
    """One block for others is tried first; then the kernel is known to be one of which all are counted."""
    module = simt.decode(made(UNEVEN.replace("and i32 %t, 7", "and i32 %v, 7")))
    how = {"block": 32, "grid": 2, "initialised": True}
    expected, _ = run(module, "reference", observers=[Counters()], **how)
    ran = [run(module, "native", observers=[Counters()], **how)[0] for _ in range(2)]

    assert [(one.engine.native, one.engine.python) for one in ran] == [(2, 0), (2, 0)]
    assert [{**one.counters, "steps": 0} for one in ran] == [{**expected.counters, "steps": 0}] * 2


@pytest.mark.parametrize(
    ("body", "why"),
    [(COUNTED[UPDATES], Reason.COUNTING_ORDER), (WAITING, Reason.COUNTING_DIVERGENCE), (NESTED, None)],
    ids=["the order of updates", "barriers in loops that are left one by one", "turns of a loop"],
)
def test_what_is_counted_by_an_order_the_interpreter_counts(body, why):
    result = counted(body, block=32)

    assert result.engine.native == 0
    assert result.engine.cause.reason == (why or Reason.COUNTING_DIVERGENCE)


@pytest.mark.parametrize(("turn", "native"), [(500, 1), (5, 0)])
def test_turns_that_a_loop_ends_before_do_not_matter(turn, native):
    assert counted(ROUND, block=32, spin_steps=turn).engine.native == native


@pytest.mark.parametrize("wrong", [(0,), (5,), (1, 2)], ids=str)
def test_blocks_that_are_left_to_the_interpreter_are_counted_there(wrong):
    values = looks(blocks=12)["values"].reshape(6, 2 * WIDE).copy()
    values[list(wrong), -1] = 4 * values.size
    how = {"values": values.reshape(-1), "size": values.size, "grid": 6, "block": 2 * WIDE, "initialised": True}
    module = compare_lockstep.in_lockstep(simt.decode(made(f"{VALUE}{LOOKS}{FAR}")), "nvidia:sm_90")
    observers = [partial(simt.observers, counters=False), lambda: [Counters()]]
    expected, found = (
        run(module, engine, observers=[one for make in observers for one in make()], **how)[0]
        for engine in ("reference", "native")
    )

    assert (found.engine.native, found.engine.python) == (6 - len(wrong), len(wrong))
    assert {**found.counters, "steps": 0} == {**expected.counters, "steps": 0}
    alike(found, expected)


def test_what_is_counted_of_a_thread_has_the_names_of_counters():
    assert TALLIED == BY_THREAD


@pytest.mark.slow
def test_random_kernels_are_counted_as_the_interpreter_counts_them():
    assert sum(bool(compared()) for compared in KINDS["lockstep"](range(1, 24))) >= 5
