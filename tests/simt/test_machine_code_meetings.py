"""Machine code of lanes of a warp that exchange through memory where they meet, held against the reference."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from harness import simt
from tests.simt.engines import BARRIER, IN_TILE, LANES, OUT, VALUE, both

pytestmark = pytest.mark.slow

MEET = "call void @llvm.nvvm.bar.warp.sync(i32 -1)"
APPLE = "call void @air.simdgroup.barrier(i32 {}, i32 4)"
APPLE_BARRIER = "call void @air.wg.barrier(i32 {}, i32 1)"
NEIGHBOUR = """
  %far = xor i64 %i, {}
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %far
  %w = load i32, ptr addrspace(3) %u"""
AGAIN = "\n  store i32 9, ptr addrspace(3) %s"
HALVING = f"""{VALUE}{IN_TILE}
  {MEET}
  br label %round
round:
  %n = phi i64 [ 16, %0 ], [ %half, %met ]
  %there = add i64 %i, %n
  %lane = and i64 %i, 31
  %mine = icmp ult i64 %lane, %n
  br i1 %mine, label %add, label %met
add:
  %z = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %there
  %x = load i32, ptr addrspace(3) %z
  %y = load i32, ptr addrspace(3) %s
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %s
  br label %met
met:
  {MEET}
  %half = lshr i64 %n, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %round, label %end
end:
  %first = and i64 %i, 32
  %f = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %first
  %w = load i32, ptr addrspace(3) %f{OUT}"""


def exchange(*between, distance=1, space="shared"):
    """Lanes store, read a neighbour's and store again, with lines in between."""
    text = f"{VALUE}{IN_TILE}\n  {between[0]}{NEIGHBOUR.format(distance)}\n  {between[1]}{AGAIN}{OUT}"
    if space == "global":
        text = text.replace("ptr addrspace(3)", "ptr").replace("[64 x i32], ptr @tile, i64 0,", "i32, ptr %o,")
        text = text.removesuffix(OUT)
    return text


@pytest.mark.parametrize("space", ["shared", "global"])
def test_what_a_warp_exchanges_where_it_meets_is_proved(space):
    assert both(exchange(MEET, MEET, distance=17, space=space), initialised=True).engine.native == 1
    assert both(exchange(MEET, BARRIER, space=space), initialised=True).engine.native == 1


@pytest.mark.parametrize("space", ["shared", "global"])
@pytest.mark.parametrize("between", [("", MEET), (MEET, ""), ("", BARRIER)])
def test_an_exchange_without_a_meeting_is_told(between, space):
    result = both(exchange(*between, space=space), initialised=True)

    assert result.engine.python
    assert {finding.kind for finding in result.findings} == {"race"}


def test_another_warp_is_not_met():
    assert {finding.kind for finding in both(exchange(MEET, MEET, distance=32)).findings} == {"race"}
    assert both(exchange(BARRIER, BARRIER, distance=32)).engine.native == 1


def test_a_warp_sums_by_halving():
    assert both(HALVING).engine.native == 1
    assert {finding.kind for finding in both(HALVING.replace(MEET, "", 1)).findings} == {"race"}
    assert both(HALVING, grid=1, block=96, size=96).engine.python  # past the end of the tile


@pytest.mark.parametrize(("flags", "kinds"), [(2, set()), (1, {"race"}), (3, set())])
def test_a_simdgroup_orders_the_memory_that_it_names(flags, kinds):
    how = {"target": "apple:apple-m4", "initialised": True}
    meet = APPLE.format(flags)
    result = both(exchange(meet, meet), **how)

    assert {finding.kind for finding in result.findings} == kinds
    assert result.engine.native == (not kinds)


def test_a_barrier_of_other_memory_brings_no_epoch_back():
    """A lane wrote before the meeting, its neighbour read behind it, and the lane writes again behind the barrier."""
    body = exchange(APPLE.format(3), APPLE_BARRIER.format(2), space="global")

    assert {finding.kind for finding in both(body, target="apple:apple-m4", initialised=True).findings} == {"race"}


# Random kernels: accesses of one array, with meetings and barriers between some of them.
WAYS = {
    "own": "add i64 %t64, 0",
    "neighbour": "xor i64 %t64, 1",
    "across": "xor i64 %t64, 16",
    "of the other warp": "xor i64 %t64, 32",
    "half": "lshr i64 %t64, 1",
    "pair": "and i64 %t64, 62",
    "first of the warp": "and i64 %t64, 32",
    "one": "add i64 0, 5",
}
LOADED, STORED = (8, 6, 6, 0.3, 0.3, 4, 4, 0.3), (8, 6, 6, 0.3, 0.1, 0.3, 0.3, 0.1)
THOSE = (1, 16, 31, 32, 33, 63)


