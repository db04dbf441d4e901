"""Which bytes of a device's memory a launch touches, whichever engine runs it."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from harness import simt
from harness.programs.host.touched import make_touched as touched_of
from harness.programs.host.touching import Touching
from harness.simt.options import Engine
from harness.simt.state.allocation import Allocation
from tests.simt.snippets import kernel

LANES = 64
EVERY = """
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %k = add i64 %i, 3
  %q = getelementptr i16, ptr %o, i64 %k
  %w = trunc i32 %v to i16
  store i16 %w, ptr %q"""
SOME = """
  %c = icmp ugt i64 %i, 40
  br i1 %c, label %act, label %done
act:
  %p = getelementptr i8, ptr %a, i64 %i
  %v = load i8, ptr %p
  %q = getelementptr i8, ptr %o, i64 %i
  store i8 %v, ptr %q
  br label %done
done:"""
BOTH_WAYS = """
  %q = getelementptr i32, ptr %o, i64 %i
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  store i32 %w, ptr %q"""
UPDATED = """
  %q = getelementptr i32, ptr %o, i64 7
  %old = atomicrmw add ptr %q, i32 1 syncscope("device") monotonic"""
# One of four blocks races in one element behind those that the others write.
ONE_RACES = """
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, 2
  %at = select i1 %c, i64 70, i64 %i
  %q = getelementptr i32, ptr %o, i64 %at
  %l = trunc i64 %i to i32
  store i32 %l, ptr %q"""
EVEN = """
  %k = shl i64 %i, 1
  %q = getelementptr i32, ptr %o, i64 %k
  %l = trunc i64 %i to i32
  store i32 %l, ptr %q"""
EVEN_OR_RACES = """
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, 2
  %k = shl i64 %i, 1
  %at = select i1 %c, i64 70, i64 %k
  %q = getelementptr i32, ptr %o, i64 %at
  %l = trunc i64 %i to i32
  store i32 %l, ptr %q"""
TAKEN = """
  %q = getelementptr i32, ptr %a, i64 %i
  %old = atomicrmw add ptr %q, i32 1 syncscope("device") monotonic
  %p = getelementptr i32, ptr %o, i64 %i
  store i32 %old, ptr %p"""
OF_A_BLOCK = UPDATED.replace("device", "block")
EXCHANGED = """
  %q = getelementptr i32, ptr %o, i64 %i
  %pair = cmpxchg ptr %q, i32 5, i32 6 monotonic monotonic"""


def launched(body: str, engine: Engine, grid: int) -> tuple[simt.LaunchResult, Touching, list[Allocation]]:
    device, touching = simt.Device(), Touching()
    made = [device.allocate(512, name, initialised=True) for name in ("a", "o", "other")]
    for allocation in made:
        allocation.data[:] = np.arange(512) % 251
    result = simt.launch_on(
        device,
        kernel(body, "ptr %a, ptr %o"),
        target="nvidia:sm_90",
        grid=grid,
        block=LANES // grid,
        parameters=[struct.pack("<Q", allocation.base) for allocation in made[:2]],
        observers=(*simt.observers(counters=False, unwritten=False), touching),
        options=simt.Options(engine=engine),
    )
    return result, touching, made


def touched(body: str, engine: Engine, grid: int = 1) -> tuple[simt.LaunchResult, list[Any], list[bytes], int]:
    """What ran, the bytes of each buffer, what is left in them, and the checksum."""
    result, touching, made = launched(body, engine, grid)
    spans = [
        (one.allocation.name, one.first, one.last, one.wrote, one.atomic, tuple(byte in one for byte in range(512)))
        for one in touching.touched()
    ]
    return result, spans, [allocation.data.tobytes() for allocation in made], touching.results()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "grid", "native", "spans"),
    [
        (EVERY, 1, 1, {("a", 0, 255), ("o", 6, 133)}),
        (EVERY, 4, 4, {("a", 0, 255), ("o", 6, 133)}),
        (SOME, 1, 1, {("a", 41, 63), ("o", 41, 63)}),
        (BOTH_WAYS, 4, 4, {("o", 0, 255)}),
        (UPDATED, 1, 1, {("o", 28, 31)}),
        (ONE_RACES, 4, 3, {("o", 0, 283)}),
        (EXCHANGED, 1, 0, {("o", 0, 255)}),
        (EVEN, 4, 4, {("o", 0, 507)}),
        (EVEN_OR_RACES, 4, 3, {("o", 0, 507)}),
    ],
)
def test_both_engines_know_the_same_bytes(body: str, grid: int, native: int, spans: set[Any]):
    (expected, *facts), (result, *others) = (touched(body, engine, grid) for engine in ("reference", "native"))

    assert facts == others
    assert {span[:3] for span in facts[0]} == spans
    assert repr(result.findings) == repr(expected.findings)
    assert (result.engine.native, expected.engine.native) == (native, 0)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (EVEN, EVEN.replace("%o, i64 %k", "%o, i64 %odd").replace("  %q", "  %odd = or i64 %k, 1\n  %q"), False),
        (EVEN, EVEN, True),
        (UPDATED, UPDATED, False),
        (UPDATED, EVERY, True),
        (OF_A_BLOCK, OF_A_BLOCK, True),
        (EXCHANGED, UPDATED, False),
    ],
)
def test_launches_meet_where_both_come_to_a_byte_and_one_writes_it_otherwise_than_by_an_atomic(
    one: str, other: str, meet: bool, engine: Engine
):
    first, second = (launched(body, engine, 1)[1].touched() for body in (one, other))

    assert any(mine.meets(theirs) for mine in first for theirs in second) == meet
    assert any(theirs.meets(mine) for mine in first for theirs in second) == meet


def test_of_atomics_whose_results_are_taken_a_proof_claims_nothing_that_they_do_not_do():
    reference, native = (launched(TAKEN, engine, 1)[1].touched() for engine in ("reference", "native"))

    assert {(one.allocation.name, one.wrote) for one in reference} == {("a", True), ("o", True)}
    assert all(any(theirs.covers(one) for theirs in reference) for one in native)


@pytest.mark.slow
def test_what_covers_another_meets_all_that_meets_it():
    random = np.random.default_rng(3)
    allocation = simt.Device().allocate(64, "a")
    every = [
        one
        for _ in range(120)
        if (
            one := touched_of(
                allocation,
                (random.random(16) < random.choice([0.2, 0.9, 1.0])) & (np.arange(16) >= random.integers(16)),
                bool(random.integers(2)),
                bool(random.integers(2)),
                int(random.choice([1, 2, 4])),
            )
        )
    ]
    octets = {one: {byte for byte in range(64) if byte in one} for one in every}
    for one in every:
        assert (one.first, one.last) == (min(octets[one]), max(octets[one]))
        for other in every:
            matters = (one.wrote or other.wrote) and not (one.atomic and other.atomic)
            assert one.meets(other) == (bool(octets[one] & octets[other]) and matters)
            if one.covers(other):
                assert all(one.meets(third) for third in every if other.meets(third))
