"""Barriers that no pair of accesses needs.

Two threads of a block that touch one place, one of them writing, must have a barrier in
between, by any of those that they pass from one access to the other and that order the
memory where it is. So each such pair needs one of a set of barriers; some barriers can be
left out together if no set consists of them alone. Barriers of one source line are one
(copies of an unrolled or inlined barrier go with the line), and of two that stand in for
one another only one is named. One within a library's function stays: whoever calls that cannot leave it out.
Once blocks exchange data, a part of a block has a barrier of its own, or one orders memory
by itself neither nor by fences around it, nothing is said: what is named could be left out,
on this data, without a new race.
"""

import numpy as np

from harness.simt.arrays import Integers, distinct
from harness.simt.compile.declarations import BOTH, Barrier
from harness.simt.compile.fences import spaces_ordered_at
from harness.simt.compile.program import Program
from harness.simt.events import AccessEvent, BarrierEvent
from harness.simt.findings import LIBRARY_PREFIXES
from harness.simt.ir.site import Line, Site
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.observing.place_users import LOADS, STORES, PlaceUsers
from harness.simt.observing.places import NOBODY, Touched
from harness.simt.state.lanes import Geometry

__all__ = ["Redundant"]

ANY = "any"  # memory
ORDERED = (*sorted(BOTH), ANY)
MOST = 62  # barriers of a kernel that are told apart: bits of a set


class Redundant(Observer):
    """Tells of barriers without which the same accesses would still be ordered."""

    def notes(self) -> frozenset[str]:
        """See `Observer`."""
        return frozenset({"needs"})

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`; what is not known to be needed is looked into here."""
        if not proof.needless or proof.exchanged:
            return True
        if not proof.sure or len(proof.needed) + len(proof.needless) > MOST or _vague(engine.program):
            return False
        gates = [segment.gate for segment in engine.program.segments if segment.gate is not None]
        found = [[gate.site for gate in gates if gate.site.line == line] for line in proof.needless]
        if any(len({site.place for site in sites}) > 1 for sites in found):
            return False
        for sites in found if not proof.partial else ():  # else the hooks tell them, of blocks that stand for all
            if not _of_a_library(sites[0]):
                _tell(engine, sites[0])
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._proved = engine.proof.needed if engine.proof is not None else frozenset()
        self._numbers: dict[Line, int] = {}
        self._sites: list[Site] = []  # of each barrier the first
        self._sets: set[int] = set()  # as bits: one barrier of each must stay
        self._alone = 0  # those that are such a set
        self._touched = Touched(lambda made, unit: PlaceUsers(len(made.data), unit))
        self._time = 0
        self._exchanged = False
        self._vague = _vague(engine.program)

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._touched.chunk_begin()
        self._time += 1
        # By block: since when it is behind its last barrier, and when it passed each, by the memory that it ordered.
        blocks = len(geometry.blocks)
        self._epochs: Integers = np.full(blocks, self._time, np.int32)
        self._passed: dict[str, Integers] = {one: np.zeros((len(self._sites), blocks), np.int32) for one in ORDERED}

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        numbers = list(dict.fromkeys(self._number(site) for site, _ in event.groups))
        if len(numbers) > 1 or event.reduces:
            for number in numbers:
                self._need(1 << number)
        if event.arrived is not None or event.barrier or event.counted or len(self._sites) > MOST:
            self._exchanged = True
        if not event.memory and not self._vague.isdisjoint(site for site, _ in event.groups):
            self._exchanged = True
        self._time += 1
        for space in (*(event.memory or BOTH), ANY):
            for number in numbers:
                self._passed[space][number, event.rows] = self._time
        self._epochs[event.rows] = self._time

    def _number(self, site: Site) -> int:
        number = self._numbers.setdefault(site.line, len(self._sites))
        if number == len(self._sites):
            self._sites.append(site)
            if site.line in self._proved or _of_a_library(site):
                self._need(1 << number)
            for space, passed in self._passed.items():
                self._passed[space] = np.vstack((passed, np.zeros((1, passed.shape[1]), np.int32)))
        return number

    def _need(self, barriers: int) -> None:
        """One of some barriers must stay."""
        self._sets.add(barriers)
        if barriers & (barriers - 1) == 0:
            self._alone |= barriers

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        allocation, lanes = event.allocation, event.lanes
        if self._exchanged or allocation.rows == "lane" or not allocation.writable:
            return
        shared = allocation.rows == "block"
        own = lanes.get("row")
        if shared and self.engine.cluster_size > 1 and (event.rows != own).any():
            self._exchanged = True
            return
        kind = LOADS if event.kind == "load" else STORES
        users = self._touched.of(allocation, event.size)
        places = users.at(event.starts, event.size)
        threads, rows = lanes.get("lane_id"), own
        if (each := places.shape[1]) > 1:
            threads, rows = np.repeat(threads, each), np.repeat(rows, each)
        flat = places.reshape(-1)
        if not shared and users.exchange(kind, flat, threads // lanes.geometry.threads):
            self._exchanged = True
            return
        met = users.use(kind, flat, threads, self._epochs[rows])
        if self._alone + 1 != 1 << len(self._sites):
            at = (met != NOBODY).nonzero()[0]
            if len(at):
                self._met("shared" if shared else "global", rows[at], met[at])

    def _met(self, space: str, rows: Integers, times: Integers) -> None:
        """Threads of blocks conflict with what others did at some times in a memory."""
        sets = self._since(space, rows, times)
        if len(unordered := (sets == 0).nonzero()[0]):  # a race: what stands there was meant to order it
            sets[unordered] = self._since(ANY, rows[unordered], times[unordered])
        least = int(sets.min())
        for barriers in [least] if least == sets.max() else distinct(sets).tolist():
            self._need(barriers)

    def _since(self, space: str, rows: Integers, times: Integers) -> Integers:
        """The barriers for a memory that blocks passed since then."""
        sets = np.zeros(len(rows), np.int64)
        for number, passed in enumerate(self._passed[space]):
            sets |= (passed[rows] > times).astype(np.int64) << number
        return sets

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        if self._exchanged or not engine.finished:
            return
        left = 0
        for number in range(len(self._sites)):
            if not any(barriers | left | 1 << number == left | 1 << number for barriers in self._sets):
                left |= 1 << number
        for number, site in enumerate(self._sites):
            if left >> number & 1:
                # Those that would not have to stay either, were it not for this one.
                stay = [barriers & ~left for barriers in self._sets if barriers >> number & 1]
                stay = [bits for bits in stay if bits & (bits - 1) == 0 and not bits & self._alone]
                others = [self._sites[bit.bit_length() - 1] for bit in sorted(set(stay))]
                _tell(engine, site, *others)


def _of_a_library(site: Site) -> bool:
    location = site.location
    return location is not None and location.frames[0].file.startswith(LIBRARY_PREFIXES)


def _tell(engine: RunningLaunch, site: Site, *others: Site) -> None:
    name = "redundant-barrier.either" if others else "redundant-barrier.one"
    engine.observation.collector.add(name, "information", (site, *others), ())


def _vague(program: Program) -> frozenset[Site]:
    """The barriers of which it is not known that they order memory."""
    gates = [(segment, segment.gate) for segment in program.segments if segment.gate is not None]
    barriers = ((segment, gate.site) for segment, gate in gates if isinstance(gate.wait, Barrier))
    return frozenset(site for segment, site in barriers if not spaces_ordered_at(program, segment))
