"""Random kernels of lanes that exchange through memory where they synchronise, held against the reference."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from harness import simt
from tests.simt.engines import BARRIER, IN_TILE, LANES, OUT, VALUE, both
from tests.simt.launches.meetings import MEET

pytestmark = pytest.mark.slow

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
