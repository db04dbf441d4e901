"""Traps, assertions, `vprintf`, Metal's log, `malloc`, `free`, `__nvvm_reflect`; `hostcall` has AMD's `printf`."""

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.findings import ARRAY
from harness.simt.intrinsics.formatting import LIMIT, Exhausted, print_message
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.run.interpreter import Interpreter

__all__: list[str] = []

_OF_A_SHAPE = "Assert Error: LayoutTensor"  # the library's only assertions with this text are bounds checks
TEXT_LIMIT, PACKED_LIMIT = 1 << 16, 1 << 12


@stateful("llvm.trap", "llvm.ubsantrap", "abort")
def trap(call: Call) -> None:
    """End the launch with a finding, by `Trap`; it quotes what was printed last, since an assertion prints its message.

    Of the last n texts, for n lanes, it quotes the first. If that is the text of a bounds check of the library, the
    finding says so instead; if nothing was printed, it quotes nothing.
    """
    last = call.engine.host.printed[-call.lanes.n :]
    if last and _OF_A_SHAPE in last[0]:
        call.fail("out-of-shape.asserted", argument=ARRAY)
    if last:
        call.fail("trap.printed", said=last[0].strip())
    call.fail("trap.silent")


@stateful("llvm.debugtrap")
def stop_for_debugger(call: Call) -> None:
    """End the launch with a finding, since there is no debugger; on AMD the kernel continues.

    See: https://llvm.org/docs/AMDGPUUsage.html#trap-handler-abi
    """
    if call.engine.target.vendor != "amd":
        trap(call)


def read_bytes(engine: Interpreter, pointer: int, lane: int, limit: int) -> bytes | None:
    """Return the bytes from a lane's pointer to the end of what it points to, at most `limit`; nothing is reported.

    Shared memory is that of the lane's block, or of the peer block that the pointer names. A local variable is the
    lane's own.

    Args:
        lane: The lane's number in the chunk.

    Returns:
        None if the pointer is outside of every allocation, in a freed one, or names a peer block that does not exist.
    """
    allocation = engine.memory.allocation_of(pointer)
    if allocation is None:
        return None
    geometry, peer = engine.chunk.geometry, pointer >> PEER_SHIFT & 0x7F
    if peer and (allocation.rows != "block" or peer > geometry.cluster_size):
        return None
    first = pointer - (peer << PEER_SHIFT) - allocation.base
    if not 0 <= first < allocation.size:
        return None
    owner = lane
    if allocation.rows == "block":
        owner = lane // geometry.threads
        if peer:
            owner = owner // geometry.cluster_size * geometry.cluster_size + peer - 1
    start = first if allocation.rows == "grid" else first + owner * allocation.stride
    return allocation.data[start : start + min(limit, allocation.size - first)].tobytes()


def read_text(engine: Interpreter, pointer: int, lane: int) -> str:
    """Return the C string at a pointer of one lane; `<bad pointer>` if it points to no memory.

    At most `TEXT_LIMIT` bytes are read, up to the end of the allocation; what is no UTF-8 becomes U+FFFD. Nothing is
    reported.

    Args:
        lane: The lane's number in the chunk.
    """
    data = read_bytes(engine, pointer, lane, TEXT_LIMIT)
    return "<bad pointer>" if data is None else data.split(b"\0")[0].decode(errors="replace")


class _PackedArguments:
    """Arguments of `vprintf` packed in memory, each at its own alignment."""

    def __init__(self, engine: Interpreter, pointer: int, lane: int) -> None:
        self._engine, self._lane, self._offset = engine, lane, 0
        self._data = read_bytes(engine, pointer, lane, PACKED_LIMIT) or b""

    def word(self, size: int) -> int:
        """Return the next argument of `size` bytes, aligned to its size, as an unsigned integer. Raises `Exhausted`."""
        at = -(-self._offset // size) * size
        if at + size > len(self._data):
            raise Exhausted
        self._offset = at + size
        return int.from_bytes(self._data[at : at + size], "little")

    def text(self) -> str:
        """Return the C string that the next argument points to, see `read_text`. Raises `Exhausted`."""
        return read_text(self._engine, self.word(8), self._lane)


@stateful("vprintf", exact=False)
def print_formatted(call: Call) -> Result:
    """Print a format with arguments packed in memory for each lane; return how many arguments each one used.

    A bad pointer to the arguments counts as none; missing arguments are reported, see `print_message`.
    """
    counts = np.zeros(call.lanes.n, np.int32)
    pairs = zip(call.wide(0).tolist(), call.wide(1).tolist(), call.lanes.idx.tolist(), strict=True)
    for position, (at, args, lane) in enumerate(pairs):
        arguments = _PackedArguments(call.engine, args, lane)
        counts[position] = print_message(call, position, read_text(call.engine, at, lane), arguments)
    return counts, None


@stateful("__nvvm_reflect")
def reflect(call: Call) -> Result:
    """Answer NVIDIA's library: `__CUDA_ARCH` is the architecture's number times ten, 900 for `sm_90`; all else is 0.

    The first lane's question counts for all.
    """
    question = read_text(call.engine, int(call.values[0][0]), int(call.lanes.idx[0]))
    digits = "".join(filter(str.isdigit, call.engine.target.gpu.architecture))
    return np.array([10 * int(digits) if question == "__CUDA_ARCH" else 0], np.int32), None


@stateful("malloc")
def allocate(call: Call) -> Result:
    """Allocate a block of the device heap for each lane, uninitialised; return its address, 0 if there is no room."""
    return call.engine.heap.allocate(call.lanes, call.values[0], call.site), call.taint(0)


@stateful("free")
def release(call: Call) -> None:
    """Free a block of the device heap for each lane, and report pointers that are none; null is ignored."""
    call.engine.heap.free(call.lanes, call.values[0], call.site)


@stateful("__assertfail", "__assert_fail", compiled="never")
def fail_assertion(call: Call) -> None:
    """End the launch, by `Trap`, with a finding for an assertion that failed: the first lane's text, file, line and
    function.
    """
    lane = int(call.lanes.idx[0])
    message, file, function = (read_text(call.engine, int(call.values[place][0]), lane) for place in (0, 1, 3))
    line = int(call.values[2][0])
    call.fail("trap.assert", said=message, file=file, line=line, function=function)


@stateful("__cxa_pure_virtual", compiled="never")
def fail_pure_virtual_call(call: Call) -> None:
    """End the launch with a finding for a call of a pure virtual function."""
    call.fail("trap.pure-virtual")


@stateful("__mojo_metal_os_log_64", exact=False)
def log_metal(call: Call) -> None:
    """Print one text of Metal's log for each lane; text beyond the launch's limit is dropped."""
    for pointer, lane in zip(call.wide(0).tolist(), call.lanes.idx.tolist(), strict=True):
        call.engine.host.print_text(read_text(call.engine, pointer, lane), LIMIT)
