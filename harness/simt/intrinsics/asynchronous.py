"""What threads begin and wait for later, each kind once: copies and their groups, barriers with phases.

The vendors' files say which of their names is which of these, with which arguments.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import MemoryAccess, PhaseWait
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.run.mbarriers import SyncOrder

__all__ = ["Arrive", "Bring", "Commit", "Copy", "Passed", "Test", "WaitGroups", "shared_pointers"]

BLOCK = SyncOrder()
ONE = np.ones(1, np.int64)


def shared_pointers(call: Call, operand: int) -> Integers:
    """An argument as pointers into shared memory, which assembly takes as 32-bit addresses too."""
    return call.engine.window.pointer(call.values[operand])


@dataclass(frozen=True)
class Copy(Effect):
    """Lanes begin to copy from where the second argument points to into shared memory, where the first does.

    Attributes:
        size: Bytes.
        given: The argument with the bytes that are read, or None for all.
    """

    size: int
    given: int | None = None

    accesses = (MemoryAccess(0, "store"), MemoryAccess(1, "load"))
    copies = True

    def __call__(self, call: Call) -> None:
        read = np.array([self.size])
        if self.given is not None:
            asked = call.values[self.given].astype(np.int64) & 0xFFFFFFFF
            read = np.minimum(asked, self.size)
            if (asked > read).any():
                here = np.flatnonzero(np.broadcast_to(asked > read, (call.lanes.n,)))
                call.report("async-copy.more", here, values={"given": int(asked.max()), "size": self.size})
        places, marks = (shared_pointers(call, 0), call.values[1]), (call.taint(0), call.taint(1))
        call.engine.copies.begin(call.lanes, call.site, *places, self.size, read, marks)


@dataclass(frozen=True)
class Commit(Effect):
    """What lanes began since the last time is a group.

    Attributes:
        kind: Of the copies: `cp.async`, `bulk` or `wgmma`.
    """

    kind: str

    def __call__(self, call: Call) -> None:
        call.engine.copies.commit(call.lanes, self.kind)


@dataclass(frozen=True)
class WaitGroups(Effect):
    """All groups of the lanes but the last so many have arrived; without an argument all copies, those in none too.

    Attributes:
        kind: See `Commit`.
        read: Whether only what they read may be written again.
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
class _Phase(Effect):
    """Something with the barrier in shared memory that the first argument points to."""

    order: SyncOrder = BLOCK

    accesses = (MemoryAccess(0, "atomic"),)

    def places(self, call: Call) -> Integers:
        """The lanes' barriers."""
        call.engine.observation.emit_taint("address", call.site, call.lanes, call.taint(0))
        return call.engine.waits.mbarriers.keys_at(call.lanes, call.site, shared_pointers(call, 0), self.order.scope)


@dataclass(frozen=True)
class Arrive(_Phase):
    """Lanes arrive, and get a token of the phase.

    Attributes:
        count: The argument that says how often; None for once.
        expect: That with the bytes that the phase is to wait for, or None.
        drop: Whether they will not come to later phases.
        ends: Whether the phase may end by that.
    """

    count: int | None = None
    expect: int | None = None
    drop: bool = False
    ends: bool = True

    def __call__(self, call: Call) -> Result:
        times, more = (None if at is None else call.values[at].astype(np.int64) for at in (self.count, self.expect))
        phases, places = call.engine.waits.mbarriers, self.places(call)
        count = ONE if times is None else times
        tokens = phases.arrive(
            call.lanes, call.site, places, count, expect=more, drop=self.drop, ends=self.ends, order=self.order
        )
        void = not hasattr(call.site.instruction.type, "bits")
        return (None if void else tokens), None


@dataclass(frozen=True)
class Bring(_Phase):
    """So many bytes are expected in this phase, or where `sign` is -1 have come."""

    sign: int = 1

    def __call__(self, call: Call) -> None:
        places = self.places(call)
        call.engine.waits.mbarriers.expect_bytes(
            call.lanes, call.site, places, self.sign * call.values[1].astype(np.int64)
        )


@dataclass(frozen=True)
class Test(_Phase):
    """Whether a phase has ended. Waiting that may end before is a test: the lanes ask again.

    Attributes:
        parity: Whether the second argument is the phase's parity, and not a token.
    """

    parity: bool = False

    def __call__(self, call: Call) -> Result:
        phases, places = call.engine.waits.mbarriers, self.places(call)
        given = {"parity": call.values[1]} if self.parity else {"tokens": call.values[1]}
        done = phases.test_phase(call.lanes, call.site, places, **given)
        here = np.flatnonzero(done)
        if len(here):
            tokens = None if self.parity else call.wide(1)[here]
            phases.emit_waits(call.lanes.sub(here), call.site, places[here], self.order, tokens)
        return done, None


@dataclass(frozen=True)
class Passed(_Phase):
    """The end of a loop that waits."""

    waits = PhaseWait()

    def __call__(self, call: Call) -> None:
        call.engine.waits.mbarriers.emit_waits(call.lanes, call.site, self.places(call), self.order)
