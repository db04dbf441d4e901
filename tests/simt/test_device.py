"""Memory that outlives a launch, and launches by the bytes of their parameters."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest

from harness import simt
from harness.programs.host.storage import Range, Storage
from harness.simt.errors import LaunchError
from harness.simt.ir.values import FIRST, MASK, POISON_BYTES
from harness.simt.options import Engine
from harness.simt.state.device import Device
from tests.simt.snippets import kernel

COPY = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @copy(ptr %to, { ptr, i32 } %from) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %source = extractvalue { ptr, i32 } %from, 0
  %shift = extractvalue { ptr, i32 } %from, 1
  %j = add i32 %i, %shift
  %p = getelementptr float, ptr %source, i32 %j
  %v = load float, ptr %p
  %q = getelementptr float, ptr %to, i32 %i
  store float %v, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def copy(device: simt.Device, to: int, source: int, shift: int = 0, engine: Engine = "reference") -> simt.LaunchResult:
    parameters = [struct.pack("<q", to), struct.pack("<qi4x", source, shift)]
    return simt.launch_on(
        device,
        COPY,
        target="nvidia:sm_90",
        grid=1,
        block=4,
        parameters=parameters,
        observers=simt.observers(),
        options=simt.Options(engine=engine),
    )


def floats(allocation) -> list[float]:
    return allocation.data.view(np.float32).tolist()


def test_a_launch_reads_what_another_one_wrote():
    device = simt.Device()
    source = device.allocate(16, "source", data=np.arange(4, dtype=np.float32).view(np.uint8), initialised=True)
    middle, target = device.allocate(16, "middle"), device.allocate(16, "target")

    assert copy(device, middle.base, source.base).verdict == "clean"
    assert copy(device, target.base, middle.base).verdict == "clean"

    assert floats(target) == [0, 1, 2, 3]


def test_bytes_that_no_launch_wrote_stay_undefined():
    device = simt.Device()
    source, target = device.allocate(16, "source"), device.allocate(16, "target")

    result = copy(device, target.base, source.base)

    assert [finding.id for finding in result.findings if finding.severity == "error"] == ["uninitialised.output"]
    assert result.findings[0].argument == "target"


def test_freed_memory_is_told_by_its_name():
    device = simt.Device()
    source, target = device.allocate(16, "source", initialised=True), device.allocate(16, "target")
    device.free(source)

    result = copy(device, target.base, source.base)

    freed = next(finding for finding in result.findings if finding.id == "use-after-free")
    assert (freed.argument, freed.count) == ("source", 4)


def test_memory_that_is_freed_twice_is_freed_once():
    """Its number is given to one allocation again, when no other is left."""
    device = Device()
    first = device.allocate(4, "first")
    device.free(first)
    device.free(first)
    device.allocated_count = MASK - FIRST + 1  # as after so many allocations

    assert device.allocate(4, "second").number == first.number
    with pytest.raises(LaunchError, match="buffers at once"):
        device.allocate(4, "third")


@pytest.mark.parametrize("freed_first", [True, False])
def test_a_number_that_was_given_again_is_taken_from_no_live_allocation(freed_first):
    """Whether the one that had it before was freed before that, or is afterwards."""
    device = Device()
    first = device.allocate(4, "first")
    if freed_first:
        device.free(first)
    second = device.allocate(4, "second", number=first.number)
    device.free(first)
    device.allocated_count = MASK - FIRST + 1  # as after so many allocations

    with pytest.raises(LaunchError, match="buffers at once"):
        device.allocate(4, "third")
    assert device.allocations[second.number] is second


def test_memory_beyond_an_allocation_is_out_of_bounds():
    device = simt.Device()
    source, target = device.allocate(16, "source", initialised=True), device.allocate(16, "target")

    result = copy(device, target.base, source.base, shift=2)

    outside = next(finding for finding in result.findings if finding.kind == "out-of-bounds")
    assert (outside.argument, outside.count) == ("source", 2)


def test_parameters_of_the_wrong_size_are_refused():
    device = simt.Device()

    with pytest.raises(simt.ArgumentError, match=r"parameter 1 of kernel copy is \{ptr, i32\} of 16 bytes, but got 8"):
        simt.launch_on(device, COPY, target="nvidia:sm_90", grid=1, block=1, parameters=[bytes(8), bytes(8)])
    with pytest.raises(simt.ArgumentError, match="takes 2 parameters, but got 1"):
        simt.launch_on(device, COPY, target="nvidia:sm_90", grid=1, block=1, parameters=[bytes(8)])


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 17, 1000])
def test_fresh_memory_holds_the_pattern_to_its_last_byte(size: int):
    assert (simt.Device().allocate(size, "a").data == np.resize(POISON_BYTES, size)).all()


def test_memory_that_nobody_has_written_costs_its_bytes_alone():
    """Until a part of it is written: which bytes are is known of each, and forgotten when all are."""
    size = 1 << 22
    tracemalloc.start()
    fresh = simt.Device().allocate(size, "a")
    copied = fresh.copy_shadow()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1.1 * size

    fresh.writable_shadow()[: size // 2] = 0
    assert np.count_nonzero(fresh.shadow) == size // 2 and np.count_nonzero(copied) == size
    whole = Storage(fresh, fresh.base)
    Range(whole, size // 2, size // 2).written()
    assert not fresh.shadow.any()
    Range(whole, 0, size).written()
    assert fresh.shadow is None


def test_numbers_below_a_given_one_are_used_when_none_is_left_above():
    device = simt.Device()
    given = device.allocate(0, "given", number=MASK - 1)
    others = [device.allocate(0, "other") for _ in range(MASK - FIRST)]

    assert {allocation.number for allocation in (given, *others)} == {*range(FIRST, MASK + 1)}
    with pytest.raises(LaunchError, match="at once"):
        device.allocate(0, "more")
    device.free(others[7])
    assert device.allocate(0, "more").number == others[7].number


ADD = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @add(ptr %total) {
  %old = atomicrmw add ptr %total, i32 1 monotonic
  ret void
}
"""


