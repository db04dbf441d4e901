"""Accesses of one place by different threads that nothing orders.

Ordered are accesses of one thread, and those that barriers, warp syncs, cluster
barriers, fences and atomics order; shuffles order nothing. A finding is one for
each pair of instructions, the earlier first, and `who` has the threads in pairs:

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

from harness.simt.observe import Observer
from harness.simt.observing.race_agreement import Agreement
from harness.simt.observing.race_order import RELEASES, SCOPES, SPACES, Clocks, Log, Reach
from harness.simt.observing.race_pairs import ERROR, SAME, WARN, Pairs, Touch
from harness.simt.observing.race_shadow import ATOMIC_READ, ATOMIC_WRITE, NOBODY, READ, WRITE, Records, Shadow, Shape

__all__ = ["Races"]

REACHES = 64  # accesses of one event that are followed through the log
REACH_BYTES = 1 << 26
FOLLOWED = 50_000  # entries of the log, in all
AGAINST = {
    READ: (WRITE, ATOMIC_WRITE),
    WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
    ATOMIC_READ: (WRITE, ATOMIC_WRITE),
    ATOMIC_WRITE: (READ, WRITE, ATOMIC_READ, ATOMIC_WRITE),
}


class Races(Observer):
    """Reports pairs of accesses that race."""

    def launch_begin(self, engine):
        """See `Observer`."""
        self.engine = engine
        blocks, threads = int(np.prod(engine.grid)), int(np.prod(engine.block))
        size = engine.cluster_size
        self.shape = Shape(engine.target.warp, threads, size, blocks)
        self.records, self.log = Records(), Log()
        self._blocks = np.zeros(blocks, np.int64)
        self._pairs = Pairs(engine, self.shape, self._blocks)
        self._global, self._reaches = {}, {}
        self._agreement = Agreement(self.shape)
        self._chunks, self._ranked = 0, 0
        self._split = self._fenced = False
        self._followed, self._given_up = 0, None

    def chunk_begin(self, geometry):
        """See `Observer`."""
        count = len(geometry.blocks)
        ranks = np.arange(self._ranked, self._ranked + count)
        self._blocks[ranks] = geometry.blocks
        numbers = ranks[:, None] * self.shape.block + np.arange(geometry.threads)
        self._numbers = numbers.astype(np.int32).reshape(-1)
        self._ranked += count
        self._chunks += 1
        self._shared = {}
        self.clocks = Clocks(geometry.lanes)

    def _who(self, lanes):
        found = lanes.cache.get(self)
        if found is None:
            found = self._numbers if lanes.parent is None else self._numbers[lanes.idx]
            lanes.cache[self] = found
        return found

    # What orders.

    def barrier(self, event):
        """See `Observer`."""
        sets = [lanes for _, lanes in event.groups]
        idx = np.concatenate([lanes.idx for lanes in sets]) if len(sets) > 1 else sets[0].idx
        takers = self._numbers[idx]
        givers = takers
        if event.arrived is not None:
            givers = np.concatenate((takers, self._who(event.arrived)))
        threads, size = self.shape.threads, self.shape.block
        # Who has ended counts as having come, but not where threads are counted.
        ended = 0 if event.counted else int(event.exited.sum())
        whole = len(givers) + ended == threads * len(event.rows)
        kind = "meet" if event.memory else "unfenced"
        spaces = event.memory or SPACES
        time = self.log.add(kind, spaces, givers, givers // size, takers, takers // size)
        self._between(idx)
        if not whole:
            self.log.partial = True
            return
        for space in spaces:
            if event.memory:
                self.clocks.meet_block(space, idx, time)
            else:
                self.clocks.meet_unfenced(space, idx, idx // threads, len(self._numbers) // threads)

    def _between(self, idx):
        """Who meets others after arriving at its cluster's barrier needs the log."""
        if self._split and (self.clocks.phases[idx] > self.clocks.waited[idx]).any():
            self.log.partial = True

    def warp_sync(self, event):
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

    def cluster(self, event):
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

    def fence(self, event):
        """See `Observer`."""
        scope = SCOPES[event.scope]
        self._fenced |= event.ordering in RELEASES
        who = self._who(event.lanes)
        time = self.log.add("fence", event.spaces, who, event.ordering, scope)
        if scope >= 1:
            for space in event.spaces:
                self.clocks.fence(space, event.lanes.idx, event.ordering, time)

    # What is ordered.

    def access(self, event):
        """See `Observer`."""
        allocation, lanes = event.allocation, event.lanes
        if allocation.rows == "lane" or not allocation.writable or not lanes.n:
            return
        who = self._who(lanes)
        shared = allocation.rows == "block"
        starts = event.offsets + event.rows * allocation.stride if shared else event.offsets
        if len(starts) != lanes.n:
            starts = np.repeat(starts, lanes.n)
        strong = event.ordering is not None or event.volatile
        kind = READ if event.kind == "load" else WRITE
        scope = -1
        if strong:
            kind, scope = kind + 2, SCOPES[event.scope]
        phases = self.clocks.phases[lanes.idx] if self._split else None
        if phases is None or (phases == phases[0]).all():
            phase = 0 if phases is None else int(phases[0])
            self._touch(event, kind, scope, phase, starts, who, lanes.idx)
        else:
            for phase in np.unique(phases).tolist():
                here = np.flatnonzero(phases == phase)
                self._touch(event, kind, scope, phase, starts[here], who[here], lanes.idx[here], here)
        if strong:
            key = (allocation.number << 48) + (self._chunks << 32 if shared else 0)
            # A relaxed atomic publishes only what a fence released before.
            self.log.partial |= self._fenced or event.ordering in RELEASES
            self.log.add("atomic", SPACES, event.kind, starts + key, who, event.ordering or "monotonic", scope)

    def _touch(self, event, kind, scope, phase, starts, who, idx, positions=None):
        shadow = self._shadow(event.allocation, event.size)
        cells = shadow.places(starts, event.size)
        parts = cells.shape[1]
        one = Touch(event, kind, scope, cells.reshape(-1), shadow.unit, parts, positions)
        one.who, one.idx = who, idx
        if parts > 1:
            one.who, one.idx = np.repeat(who, parts), np.repeat(idx, parts)
        one.volatile = event.volatile and event.ordering is None
        record = one.record = self.records.add(event.site, self.log.time, phase, scope, one.volatile)
        if kind in (WRITE, ATOMIC_WRITE):
            self._agreement.written(one)
        for other in AGAINST[kind]:
            for them, events in shadow.kept(other, one.cells):
                at = np.flatnonzero((them != NOBODY) & (them != one.who))
                if len(at):
                    self._compare(one, other, at, them[at], events[at])
        more = shadow.add(kind, phase, one.cells, one.who, record)
        if len(more) and kind in (WRITE, ATOMIC_WRITE):
            self._within(one, shadow, more, phase, record)

    def _shadow(self, allocation, unit):
        table = self._shared if allocation.rows == "block" else self._global
        found = table.get(allocation.number)
        if found is None:
            size = len(allocation.data)
            found = table[allocation.number] = Shadow(self.shape, size, unit)
        return found

    def _compare(self, one, other, at, them, events):
        """Tells of those among earlier accesses that are not ordered."""
        clocks, records, idx = self.clocks, self.records, one.idx[at]
        times = records.times[events]
        level = self.shape.level(them, one.who[at])
        known = np.where(level == 0, clocks.warp[one.space][idx], np.where(level == 1, clocks.block[one.space][idx], 0))
        bad = times >= known
        if self._split:
            bad &= (level > 2) | (records.phases[events] >= clocks.waited[idx])
        strong = other > WRITE and one.kind > WRITE
        if strong:
            apart = np.minimum(records.scopes[events], one.scope) < level
            volatile = (one.volatile | records.volatile[events]) & ~apart
            bad &= apart if self._fenced else apart | volatile
        bad = np.flatnonzero(bad)
        if len(bad) and self.log.partial:
            bad = bad[self._unreached(one, them[bad], times[bad], one.who[at[bad]])]
        if len(bad):
            at, level, them = at[bad], level[bad], them[bad]
            weak = (level == 0) | volatile[bad] if strong else level == 0
            severity = np.where(weak, WARN, ERROR)
            if other in (WRITE, ATOMIC_WRITE) and one.kind == other:
                severity[one.same_as_memory(at)] = SAME
            elif READ in (other, one.kind):
                severity[self._agreement.readers(one, at, them)] = SAME
            self.tell(one, other, at, them, events[bad], level, severity)

    def _unreached(self, one, them, times, who):
        """Which pairs the log does not order either."""
        keys, inverse = np.unique(np.stack((them, times), 1), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        bad = np.zeros(len(who), bool)
        for number, (first, time) in enumerate(keys[:REACHES].tolist()):
            key = one.space, first, time
            reach = self._reaches.get(key)
            if reach is None:
                if len(self._reaches) >= min(REACHES, 1 + REACH_BYTES // (3 * self.shape.total)):
                    self._reaches.clear()
                reach = self._reaches[key] = Reach(self.shape, *key)
            self._followed += self.log.time - reach.at
            if self._followed > FOLLOWED:
                self._given_up = self._given_up or one.event.site
                break
            reach.advance(self.log)
            here = inverse == number
            bad[here] = ~reach.known[who[here]]
        return bad

    def _within(self, one, shadow, more, phase, record):
        """Several threads write one place in one step."""
        last = shadow.users[one.kind, phase % 3].last
        kept = np.flatnonzero(last[one.cells] == one.who)
        kept = kept[np.argsort(one.cells[kept], kind="stable")]
        first = kept[np.searchsorted(one.cells[kept], one.cells[more])]
        level = self.shape.level(one.who[first], one.who[more])
        severity = np.full(len(more), ERROR)
        if one.kind == ATOMIC_WRITE:
            apart = level > one.scope
            severity[~apart] = WARN
            keep = np.flatnonzero(apart | one.volatile)
            more, first, level, severity = more[keep], first[keep], level[keep], severity[keep]
        if one.kind == WRITE or one.volatile:
            same = one.same(more, first)
            severity[same] = SAME
            if same.any():
                self._agreement.add(one, np.concatenate((more[same], first[same])))
        if len(more):
            events = np.full(len(more), record)
            self.tell(one, one.kind, more, one.who[first], events, level, severity)

    # What is told.

    def tell(self, one, other, at, them, events, level, severity):
        """Gathers unordered pairs: `at` of an access and earlier ones.

        Args:
            other: The kind of the earlier accesses.
            them, events: Their threads and records.
            level, severity: For each pair.
        """
        for event in np.unique(events).tolist():
            here = np.flatnonzero(events == event)
            here = here[np.argsort(-severity[here], kind="stable")]
            self._pairs.add(
                one,
                other,
                at[here],
                them[here],
                self.records.sites[event],
                int(level[here].max()),
                int(severity[here[0]]),
                bool(self.records.volatile[event]),
            )

    def launch_end(self, engine):
        """See `Observer`."""
        self._pairs.report()
        if self._given_up is not None:
            engine.observation.collector.add("races-not-followed", "information", (self._given_up,), ())
