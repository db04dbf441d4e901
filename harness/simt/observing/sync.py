"""Misuse of barriers, warps and clusters.

The core stops at what cannot go on (a deadlock), and reports masks that name
absent lanes, exchanges with inactive lanes, and a cluster's arrivals and waits
out of turn. This adds what goes on but must not: a barrier that some lanes of
the block miss because they ended (a warning where hardware is defined not to wait
for them), go around or pass at another instruction, a cluster's barrier that not all
use, and shared memory of a peer block that may not run yet or any more.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions
"""

from collections import defaultdict

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.events import (
    AccessEvent,
    BarrierEvent,
    ClusterEvent,
    CopyEvent,
    ExitEvent,
    SegmentEvent,
    ShuffleEvent,
    WarpEvent,
)
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.state.lanes import Geometry, LaneSet, union

__all__ = ["Sync"]


class Sync(Observer):
    """Reports lanes that do not synchronise as their block or cluster does."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._behind = engine.program.segments_after_barrier
        self._watched = frozenset[int]().union(*self._behind.values())
        # Hardware that waits for no thread which has ended: a barrier after an early return works there, not elsewhere.
        living = engine.target.awaits_living
        self._after_return, self._waits = ("warning", "living") if living else ("error", "all")

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        count = geometry.lanes
        # By segment behind a barrier, the lanes that ran it.
        self._ran: defaultdict[int, Booleans] = defaultdict(lambda: np.zeros(count, bool))
        self._exits: list[tuple[Site | None, LaneSet]] = []
        self._missing: Integers = np.zeros(len(geometry.blocks), np.int64)  # by block, how many were told of
        self._cluster_site: Site | None = None
        self._copying: set[int] = set()  # the instructions, by identity
        # By block: how many waits its lanes owe before all of them may end.
        self._owed: Integers = np.zeros(len(geometry.blocks), np.int64)
        self._owed_at: dict[int, tuple[Site, LaneSet, Integers, str, str]] = {}

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        count = event.lanes.geometry.lanes
        if event.number in self._watched and event.lanes.n < count:  # when all are there, nobody waits before it
            self._ran[event.number][event.lanes.idx] = True

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        if event.exited.any() and not event.counted:
            self._missed(event)
        if len(event.groups) > 1:
            self._several_sites(event)

    def _missed(self, event: BarrierEvent) -> None:
        site, lanes = event.groups[0]
        # Whoever missed one barrier misses those behind it, too: that is told once.
        short = event.rows[event.exited > self._missing[event.rows]]
        if not np.isin(lanes.get("row"), short).any():
            return
        ended = int(event.exited.max())
        np.maximum.at(self._missing, event.rows, event.exited)
        exits = [(end, gone) for end, gone in self._exits if np.isin(gone.get("row"), short).any()]
        sites = [site, *[end for end, _ in exits if end is not None][:1]]
        culprits = union([gone for _, gone in exits])
        passed = self._passed(event, short)
        self.engine.report(
            "missed-barrier.passed" if passed else "missed-barrier.ended",
            "error" if passed else self._after_return,
            tuple(sites),
            culprits,
            np.flatnonzero(np.isin(culprits.get("row"), short)),
            values={"ended": passed or ended, "waits": self._waits, "way": "return"},  # unless the source has none
        )

    def _passed(self, event: BarrierEvent, rows: Integers) -> int:
        """How many threads of a block ended where only those come who pass the barrier, the most of some blocks."""
        gone: Booleans = ~self.engine.chunk.live.by_block()[rows]
        passed = np.zeros_like(gone)
        for site, _ in event.groups:
            for number in self._behind[site] & self._ran.keys():
                passed |= self._ran[number].reshape(-1, gone.shape[1])[rows]
        return int((gone & passed).sum(1).max())

    def _several_sites(self, event: BarrierEvent) -> None:
        """Lanes of a block wait at different instructions and meet."""
        first, lanes = event.groups[0]
        warps = [distinct(group.get("warp")) for _, group in event.groups]
        rows = [distinct(group.get("row")) for _, group in event.groups]
        for (site, others), own_warps, own_rows in zip(event.groups[1:], warps[1:], rows[1:], strict=True):
            if site is first or not np.isin(own_rows, rows[0]).any():
                continue
            divided = event.aligned and np.isin(own_warps, warps[0]).any()
            unit = "warp" if divided else "block"
            severity = "warning" if event.aligned else "information"
            self.engine.report(
                f"divergent-barrier.{unit}",
                "error" if divided else severity,
                (first, site),
                others,
                np.arange(others.n),
                values={"others": lanes.who([0]), "way": "branches"},
            )

    def exit(self, event: ExitEvent) -> None:
        """See `Observer`."""
        self._exits.append((event.site, event.lanes))

    def warp_sync(self, event: WarpEvent) -> None:
        """See `Observer`."""
        ended = self.engine.chunk.live.ended_members(event.lanes, event.masks)
        if ended is not None:
            here = np.flatnonzero(ended.any(1))
            values = {"absent": tuple(np.flatnonzero(ended[here[0]]).tolist()), "waits": self._waits}
            self.report(event, "absent-lane.ended", here, self._after_return, values=values)

    def shuffle(self, event: ShuffleEvent) -> None:
        """Names the AMD exchanges that get zero from an inactive lane."""
        if event.zeroed and len(event.inactive):
            values = {"operation": event.operation}
            self.report(event, "inactive-source.zero", event.inactive, "warning", values=values)

    def copy(self, event: CopyEvent) -> None:
        """See `Observer`."""
        self._copying.add(id(event.site))

    def _ended(self, rows: Integers) -> Booleans:
        """Which blocks have no lanes any more."""
        gone = np.zeros(len(self._owed), np.int64)
        for _, lanes in self._exits:
            gone += np.bincount(np.broadcast_to(lanes.get("row"), (lanes.n,)), minlength=len(gone))
        ended: Booleans = gone[rows] == self.engine.geometry.threads
        return ended

    def access(self, event: AccessEvent) -> None:
        """Watches the shared memory of peer blocks."""
        if event.allocation.rows != "block" or self.engine.cluster_size == 1:
            return
        lanes, rows = event.lanes, event.rows
        own = lanes.get("row")
        peers = np.flatnonzero(rows != own)
        if not len(peers):
            return
        waited = self.engine.chunk.cluster.waited[lanes.idx[peers]]
        early = peers[waited == 0]
        name = event.allocation.name
        if len(early):
            values = {"access": event.kind}
            self.report(event, "peer-not-started", early, argument=name, size=event.size, values=values)
        targets = np.broadcast_to(rows, (lanes.n,))[peers]
        if id(event.site) in self._copying:
            # It arrives while its target waits for it, or else in the end.
            late = self._ended(targets)
            peers, targets = peers[late], targets[late]
        owed = self.engine.chunk.cluster.arrived[lanes.idx[peers]] + 1
        more = owed > self._owed[targets]
        if more.any():
            np.maximum.at(self._owed, targets, owed)
            for row in distinct(targets[more]).tolist():
                who = peers[targets == row]
                self._owed_at[row] = (event.site, lanes, who, event.kind, name)

    def cluster(self, event: ClusterEvent) -> None:
        """See `Observer`."""
        self._cluster_site = event.site

    def chunk_end(self, geometry: Geometry) -> None:
        """See `Observer`."""
        if self.engine.cluster_size > 1:
            self._peers_that_end(geometry)
            self._cluster_missed(geometry)

    def _peers_that_end(self, geometry: Geometry) -> None:
        waited = self.engine.chunk.cluster.waited.reshape(len(geometry.blocks), -1).max(1)
        for row in np.flatnonzero(waited < self._owed).tolist():
            site, lanes, who, kind, name = self._owed_at[row]
            self.engine.report("peer-ended", "error", (site,), lanes, who, argument=name, values={"access": kind})

    def _cluster_missed(self, geometry: Geometry) -> None:
        engine, site = self.engine, self._cluster_site
        if site is None:
            return
        size = engine.cluster_size * geometry.threads
        for counts, fault in ((engine.chunk.cluster.arrived, "missed"), (engine.chunk.cluster.waited, "unawaited")):
            table = counts.reshape(-1, size)
            short = (table < table.max(1, keepdims=True)).reshape(-1)
            if short.any():
                here = np.flatnonzero(short)
                engine.report(f"cluster-protocol.{fault}", "error", (site,), engine.chunk.root, here, key=fault)
                return
        alone = np.flatnonzero(engine.chunk.cluster.arrived > engine.chunk.cluster.waited)
        if len(alone):
            engine.report("cluster-protocol.end", "warning", (site,), engine.chunk.root, alone, key="end")
