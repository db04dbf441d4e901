"""Traps, and what a kernel asks of its runtime: to print, to allocate, to free."""

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.formatting import LIMIT, Exhausted, say
from harness.simt.intrinsics.handlers import Given, Marks, Result
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

TEXT_LIMIT, PACKED_LIMIT = 1 << 16, 1 << 12


@stateful("llvm.trap", "llvm.ubsantrap", "abort")
def trap(engine: Engine, lanes: LaneSet, site: Site, _values: Given, _taints: Marks) -> Result:
    """Ends the launch."""
    last = engine.host.printed[-lanes.n :]
    if last:
        engine.observation.fail("trap.printed", (site,), lanes, said=last[0].strip())
    engine.observation.fail("trap.silent", (site,), lanes)
    return None, None


@stateful("llvm.debugtrap")
def stop_for_debugger(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Ends the launch, as there is no debugger; on AMD it goes on then.

    See: https://llvm.org/docs/AMDGPUUsage.html#trap-handler-abi
    """
    return (None, None) if engine.target.vendor == "amd" else trap(engine, lanes, site, values, taints)


def text_at(engine: Engine, pointer: int, row: int) -> str:
    """A C string of one lane's view of memory."""
    allocation = engine.memory.find(pointer)
    if allocation is None:
        return "<bad pointer>"
    start = pointer - allocation.base
    if allocation.rows != "grid":
        start += row * allocation.stride
    data = allocation.data[start : start + TEXT_LIMIT].tobytes()
    return data.split(b"\0")[0].decode(errors="replace")


class _Packed:
    """Arguments in memory, each at its own alignment."""

    def __init__(self, engine: Engine, pointer: int, lane: int) -> None:
        self._engine, self._lane, self._offset, self._data = engine, lane, 0, b""
        allocation = engine.memory.find(pointer)
        if allocation is not None:
            first = pointer - allocation.base
            start = first if allocation.rows == "grid" else first + lane * allocation.stride
            self._data = allocation.data[start : start + max(0, allocation.size - first)].tobytes()[:PACKED_LIMIT]

    def word(self, size: int) -> int:
        """See `Arguments`."""
        at = -(-self._offset // size) * size
        if at + size > len(self._data):
            raise Exhausted
        self._offset = at + size
        return int.from_bytes(self._data[at : at + size], "little")

    def text(self) -> str:
        """See `Arguments`."""
        return text_at(self._engine, self.word(8), self._lane)


@stateful("vprintf", exact=False)
def print_formatted(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
    """`printf` with its arguments packed in memory; gives how many they are."""
    formats, packed = (np.broadcast_to(value, (lanes.n,)) for value in values)
    counts = np.zeros(lanes.n, np.int32)
    pairs = zip(formats.tolist(), packed.tolist(), lanes.idx.tolist(), strict=True)
    for position, (at, args, lane) in enumerate(pairs):
        given = _Packed(engine, args, lane)
        counts[position] = say(engine, lanes, site, position, text_at(engine, at, lane), given)
    return counts, None


@stateful("__nvvm_reflect")
def reflect(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """What NVIDIA's library asks of the compiler: whether denormal numbers are flushed, and the architecture."""
    asked = text_at(engine, int(values[0][0]), int(lanes.idx[0]))
    digits = "".join(filter(str.isdigit, engine.target.gpu.architecture))
    return np.array([10 * int(digits) if asked == "__CUDA_ARCH" else 0], np.int32), None


@stateful("malloc")
def allocate(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """A block of the device's heap for each lane; nothing is written in it."""
    return engine.heap.allocate(lanes, values[0], site), taints[0] if taints else None


@stateful("free")
def release(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
    """Ends a block of the heap."""
    engine.heap.free(lanes, values[0], site)
    return None, None


@stateful("__assertfail", "__assert_fail")
def assertion(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
    """What an assertion calls that does not hold: it ends the launch."""
    lane = int(lanes.idx[0])
    said, file, function = (text_at(engine, int(values[place][0]), lane) for place in (0, 1, 3))
    line = int(values[2][0])
    engine.observation.fail("trap.assert", (site,), lanes, said=said, file=file, line=line, function=function)
    return None, None


@stateful("__cxa_pure_virtual")
def pure_virtual(engine: Engine, lanes: LaneSet, site: Site, _values: Given, _taints: Marks) -> Result:
    """What stands in a table in place of a function that a class only declares."""
    engine.observation.fail("trap.pure-virtual", (site,), lanes)
    return None, None


@stateful("__mojo_metal_os_log_64", exact=False)
def log_metal(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """Metal's log of one message of text."""
    pointers = np.broadcast_to(values[0], (lanes.n,))
    for pointer, lane in zip(pointers.tolist(), lanes.idx.tolist(), strict=True):
        engine.host.say(text_at(engine, pointer, lane), LIMIT)
    return None, None
