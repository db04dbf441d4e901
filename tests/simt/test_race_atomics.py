"""Atomics and what is not atomic beside them: scopes, and what an atomic finds."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.race_clocks import SCOPES, SPACES
from harness.simt.observing.race_order import AccessReach, SyncLog
from harness.simt.observing.race_shadow import ThreadNumbering
from harness.simt.observing.races import RaceDetector
from tests.simt.snippets import kernel

SEEDS = [None, *range(1, 6)]


def races(body, *, grid=2, block=1, target="nvidia:sm_90", **options):
    """The findings of a body under the observer of races, each as id and severity."""
    result = simt.launch(
        kernel(body, target=target),
        target=target,
        grid=grid,
        block=block,
        args=[simt.Buffer(np.zeros(4, np.int32), "output")],
        observers=[RaceDetector()],
        options=simt.Options(**options),
    )
    return [(finding.id, finding.severity) for finding in result.findings]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("operation", ["xchg", "max", "umin", "or", "and", "add"])
def test_a_scope_that_is_too_small_is_told_in_every_order(operation, seed):
    """Also where the later one leaves what the earlier one left, or changes nothing."""
    atomic = f"atomicrmw {operation} ptr %o, i32 %v syncscope"
    body = f'%v = add i32 %bx, 1\n%x = {atomic}("block") monotonic, align 4'

    assert races(body, seed=seed) == [("race.scope", "error")]
    assert races(body.replace('"block"', '"device"'), seed=seed) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("value", [1, 2])
def test_an_exchange_beside_a_volatile_store_is_told_in_every_order(value, seed):
    """Whatever the store leaves: the exchange is no store of one value."""
    body = f"""
      %c = icmp eq i32 %bx, 0
      br i1 %c, label %in, label %out
    in:
      %x = atomicrmw xchg ptr %o, i32 1 monotonic, align 4
      br label %end
    out:
      store volatile i32 {value}, ptr %o, align 4
      br label %end
    end:"""

    assert races(body, seed=seed) == [("race.volatile", "warning")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("target", ["nvidia:sm_90", "amd:gfx942", "apple:apple-m4"])
@pytest.mark.parametrize("ordering", ["monotonic", "acq_rel", "seq_cst"])
def test_who_was_earlier_knows_nothing_of_what_a_later_atomic_released(ordering, target, seed):
    """Each block counts itself and reads the counter plainly, whether or not their atomics are one step here."""
    one = (
        ""
        if target.startswith("apple")
        else 'syncscope("device") '
        if target.startswith("nvidia")
        else 'syncscope("agent") '
    )
    body = f"""
      %x = atomicrmw add ptr %o, i32 1 {one}{ordering}, align 4
      %n = load i32, ptr %o, align 4
      %own = add i32 %bx, 1
      %q = getelementptr i32, ptr %o, i32 %own
      store i32 %n, ptr %q, align 4"""

    (found,) = races(body, grid=3, target=target, seed=seed)
    assert found in [(f"race.global.{which}", "error") for which in ("write-read", "read-write")]  # as the seed has it


@pytest.mark.parametrize("seed", SEEDS)
def test_stores_of_one_value_are_told_alike_in_every_order(seed):
    """Atomic stores of a scope that is too small are as harmless as plain ones."""
    body = 'store atomic i32 7, ptr %o syncscope("block") monotonic, align 4'

    assert races(body, seed=seed) == [("several-writers", "information")]


def counter(resets, update='atomicrmw add ptr %o, i32 1 syncscope("device") monotonic, align 4'):
    """Blocks count themselves; the one that finds `resets` others reads the counter and sets it back, plainly."""
    return f"""
      %x = {update}
      %c = icmp eq i32 %x, {resets}
      br i1 %c, label %last, label %end
    last:
      %n = load i32, ptr %o, align 4
      %q = getelementptr i32, ptr %o, i32 1
      store i32 %n, ptr %q, align 4
      store i32 0, ptr %o, align 4
      br label %end
    end:"""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chunk", [1, 3, 64])
def test_the_last_block_may_reset_a_counter(chunk, seed):
    """It found what all others left; whoever resets it before does not, in whatever order they come."""
    assert races(counter(7), grid=8, seed=seed, chunk_lanes=chunk) == []
    for wrong in (0, 3, 6):
        found = races(counter(wrong), grid=8, seed=seed, chunk_lanes=chunk)

        assert "error" in {severity for _, severity in found}


def test_what_is_found_is_ordered_by_ptx_alone():
    """For others a relaxed atomic orders nothing."""
    assert races(counter(7), grid=8, target="amd:gfx942")


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("store atomic i32 5, ptr %o monotonic, align 4", [("race.global.write-write", "error")]),
        ("%x = atomicrmw add ptr %o, i32 1 monotonic, align 4", []),
        ('%x = atomicrmw add ptr %o, i32 1 syncscope("block") monotonic, align 4', [("race.scope", "error")]),
    ],
)
def test_what_another_atomic_left_in_between_is_not_found(between, found):
    """A store ends the chain: who finds it has not found what was there before; an update passes it on."""
    body = f"""
      %k = mul i32 %bx, 64
      %n = add i32 %k, %t
      switch i32 %n, label %meet [ i32 0, label %first i32 96, label %second ]
    first:
      %w = atomicrmw add ptr %o, i32 1 monotonic, align 4
      br label %meet
    second:
      {between}
      br label %meet
    meet:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %c = icmp eq i32 %n, 64
      br i1 %c, label %third, label %end
    third:
      %y = atomicrmw add ptr %o, i32 1 monotonic, align 4
      store i32 0, ptr %o, align 4
      br label %end
    end:"""

    assert [each for each in found if each not in races(body, block=64, chunk_lanes=64)] == []
    assert bool(races(body, block=64, chunk_lanes=64)) == bool(found)


def test_an_atomic_load_finds_what_an_atomic_left():
    """A flag that one block waits for, and takes down plainly; a volatile look at it orders nothing."""
    body = """
      %c = icmp eq i32 %bx, 0
      br i1 %c, label %set, label %wait
    set:
      store atomic i32 1, ptr %o monotonic, align 4
      br label %end
    wait:
      %v = load atomic i32, ptr %o monotonic, align 4
      %up = icmp eq i32 %v, 1
      br i1 %up, label %down, label %wait
    down:
      store i32 0, ptr %o, align 4
      br label %end
    end:"""
    volatile = body.replace("load atomic i32, ptr %o monotonic", "load volatile i32, ptr %o")

    assert races(body) == []
    assert ("race.global.write-write", "error") in races(volatile)


MIXED = {
    "of one size": ("atomicrmw add ptr %o, i32 1 monotonic", "atomicrmw add ptr %o, i32 1 monotonic", ""),
    "a word and a double word": (
        "atomicrmw add ptr %o, i32 1 monotonic",
        "atomicrmw add ptr %o, i64 1 monotonic",
        "race.sizes",
    ),
    "a word and its half": (
        "atomicrmw add ptr %o, i32 1 monotonic",
        "load atomic i16, ptr %o monotonic, align 2",
        "race.sizes",
    ),
    "a pair and one of it": (
        "atomicrmw fadd ptr %o, <2 x half> zeroinitializer monotonic",
        "atomicrmw fadd ptr %o, half 0.0 monotonic",
        "",
    ),
    "elements of a vector": (
        "load volatile <2 x i32>, ptr %o, align 8",
        "atomicrmw add ptr %o, i32 1 monotonic",
        "race.volatile",
    ),
}


@pytest.mark.parametrize("what", MIXED)
@pytest.mark.parametrize("turned", [False, True])
def test_atomics_are_so_to_those_of_the_same_bytes(what, turned):
    """PTX ISA, morally strong operations: "they overlap completely". A vector is an access for each element."""
    first, second, found = MIXED[what]
    first, second = (second, first) if turned else (first, second)
    body = f"""
      %word = getelementptr i32, ptr %o, i64 2
      %w = load i32, ptr %word
      %zero = icmp eq i32 %bx, 0
      br i1 %zero, label %x, label %y
    x:
      %f = {first}
      br label %end
    y:
      %g = {second}
      br label %end
    end:"""

    assert [name for name, _ in races(body)] == [found] * bool(found)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scope", ["block", "device"])
def test_who_knows_of_an_access_by_way_of_atomics_is_as_one_after_another(scope, seed):
    """Steps of many threads, at places of which some were left something, in an order that is not that of threads."""
    random = np.random.default_rng(seed)
    shape, log = ThreadNumbering(32, 64, 1, 3), SyncLog()
    known, left, chance = {5}, dict[int, set[int]](), random.uniform(0.1, 0.9)
    for _ in range(8):
        kind = str(random.choice(["atomic", "load", "store"], p=[0.7, 0.2, 0.1]))
        who = random.permutation(shape.total)[: int(chance * shape.total)]
        places = random.integers(0, 40, len(who))
        log.add("atomic", SPACES, kind, places, who, "acq_rel", SCOPES[scope], True)
        for place in places.tolist() if kind == "store" else ():
            left.pop(place, None)
        for place, thread in zip(places.tolist(), who.tolist(), strict=True):
            group = thread // 64 if scope == "block" else 0
            if kind != "store" and group in left.get(place, ()):
                known.add(thread)
            if kind != "load" and thread in known:
                left.setdefault(place, set()).add(group)
    reach = AccessReach(shape, "global", 5, 0)
    reach.advance(log, lambda: None)

    assert set(np.flatnonzero(reach.known).tolist()) == known
