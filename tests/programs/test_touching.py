"""Which bytes of a device's memory a launch touches, whichever engine runs it."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from harness import simt
from harness.programs.host.touching import Touching
from harness.simt.options import Engine
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
EXCHANGED = """
  %q = getelementptr i32, ptr %o, i64 %i
  %pair = cmpxchg ptr %q, i32 5, i32 6 monotonic monotonic"""


def touched(body: str, engine: Engine, grid: int = 1) -> tuple[simt.LaunchResult, dict[Any, Any], list[bytes], int]:
    """What ran, the ranges of each buffer, what is left in them, and the checksum."""
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
    ranges = {key: (allocation.name, *span) for key, (allocation, *span) in touching.ranges.items()}
    return result, ranges, [allocation.data.tobytes() for allocation in made], touching.results()


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
    ],
)
def test_both_engines_know_the_same_bytes(body: str, grid: int, native: int, spans: set[Any]):
    (expected, *facts), (result, *others) = (touched(body, engine, grid) for engine in ("reference", "native"))

    assert facts == others
    assert set(facts[0].values()) == spans
    assert repr(result.findings) == repr(expected.findings)
    assert (result.engine.native, expected.engine.native) == (native, 0)