@pytest.mark.parametrize("number", [FIRST, MASK])
def test_atomics_reach_the_first_and_the_last_buffer_that_there_can_be(number: int):
    device = simt.Device()
    total = device.allocate(4, "total", data=np.zeros(4, np.uint8), initialised=True, number=number)

    result = simt.launch_on(
        device,
        ADD,
        target="nvidia:sm_90",
        grid=2,
        block=32,
        parameters=[struct.pack("<q", total.base)],
        observers=simt.observers(),
    )

    assert (result.verdict, total.data.view(np.int32).tolist()) == ("clean", [64])


def test_counters_of_a_compiled_launch_leave_out_buffers_that_it_cannot_reach():
    """As of a host function that has more arguments than one of its launches gets."""
    results = []
    for engine in ("reference", "native"):
        device = simt.Device()
        data = np.arange(4, dtype=np.float32).view(np.uint8)
        names = ("to", "from", "unreached")
        buffers = [device.allocate(16, name, data=data, initialised=True) for name in names]
        for place, buffer in enumerate(buffers):
            buffer.argument = place
        results.append(copy(device, buffers[0].base, buffers[1].base, engine=engine))

    expected, result = results
    assert result.engine.native == 1
    assert result.counters.items() - expected.counters.items() <= {("steps", result.counters["steps"])}


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


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "native", "auto"])
def test_a_launch_begins_anew_on_memory_as_it_was(engine):
    """Also where it comes to memory whose address it is given in halves."""
    device = simt.Device()
    memory = device.allocate(4 * 64 * 256, "a", initialised=True)
    memory.data[:] = 0
    halves = [(int(memory.base) >> by & 0xFFFFFFFF).to_bytes(4, "little") for by in (0, 32)]
    how = {"observers": simt.observers(counters=False), "options": simt.Options(engine=engine)}
    text = kernel(HALVES, "i32 %lo, i32 %hi", "")
    simt.launch_on(device, text, target="nvidia:sm_90", grid=64, block=256, parameters=halves, **how)

    assert set(memory.data.view(np.int32).tolist()) == {40}
