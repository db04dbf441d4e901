"""Let lanes initialise `mbarrier`s, arrive, expect and complete bytes, and test phases; report misuse.

A phase ends when no arrivals and no bytes are pending; then the next one begins. Memory holds only a mark that there is
a barrier; its counts are kept here. Effects of copies on a barrier are applied as soon as its phase is tested.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, distinct
from harness.simt.events import PhaseEvent
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int
from harness.simt.run.mbarrier import (
    INITIALISED,
    MAX_PENDING,
    MBarrier,
    encode_token,
    is_token,
    token_parity,
    token_phase,
)
from harness.simt.run.observation import Observation
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory, split_by_allocation
from harness.simt.state.window import SharedWindow

__all__ = ["MBarriers", "SyncOrder"]

WORD = Access(Int(64), 8)
NO_BARRIER = -1


@dataclass(frozen=True, slots=True)
class SyncOrder:
    """The memory order of an operation on a barrier.

    Attributes:
        strong: Whether an arrival releases, or a wait acquires.
        scope: The scope of that: `block` or `cluster`.
    """

    strong: bool = True
    scope: str = "block"


class MBarriers:
    """The `mbarrier`s of the blocks in a chunk.

    A barrier's key is a number that stands for its allocation and its offset in it; -1 stands for no barrier.

    Attributes:
        window: Returns the 32-bit addresses of shared memory.
        on_test: Called with the keys of barriers before their phases are tested.
        on_phase_end: Called after a phase has ended.
    """

    def __init__(self, observation: Observation, memory: Memory, chunk: Chunk) -> None:
        self._observation, self._memory, self._chunk = observation, memory, chunk
        self.close()
        self._barriers: dict[int, MBarrier] = {}
        self._waiters: dict[int, tuple[Site, LaneSet]] = {}  # the last lanes that found the phase not ended, by key

    def close(self) -> None:
        """Reset `window` and both callbacks to ones that do nothing, so that no reference cycles keep memory alive."""
        self.window: Callable[[], SharedWindow] = lambda: SharedWindow({})
        self.on_test: Callable[[set[int]], None] = lambda _: None
        self.on_phase_end: Callable[[], None] = lambda: None

    def initialise(self, lanes: LaneSet, site: Site, pointers: Integers, counts: Array) -> None:
        """Initialise a barrier for each lane, of `counts` arrivals a phase. Report a count not from 1 to `MAX_PENDING`,
        or a barrier that is there already, and initialise all the same. Only report invalid pointers.
        """
        counts = np.broadcast_to(counts, (lanes.n,))
        parts = split_by_allocation(self._memory, lanes, pointers, WORD, site, "store", reports=False)
        for allocation, group, positions, offsets, lane_rows in parts:
            octets = np.broadcast_to(allocation.starts(offsets, lane_rows), (group.n,))
            reinitialised = positions[allocation.read(octets, WORD) == INITIALISED]
            if len(reinitialised):
                self._report("again", site, lanes, reinitialised, allocation.name)
            for position, key in zip(positions.tolist(), self._keys_of(allocation, octets), strict=True):
                count = int(counts[position])
                if not 1 <= count <= MAX_PENDING:
                    self._report("count", site, lanes, np.array([position]), allocation.name, count=count)
                self._barriers[key] = MBarrier(allocation.name, (site, lanes), count, count)
        self._memory.store(lanes, pointers, np.array([INITIALISED]), WORD, site)

    def invalidate(self, lanes: LaneSet, site: Site, pointers: Integers) -> None:
        """Store 0 at each lane's pointer, so that `keys_at` finds no barrier there; its counts stay for reports and
        `text`. Report pointers without a barrier, which are stored to all the same, and invalid pointers.
        """
        self.keys_at(lanes, site, pointers, reports=False)
        self._memory.store(lanes, pointers, np.array([0]), WORD, site)

    def keys_at(
        self, lanes: LaneSet, site: Site, pointers: Integers, scope: str | None = "block", *, reports: bool = True
    ) -> Integers:
        """Return the key of each lane's barrier, (n,); -1 where none is or the pointer is invalid: both are reported.

        Args:
            scope: Of the lanes' access to it, which observers see; None if a copy accesses it instead of the lanes.
            reports: Whether invalid pointers are reported; a missing barrier always is.
        """
        keys = np.full(lanes.n, NO_BARRIER, np.int64)
        for allocation, group, positions, offsets, lane_rows in split_by_allocation(
            self._memory, lanes, pointers, WORD, site, "atomic", reports
        ):
            octets = np.broadcast_to(allocation.starts(offsets, lane_rows), (group.n,))
            allocation_keys = self._keys_of(allocation, octets)
            has_counts = [key in self._barriers for key in allocation_keys]  # a copy of a barrier's word has none
            valid = (allocation.read(octets, WORD) == INITIALISED) & has_counts
            if not valid.all():
                self._report("nothing", site, lanes, positions[~valid], allocation.name)
            keys[positions] = np.where(valid, allocation_keys, NO_BARRIER)
            if scope is not None and self._observation.on_access:
                zero = np.zeros(len(positions), np.int64)
                self._observation.emit_access(
                    "atomic", site, group, allocation, offsets, WORD, zero, None, lane_rows, zero, "mbarrier", scope
                )
        return keys

    def arrive(
        self,
        lanes: LaneSet,
        site: Site,
        keys: Integers,
        counts: Array,
        *,
        expect: Array | None = None,
        drop: bool = False,
        ends: bool = True,
        order: SyncOrder | None = None,
    ) -> Integers:
        """Let lanes arrive at barriers, one after another, and tell observers; ignore lanes with the key -1.

        Args:
            counts: Arrivals of each lane; fewer than 1, or more than are pending, are reported; 0 are pending at least.
            expect: Bytes that each lane adds to what the phase waits for, before it arrives.
            drop: Whether later phases expect these arrivals no more.
            ends: Whether a phase may end by this; if not, one that does is reported, and ends all the same.
            order: The memory order that observers get; None for `SyncOrder()`.

        Returns:
            The token of the phase for each lane, as before its own arrival, (n,); 0 where there is no barrier.
        """
        phases, tokens = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
        counts, expected_bytes = (
            np.broadcast_to(numbers, (lanes.n,)) for numbers in (counts, 0 if expect is None else expect)
        )
        excess: list[int] = []
        ending: list[int] = []
        arrivals = zip(keys.tolist(), counts.tolist(), expected_bytes.tolist(), strict=True)
        for position, (key, count, size) in enumerate(arrivals):
            barrier = self._barriers.get(key)
            if barrier is None:
                continue
            if count > barrier.pending or count < 1:
                excess.append(position)
            phases[position] = barrier.phase
            tokens[position] = encode_token(barrier)
            if size:
                barrier.bytes, barrier.last = barrier.bytes + size, (site, lanes)
            barrier.pending = max(0, barrier.pending - count)
            barrier.expected -= count if drop else 0
            if self._try_complete(barrier) and not ends:
                ending.append(position)
        if excess:
            barrier = self._barriers[int(keys[excess[0]])]
            positions, expected, missing = np.array(excess), barrier.expected, barrier.bytes
            self._report("crowd", site, lanes, positions, barrier.name, expected=expected, missing=missing)
        if ending:
            self._report("no-end", site, lanes, np.array(ending), self._barriers[int(keys[ending[0]])].name)
        self._chunk.signals += 1
        self._emit_phase("arrive", site, lanes, keys, phases, order or SyncOrder())
        return tokens

    def expect_bytes(self, lanes: LaneSet, site: Site, keys: Integers, size: Array, pending: int = 0) -> Integers:
        """Add to the bytes that phases wait for (negative: bytes that came) and to pending arrivals; may end phases.

        Observers get no event. Return the phase for each lane before that, (n,); 0 where there is no barrier.
        """
        phases = np.zeros(lanes.n, np.int64)
        changes = zip(keys.tolist(), np.broadcast_to(size, (lanes.n,)).tolist(), strict=True)
        for position, (key, number) in enumerate(changes):
            barrier = self._barriers.get(key)
            if barrier is not None:
                if number > 0:
                    barrier.last = site, lanes
                phases[position] = barrier.phase
                barrier.bytes += number
                barrier.pending += pending
                self._try_complete(barrier)
        self._chunk.signals += 1
        return phases

    def complete_bytes(self, lanes: LaneSet, site: Site, keys: Integers, size: int) -> None:
        """Subtract `size` bytes for each lane from what its phase waits for, and tell observers; may end phases."""
        phases = self.expect_bytes(lanes, site, keys, np.array([-size]))
        self._emit_phase("arrive", site, lanes, keys, phases, SyncOrder(scope="copy"))

    def test_phase(
        self, lanes: LaneSet, site: Site, keys: Integers, *, parity: Array | None = None, tokens: Array | None = None
    ) -> Booleans:
        """Test for each lane whether a phase, named by either its parity or a token, has ended; True for the key -1.

        Copies that arrive there are completed first (`on_test`). Wrong and stale tokens are reported; of a token only
        its parity is compared. The lanes that must wait are noted for `report_unfinished`.
        """
        self.on_test(set(keys[keys >= 0].tolist()))
        now = np.array([self._phase(key) for key in keys.tolist()], np.int64)
        if tokens is not None:
            tokens = np.broadcast_to(tokens, (lanes.n,)).astype(np.int64)
            self._check_tokens(lanes, site, keys, now, tokens)
            parity = token_parity(tokens)
        assert parity is not None
        has_ended: Booleans = (now & 1 != np.broadcast_to(parity, (lanes.n,)) & 1) | (keys < 0)
        for key in distinct(keys[~has_ended]).tolist():
            self._waiters[key] = site, lanes.sub(np.flatnonzero(~has_ended & (keys == key)))
        for key in distinct(keys[has_ended]).tolist():
            self._waiters.pop(key, None)
        return has_ended

    def try_pass(self, lanes: LaneSet, site: Site, pointers: Integers, parity: Array) -> Booleans:
        """Return for each lane what `test_phase` does for a parity; the pointers are 32-bit addresses of shared memory.
        True, too, for invalid ones, and where no barrier was ever initialised; the wait that follows reports both.
        """
        keys = np.full(lanes.n, NO_BARRIER, np.int64)
        pointers = self.window().pointer(pointers)
        parts = split_by_allocation(self._memory, lanes, pointers, WORD, site, "atomic", reports=False)
        for allocation, group, positions, offsets, lane_rows in parts:
            octets = np.broadcast_to(allocation.starts(offsets, lane_rows), (group.n,))
            keys[positions] = self._keys_of(allocation, octets)
        keys[[key not in self._barriers for key in keys.tolist()]] = NO_BARRIER
        return self.test_phase(lanes, site, keys, parity=parity)

    def emit_waits(
        self, lanes: LaneSet, site: Site, keys: Integers, order: SyncOrder, tokens: Array | None = None
    ) -> None:
        """Report to observers that lanes go on because a phase has ended: that of the token, else the previous one."""
        phases = np.array([self._phase(key) for key in keys.tolist()], np.int64) - 1
        if tokens is not None:
            tokens = np.broadcast_to(tokens, (lanes.n,))
            phases = np.where(is_token(tokens), token_phase(tokens), phases)
        self._emit_phase("wait", site, lanes, keys, phases, order)

    def report_unfinished(self) -> None:
        """Report the phases that lanes wait for in a deadlock, and what each lacks: arrivals, or else bytes."""
        for key, (site, lanes) in self._waiters.items():
            barrier = self._barriers[key]
            positions, counts = np.arange(lanes.n), {"expected": barrier.expected, "missing": barrier.bytes}
            if barrier.pending:
                self._report("never-ends", site, lanes, positions, barrier.name, pending=barrier.pending, **counts)
            else:
                self._report("bytes", site, lanes, positions, barrier.name, **counts)

    def report_bytes_left(self) -> None:
        """Report bytes that were expected but never came, or came unexpected, after all lanes have ended."""
        for barrier in self._barriers.values():
            if barrier.bytes:
                site, lanes = barrier.last
                position = np.arange(min(1, lanes.n))
                self._report("left", site, lanes, position, barrier.name, missing=barrier.bytes)

    def text(self, allocation: Allocation, octet: int) -> str | None:
        """Return the state of the barrier at a byte of an allocation, such as `mbarrier 1 3/256`; None if none is."""
        barrier = self._barriers.get(self._keys_of(allocation, np.array([octet]))[0])
        return None if barrier is None else barrier.text()

    def _phase(self, key: int) -> int:
        barrier = self._barriers.get(key)
        return barrier.phase if barrier is not None else 0

    def _try_complete(self, barrier: MBarrier) -> bool:
        """End the phase of a barrier if it is complete, and call `on_phase_end`; return whether it was."""
        if not barrier.try_complete():
            return False
        self.on_phase_end()
        return True

    def _check_tokens(self, lanes: LaneSet, site: Site, keys: Integers, now: Integers, tokens: Integers) -> None:
        """Report numbers that are no tokens (a warning), and tokens of phases before `now - 1` (an error)."""
        has_barrier = keys >= 0
        foreign = np.flatnonzero(has_barrier & ~is_token(tokens))
        if len(foreign):
            name = self._barriers[int(keys[foreign[0]])].name
            self._report("token", site, lanes, foreign, name, "warning")
        stale = np.flatnonzero(has_barrier & is_token(tokens) & (token_phase(tokens) < now - 1))
        if len(stale):
            self._report("stale", site, lanes, stale, self._barriers[int(keys[stale[0]])].name)

    @staticmethod
    def _keys_of(allocation: Allocation, octets: Integers) -> list[int]:
        keys: list[int] = ((allocation.number << 40) + octets).tolist()
        return keys

    def _emit_phase(
        self, kind: str, site: Site, lanes: LaneSet, keys: Integers, phases: Integers, order: SyncOrder
    ) -> None:
        if self._observation.on_phase:
            event = PhaseEvent(kind, site, lanes, keys, phases, order.strong, order.scope)
            self._observation.on_phase(event)

    def _report(
        self,
        fault: str,
        site: Site,
        lanes: LaneSet,
        positions: Integers,
        name: str,
        severity: str = "error",
        /,
        **values: int,
    ) -> None:
        self._observation.report(f"mbarrier.{fault}", severity, (site,), lanes, positions, argument=name, values=values)
