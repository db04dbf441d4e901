"""Copies that lanes begin and wait for later, by groups.

The source is read when a copy begins, and the target is written, as the store of the lane
that began it, when that lane waits: anything that a kernel may rely on comes out the same
whenever the hardware copies. Observers are told where a copy is in flight in between.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-asynchronous-copy
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint, distinct
from harness.simt.events import CopyEvent, CopyPlaces
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, Vector
from harness.simt.ops.undefined import combine_taints as marked
from harness.simt.ops.undefined import normalise_taint
from harness.simt.run.atomics import Atomics
from harness.simt.run.observation import Observation
from harness.simt.run.phases import Phases
from harness.simt.state.allocation import Access
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory, pieces

__all__ = ["Copies"]


@dataclass(slots=True, eq=False)
class _Flight:
    """Copies of some lanes, begun together, that have not landed.

    Attributes:
        number: See `CopyEvent`.
        kind: Whose groups it is in: those of `cp.async`, of `bulk` copies, of `wgmma`; or `barrier`, where it arrives.
        groups: For each lane the number of the group that its copy is in.
        targets: Where it will be stored.
        data: What will be; None where it only reads, as a matrix product does.
        operation: How it is combined with what is there, as of `atomicrmw`; None where it is stored.
    """

    number: int
    kind: str
    site: Site
    lanes: LaneSet
    groups: Integers
    targets: Integers
    data: Array | None
    taint: Taint
    access: Access
    operation: str | None = None

    def part(self, here: Integers) -> "_Flight":
        """Those of some of the lanes, by position."""
        taint = self.taint if self.taint is None or len(self.taint) == 1 else self.taint[here]
        lanes, groups, targets = self.lanes.sub(here), self.groups[here], self.targets[here]
        data = None if self.data is None else self.data[here]
        return replace(self, lanes=lanes, groups=groups, targets=targets, data=data, taint=taint)


@dataclass(slots=True, eq=False)
class _Arrival:
    """Lanes that arrive at barriers with their copies.

    Attributes:
        last: The number of the last copy that they began, or of the one that brings bytes.
        octets: How many bytes arrive in their stead, or None.
    """

    site: Site
    lanes: LaneSet
    places: Integers
    last: int
    octets: int | None = None


def _access(size: int, align: int) -> Access:
    """How so many bytes are copied: in words where that is possible."""
    element, count = (Int(32), size // 4) if size % 4 == 0 else (Int(8), size)
    return Access(Vector(count, element) if count > 1 else element, align)


class Copies:
    """The copies of a chunk's lanes that are under way."""

    def __init__(
        self, observation: Observation, memory: Memory, chunk: Chunk, phases: Phases, atomics: Atomics
    ) -> None:
        self._atomics = atomics
        self._observation, self._memory, self._chunk, self._phases = observation, memory, chunk, phases
        phases.on_look = self._looked_at
        self._arrivals: list[_Arrival] = []
        self._flights: list[_Flight] = []
        self._begun = 0
        # Groups of each lane, by kind.
        self._groups: defaultdict[str, Integers] = defaultdict(lambda: np.zeros(chunk.geometry.lanes, np.int64))

    def begin(
        self,
        lanes: LaneSet,
        site: Site,
        targets: Integers,
        sources: Integers,
        size: int,
        given: Integers,
        taints: tuple[Taint, Taint] = (None, None),
        kind: str = "cp.async",
        update: tuple[str, Access] | None = None,
    ) -> None:
        """Lanes begin to copy.

        Args:
            size: Bytes that are written; up to 16 the addresses must be aligned to them.
            given: Bytes that are read, for each lane; the rest is filled with zeros.
            taints: Of the target's and the source's address, each taken as a whole.
            kind: See `_Flight`.
            update: The operation that combines elements with what is there, and how one lies in memory.
        """
        targets, sources, given = (np.broadcast_to(values, (lanes.n,)) for values in (targets, sources, given))
        self._observation.emit_taint("address", site, lanes, taints[0])
        data, taint = self._read(lanes, site, sources, size, given, taints[1])
        self._begun += 1
        operation, access = update or (None, _access(size, min(size, 16)))
        if operation:
            data = access.decode(np.ascontiguousarray(data).reshape(lanes.n, -1).view(access.dtype)[:, 0])
        groups = self._groups[kind][lanes.idx]
        flight = _Flight(self._begun, kind, site, lanes, groups, targets, data, taint, access, operation)
        self._flights.append(flight)
        if self._observation.on_copy:
            places = tuple(self._places(flight, sources, given))
            self._observation.on_copy(CopyEvent("begin", flight.number, site, lanes, places))

    def watch(self, lanes: LaneSet, site: Site, sources: Integers, access: Access, kind: str) -> None:
        """Lanes read memory until they wait, and have the values already."""
        if not self._observation.on_copy:
            return
        self._begun += 1
        flight = _Flight(self._begun, kind, site, lanes, self._groups[kind][lanes.idx], sources, None, None, access)
        self._flights.append(flight)
        given = np.broadcast_to(access.width, (lanes.n,))
        places = tuple(self._sources(lanes, site, sources, given))
        self._observation.on_copy(CopyEvent("begin", flight.number, site, lanes, places, product=True))

    def commit(self, lanes: LaneSet, kind: str = "cp.async") -> None:
        """Lanes close a group."""
        self._groups[kind][lanes.idx] += 1

    def wait(self, lanes: LaneSet, pending: int | None = None, last: int | None = None, kind: str = "cp.async") -> None:
        """Lanes wait until no more than so many of their last groups are under way; None for nothing at all.

        Args:
            last: The number of the last copy that is waited for; None for all.
            kind: See `_Flight`.
        """
        if not self._flights:
            return
        waiting = np.zeros(self._chunk.geometry.lanes, bool)
        waiting[lanes.idx] = True
        closed, flights, self._flights = self._groups[kind], self._flights, []
        for flight in flights:
            done = waiting[flight.lanes.idx] & (last is None or flight.number <= last) & (flight.kind == kind)
            if pending is not None:
                done &= flight.groups < closed[flight.lanes.idx] - pending
            landing = self._divide(flight, done)
            if landing is not None:
                self._land(landing)

    def wait_read(self, lanes: LaneSet, pending: int) -> None:
        """Lanes wait until the sources of all their bulk groups but the last so many may be written again."""
        if not self._observation.on_copy:
            return
        closed = self._groups["bulk"]
        for flight in self._flights:
            mine = np.isin(flight.lanes.idx, lanes.idx) & (flight.groups < closed[flight.lanes.idx] - pending)
            if flight.kind == "bulk" and mine.any():
                some = flight.lanes.sub(np.flatnonzero(mine))
                self._observation.on_copy(CopyEvent("read", flight.number, flight.site, some))

    def arrive(self, lanes: LaneSet, site: Site, places: Integers, octets: int | None = None) -> None:
        """Lanes arrive at barriers when all that they have begun to copy has arrived.

        Args:
            octets: The bytes of the copy that was begun last, where they are counted there in the lanes' stead.
        """
        self._arrivals.append(_Arrival(site, lanes, places, self._begun, octets))
        self._chunk.signals += 1
        self._phases.on_change()

    def _looked_at(self, places: set[int]) -> None:
        """Somebody looks at barriers: what arrives there has."""
        arrivals, self._arrivals = self._arrivals, []
        for arrival in arrivals:
            done = np.isin(arrival.places, list(places))
            here, left = np.flatnonzero(done), np.flatnonzero(~done)
            if len(left):
                rest = arrival.lanes.sub(left)
                self._arrivals.append(_Arrival(arrival.site, rest, arrival.places[left], arrival.last, arrival.octets))
            if not len(here):
                continue
            lanes, own = arrival.lanes.sub(here), arrival.places[here]
            if arrival.octets is None:
                self.wait(lanes, last=arrival.last)
                self._phases.arrive(lanes, arrival.site, own, np.ones(1, np.int64))
            else:
                self.wait(lanes, last=arrival.last, kind="barrier")
                self._phases.bring(lanes, arrival.site, own, arrival.octets)

    def finish(self) -> None:
        """All lanes have ended: what nobody waited for arrives all the same."""
        flights, self._flights = self._flights, []
        for flight in flights:
            self._land(flight)
        for arrival in self._arrivals:
            if arrival.octets is not None:
                self._phases.bring(arrival.lanes, arrival.site, arrival.places, arrival.octets)

    def _read(
        self, lanes: LaneSet, site: Site, sources: Integers, size: int, given: Integers, taint: Taint
    ) -> tuple[Array, Taint]:
        """What lanes copy and its taint by byte, of `size` bytes."""
        memory, tracked = self._memory, self._observation.tracked
        octets, marks = np.zeros((lanes.n, size), np.uint8), np.zeros((lanes.n, size), np.int32)
        for count in distinct(given[given > 0]).tolist():
            here = np.flatnonzero(given == count)
            whole = len(here) == lanes.n
            some, at, access = lanes if whole else lanes.sub(here), sources[here], _access(count, min(size, 16))
            own = taint if taint is None or len(taint) == 1 else taint[here]
            values, mark = memory.load(some, at, own, access, site)
            if mark is not None:
                marks[here, :count] = mark if mark.ndim == 2 else mark[:, None]
            octets[here, :count] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, count)
        data = octets.view(_access(size, size).dtype)
        return data if data.shape[1] > 1 else data[:, 0], normalise_taint(marks) if tracked else None

    def _divide(self, flight: _Flight, done: Booleans) -> _Flight | None:
        """What arrives for some lanes; the others' stays under way."""
        if done.all():
            return flight
        here = np.flatnonzero(done)
        if not len(here):
            self._flights.append(flight)
            return None
        self._flights.append(flight.part(np.flatnonzero(~done)))
        return flight.part(here)

    def _land(self, flight: _Flight) -> None:
        if self._observation.on_copy:
            self._observation.on_copy(CopyEvent("end", flight.number, flight.site, flight.lanes))
        if flight.data is not None:
            taints = None, flight.taint
            if flight.operation:
                whole = None, marked(flight.taint)
                self._atomics.update(
                    flight.lanes, flight.operation, flight.targets, flight.data, flight.access, flight.site, whole
                )
                return
            self._memory.store(flight.lanes, flight.targets, flight.data, flight.access, flight.site, taints)

    def _sources(self, lanes: LaneSet, site: Site, sources: Integers, given: Integers) -> Iterator[CopyPlaces]:
        """What lanes read. What is out of bounds is reported where it is."""
        for count in distinct(given[given > 0]).tolist():
            here = np.flatnonzero(given == count)
            some = lanes.sub(here)
            for piece in pieces(self._memory, some, sources[here], _access(count, 1), site, "load"):
                allocation, _, positions, offsets, rows = piece
                yield CopyPlaces("source", allocation, here[positions], allocation.starts(offsets, rows), count)

    def _places(self, flight: _Flight, sources: Integers, given: Integers) -> Iterator[CopyPlaces]:
        """What a flight reads and writes."""
        lanes, site = flight.lanes, flight.site
        yield from self._sources(lanes, site, sources, given)
        role, found = "update" if flight.operation else "target", flight.access
        for allocation, _, positions, offsets, rows in pieces(
            self._memory, lanes, flight.targets, found, site, "store"
        ):
            yield CopyPlaces(role, allocation, positions, allocation.starts(offsets, rows), found.width)
