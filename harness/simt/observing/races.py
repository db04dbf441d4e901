"""Detect data races: `RaceDetector` checks accesses by shadow memory, clocks, `race_order`; `race_pairs` reports.

Accesses of one thread are ordered, and those that barriers, warp syncs, cluster barriers, fences and atomics order;
shuffles order nothing. There is one finding for each pair of source locations; `who` has the threads in pairs:

    race, error: of different warps, or of one instruction with different values.
    race, warning: of one warp without a sync in between, or of volatile accesses.
    several-writers, information: all writers write the same value; so is a read by one of them. Other readers race.

Volatile accesses order nothing. In a launch with fences they count as atomics; else a race of theirs is a warning.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#memory-consistency-model
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.events import AccessEvent, BarrierEvent, ClusterEvent, FenceEvent, PhaseEvent, WarpEvent
from harness.simt.ir.opcodes import RELEASES
from harness.simt.ir.site import Site
from harness.simt.ir.values import FIRST, SHIFT
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.observing.locations import NOBODY, LocationTables
from harness.simt.observing.race_accesses import RaceAccess, SameValueWrites
from harness.simt.observing.race_clocks import COPY, SCOPES, SPACES, PhaseVectorClocks, VectorClocks
from harness.simt.observing.race_order import HappensBefore, SyncLog, mbarrier_inits
from harness.simt.observing.race_pairs import ERROR, SAME, WARN, RacingPairs, UnorderedPairs
from harness.simt.observing.race_shadow import ATOMIC_READ, ATOMIC_WRITE, READ, WRITE, Records, Shadow, ThreadNumbering
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["RaceDetector"]

CONFLICTING = {
    READ: (WRITE, ATOMIC_WRITE),
    WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
    ATOMIC_READ: (WRITE, ATOMIC_WRITE),
    ATOMIC_WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
}
# Vendors where a write that an atomic reads is ordered before what its thread does next, even without acquire:
# https://docs.nvidia.com/cuda/parallel-thread-execution/#causality-order
READS_ACQUIRE = ("nvidia",)


class RaceDetector(Observer):
    """Report pairs of accesses that race."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Accept every proof: return True. Set `engine.observation.ordered` unless atomics or volatiles ran."""
        engine.observation.ordered = not proof.atomics
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Forget all accesses, synchronisation and races, and number the threads of the grid."""
        blocks, threads = int(np.prod(engine.grid)), int(np.prod(engine.block))
        size = engine.cluster_size
        self.shape = shape = ThreadNumbering(engine.target.warp, threads, size, blocks)
        self.records, self.log = Records(), SyncLog()
        self._cache_key = object()  # under which sets of lanes cache their threads; no reference to the launch
        self._blocks: Integers = np.zeros(blocks, np.int64)
        self._pairs = RacingPairs(engine, self.shape, self.records, self._blocks)
        self._touched = LocationTables(lambda allocation, unit: Shadow(shape, len(allocation.data), unit))
        self._same_values = SameValueWrites(self.shape)
        self._chunks = self._blocks_seen = self.coarsest = 0
        self._has_cluster_arrivals = self._has_fences = False
        self._reads_acquire = engine.target.vendor in READS_ACQUIRE
        self._happens_before = HappensBefore(self.shape, self.log, engine.check_time, self._reads_acquire)
        self._mbarrier_inits: set[Site] | None = None

    def chunk_begin(self, geometry: Geometry) -> None:
        """Number the threads of a chunk; forget accesses to shared memory and what lanes know of each other."""
        count = len(geometry.blocks)
        ranks = np.arange(self._blocks_seen, self._blocks_seen + count)
        self._blocks[ranks] = geometry.blocks
        numbers = ranks[:, None] * self.shape.block + np.arange(geometry.threads)
        self._numbers: Integers = numbers.astype(np.int32).reshape(-1)
        self._blocks_seen += count
        self._chunks += 1
        self._touched.chunk_begin()
        self.clocks = VectorClocks(geometry.lanes)
        self._phased: PhaseVectorClocks | None = None

    def _threads_of(self, lanes: LaneSet) -> Integers:
        return lanes.cached(self._cache_key, lambda: self._numbers if lanes is lanes.root else self._numbers[lanes.idx])

    def barrier(self, event: BarrierEvent) -> None:
        """Log that blocks, or parts of them, synchronise; the clocks note it for whole blocks.

        A part makes the log `partial`; so does a barrier that orders no memory, if warps fenced at different times. See
        also `_check_cluster_arrivals`.
        """
        sets = [lanes for _, lanes in event.groups]
        idx = np.concatenate([lanes.idx for lanes in sets]) if len(sets) > 1 else sets[0].idx
        who = self._numbers[idx]  # what others did before they arrived is reported as a phase
        threads, size = self.shape.threads, self.shape.block
        # Lanes that have ended count as arrived, but not if threads are counted.
        ended = 0 if event.counted else int(event.exited.sum())
        is_whole = len(who) + ended == threads * len(event.rows)
        kind = "meet" if event.memory else "unfenced"
        spaces = event.memory or SPACES
        time = self.log.add(kind, spaces, who, who // size, who, who // size)
        self._check_cluster_arrivals(idx)
        if not is_whole:
            self.log.partial = True
            return
        for space in spaces:
            if event.memory:
                self.clocks.join_block(space, idx, time)
            elif not self.clocks.join_block_unfenced(space, idx, idx // threads, len(self._numbers) // threads):
                self.log.partial = True

    def _check_cluster_arrivals(self, idx: Integers) -> None:
        """Set the log's `partial` if lanes synchronise between arriving and waiting at their cluster's barrier."""
        if self._has_cluster_arrivals and (self.clocks.phases[idx] > self.clocks.waited[idx]).any():
            self.log.partial = True

    def warp_sync(self, event: WarpEvent) -> None:
        """Log that lanes of warps synchronise; the clocks note it for whole warps, else the log becomes `partial`."""
        lanes, who = event.lanes, self._threads_of(event.lanes)
        geometry, masks = lanes.geometry, event.masks
        warp = lanes.get("warp")
        live = geometry.value("warp")[self.engine.chunk.live.mask]
        count = geometry.all_warps
        is_whole = len(masks) == 1 or (masks == masks[0]).all()
        if is_whole and lanes.n != self.engine.chunk.live.count:
            present = np.bincount(warp, minlength=count)
            is_whole = bool((present == np.bincount(live, minlength=count))[warp].all())
        group = np.broadcast_to(masks, (lanes.n,)).astype(np.int64) & 0xFFFFFFFF  # parts of a warp have a mask each
        group = np.unique(warp * (1 << 32) + group, return_inverse=True)[1]
        time = self.log.add("meet", event.memory, who, group, who, group)
        self._check_cluster_arrivals(lanes.idx)
        if not is_whole:
            self.log.partial = True
            return
        for space in event.memory:
            self.clocks.warp[space][lanes.idx] = time

    def cluster(self, event: ClusterEvent) -> None:
        """Log an arrival, or a wait that acquires, at a cluster's barrier; any relaxed one makes the log partial."""
        who, idx = self._threads_of(event.lanes), event.lanes.idx
        clusters, phases = who // self.shape.cluster, np.array(event.phases)
        self._has_cluster_arrivals = True
        self.log.partial |= event.order == "relaxed"
        if event.kind == "arrive":
            release = event.order != "relaxed"
            self.log.add("arrive", SPACES, who, clusters, phases, release)
            self.clocks.arrive(idx, clusters, phases, not release)
        elif event.order == "acquire":
            self.log.add("wait", SPACES, who, clusters, phases)
            self.clocks.wait(idx, clusters, phases)

    def fence(self, event: FenceEvent) -> None:
        """Log a fence; the clocks note it from block scope on. If it releases, volatiles count as atomics after it."""
        scope = SCOPES[event.scope]
        self._has_fences |= event.ordering in RELEASES
        who = self._threads_of(event.lanes)
        time = self.log.add("fence", event.spaces, who, event.ordering, scope)
        if scope >= 1:
            for space in event.spaces:
                self.clocks.fence(space, event.lanes.idx, event.ordering, time)

    def phase(self, event: PhaseEvent) -> None:
        """Log an arrival or a wait at an mbarrier, which makes the log partial; the clocks note strong ones."""
        self.log.partial = self._pairs.has_mbarriers = True
        # Barriers of different chunks have the same numbers: 15 bits, and places in 33 bits of a chunk's shared memory.
        offsets = event.places & (1 << 33) - 1
        barriers = (event.places >> SHIFT << 33) + offsets + (self._chunks << 48)
        who, scope = self._threads_of(event.lanes), SCOPES[event.scope]
        time = self.log.add(f"phase_{event.kind}", SPACES, barriers, event.phases, who, event.strong, scope)
        self._phased = self._phased or PhaseVectorClocks(len(self._numbers), self.shape.threads)
        if event.strong and 1 <= scope < COPY:
            if event.kind == "arrive":
                self._phased.arrive(event.lanes.idx, barriers, event.phases, time)
            else:
                self._phased.wait(event.lanes.idx, barriers, event.phases)

    def access(self, event: AccessEvent) -> None:
        """Check an access to writable shared or global memory for races, and note it; log atomic and volatile ones."""
        allocation, lanes = event.allocation, event.lanes
        if allocation.rows == "lane" or not allocation.writable or not lanes.n:
            return
        who = self._threads_of(lanes)
        shared = allocation.rows == "block"
        starts = event.starts
        strong = event.ordering is not None or event.volatile
        kind = READ if event.kind == "load" else WRITE
        scope = -1
        if strong:
            kind, scope = kind + 2, SCOPES[event.scope]
        idx, order = lanes.idx, None
        if event.turns is not None:  # the last at a location is kept as the last
            order = np.argsort(event.turns, kind="stable")
            starts, who, idx = starts[order], who[order], idx[order]
        phases = self.clocks.phases[idx] if self._has_cluster_arrivals else None
        if phases is None or (phases == phases[0]).all():
            phase = 0 if phases is None else int(phases[0])
            self._check_access(event, kind, scope, phase, starts, who, idx, order)
        else:
            for phase in distinct(phases).tolist():
                group = (phases == phase).nonzero()[0]
                positions = group if order is None else order[group]
                self._check_access(event, kind, scope, phase, starts[group], who[group], idx[group], positions)
        if strong:
            if event.kind == "atomic" and not shared:
                self._pairs.publishers[who] = True
            key = (allocation.number - FIRST << 48) + (self._chunks << 32 if shared else 0)
            # A relaxed atomic releases only what a fence released before.
            self.log.partial |= self._has_fences or event.ordering in RELEASES
            # If several exchanges fail in one step, their order against the one that succeeded is unknown.
            sees = event.ordering is not None and (event.kind == "atomic" or event.operation is None)
            ordering, reads = event.ordering or "monotonic", event.operation is None
            self.log.add("atomic", SPACES, event.kind, starts + key, who, ordering, scope, sees, reads)

    def _check_access(
        self,
        event: AccessEvent,
        kind: int,
        scope: int,
        phase: int,
        starts: Integers,
        who: Integers,
        idx: Integers,
        positions: Integers | None = None,
    ) -> None:
        """Check accesses of some lanes of an event against earlier ones, then note them; `phase`: see `Shadow.add`."""
        shadow = self._touched.of(event.allocation, event.size)
        locations = shadow.at(starts, event.size)
        accesses = RaceAccess(event, kind, scope, locations, shadow.unit, who, idx, positions)
        facts = accesses.size, accesses.volatile, accesses.updates
        record = accesses.record = self.records.add(event.site, self.log.time, phase, scope, *facts)
        if kind in (WRITE, ATOMIC_WRITE):
            self._same_values.forget_changed(accesses)
        for other in CONFLICTING[kind]:
            for them, events in shadow.users_of(other, accesses.locations):
                conflicting = ((them != NOBODY) & (them != accesses.who)).nonzero()[0]
                if len(conflicting):
                    self._report_unordered(accesses, other, conflicting, them[conflicting], events[conflicting])
        sharing = shadow.add(kind, phase, accesses.locations, accesses.who, record)
        if len(sharing) and kind in (WRITE, ATOMIC_WRITE):
            self._check_within(accesses, shadow, sharing, phase, record)

    def _report_unordered(
        self, accesses: RaceAccess, other: int, at: Integers, them: Integers, events: Integers
    ) -> None:
        """Add each unordered pair: an access at a position `at`, and an earlier one of kind `other` by `them`."""
        clocks, records, idx = self.clocks, self.records, accesses.idx[at]
        times = records.times[events]
        level = self.shape.level(them, accesses.who[at])
        warp, block = clocks.warp[accesses.space], clocks.block[accesses.space]
        known = np.where(level == 0, warp[idx], np.where(level == 1, block[idx], 0))
        if self._phased:
            known = np.maximum(known, np.where(level <= 1, self._phased.known_times(idx, them % self.shape.block), 0))
        wrong: Booleans = times >= known
        if self._has_cluster_arrivals:
            wrong &= (level > 2) | (records.phases[events] >= clocks.waited[idx])
        strong = other > WRITE and accesses.kind > WRITE
        if strong:
            is_unsafe = np.minimum(records.scopes[events], accesses.scope) < level
            is_unsafe |= records.sizes[events] != accesses.size  # accesses are atomic only to those of the same bytes
            volatile = (accesses.volatile | records.volatile[events]) & ~is_unsafe
            wrong &= is_unsafe if self._has_fences else is_unsafe | volatile
        unordered: Integers = wrong.nonzero()[0]
        # An atomic comes after the write that it reads, and so does all that its thread does next.
        reads_release = other == ATOMIC_WRITE and self._reads_acquire
        if len(unordered) and (self.log.partial or reads_release):
            is_written = ~records.volatile[events[unordered]] if reads_release else np.zeros(len(unordered), bool)
            if self._mbarrier_inits is None:  # few launches need it
                self._mbarrier_inits = mbarrier_inits(self.engine.program)
            sites = [records.sites[event] for event in events[unordered].tolist()]
            is_initial = np.array([site in self._mbarrier_inits for site in sites], bool)
            earlier = accesses.space, them[unordered], times[unordered]
            later = accesses.who[at[unordered]], accesses.event.site
            unordered = unordered[self._happens_before.find_unordered(*earlier, *later, is_written, is_initial)]
        if len(unordered):
            at, level, them = at[unordered], level[unordered], them[unordered]
            is_warning = (level == 0) | volatile[unordered] if strong else level == 0
            severity = np.where(is_warning, WARN, ERROR)
            if other in (WRITE, ATOMIC_WRITE) and accesses.kind == other:
                stores = ~(records.updates[events[unordered]] | accesses.updates)
                severity[stores & accesses.leaves_same(at)] = SAME
            elif READ in (other, accesses.kind):
                severity[self._same_values.both_wrote(accesses, at, them)] = SAME
            self.add_unordered(UnorderedPairs(accesses, other, at, them, events[unordered], level, severity))

    def _check_within(self, accesses: RaceAccess, shadow: Shadow, sharing: Integers, phase: int, record: int) -> None:
        """Add pairs of writes in one event, atomics only if out of scope or volatile; note those of the same value."""
        last = shadow.users[accesses.kind, phase % 3].last
        lasts = (last[accesses.locations] == accesses.who).nonzero()[0]
        lasts = lasts[np.argsort(accesses.locations[lasts], kind="stable")]
        first = lasts[np.searchsorted(accesses.locations[lasts], accesses.locations[sharing])]
        level = self.shape.level(accesses.who[first], accesses.who[sharing])
        severity = np.full(len(sharing), ERROR)
        if accesses.kind == ATOMIC_WRITE:
            is_unsafe = level > accesses.scope
            severity[~is_unsafe] = WARN
            reported = (is_unsafe | accesses.volatile).nonzero()[0]
            sharing, first, level, severity = sharing[reported], first[reported], level[reported], severity[reported]
        if not accesses.updates:
            is_same = accesses.write_same(sharing, first)
            severity[is_same] = SAME
            if is_same.any():
                self.coarsest = max(self.coarsest, accesses.unit)
                self._same_values.add(accesses, np.concatenate((sharing[is_same], first[is_same])))
        if len(sharing):
            them, events = accesses.who[first], np.full(len(sharing), record)
            self.add_unordered(UnorderedPairs(accesses, accesses.kind, sharing, them, events, level, severity))

    def add_unordered(self, pairs: UnorderedPairs) -> None:
        """Add unordered pairs to the findings, and raise `coarsest` to the bytes of their locations."""
        self._pairs.add(pairs)
        self.coarsest = max(self.coarsest, pairs.access.unit)

    def launch_end(self, engine: RunningLaunch) -> None:
        """Report races, and the first access not followed; set `engine.observation.ordered`.

        It is True if the launch finished, only stores of one value race, and `SyncLog.is_order_invariant`.
        """
        self._pairs.report()
        engine.observation.ordered = engine.finished and self._pairs.only_same_values and self.log.is_order_invariant
        if self._happens_before.given_up is not None:
            engine.observation.collector.add("races-not-followed", "information", (self._happens_before.given_up,), ())
