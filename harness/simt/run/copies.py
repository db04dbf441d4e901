"""Asynchronous copies: load at the start, store at the wait, by groups or an mbarrier; report them to observers.

The source is read when a copy begins. The target is written when the lane that began it waits, as that lane's store: a
correct kernel gets the same results whenever the hardware copies. Observers see that a copy is in flight in between.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-asynchronous-copy
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint, distinct
from harness.simt.events import CopyEvent, CopyPlaces
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, Vector
from harness.simt.ops.undefined import combine_taints as flatten_taint
from harness.simt.ops.undefined import normalise_taint
from harness.simt.run.atomics import Atomics
from harness.simt.run.mbarriers import MBarriers
from harness.simt.run.observation import Observation
from harness.simt.state.allocation import Access
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory, Piece, split_by_allocation

__all__ = ["Copies"]


@dataclass(slots=True, eq=False)
class _CopyInFlight:
    """Copies of some lanes that began together and have not ended.

    Attributes:
        number: See `CopyEvent`.
        kind: What they are waited for by: groups of `cp.async`, of `bulk` copies or of `wgmma`; or a `barrier`.
        groups: For each lane the number of the group that its copy is in.
        targets: The addresses to store to, (n,).
        data: The values to store; None if memory is only read, as by a matrix product.
        operation: How `data` is combined with memory, as by `atomicrmw`; None if it is stored.
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

    def part(self, positions: Integers) -> "_CopyInFlight":
        """Return the copies of the lanes at some positions, with the same number; this one stays as it is."""
        taint = self.taint if self.taint is None or len(self.taint) == 1 else self.taint[positions]
        lanes, groups, targets = self.lanes.sub(positions), self.groups[positions], self.targets[positions]
        data = None if self.data is None else self.data[positions]
        return replace(self, lanes=lanes, groups=groups, targets=targets, data=data, taint=taint)


@dataclass(slots=True, eq=False)
class _PendingArrival:
    """Lanes that arrive at mbarriers when their copies have ended.

    Attributes:
        last: The number of the last copy that they began, or of the one that brings bytes.
        octets: How many bytes arrive instead of the lanes, or None.
    """

    site: Site
    lanes: LaneSet
    places: Integers
    last: int
    octets: int | None = None


