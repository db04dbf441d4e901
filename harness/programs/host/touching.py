"""Observer of a launch: the bytes that it reads, writes and updates by atomics (`touched`); a checksum of results."""

from __future__ import annotations

import zlib

import numpy as np

from harness.programs.host.pages import Bytes
from harness.programs.host.touched import Touched, make_touched
from harness.simt.arrays import Booleans
from harness.simt.compile.graph import Op, value_numbers
from harness.simt.compile.program import Program
from harness.simt.events import AccessEvent
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.state.allocation import Allocation

__all__ = ["Touching"]

Way = tuple[int, bool, bool]  # the allocation's number, whether it was written, and whether by atomics
# From this bit on a cell's writer says of which kind its updates are; see
# `harness/simt/native/library/shadow_cells.h`.
KIND = 16
_ALL = ("device", "system")  # scopes of atomics that other launches take part in
_EXTREMES = ("max", "min", "umax", "umin")
_WHOLE = (1, 2, 4, 8)


class Touching(Observer):
    """Records which bytes of each allocation are read, and which are written."""

    def __init__(self) -> None:
        self._proved: dict[Way, Touched] = {}
        self._marks: dict[Way, tuple[Allocation, Bytes]] = {}

    def notes(self) -> frozenset[str]:
        """Return the note that compiled code needs for `adopt`: `reads`."""
        return frozenset({"reads"})

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Replace all recorded accesses by those of a proof; return False if the kernel has compare-and-swaps.

        Compare-and-swaps that fail count as writes in a proof, so such a launch is then interpreted.
        """
        self._proved.clear()
        self._marks.clear()
        device = engine.memory.device
        unclear = proof.atomics and _unclear(engine.program)
        for number, cells in proof.cells().items():
            if number not in device:
                continue
            stored, loaded, updated = cells[:, 1] != 0, cells[:, 3] != 0, cells[:, 0] >> KIND > 0
            for flags, wrote, atomic in (
                (loaded, False, unclear),
                (stored & ~updated & (not unclear), True, False),
                (stored & (updated | unclear), True, True),
            ):
                self._adopt(device[number], flags, proof, (number, wrote, atomic))
        return not any(op.opcode == "cmpxchg" for segment in engine.program.segments for op in segment.ops)

    def _adopt(self, allocation: Allocation, flags: Booleans, proof: Proof, key: Way) -> None:
        if not flags.any():
            return
        if proof.partial:  # more comes to it
            marks = np.repeat(flags, proof.grain)[: len(allocation.data)].astype(np.uint8)
            self._marks[key] = allocation, marks
        elif access := make_touched(allocation, flags, *key[1:], proof.grain):
            self._proved[key] = access

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Forget all accesses, unless the compiled engine ran a part of the launch: those from its proof stay."""
        self._device = engine.memory.device
        if engine.proof is None:
            self._proved.clear()
            self._marks.clear()

    def touched(self) -> list[Touched]:
        """Return the touched bytes by allocation, reads apart from writes, plain from atomic; sorted in this order."""
        marked = {
            key: make_touched(allocation, marks != 0, *key[1:]) for key, (allocation, marks) in self._marks.items()
        }
        accesses = self._proved | {key: access for key, access in marked.items() if access is not None}
        return [accesses[key] for key in sorted(accesses)]

    def results(self) -> int:
        """Return a CRC-32 of the written allocations now, each from its first to its last written byte; 0 for none."""
        total, spans = 0, dict[int, tuple[Allocation, int, int]]()
        for access in self.touched():
            if access.wrote:
                _, first, last = spans.get(access.allocation.number, (access.allocation, access.first, access.last))
                spans[access.allocation.number] = access.allocation, min(first, access.first), max(last, access.last)
        for number, (allocation, first, last) in sorted(spans.items()):
            total = zlib.crc32(allocation.data[first : last + 1].data, zlib.crc32(b"%d %d" % (number, first), total))
        return total

    def access(self, event: AccessEvent) -> None:
        """Record the bytes of an access to the device's memory; atomics below device scope count as plain accesses."""
        allocation, width = event.allocation, event.size
        if allocation.number not in self._device:
            return
        key = allocation.number, event.kind != "load", event.ordering is not None and event.scope in _ALL
        if key not in self._marks:
            self._marks[key] = allocation, np.zeros(len(allocation.data), np.uint8)
        marks, offsets = self._marks[key][1], event.offsets
        if width in _WHOLE and not (offsets & width - 1).any():
            marks[: len(marks) // width * width].view(f"u{width}")[offsets // width] = (1 << 8 * width) - 1
        else:
            marks[offsets[:, None] + np.arange(width)] = 1


def _unclear(program: Program) -> bool:
    """Return whether a proof cannot tell some atomics from plain accesses.

    These are atomics without a result, such as stores, those whose result is used, and `atomicrmw` that exchange
    values.
    """
    ops = [op for segment in program.segments for op in segment.ops]
    moves = [values for segment in program.segments for _, values in segment.edges]
    conditions = [segment.condition for segment in program.segments if segment.condition is not None]
    used = {number for values in (*(op.operands for op in ops), *moves, conditions) for number in value_numbers(values)}
    return any(_atomic(op) and (op.result is None or op.result in used or _exchanges(op)) for op in ops)


def _atomic(op: Op) -> bool:
    if op.opcode == "call":
        return "atomic" in op.callee
    return op.opcode == "atomicrmw" or (op.opcode in ("load", "store") and bool(op.attrs.get("ordering")))


def _exchanges(op: Op) -> bool:
    return op.opcode == "atomicrmw" and op.attrs["operation"] not in ("add", "sub", "and", "or", "xor", *_EXTREMES)