def drawn(seed):
    """The lines of a kernel."""
    rng = random.Random(seed)
    shared = rng.random() < 0.6
    array = "[64 x i32], ptr addrspace(3) @tile, i64 0," if shared else "i32, ptr %o,"
    pointer = "ptr addrspace(3)" if shared else "ptr"
    lines = [VALUE, IN_TILE, f"  {BARRIER}", "  %t64 = zext i32 %t to i64"]
    for n in range(rng.randrange(3, 10)):
        kind = rng.choice(("load", "load", "store", "store", "update", "found"))
        lines += [f"  %at{n} = {rng.choices(list(WAYS.values()), LOADED if kind == 'load' else STORED)[0]}"]
        lines += [f"  %p{n} = getelementptr {array} i64 %at{n}"]
        guarded = rng.random() < 0.4
        if guarded:
            lines += [f"  %some{n} = and i32 %t, {rng.choice(THOSE)}", f"  %c{n} = icmp eq i32 %some{n}, 0"]
            lines += [f"  br i1 %c{n}, label %do{n}, label %done{n}", f"do{n}:"]
        value = rng.choice(("%v", "%t", "9"))
        lines += [
            {
                "load": f"  %x{n} = load i32, {pointer} %p{n}",
                "store": f"  store i32 {value}, {pointer} %p{n}",
                "update": f"  %x{n} = atomicrmw {rng.choice(('add', 'umax'))} {pointer} %p{n}, i32 {value} monotonic",
                "found": f"  %x{n} = atomicrmw xchg {pointer} %p{n}, i32 {value} monotonic",
            }[kind]
        ]
        if guarded:
            lines += [f"  br label %done{n}", f"done{n}:"]
        lines += [f"  {what}" for what in (rng.choices((MEET, BARRIER, ""), (12, 1, 1))[0],) if what]
    if shared:
        lines += ["  %last = load i32, ptr addrspace(3) %s", "  %w = add i32 %last, 1", OUT]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(40, 400))])
def test_a_random_kernel_is_as_the_reference_says(seed):
    compared(seed)


def compared(seed):
    """Whether machine code ran a random kernel, as the reference does but for barriers that nobody needs."""
    observers = simt.observers(counters=False, redundant=seed % 3 == 0)
    return both(
        drawn(seed), initialised=True, grid=1 + seed % 5 // 4, size=2 * LANES, observers=observers
    ).engine.native


def test_some_random_kernels_are_proved_and_some_are_not():
    counts = Counter(bool(compared(seed)) for seed in range(12))

    assert min(counts[True], counts[False]) > 2


HALF = f"""{VALUE}
  %t64 = zext i32 %t to i64
  %m = and i64 %t64, 31
  %own = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %lower = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %m
  %first = icmp ult i32 %t, 32"""
# What the first warp does before a meeting, and what both do behind it to the same elements.
BEHIND = {
    "a store, and updates of both": f"""{HALF}
  br i1 %first, label %once, label %both
once:
  store i32 %v, ptr addrspace(3) %own
  br label %both
both:
  MEET
  %u = atomicrmw add ptr addrspace(3) %lower, i32 1 monotonic
  %w = add i32 %v, 1{OUT}""",
    "updates of another kind": f"""{HALF}
  %place = getelementptr i32, ptr %o, i64 %m
  br i1 %first, label %once, label %others
once:
  %x = atomicrmw or ptr %place, i32 1023 monotonic
  br label %both
others:
  %y = atomicrmw add ptr %place, i32 77 monotonic
  br label %both
both:
  MEET
  br i1 %first, label %more, label %end
more:
  %z = atomicrmw add ptr %place, i32 5 monotonic
  br label %end
end:""",
}


@pytest.mark.parametrize("body", BEHIND.values(), ids=BEHIND)
@pytest.mark.parametrize("target", ["nvidia:sm_90", "apple:apple-m4"])
def test_a_warp_s_update_does_not_hide_what_it_did_before_it_met(body, target):
    """The other warp was not there: a race, or an order that decides."""
    meeting = MEET if target.startswith("nvidia") else APPLE.format(3)
    assert both(body.replace("MEET", meeting), target=target, initialised=True).engine.python == 1
