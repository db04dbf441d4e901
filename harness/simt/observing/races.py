"""Accesses of one place by different threads that nothing orders.

Ordered are accesses of one thread, and those that barriers, warp syncs, cluster
barriers, fences and atomics order; shuffles order nothing. A finding is one for
each pair of places in the source, the earlier first, and `who` has the threads in pairs:

    race, error: of different warps, or of one instruction with different values.
    race, warning: of one warp without a sync in between, or of volatile accesses.
    several-writers, information: all writers write the same value; so is a read by one
        of them, which sees that value whoever comes first. A read by another thread is
        a race: it may come before all of them.

Volatile accesses order nothing. In a launch that fences they count as atomics, since flags
are written so; else a race of theirs is a warning.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#memory-consistency-model
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.events import AccessEvent, BarrierEvent, ClusterEvent, FenceEvent, PhaseEvent, WarpEvent
from harness.simt.ir.opcodes import RELEASES
from harness.simt.ir.site import Site
from harness.simt.ir.values import FIRST, SHIFT
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.observing.places import NOBODY, Touched
from harness.simt.observing.race_clocks import COPY, SCOPES, SPACES, Clocks, PhaseClocks
from harness.simt.observing.race_order import Log, Reaches, beginnings
from harness.simt.observing.race_pairs import ERROR, SAME, WARN, Pairs, Unordered
from harness.simt.observing.race_shadow import ATOMIC_READ, ATOMIC_WRITE, READ, WRITE, Records, Shadow, Shape
from harness.simt.observing.race_touch import Agreement, Touch
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["Races"]

AGAINST = {
    READ: (WRITE, ATOMIC_WRITE),
    WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
    ATOMIC_READ: (WRITE, ATOMIC_WRITE),
    ATOMIC_WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
}
# Where what an atomic finds is ordered before all that its thread does next, without a release or an acquire:
# https://docs.nvidia.com/cuda/parallel-thread-execution/#causality-order
OBSERVING = ("nvidia",)


class Races(Observer):
    """Reports pairs of accesses that race."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        engine.observation.ordered = not proof.atomics
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        blocks, threads = int(np.prod(engine.grid)), int(np.prod(engine.block))
        size = engine.cluster_size
        self.shape = shape = Shape(engine.target.warp, threads, size, blocks)
        self.records, self.log = Records(), Log()
        self._mark = object()  # what sets of lanes keep for this launch alone, and without a way back to it
        self._blocks: Integers = np.zeros(blocks, np.int64)
        self._pairs = Pairs(engine, self.shape, self.records, self._blocks)
        self._touched = Touched(lambda allocation, unit: Shadow(shape, len(allocation.data), unit))
        self._agreement = Agreement(self.shape)
        self._chunks = self._ranked = self.coarsest = 0
        self._split = self._fenced = False
        self._observing = engine.target.vendor in OBSERVING
        self._reaches = Reaches(self.shape, self.log, engine.check_time, self._observing)
        self._begin: set[Site] | None = None

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        count = len(geometry.blocks)
        ranks = np.arange(self._ranked, self._ranked + count)
        self._blocks[ranks] = geometry.blocks
        numbers = ranks[:, None] * self.shape.block + np.arange(geometry.threads)
        self._numbers: Integers = numbers.astype(np.int32).reshape(-1)
        self._ranked += count
        self._chunks += 1
        self._touched.chunk_begin()
        self.clocks = Clocks(geometry.lanes)
        self._phased: PhaseClocks | None = None

    def _who(self, lanes: LaneSet) -> Integers:
        return lanes.kept(self._mark, lambda: self._numbers if lanes is lanes.root else self._numbers[lanes.idx])

    # What orders.

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        sets = [lanes for _, lanes in event.groups]
        idx = np.concatenate([lanes.idx for lanes in sets]) if len(sets) > 1 else sets[0].idx
        who = self._numbers[idx]  # what others did before they arrived is told as of a phase
        threads, size = self.shape.threads, self.shape.block
        # Who has ended counts as having come, but not where threads are counted.
        ended = 0 if event.counted else int(event.exited.sum())
        whole = len(who) + ended == threads * len(event.rows)
        kind = "meet" if event.memory else "unfenced"
        spaces = event.memory or SPACES
        time = self.log.add(kind, spaces, who, who // size, who, who // size)
        self._between(idx)
        if not whole:
            self.log.partial = True
            return
        for space in spaces:
            if event.memory:
                self.clocks.meet_block(space, idx, time)
            elif not self.clocks.meet_unfenced(space, idx, idx // threads, len(self._numbers) // threads):
                self.log.partial = True

    def _between(self, idx: Integers) -> None:
        """Who meets others after arriving at its cluster's barrier needs the log."""
        if self._split and (self.clocks.phases[idx] > self.clocks.waited[idx]).any():
            self.log.partial = True

    def warp_sync(self, event: WarpEvent) -> None:
        """See `Observer`."""
        lanes, who = event.lanes, self._who(event.lanes)
        geometry, masks = lanes.geometry, event.masks
        warp = lanes.get("warp")
        live = geometry.value("warp")[self.engine.chunk.live.mask]
        count = geometry.all_warps
        whole = len(masks) == 1 or (masks == masks[0]).all()
        if whole and lanes.n != self.engine.chunk.live.count:
            here = np.bincount(warp, minlength=count)
            whole = bool((here == np.bincount(live, minlength=count))[warp].all())
        # A warp may come in parts, with a mask for each.
        group = np.broadcast_to(masks, (lanes.n,)).astype(np.int64) & 0xFFFFFFFF
        group = np.unique(warp * (1 << 32) + group, return_inverse=True)[1]
        time = self.log.add("meet", event.memory, who, group, who, group)
        self._between(lanes.idx)
        if not whole:
            self.log.partial = True
            return
        for space in event.memory:
            self.clocks.warp[space][lanes.idx] = time

    def cluster(self, event: ClusterEvent) -> None:
        """See `Observer`."""
        who, idx = self._who(event.lanes), event.lanes.idx
        clusters, phases = who // self.shape.cluster, np.array(event.phases)
        self._split = True
        self.log.partial |= event.order == "relaxed"
        if event.kind == "arrive":
            release = event.order != "relaxed"
            self.log.add("arrive", SPACES, who, clusters, phases, release)
            self.clocks.arrive(idx, clusters, phases, not release)
        elif event.order == "acquire":
            self.log.add("wait", SPACES, who, clusters, phases)
            self.clocks.wait(idx, clusters, phases)

    def fence(self, event: FenceEvent) -> None:
        """See `Observer`."""
        scope = SCOPES[event.scope]
        self._fenced |= event.ordering in RELEASES
        who = self._who(event.lanes)
        time = self.log.add("fence", event.spaces, who, event.ordering, scope)
        if scope >= 1:
            for space in event.spaces:
                self.clocks.fence(space, event.lanes.idx, event.ordering, time)

    def phase(self, event: PhaseEvent) -> None:
        """See `Observer`."""
        self.log.partial = self._pairs.phased = True
        # Barriers of different chunks have the same numbers: 15 bits, and places in 33 bits of a chunk's shared memory.
        at = event.places & (1 << 33) - 1
        places = (event.places >> SHIFT << 33) + at + (self._chunks << 48)
        who, scope = self._who(event.lanes), SCOPES[event.scope]
        time = self.log.add(f"phase_{event.kind}", SPACES, places, event.phases, who, event.strong, scope)
        self._phased = self._phased or PhaseClocks(len(self._numbers), self.shape.threads)
        if event.strong and 1 <= scope < COPY:
            if event.kind == "arrive":
                self._phased.arrive(event.lanes.idx, places, event.phases, time)
            else:
                self._phased.wait(event.lanes.idx, places, event.phases)

    # What is ordered.

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        allocation, lanes = event.allocation, event.lanes
        if allocation.rows == "lane" or not allocation.writable or not lanes.n:
            return
        who = self._who(lanes)
        shared = allocation.rows == "block"
        starts = event.starts
        strong = event.ordering is not None or event.volatile
        kind = READ if event.kind == "load" else WRITE
        scope = -1
        if strong:
            kind, scope = kind + 2, SCOPES[event.scope]
        idx, order = lanes.idx, None
        if event.turns is not None:  # who comes last at a place is kept as the last
            order = np.argsort(event.turns, kind="stable")
            starts, who, idx = starts[order], who[order], idx[order]
        phases = self.clocks.phases[idx] if self._split else None
        if phases is None or (phases == phases[0]).all():
            phase = 0 if phases is None else int(phases[0])
            self._touch(event, kind, scope, phase, starts, who, idx, order)
        else:
            for phase in distinct(phases).tolist():
                here = (phases == phase).nonzero()[0]
                positions = here if order is None else order[here]
                self._touch(event, kind, scope, phase, starts[here], who[here], idx[here], positions)
        if strong:
            if event.kind == "atomic" and not shared:
                self._pairs.publishers[who] = True
            key = (allocation.number - FIRST << 48) + (self._chunks << 32 if shared else 0)
            # A relaxed atomic publishes only what a fence released before.
            self.log.partial |= self._fenced or event.ordering in RELEASES
            # Of those that fail to exchange in one step it is not told who came before the one that did not.
            finds = event.ordering is not None and (event.kind == "atomic" or event.operation is None)
            ordering, reads = event.ordering or "monotonic", event.operation is None
            self.log.add("atomic", SPACES, event.kind, starts + key, who, ordering, scope, finds, reads)

    def _touch(
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
        shadow = self._touched.of(event.allocation, event.size)
        cells = shadow.at(starts, event.size)
        touch = Touch(event, kind, scope, cells, shadow.unit, who, idx, positions)
        record = touch.record = self.records.add(
            event.site, self.log.time, phase, scope, touch.size, touch.volatile, touch.updates
        )
        if kind in (WRITE, ATOMIC_WRITE):
            self._agreement.written(touch)
        for other in AGAINST[kind]:
            for them, events in shadow.kept(other, touch.cells):
                at = ((them != NOBODY) & (them != touch.who)).nonzero()[0]
                if len(at):
                    self._compare(touch, other, at, them[at], events[at])
        more = shadow.add(kind, phase, touch.cells, touch.who, record)
        if len(more) and kind in (WRITE, ATOMIC_WRITE):
            self._within(touch, shadow, more, phase, record)

    def _compare(self, touch: Touch, other: int, at: Integers, them: Integers, events: Integers) -> None:
        """Tells of those among earlier accesses that are not ordered."""
        clocks, records, idx = self.clocks, self.records, touch.idx[at]
        times = records.times[events]
        level = self.shape.level(them, touch.who[at])
        known = np.where(
            level == 0, clocks.warp[touch.space][idx], np.where(level == 1, clocks.block[touch.space][idx], 0)
        )
        if self._phased:
            known = np.maximum(known, np.where(level <= 1, self._phased.of(idx, them % self.shape.block), 0))
        wrong: Booleans = times >= known
        if self._split:
            wrong &= (level > 2) | (records.phases[events] >= clocks.waited[idx])
        strong = other > WRITE and touch.kind > WRITE
        if strong:
            apart = np.minimum(records.scopes[events], touch.scope) < level
            apart |= records.sizes[events] != touch.size  # only those of the very same bytes are atomic to each other
            volatile = (touch.volatile | records.volatile[events]) & ~apart
            wrong &= apart if self._fenced else apart | volatile
        bad: Integers = wrong.nonzero()[0]
        # What an atomic found there it comes after, and so does all that its thread does next.
        seen = other == ATOMIC_WRITE and self._observing
        if len(bad) and (self.log.partial or seen):
            written = ~records.volatile[events[bad]] if seen else np.zeros(len(bad), bool)
            if self._begin is None:  # few launches ask
                self._begin = beginnings(self.engine.program)
            begun = np.array([records.sites[event] in self._begin for event in events[bad].tolist()], bool)
            who, site = touch.who[at[bad]], touch.event.site
            bad = bad[self._reaches.unreached(touch.space, them[bad], times[bad], who, site, written, begun)]
        if len(bad):
            at, level, them = at[bad], level[bad], them[bad]
            weak = (level == 0) | volatile[bad] if strong else level == 0
            severity = np.where(weak, WARN, ERROR)
            if other in (WRITE, ATOMIC_WRITE) and touch.kind == other:
                stores = ~(records.updates[events[bad]] | touch.updates)
                severity[stores & touch.same_as_memory(at)] = SAME
            elif READ in (other, touch.kind):
                severity[self._agreement.readers(touch, at, them)] = SAME
            self.tell(Unordered(touch, other, at, them, events[bad], level, severity))

    def _within(self, touch: Touch, shadow: Shadow, more: Integers, phase: int, record: int) -> None:
        """Several threads write one place in one step."""
        last = shadow.users[touch.kind, phase % 3].last
        kept = (last[touch.cells] == touch.who).nonzero()[0]
        kept = kept[np.argsort(touch.cells[kept], kind="stable")]
        first = kept[np.searchsorted(touch.cells[kept], touch.cells[more])]
        level = self.shape.level(touch.who[first], touch.who[more])
        severity = np.full(len(more), ERROR)
        if touch.kind == ATOMIC_WRITE:
            apart = level > touch.scope
            severity[~apart] = WARN
            keep = (apart | touch.volatile).nonzero()[0]
            more, first, level, severity = more[keep], first[keep], level[keep], severity[keep]
        if not touch.updates:
            same = touch.same(more, first)
            severity[same] = SAME
            if same.any():
                self.coarsest = max(self.coarsest, touch.unit)
                self._agreement.add(touch, np.concatenate((more[same], first[same])))
        if len(more):
            events = np.full(len(more), record)
            self.tell(Unordered(touch, touch.kind, more, touch.who[first], events, level, severity))

    def tell(self, found: Unordered) -> None:
        """Gathers what nothing orders."""
        self._pairs.add(found)
        self.coarsest = max(self.coarsest, found.touch.unit)

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._pairs.report()
        engine.observation.ordered = engine.finished and self._pairs.agree and self.log.settled
        if self._reaches.given_up is not None:
            engine.observation.collector.add("races-not-followed", "information", (self._reaches.given_up,), ())
