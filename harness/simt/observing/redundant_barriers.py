"""Report barriers of a block that could be left out, on this data, without leaving conflicting accesses unordered.

Two threads of a block that access one location, one of them writing, must have a barrier in
between, by any of those that they pass from one access to the other and that order its
memory. So each such pair needs one barrier of a set; some barriers can be
left out together if no set consists of them alone. Barriers of one source line count as one
(copies of an unrolled or inlined barrier go with the line), and of two that replace
one another only one is named. A barrier in a library's function stays: its caller cannot remove it.
Nothing is reported if blocks exchange data, if a part of a block has a barrier of its own, or if a barrier orders
memory neither by itself nor by fences around it. So the reported barriers could be left out,
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
from harness.simt.observing.location_users import LOADS, STORES, LocationUsers
from harness.simt.observing.locations import NOBODY, LocationTables
from harness.simt.state.lanes import Geometry

__all__ = ["RedundantBarriers"]

ANY_MEMORY = "any"  # memory
MEMORIES = (*sorted(BOTH), ANY_MEMORY)
MAX_BARRIERS = 62  # barriers of a kernel: bits of a set


class RedundantBarriers(Observer):
    """Report barriers without which the same accesses would still be ordered."""

    def notes(self) -> frozenset[str]:
        """Return the note `needs`, which tells the barriers that a proof found needed."""
        return frozenset({"needs"})

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Report the barriers that a proof did not find needed; return False if the proof does not decide that.

        Nothing is reported, and True returned, if there are none, or if blocks exchanged shared memory. If the proof is
        partial, the hooks report them later. Barriers in a library's function are never reported.
        """
        if not proof.needless or proof.exchanged:
            return True
        if not proof.sure or len(proof.needed) + len(proof.needless) > MAX_BARRIERS or _may_not_order(engine.program):
            return False
        gates = [segment.gate for segment in engine.program.segments if segment.gate is not None]
        sites_of_lines = [[gate.site for gate in gates if gate.site.line == line] for line in proof.needless]
        if any(len({site.place for site in sites}) > 1 for sites in sites_of_lines):
            return False
        # Of a partial proof the hooks report them, for blocks that represent all.
        for sites in sites_of_lines if not proof.partial else ():
            if not _is_in_library(sites[0]):
                _report(engine, sites[0])
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Forget all barriers and accesses; those that a proof found needed are so from the beginning."""
        self._proved_needed = engine.proof.needed if engine.proof is not None else frozenset()
        self._numbers: dict[Line, int] = {}
        self._sites: list[Site] = []  # the first of each barrier
        self._needed_sets: set[int] = set()  # as bits: one barrier of each set must stay
        self._needed_alone = 0  # barriers that are such a set alone
        self._touched = LocationTables(lambda allocation, unit: LocationUsers(len(allocation.data), unit))
        self._time = 0
        self._gives_up = False
        self._may_not_order = _may_not_order(engine.program)

    def chunk_begin(self, geometry: Geometry) -> None:
        """Forget accesses to shared memory, and begin an epoch in each block."""
        self._touched.chunk_begin()
        self._time += 1
        # By block: when it passed its last barrier; and by memory, when it last passed each barrier that orders it.
        blocks = len(geometry.blocks)
        self._epochs: Integers = np.full(blocks, self._time, np.int32)
        self._passed: dict[str, Integers] = {
            memory: np.zeros((len(self._sites), blocks), np.int32) for memory in MEMORIES
        }

    def barrier(self, event: BarrierEvent) -> None:
        """Note that blocks pass a barrier, which begins an epoch.

        A barrier that combines values, or at which lanes wait at several instructions, is needed. Named, counted and
        unordered barriers, and more than `MAX_BARRIERS`, make the observer report nothing.
        """
        numbers = list(dict.fromkeys(self._number_of(site) for site, _ in event.groups))
        if len(numbers) > 1 or event.reduces:
            for number in numbers:
                self._note_needed(1 << number)
        if event.arrived is not None or event.barrier or event.counted or len(self._sites) > MAX_BARRIERS:
            self._gives_up = True
        if not event.memory and not self._may_not_order.isdisjoint(site for site, _ in event.groups):
            self._gives_up = True
        self._time += 1
        for space in (*(event.memory or BOTH), ANY_MEMORY):
            for number in numbers:
                self._passed[space][number, event.rows] = self._time
        self._epochs[event.rows] = self._time

    def _number_of(self, site: Site) -> int:
        """Return the number of a barrier, by its source line; a new line gets the next.

        A new one is noted as needed if the proof found that, or if it is in a library.
        """
        number = self._numbers.setdefault(site.line, len(self._sites))
        if number == len(self._sites):
            self._sites.append(site)
            if site.line in self._proved_needed or _is_in_library(site):
                self._note_needed(1 << number)
            for space, passed in self._passed.items():
                self._passed[space] = np.vstack((passed, np.zeros((1, passed.shape[1]), np.int32)))
        return number

    def _note_needed(self, barriers: int) -> None:
        """Note that at least one barrier of a set must stay; bit n of `barriers` is set if barrier n is in it."""
        self._needed_sets.add(barriers)
        if barriers & (barriers - 1) == 0:
            self._needed_alone |= barriers

    def access(self, event: AccessEvent) -> None:
        """Note which barriers the conflicts of an access with earlier ones need.

        If blocks exchange data, through global memory or their cluster's shared memory, the observer will report
        nothing.
        """
        allocation, lanes = event.allocation, event.lanes
        if self._gives_up or allocation.rows == "lane" or not allocation.writable:
            return
        is_shared = allocation.rows == "block"
        blocks = lanes.get("row")
        if is_shared and self.engine.cluster_size > 1 and (event.rows != blocks).any():
            self._gives_up = True
            return
        kind = LOADS if event.kind == "load" else STORES
        users = self._touched.of(allocation, event.size)
        locations = users.at(event.starts, event.size)
        threads, blocks_of_locations = lanes.get("lane_id"), blocks
        if (count := locations.shape[1]) > 1:
            threads, blocks_of_locations = np.repeat(threads, count), np.repeat(blocks_of_locations, count)
        flat = locations.reshape(-1)
        if not is_shared and users.exchange(kind, flat, threads // lanes.geometry.threads):
            self._gives_up = True
            return
        conflict_times = users.use(kind, flat, threads, self._epochs[blocks_of_locations])
        if self._needed_alone + 1 != 1 << len(self._sites):
            conflicting = (conflict_times != NOBODY).nonzero()[0]
            if len(conflicting):
                self._note_conflicts(
                    "shared" if is_shared else "global", blocks_of_locations[conflicting], conflict_times[conflicting]
                )

    def _note_conflicts(self, space: str, blocks: Integers, times: Integers) -> None:
        """Note, for threads of blocks that conflict with accesses at `times`, the sets of barriers passed since.

        One barrier of each set must stay. If none of them orders the memory, that is a race: then the set has all that
        were passed since.
        """
        sets = self._barriers_since(space, blocks, times)
        if len(unordered := (sets == 0).nonzero()[0]):  # a race: the barriers there were meant to order it
            sets[unordered] = self._barriers_since(ANY_MEMORY, blocks[unordered], times[unordered])
        least = int(sets.min())
        for barriers in [least] if least == sets.max() else distinct(sets).tolist():
            self._note_needed(barriers)

    def _barriers_since(self, space: str, blocks: Integers, times: Integers) -> Integers:
        """Return for each block and time the barriers passed since that order `space`, as bits by number, (n,)."""
        sets = np.zeros(len(blocks), np.int64)
        for number, passed in enumerate(self._passed[space]):
            sets |= (passed[blocks] > times).astype(np.int64) << number
        return sets

    def launch_end(self, engine: RunningLaunch) -> None:
        """Report the barriers that can be left out together, with others that could go instead of each.

        Nothing is reported if the launch ended early, or if `access` or `barrier` found a reason to report nothing.
        """
        if self._gives_up or not engine.finished:
            return
        removed = 0
        for number in range(len(self._sites)):
            if not any(barriers | removed | 1 << number == removed | 1 << number for barriers in self._needed_sets):
                removed |= 1 << number
        for number, site in enumerate(self._sites):
            if removed >> number & 1:
                # Barriers that could be left out instead of this one.
                alternatives = [barriers & ~removed for barriers in self._needed_sets if barriers >> number & 1]
                alternatives = [
                    bits for bits in alternatives if bits & (bits - 1) == 0 and not bits & self._needed_alone
                ]
                others = [self._sites[bit.bit_length() - 1] for bit in sorted(set(alternatives))]
                _report(engine, site, *others)


def _is_in_library(site: Site) -> bool:
    location = site.location
    return location is not None and location.frames[0].file.startswith(LIBRARY_PREFIXES)


def _report(engine: RunningLaunch, site: Site, *others: Site) -> None:
    name = "redundant-barrier.either" if others else "redundant-barrier.one"
    engine.observation.collector.add(name, "information", (site, *others), ())


def _may_not_order(program: Program) -> frozenset[Site]:
    """Return the barriers that are not known to order memory, neither by themselves nor by fences around them."""
    gates = [(segment, segment.gate) for segment in program.segments if segment.gate is not None]
    barriers = ((segment, gate.site) for segment, gate in gates if isinstance(gate.wait, Barrier))
    return frozenset(site for segment, site in barriers if not spaces_ordered_at(program, segment))
