"""Of a device's memory machine code gets what a launch can come to: what it is given, and what that leads to."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from harness import simt
from harness.simt.ir.values import SHIFT
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.native.execution.launch_memory import reachable_allocations
from tests.simt.snippets import kernel

STORED = """
  %q = getelementptr i32, ptr %p, i64 %i
  %l = trunc i64 %i to i32
  store i32 %l, ptr %q"""
GIVEN = f"%p = getelementptr i8, ptr %a, i64 0{STORED}"
LOADED = f"%p = load ptr, ptr %a{STORED}"
FAR = f"%b = load ptr, ptr %a\n  %p = load ptr, ptr %b{STORED}"
COPIED = """
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i64 %i
  store i32 %v, ptr %q"""
FORGED = f"%p = getelementptr i8, ptr %a, i64 {3 << SHIFT}{STORED}"


def device() -> tuple[simt.Device, list[Any]]:
    """Buffers of which the first holds the address of the second, and that one's of the third."""
    made = simt.Device()
    buffers = [made.allocate(128, name, initialised=True) for name in ("first", "second", "third", "other")]
    for buffer, after in pairwise(buffers[:3]):
        buffer.data[:8].view(np.int64)[0] = after.base
    return made, buffers


def run(body: str, engine: str) -> tuple[simt.LaunchResult, list[bytes]]:
    made, buffers = device()
    result = simt.launch_on(
        made,
        kernel(body, "ptr %a"),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        parameters=[struct.pack("<Q", buffers[0].base)],
        observers=simt.observers(counters=False, unwritten=False),
        options=simt.Options(engine=engine),
    )
    return result, [buffer.data.tobytes() for buffer in buffers]


@pytest.mark.slow
@pytest.mark.parametrize(("body", "native"), [(GIVEN, 1), (LOADED, 1), (FAR, 1), (FORGED, 0)])
def test_memory_that_is_led_to_is_there_and_other_memory_is_pythons(body: str, native: int):
    (expected, left), (result, memory) = (run(body, engine) for engine in ("reference", "native"))

    assert memory == left
    assert repr(result.findings) == repr(expected.findings)
    assert result.engine.native == native


def test_what_was_freed_since_the_last_launch_is_not_there():
    """Though what ran that one is kept, and the memory has other users."""
    held, buffers = device()
    module, addresses = simt.decode(kernel(COPIED, "ptr %a, ptr %b")), [buffers[1].base, buffers[3].base]

    def launched() -> simt.LaunchResult:
        given = {"grid": 1, "block": 32, "parameters": [struct.pack("<Q", address) for address in addresses]}
        how = {"target": "nvidia:sm_90", "options": simt.Options(engine="native")}
        return simt.launch_on(held, module, observers=simt.observers(counters=False, unwritten=False), **given, **how)

    assert launched().engine.native == 1
    held.free(buffers[1])
    result = launched()

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"use-after-free"}


def test_neither_other_memory_nor_what_was_freed_is_copied(monkeypatch: pytest.MonkeyPatch):
    offered: list[list[str]] = []
    made = BlockRunner.__init__

    def noted(self: BlockRunner, *given: Any) -> None:
        made(self, *given)
        offered.append([row.name for row in self.memory.rows if row is not None and row.number >= 1 << 12])

    monkeypatch.setattr(BlockRunner, "__init__", noted)

    assert run(GIVEN, "native")[0].engine.native == 1
    assert offered == [["first", "second", "third"]]
    held, buffers = device()
    held.free(buffers[1])
    given = [np.array([buffers[0].base]), np.array([buffers[3].base + 64], np.int64), np.arange(3.0)]
    assert [one.name for one in reachable_allocations(held.allocations, given, []).values()] == ["other", "first"]
