"""Traps, and what a kernel asks of its runtime: to print, to allocate, to free."""

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.findings import ARRAY
from harness.simt.intrinsics.formatting import LIMIT, Exhausted, say
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.run.interpreter import Interpreter

__all__: list[str] = []

_OF_A_SHAPE = "Assert Error: LayoutTensor"  # its library asserts nothing of it but bounds
TEXT_LIMIT, PACKED_LIMIT = 1 << 16, 1 << 12


@stateful("llvm.trap", "llvm.ubsantrap", "abort")
def trap(call: Call) -> None:
    """Ends the launch."""
    last = call.engine.host.printed[-call.lanes.n :]
    if last and _OF_A_SHAPE in last[0]:
        call.fail("out-of-shape.asserted", argument=ARRAY)
    if last:
        call.fail("trap.printed", said=last[0].strip())
    call.fail("trap.silent")


@stateful("llvm.debugtrap")
def stop_for_debugger(call: Call) -> None:
    """Ends the launch, as there is no debugger; on AMD it goes on then.

    See: https://llvm.org/docs/AMDGPUUsage.html#trap-handler-abi
    """
    if call.engine.target.vendor != "amd":
        trap(call)


def text_at(engine: Interpreter, pointer: int, row: int) -> str:
    """A C string of one lane's view of memory."""
    allocation = engine.memory.allocation_of(pointer)
    if allocation is None:
        return "<bad pointer>"
    start = pointer - allocation.base
    if allocation.rows != "grid":
        start += row * allocation.stride
    data = allocation.data[start : start + TEXT_LIMIT].tobytes()
    return data.split(b"\0")[0].decode(errors="replace")


class _Packed:
    """Arguments in memory, each at its own alignment."""

    def __init__(self, engine: Interpreter, pointer: int, lane: int) -> None:
        self._engine, self._lane, self._offset, self._data = engine, lane, 0, b""
        allocation = engine.memory.allocation_of(pointer)
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
def print_formatted(call: Call) -> Result:
    """`printf` with its arguments packed in memory; gives how many they are."""
    counts = np.zeros(call.lanes.n, np.int32)
    pairs = zip(call.wide(0).tolist(), call.wide(1).tolist(), call.lanes.idx.tolist(), strict=True)
    for position, (at, args, lane) in enumerate(pairs):
        given = _Packed(call.engine, args, lane)
        counts[position] = say(call, position, text_at(call.engine, at, lane), given)
    return counts, None


@stateful("__nvvm_reflect")
def reflect(call: Call) -> Result:
    """What NVIDIA's library asks of the compiler: whether denormal numbers are flushed, and the architecture."""
    asked = text_at(call.engine, int(call.values[0][0]), int(call.lanes.idx[0]))
    digits = "".join(filter(str.isdigit, call.engine.target.gpu.architecture))
    return np.array([10 * int(digits) if asked == "__CUDA_ARCH" else 0], np.int32), None


@stateful("malloc")
def allocate(call: Call) -> Result:
    """A block of the device's heap for each lane; nothing is written in it."""
    return call.engine.heap.allocate(call.lanes, call.values[0], call.site), call.taint(0)


@stateful("free")
def release(call: Call) -> None:
    """Ends a block of the heap."""
    call.engine.heap.free(call.lanes, call.values[0], call.site)


@stateful("__assertfail", "__assert_fail", native="never")
def assertion(call: Call) -> None:
    """What an assertion calls that does not hold: it ends the launch."""
    lane = int(call.lanes.idx[0])
    said, file, function = (text_at(call.engine, int(call.values[place][0]), lane) for place in (0, 1, 3))
    line = int(call.values[2][0])
    call.fail("trap.assert", said=said, file=file, line=line, function=function)


@stateful("__cxa_pure_virtual", native="never")
def pure_virtual(call: Call) -> None:
    """What stands in a table in place of a function that a class only declares."""
    call.fail("trap.pure-virtual")


@stateful("__mojo_metal_os_log_64", exact=False)
def log_metal(call: Call) -> None:
    """Metal's log of one message of text."""
    for pointer, lane in zip(call.wide(0).tolist(), call.lanes.idx.tolist(), strict=True):
        call.engine.host.print_text(text_at(call.engine, pointer, lane), LIMIT)
