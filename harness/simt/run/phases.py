"""`mbarrier`: barriers in shared memory that count arrivals and bytes, phase by phase.

A phase ends when nobody is pending and no bytes are expected; then the next one begins.
What is stored in memory only says that there is a barrier; its counts are kept here. What
copies do to a barrier happens as soon as somebody looks at it.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, distinct
from harness.simt.events import PhaseEvent
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int
from harness.simt.run.observation import Observation
from harness.simt.run.phase_barrier import MOST, VALID, PhaseBarrier, is_token, parity_of, phase_of, token_of
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory, pieces
from harness.simt.state.window import Window

__all__ = ["Order", "Phases"]

WORD = Access(Int(64), 8)
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Order:
    """What an operation on a barrier orders.

    Attributes:
        strong: Whether an arrival releases, or a wait acquires.
        scope: Up to `block`, `cluster`.
    """

    strong: bool = True
    scope: str = "block"


class Phases:
    """The barriers in shared memory of a chunk's blocks.

    Attributes:
        window: Shared memory as 32-bit addresses see it.
        on_look: Told the places that somebody looks at, before the answer is found.
        on_change: Called when a phase ended.
    """

    def __init__(self, observation: Observation, memory: Memory, chunk: Chunk) -> None:
        self._observation, self._memory, self._chunk = observation, memory, chunk
        self.close()
        self._barriers: dict[int, PhaseBarrier] = {}
        self._failed: dict[int, tuple[Site, LaneSet]] = {}  # who found a phase not ended, by place

    def close(self) -> None:
        """Lets go of what refers back to the launch: without cycles its memory is freed at once."""
        self.window: Callable[[], Window] = lambda: Window({})
        self.on_look: Callable[[set[int]], None] = lambda _: None
        self.on_change: Callable[[], None] = lambda: None

    def initialise(self, lanes: LaneSet, site: Site, pointers: Integers, counts: Array) -> None:
        """A barrier begins, with so many arrivals to each phase."""
        counts = np.broadcast_to(counts, (lanes.n,))
        for allocation, some, positions, offsets, rows in pieces(self._memory, lanes, pointers, WORD, site, "store"):
            octets = np.broadcast_to(allocation.starts(offsets, rows), (some.n,))
            again = positions[allocation.read(octets, WORD) == VALID]
            if len(again):
                self._report("again", site, lanes, again, allocation.name)
            for position, place in zip(positions.tolist(), self._keys(allocation, octets), strict=True):
                count = int(counts[position])
                if not 1 <= count <= MOST:
                    self._report("count", site, lanes, np.array([position]), allocation.name, count=count)
                self._barriers[place] = PhaseBarrier(allocation.name, (site, lanes), count, count)
        self._memory.store(lanes, pointers, np.array([VALID]), WORD, site)

    def invalidate(self, lanes: LaneSet, site: Site, pointers: Integers) -> None:
        """A barrier ends; its memory is free for other use."""
        self.places(lanes, site, pointers)
        self._memory.store(lanes, pointers, np.array([0]), WORD, site)

    def places(self, lanes: LaneSet, site: Site, pointers: Integers, scope: str | None = "block") -> Integers:
        """What each lane's barrier is known by, -1 where there is none, which is reported.

        Args:
            scope: Of the lanes' access to it; None where it is not they but a copy that arrives there.
        """
        places = np.full(lanes.n, NOWHERE, np.int64)
        for allocation, some, positions, offsets, rows in pieces(self._memory, lanes, pointers, WORD, site, "atomic"):
            octets = np.broadcast_to(allocation.starts(offsets, rows), (some.n,))
            valid = allocation.read(octets, WORD) == VALID
            if not valid.all():
                self._report("nothing", site, lanes, positions[~valid], allocation.name)
            keys = np.array(self._keys(allocation, octets), np.int64)
            places[positions] = np.where(valid, keys, NOWHERE)
            if scope is not None and self._observation.on_access:
                zero = np.zeros(len(positions), np.int64)
                self._observation.emit_access(
                    "atomic", site, some, allocation, offsets, WORD, zero, None, rows, zero, "mbarrier", scope
                )
        return places

    def arrive(
        self,
        lanes: LaneSet,
        site: Site,
        places: Integers,
        counts: Array,
        *,
        expect: Array | None = None,
        drop: bool = False,
        ends: bool = True,
        order: Order | None = None,
    ) -> Integers:
        """Lanes arrive, one after another.

        Args:
            counts: How often each lane does.
            expect: Bytes that each lane has the phase wait for, before it arrives.
            drop: Whether the lanes will not come to later phases.
            ends: Whether a phase may end by that.

        Returns:
            For each lane the token of the phase.
        """
        phases, tokens = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
        counts, more = (np.broadcast_to(numbers, (lanes.n,)) for numbers in (counts, 0 if expect is None else expect))
        crowd: list[int] = []
        last: list[int] = []
        turns = zip(places.tolist(), counts.tolist(), more.tolist(), strict=True)
        for position, (place, count, size) in enumerate(turns):
            barrier = self._barriers.get(place)
            if barrier is None:
                continue
            if count > barrier.pending or count < 1:
                crowd.append(position)
            phases[position] = barrier.phase
            tokens[position] = token_of(barrier)
            if size:
                barrier.bytes, barrier.last = barrier.bytes + size, (site, lanes)
            barrier.pending = max(0, barrier.pending - count)
            barrier.expected -= count if drop else 0
            if self._settle(barrier) and not ends:
                last.append(position)
        if crowd:
            barrier = self._barriers[int(places[crowd[0]])]
            here, expected, missing = np.array(crowd), barrier.expected, barrier.bytes
            self._report("crowd", site, lanes, here, barrier.name, expected=expected, missing=missing)
        if last:
            self._report("no-end", site, lanes, np.array(last), self._barriers[int(places[last[0]])].name)
        self._chunk.signals += 1
        self._tell("arrive", site, lanes, places, phases, order or Order())
        return tokens

    def add(self, lanes: LaneSet, site: Site, places: Integers, size: Array, pending: int = 0) -> Integers:
        """Bytes are expected, or come where they are negative; or more arrivals are pending than are counted.

        Returns:
            For each lane the phase.
        """
        phases = np.zeros(lanes.n, np.int64)
        turns = zip(places.tolist(), np.broadcast_to(size, (lanes.n,)).tolist(), strict=True)
        for position, (place, number) in enumerate(turns):
            barrier = self._barriers.get(place)
            if barrier is not None:
                if number > 0:
                    barrier.last = site, lanes
                phases[position] = barrier.phase
                barrier.bytes += number
                barrier.pending += pending
                self._settle(barrier)
        self._chunk.signals += 1
        return phases

    def bring(self, lanes: LaneSet, site: Site, places: Integers, size: int) -> None:
        """What lanes copied is there, and who waits for the phase sees it."""
        phases = self.add(lanes, site, places, np.array([-size]))
        self._tell("arrive", site, lanes, places, phases, Order(scope="copy"))

    def ended(
        self, lanes: LaneSet, site: Site, places: Integers, *, parity: Array | None = None, tokens: Array | None = None
    ) -> Booleans:
        """For which lanes a phase has ended, given by its parity or by a token; without a barrier, for all."""
        self.on_look(set(places[places >= 0].tolist()))
        now = np.array([self._phase(place) for place in places.tolist()], np.int64)
        if tokens is not None:
            tokens = np.broadcast_to(tokens, (lanes.n,)).astype(np.int64)
            self._check(lanes, site, places, now, tokens)
            parity = parity_of(tokens)
        assert parity is not None
        done: Booleans = (now & 1 != np.broadcast_to(parity, (lanes.n,)) & 1) | (places < 0)
        for place in distinct(places[~done]).tolist():
            self._failed[place] = site, lanes.sub(np.flatnonzero(~done & (places == place)))
        for place in distinct(places[done]).tolist():
            self._failed.pop(place, None)
        return done

    def may_pass(self, lanes: LaneSet, site: Site, pointers: Integers, parity: Array) -> Booleans:
        """Which lanes need not wait for the end of a phase; those without a barrier, which is told when they go on."""
        places = np.full(lanes.n, NOWHERE, np.int64)
        pointers = self.window().pointer(pointers)
        for allocation, some, positions, offsets, rows in pieces(self._memory, lanes, pointers, WORD, site, "atomic"):
            octets = np.broadcast_to(allocation.starts(offsets, rows), (some.n,))
            places[positions] = self._keys(allocation, octets)
        places[[place not in self._barriers for place in places.tolist()]] = NOWHERE
        return self.ended(lanes, site, places, parity=parity)

    def passed(self, lanes: LaneSet, site: Site, places: Integers, order: Order, tokens: Array | None = None) -> None:
        """Lanes go on because the phase before the present one has ended, or that of a token."""
        phases = np.array([self._phase(place) for place in places.tolist()], np.int64) - 1
        if tokens is not None:
            tokens = np.broadcast_to(tokens, (lanes.n,))
            phases = np.where(is_token(tokens), phase_of(tokens), phases)
        self._tell("wait", site, lanes, places, phases, order)

    def unfinished(self) -> None:
        """Nothing goes on: tells of the phases that were waited for."""
        for place, (site, lanes) in self._failed.items():
            barrier = self._barriers[place]
            here, more = np.arange(lanes.n), {"expected": barrier.expected, "missing": barrier.bytes}
            if barrier.pending:
                self._report("never-ends", site, lanes, here, barrier.name, pending=barrier.pending, **more)
            else:
                self._report("bytes", site, lanes, here, barrier.name, **more)

    def finish(self) -> None:
        """All lanes have ended: tells of bytes that were expected in vain, or came without being expected."""
        for barrier in self._barriers.values():
            if barrier.bytes:
                site, lanes = barrier.last
                here = np.arange(min(1, lanes.n))
                self._report("left", site, lanes, here, barrier.name, missing=barrier.bytes)

    def text(self, allocation: Allocation, octet: int) -> str | None:
        """Return the state of the barrier at a byte of an allocation, as a recording shows it, or None."""
        barrier = self._barriers.get(self._keys(allocation, np.array([octet]))[0])
        return None if barrier is None else barrier.text()

    def _phase(self, place: int) -> int:
        barrier = self._barriers.get(place)
        return barrier.phase if barrier is not None else 0

    def _settle(self, barrier: PhaseBarrier) -> bool:
        """Ends the phase if it is complete; says whether."""
        if not barrier.settle():
            return False
        self.on_change()
        return True

    def _check(self, lanes: LaneSet, site: Site, places: Integers, now: Integers, tokens: Integers) -> None:
        """Reports what is no token, or one of a phase that is long over."""
        known = places >= 0
        foreign = np.flatnonzero(known & ~is_token(tokens))
        if len(foreign):
            name = self._barriers[int(places[foreign[0]])].name
            self._report("token", site, lanes, foreign, name, "warning")
        stale = np.flatnonzero(known & is_token(tokens) & (phase_of(tokens) < now - 1))
        if len(stale):
            self._report("stale", site, lanes, stale, self._barriers[int(places[stale[0]])].name)

    @staticmethod
    def _keys(allocation: Allocation, octets: Integers) -> list[int]:
        keys: list[int] = ((allocation.number << 40) + octets).tolist()
        return keys

    def _tell(self, kind: str, site: Site, lanes: LaneSet, places: Integers, phases: Integers, order: Order) -> None:
        if self._observation.on_phase:
            event = PhaseEvent(kind, site, lanes, places, phases, order.strong, order.scope)
            self._observation.on_phase(event)

    def _report(
        self,
        fault: str,
        site: Site,
        lanes: LaneSet,
        here: Integers,
        name: str,
        severity: str = "error",
        /,
        **values: int,
    ) -> None:
        self._observation.report(f"mbarrier.{fault}", severity, (site,), lanes, here, argument=name, values=values)