def _copy_access(size: int, align: int) -> Access:
    """Return the access that copies `size` bytes: as 32-bit words if that is a multiple of 4, else as bytes."""
    element, count = (Int(32), size // 4) if size % 4 == 0 else (Int(8), size)
    return Access(Vector(count, element) if count > 1 else element, align)


class Copies:
    """The asynchronous copies of a chunk's lanes that are in flight."""

    def __init__(
        self, observation: Observation, memory: Memory, chunk: Chunk, mbarriers: MBarriers, atomics: Atomics
    ) -> None:
        self._atomics = atomics
        self._observation, self._memory, self._chunk, self._mbarriers = observation, memory, chunk, mbarriers
        mbarriers.on_test = self._complete_arrivals
        self._arrivals: list[_PendingArrival] = []
        self._flights: list[_CopyInFlight] = []
        self._started = 0
        # Groups of each lane, by kind.
        self._groups: defaultdict[str, Integers] = defaultdict(lambda: np.zeros(chunk.geometry.lanes, np.int64))

    def begin(
        self,
        lanes: LaneSet,
        site: Site,
        targets: Integers,
        sources: Integers,
        size: int,
        source_sizes: Integers,
        taints: tuple[Taint, Taint] = (None, None),
        kind: str = "cp.async",
        update: tuple[str, Access] | None = None,
    ) -> None:
        """Begin a copy for each lane: load the source now, and store it when the lane waits; tell observers.

        Args:
            size: Bytes that are written; addresses must be aligned to as many, but to no more than 16. Invalid sources
                are reported now, invalid targets when they are stored to.
            source_sizes: Bytes that each lane reads; the rest is filled with zeros.
            taints: Of the target's and of the source's address, one for all bytes. Undefined ones are reported now.
            kind: See `_CopyInFlight`.
            update: (operation, access of an element): combines one element a lane with memory, instead of the store.
        """
        targets, sources, source_sizes = (
            np.broadcast_to(values, (lanes.n,)) for values in (targets, sources, source_sizes)
        )
        self._observation.emit_taint("address", site, lanes, taints[0])
        data, taint = self._load_source(lanes, site, sources, size, source_sizes, taints[1])
        self._started += 1
        operation, access = update or (None, _copy_access(size, min(size, 16)))
        if operation:
            data = access.decode(np.ascontiguousarray(data).reshape(lanes.n, -1).view(access.dtype)[:, 0])
        groups = self._groups[kind][lanes.idx]
        flight = _CopyInFlight(self._started, kind, site, lanes, groups, targets, data, taint, access, operation)
        self._flights.append(flight)
        if self._observation.on_copy:
            places = tuple(self._copy_ranges(flight, sources, source_sizes))
            self._observation.on_copy(CopyEvent("begin", flight.number, site, lanes, places))

    def watch(self, lanes: LaneSet, site: Site, sources: Integers, access: Access, kind: str) -> None:
        """Tell observers that lanes read memory until they wait for a matrix product, which is computed already.

        Without an observer of copies nothing happens.

        Args:
            sources: The address that each lane reads, (n,).
            kind: See `_CopyInFlight`.
        """
        if not self._observation.on_copy:
            return
        self._started += 1
        flight = _CopyInFlight(
            self._started, kind, site, lanes, self._groups[kind][lanes.idx], sources, None, None, access
        )
        self._flights.append(flight)
        sizes = np.broadcast_to(access.width, (lanes.n,))
        places = tuple(self._source_ranges(lanes, site, sources, sizes))
        self._observation.on_copy(CopyEvent("begin", flight.number, site, lanes, places, product=True))

    def commit(self, lanes: LaneSet, kind: str = "cp.async") -> None:
        """Close the current group of each lane."""
        self._groups[kind][lanes.idx] += 1

    def wait(self, lanes: LaneSet, pending: int | None = None, last: int | None = None, kind: str = "cp.async") -> None:
        """Complete copies of one kind that some lanes began: store their data, and report invalid targets.

        Args:
            pending: Only copies in groups that `commit` closed, without each lane's last `pending`; None for all.
            last: Only copies up to this number; None for all.
            kind: See `_CopyInFlight`.
        """
        if not self._flights:
            return
        waiting = np.zeros(self._chunk.geometry.lanes, bool)
        waiting[lanes.idx] = True
        closed, flights, self._flights = self._groups[kind], self._flights, []
        for flight in flights:
            is_done = waiting[flight.lanes.idx] & (last is None or flight.number <= last) & (flight.kind == kind)
            if pending is not None:
                is_done &= flight.groups < closed[flight.lanes.idx] - pending
            landing = self._divide(flight, is_done)
            if landing is not None:
                self._write_target(landing)

    def wait_read(self, lanes: LaneSet, pending: int) -> None:
        """Tell observers that the sources in all closed bulk groups but the lanes' last `pending` may be written again.

        The copies stay in flight, and memory does not change.
        """
        if not self._observation.on_copy:
            return
        closed = self._groups["bulk"]
        for flight in self._flights:
            is_read = np.isin(flight.lanes.idx, lanes.idx) & (flight.groups < closed[flight.lanes.idx] - pending)
            if flight.kind == "bulk" and is_read.any():
                readers = flight.lanes.sub(np.flatnonzero(is_read))
                self._observation.on_copy(CopyEvent("read", flight.number, flight.site, readers))

    def arrive(self, lanes: LaneSet, site: Site, barriers: Integers, octets: int | None = None) -> None:
        """Note that lanes arrive at mbarriers; when one is tested next, the lanes' copies begun so far end first.

        These copies are of kind `cp.async`, or `barrier` with `octets`. Lanes that wait at any mbarrier are scheduled.

        Args:
            barriers: The key of each lane's barrier; see `MBarriers.keys_at`.
            octets: The bytes of the copy that was begun last, if these are counted there instead of the lanes.
        """
        self._arrivals.append(_PendingArrival(site, lanes, barriers, self._started, octets))
        self._chunk.signals += 1
        self._mbarriers.on_phase_end()

    def _complete_arrivals(self, keys: set[int]) -> None:
        """Complete copies whose lanes or bytes are to arrive at mbarriers with these keys, and make these arrivals."""
        arrivals, self._arrivals = self._arrivals, []
        for arrival in arrivals:
            is_tested = np.isin(arrival.places, list(keys))
            complete, remaining = np.flatnonzero(is_tested), np.flatnonzero(~is_tested)
            if len(remaining):
                rest = arrival.lanes.sub(remaining)
                self._arrivals.append(
                    _PendingArrival(arrival.site, rest, arrival.places[remaining], arrival.last, arrival.octets)
                )
            if not len(complete):
                continue
            lanes, arriving = arrival.lanes.sub(complete), arrival.places[complete]
            if arrival.octets is None:
                self.wait(lanes, last=arrival.last)
                self._mbarriers.arrive(lanes, arrival.site, arriving, np.ones(1, np.int64))
            else:
                self.wait(lanes, last=arrival.last, kind="barrier")
                self._mbarriers.complete_bytes(lanes, arrival.site, arriving, arrival.octets)

    def finish(self) -> None:
        """Complete all copies that nobody waited for, after all lanes have ended, and the arrivals of their bytes.

        Lanes that were to arrive at mbarriers no longer do, as no lane is left to wait there.
        """
        flights, self._flights = self._flights, []
        for flight in flights:
            self._write_target(flight)
        for arrival in self._arrivals:
            if arrival.octets is not None:
                self._mbarriers.complete_bytes(arrival.lanes, arrival.site, arrival.places, arrival.octets)

    def report_targets(self) -> None:
        """Report the invalid targets of copies in flight, which are not stored to because the launch ends early."""
        for flight in self._flights:
            if flight.data is not None:
                deque(self._split_targets(flight, reports=True), maxlen=0)

    def _load_source(
        self, lanes: LaneSet, site: Site, sources: Integers, size: int, source_sizes: Integers, taint: Taint
    ) -> tuple[Array, Taint]:
        """Load `size` bytes for each lane, zeros after its `source_sizes`, as `_copy_access` lays them out; return them
        and their taint by byte, None if undefined values are not tracked or there are none. Observers get the loads.
        """
        memory, tracked = self._memory, self._observation.tracked
        octets, taints = np.zeros((lanes.n, size), np.uint8), np.zeros((lanes.n, size), np.int32)
        for count in distinct(source_sizes[source_sizes > 0]).tolist():
            positions = np.flatnonzero(source_sizes == count)
            is_all = len(positions) == lanes.n
            group, addresses, access = (
                lanes if is_all else lanes.sub(positions),
                sources[positions],
                _copy_access(count, min(size, 16)),
            )
            address_taint = taint if taint is None or len(taint) == 1 else taint[positions]
            values, loaded_taint = memory.load(group, addresses, address_taint, access, site)
            if loaded_taint is not None:
                taints[positions, :count] = loaded_taint if loaded_taint.ndim == 2 else loaded_taint[:, None]
            octets[positions, :count] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, count)
        data = octets.view(_copy_access(size, size).dtype)
        return data if data.shape[1] > 1 else data[:, 0], normalise_taint(taints) if tracked else None

    def _divide(self, flight: _CopyInFlight, is_done: Booleans) -> _CopyInFlight | None:
        """Return the copies of the lanes that are done, or None; keep those of the others in flight."""
        if is_done.all():
            return flight
        positions = np.flatnonzero(is_done)
        if not len(positions):
            self._flights.append(flight)
            return None
        self._flights.append(flight.part(np.flatnonzero(~is_done)))
        return flight.part(positions)

    def _write_target(self, flight: _CopyInFlight) -> None:
        """Tell observers that copies end, and store their data or combine it with memory; products have no data."""
        if self._observation.on_copy:
            self._observation.on_copy(CopyEvent("end", flight.number, flight.site, flight.lanes))
        if flight.data is not None:
            lanes, targets, data, access, site = flight.lanes, flight.targets, flight.data, flight.access, flight.site
            if flight.operation:
                taints = None, flatten_taint(flight.taint)
                self._atomics.update(lanes, flight.operation, targets, data, access, site, taints)
            else:
                self._memory.store(lanes, targets, data, access, site, (None, flight.taint))

    def _source_ranges(self, lanes: LaneSet, site: Site, sources: Integers, sizes: Integers) -> Iterator[CopyPlaces]:
        """Yield the memory that lanes read, by size and allocation, without reads out of bounds, which loads report."""
        for count in distinct(sizes[sizes > 0]).tolist():
            reading = np.flatnonzero(sizes == count)
            readers, access = lanes.sub(reading), _copy_access(count, 1)
            parts = split_by_allocation(self._memory, readers, sources[reading], access, site, "load", reports=False)
            for allocation, _, positions, offsets, lane_rows in parts:
                yield CopyPlaces("source", allocation, reading[positions], allocation.starts(offsets, lane_rows), count)

    def _copy_ranges(self, flight: _CopyInFlight, sources: Integers, sizes: Integers) -> Iterator[CopyPlaces]:
        """Yield the memory that copies read and then what they write, without accesses out of bounds.

        Args:
            sources, sizes: The address that each lane reads from, and how many bytes.
        """
        yield from self._source_ranges(flight.lanes, flight.site, sources, sizes)
        role = "update" if flight.operation else "target"
        for allocation, _, positions, offsets, lane_rows in self._split_targets(flight, reports=False):
            yield CopyPlaces(role, allocation, positions, allocation.starts(offsets, lane_rows), flight.access.width)

    def _split_targets(self, flight: _CopyInFlight, reports: bool) -> Iterator[Piece]:
        kind = "atomic" if flight.operation else "store"
        lanes, targets, access, site = flight.lanes, flight.targets, flight.access, flight.site
        return split_by_allocation(self._memory, lanes, targets, access, site, kind, reports)
