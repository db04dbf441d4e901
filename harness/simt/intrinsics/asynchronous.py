"""Handlers that vendors share: asynchronous copies (start, commit, wait), mbarriers (arrive, test, wait, add bytes).

The vendors' files declare which of their names has which effect, with which arguments.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import MemoryAccess, PhaseWait
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.run.mbarriers import SyncOrder

__all__ = [
    "Arrive",
    "AsyncCopy",
    "CommitGroup",
    "CountBytes",
    "TestPhase",
    "WaitGroups",
    "WaitPhase",
    "shared_pointers",
]

BLOCK = SyncOrder()
ONE = np.ones(1, np.int64)


def shared_pointers(call: Call, operand: int) -> Integers:
    """Return an argument as pointers into shared memory; 32-bit addresses, as assembly uses them, are converted."""
    return call.engine.window.pointer(call.values[operand])


@dataclass(frozen=True)
class AsyncCopy(Effect):
    """Lanes start a copy from the address in the second argument to shared memory at that in the first.

    Attributes:
        size: The bytes that are written.
        bytes_operand: The argument with the number of bytes that are read, the rest being 0; None to read all.
    """

    size: int
    bytes_operand: int | None = None

    accesses = (MemoryAccess(0, "store"), MemoryAccess(1, "load"))
    copies = True

    def __call__(self, call: Call) -> None:
        read = np.array([self.size])
        if self.bytes_operand is not None:
            requested = call.values[self.bytes_operand].astype(np.int64) & 0xFFFFFFFF
            read = np.minimum(requested, self.size)
            if (requested > read).any():
                exceeding = np.flatnonzero(np.broadcast_to(requested > read, (call.lanes.n,)))
                call.report("async-copy.more", exceeding, values={"given": int(requested.max()), "size": self.size})
        places, marks = (shared_pointers(call, 0), call.values[1]), (call.taint(0), call.taint(1))
        call.engine.copies.begin(call.lanes, call.site, *places, self.size, read, marks)


@dataclass(frozen=True)
class CommitGroup(Effect):
    """Lanes commit the copies that they started since the last commit as one group.

    Attributes:
        kind: The kind of operations: `cp.async`, `bulk` or `wgmma`.
    """

    kind: str

    def __call__(self, call: Call) -> None:
        call.engine.copies.commit(call.lanes, self.kind)


@dataclass(frozen=True)
class WaitGroups(Effect):
    """Wait until at most a number of a lane's groups are pending; without an argument, until all copies have completed.

    Attributes:
        kind: See `CommitGroup`.
        read: Whether it only waits until the sources have been read.
    """

    kind: str
    read: bool = False

    def __call__(self, call: Call) -> None:
        pending = int(call.values[0][0]) if call.values else None
        if self.read:
            call.engine.copies.wait_read(call.lanes, pending or 0)
        else:
            call.engine.copies.wait(call.lanes, pending, kind=self.kind)


@dataclass(frozen=True)
class _MBarrierEffect(Effect):
    """An operation on the mbarrier that the first argument points to."""

    order: SyncOrder = BLOCK

    accesses = (MemoryAccess(0, "atomic"),)

    def find_mbarriers(self, call: Call) -> Integers:
        """Return the key, see `MBarriers`, of each lane's mbarrier, (n,); -1 and a report where there is none, or the
        address is invalid.

        An undefined address is reported and used all the same. Observers get an atomic access of each mbarrier.
        """
        call.engine.observation.emit_taint("address", call.site, call.lanes, call.taint(0))
        return call.engine.waits.mbarriers.keys_at(call.lanes, call.site, shared_pointers(call, 0), self.order.scope)


@dataclass(frozen=True)
class Arrive(_MBarrierEffect):
    """Lanes arrive at an mbarrier, and get a token of the phase.

    Attributes:
        count: The argument with the number of arrivals; None for one.
        expected_bytes: The argument with bytes to add to those that the phase expects, or None.
        drop: Whether the lanes leave the mbarrier, so that later phases expect fewer arrivals.
        may_end_phase: Whether the arrival may complete the phase.
    """

    count: int | None = None
    expected_bytes: int | None = None
    drop: bool = False
    may_end_phase: bool = True

    def __call__(self, call: Call) -> Result:
        times, more = (
            None if at is None else call.values[at].astype(np.int64) for at in (self.count, self.expected_bytes)
        )
        phases, places = call.engine.waits.mbarriers, self.find_mbarriers(call)
        count = ONE if times is None else times
        tokens = phases.arrive(
            call.lanes, call.site, places, count, expect=more, drop=self.drop, ends=self.may_end_phase, order=self.order
        )
        void = not hasattr(call.site.instruction.type, "bits")
        return (None if void else tokens), None


@dataclass(frozen=True)
class CountBytes(_MBarrierEffect):
    """Add to the bytes that the current phase expects; `sign` -1 counts bytes as arrived."""

    sign: int = 1

    def __call__(self, call: Call) -> None:
        places = self.find_mbarriers(call)
        call.engine.waits.mbarriers.expect_bytes(
            call.lanes, call.site, places, self.sign * call.values[1].astype(np.int64)
        )


@dataclass(frozen=True)
class TestPhase(_MBarrierEffect):
    """Return whether a phase has ended; a `try_wait`, which may time out, counts as such a test.

    Attributes:
        parity: Whether the second argument is the phase's parity; otherwise it is a token.
    """

    parity: bool = False

    def __call__(self, call: Call) -> Result:
        phases, places = call.engine.waits.mbarriers, self.find_mbarriers(call)
        phase = {"parity": call.values[1]} if self.parity else {"tokens": call.values[1]}
        has_ended = phases.test_phase(call.lanes, call.site, places, **phase)
        positions = np.flatnonzero(has_ended)
        if len(positions):
            tokens = None if self.parity else call.wide(1)[positions]
            phases.emit_waits(call.lanes.sub(positions), call.site, places[positions], self.order, tokens)
        return has_ended, None


@dataclass(frozen=True)
class WaitPhase(_MBarrierEffect):
    """Wait for the end of a phase: the loop around a test of its parity, as one instruction."""

    waits = PhaseWait()

    def __call__(self, call: Call) -> None:
        call.engine.waits.mbarriers.emit_waits(call.lanes, call.site, self.find_mbarriers(call), self.order)
