"""Report lanes that miss a barrier or wait elsewhere, masks that name ended lanes, and misuse of clusters.

The core ends launches that cannot go on (a deadlock), and reports masks that name
absent lanes, exchanges with inactive lanes, and a cluster's arrivals and waits
out of turn. This adds misuse after which a launch goes on: a barrier that some lanes of
the block miss because they ended (a warning if the hardware is defined not to wait
for them), skip, or pass at another instruction; a cluster's barrier that not all
use; and shared memory of a peer block that may not have started, or may have ended.

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
    """Report lanes that do not synchronise like the rest of their block or cluster."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Accept the proof: it covers synchronisation."""
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Note the segments after barriers, and whether the target's barriers wait for ended threads."""
        self._after_barriers = engine.program.segments_after_barrier
        self._watched_segments = frozenset[int]().union(*self._after_barriers.values())
        # Barriers of some hardware do not wait for threads that have ended: there, early returns are only bad style.
        living = engine.target.awaits_living
        self._after_return, self._waiting_rule = ("warning", "living") if living else ("error", "all")

    def chunk_begin(self, geometry: Geometry) -> None:
        """Forget the lanes, exits, copies and peers' accesses of the previous chunk."""
        count = geometry.lanes
        # By segment after a barrier, the lanes that ran it.
        self._lanes_after: defaultdict[int, Booleans] = defaultdict(lambda: np.zeros(count, bool))
        self._exits: list[tuple[Site | None, LaneSet]] = []
        # By block, how many ended lanes were reported.
        self._missing_counts: Integers = np.zeros(len(geometry.blocks), np.int64)
        self._cluster_site: Site | None = None
        self._copying: set[int] = set()  # the instructions, by identity
        # By block: how often its lanes must wait at the cluster's barrier before all of them may end.
        self._needed_waits: Integers = np.zeros(len(geometry.blocks), np.int64)
        self._needed_by: dict[int, tuple[Site, LaneSet, Integers, str, str]] = {}

    def segment(self, event: SegmentEvent) -> None:
        """Note the lanes that run a segment after a barrier, unless it is all lanes of the chunk."""
        count = event.lanes.geometry.lanes
        # When all lanes are there, none waits before it.
        if event.number in self._watched_segments and event.lanes.n < count:
            self._lanes_after[event.number][event.lanes.idx] = True

    def barrier(self, event: BarrierEvent) -> None:
        """Report lanes that have ended before a barrier for all lanes, or that wait for it at another instruction."""
        if event.exited.any() and not event.counted:
            self._report_missed(event)
        if len(event.groups) > 1:
            self._report_divergent(event)

    def _report_missed(self, event: BarrierEvent) -> None:
        """Report the lanes that ended before a barrier at which others of their block wait, unless that was reported.

        It is an error if some ended in code after the barrier, or if the target's barriers wait for ended threads; else
        a warning. The second site is that at which the first of them ended.
        """
        site, lanes = event.groups[0]
        # A lane that missed one barrier also misses later ones: that is reported once.
        short = event.rows[event.exited > self._missing_counts[event.rows]]
        if not np.isin(lanes.get("row"), short).any():
            return
        ended = int(event.exited.max())
        np.maximum.at(self._missing_counts, event.rows, event.exited)
        exits = [(end, lanes_ended) for end, lanes_ended in self._exits if np.isin(lanes_ended.get("row"), short).any()]
        sites = [site, *[end for end, _ in exits if end is not None][:1]]
        culprits = union([lanes_ended for _, lanes_ended in exits])
        passed = self._count_ended_after(event, short)
        self.engine.report(
            "missed-barrier.passed" if passed else "missed-barrier.ended",
            "error" if passed else self._after_return,
            tuple(sites),
            culprits,
            np.flatnonzero(np.isin(culprits.get("row"), short)),
            # Lanes leave by a `return`, unless the source has none.
            values={"ended": passed or ended, "waits": self._waiting_rule, "way": "return"},
        )

    def _count_ended_after(self, event: BarrierEvent, blocks: Integers) -> int:
        """Return how many threads have ended in code after the barrier, in the block where they are most.

        `Program.segments_after_barrier` says which segments are after it.
        """
        is_ended: Booleans = ~self.engine.chunk.live.by_block()[blocks]
        is_after = np.zeros_like(is_ended)
        for site, _ in event.groups:
            for number in self._after_barriers[site] & self._lanes_after.keys():
                is_after |= self._lanes_after[number].reshape(-1, is_ended.shape[1])[blocks]
        return int((is_ended & is_after).sum(1).max())

    def _report_divergent(self, event: BarrierEvent) -> None:
        """Report lanes of a block that wait for one barrier at another instruction than the first group does.

        If it is aligned, that is an error within a warp and a warning in other warps of the block; else an information.
        """
        first, lanes = event.groups[0]
        warps = [distinct(group.get("warp")) for _, group in event.groups]
        blocks = [distinct(group.get("row")) for _, group in event.groups]
        for (site, others), other_warps, other_blocks in zip(event.groups[1:], warps[1:], blocks[1:], strict=True):
            if site is first or not np.isin(other_blocks, blocks[0]).any():
                continue
            divided = event.aligned and np.isin(other_warps, warps[0]).any()
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
        """Note lanes that end."""
        self._exits.append((event.site, event.lanes))

    def warp_sync(self, event: WarpEvent) -> None:
        """Report lanes that name ended lanes in their member mask.

        It is an error if the target waits for ended lanes, else a warning.
        """
        is_ended = self.engine.chunk.live.ended_members(event.lanes, event.masks)
        if is_ended is not None:
            positions = np.flatnonzero(is_ended.any(1))
            values = {"absent": tuple(np.flatnonzero(is_ended[positions[0]]).tolist()), "waits": self._waiting_rule}
            self.report(event, "absent-lane.ended", positions, self._after_return, values=values)

    def shuffle(self, event: ShuffleEvent) -> None:
        """Report exchanges of AMD that read zero from an inactive lane."""
        if event.zeroed and len(event.inactive):
            values = {"operation": event.operation}
            self.report(event, "inactive-source.zero", event.inactive, "warning", values=values)

    def copy(self, event: CopyEvent) -> None:
        """Note an instruction that copies asynchronously."""
        self._copying.add(id(event.site))

    def _have_ended(self, blocks: Integers) -> Booleans:
        """Return for each block whether all its lanes have ended."""
        counts = np.zeros(len(self._needed_waits), np.int64)
        for _, lanes in self._exits:
            counts += np.bincount(np.broadcast_to(lanes.get("row"), (lanes.n,)), minlength=len(counts))
        is_ended: Booleans = counts[blocks] == self.engine.geometry.threads
        return is_ended

    def access(self, event: AccessEvent) -> None:
        """Report lanes that access a peer block's shared memory before they ever waited at their cluster's barrier.

        The peer may not have started. Also note how often the peer must wait there before it may end: once more than
        the accessing lane has arrived. Asynchronous copies are noted only if all lanes of the peer have ended already.
        """
        if event.allocation.rows != "block" or self.engine.cluster_size == 1:
            return
        lanes, owners = event.lanes, event.rows
        blocks = lanes.get("row")
        peers = np.flatnonzero(owners != blocks)
        if not len(peers):
            return
        waited = self.engine.chunk.cluster.waited[lanes.idx[peers]]
        early = peers[waited == 0]
        name = event.allocation.name
        if len(early):
            values = {"access": event.kind}
            self.report(event, "peer-not-started", early, argument=name, size=event.size, values=values)
        targets = np.broadcast_to(owners, (lanes.n,))[peers]
        if id(event.site) in self._copying:
            # A copy arrives while its target waits for it, or else at the end.
            late = self._have_ended(targets)
            peers, targets = peers[late], targets[late]
        needed = self.engine.chunk.cluster.arrived[lanes.idx[peers]] + 1
        is_new = needed > self._needed_waits[targets]
        if is_new.any():
            np.maximum.at(self._needed_waits, targets, needed)
            for block in distinct(targets[is_new]).tolist():
                who = peers[targets == block]
                self._needed_by[block] = (event.site, lanes, who, event.kind, name)

    def cluster(self, event: ClusterEvent) -> None:
        """Note an instruction of the cluster's barrier."""
        self._cluster_site = event.site

    def chunk_end(self, geometry: Geometry) -> None:
        """Report blocks of clusters that end too early, and misuse of the cluster's barrier."""
        if self.engine.cluster_size > 1:
            self._report_peers_ended(geometry)
            self._report_cluster_misuse(geometry)

    def _report_peers_ended(self, geometry: Geometry) -> None:
        """Report, once for each block, an access of its shared memory by peers that it may have ended before.

        It may have if none of its lanes waited at the cluster's barrier as often as `access` noted.
        """
        waited = self.engine.chunk.cluster.waited.reshape(len(geometry.blocks), -1).max(1)
        for block in np.flatnonzero(waited < self._needed_waits).tolist():
            site, lanes, who, kind, name = self._needed_by[block]
            self.engine.report("peer-ended", "error", (site,), lanes, who, argument=name, values={"access": kind})

    def _report_cluster_misuse(self, geometry: Geometry) -> None:
        """Report lanes that use their cluster's barrier otherwise than the rest; at most one finding.

        It is an error to arrive, or else to wait, less often than another lane of the cluster. It is a warning if none
        does, but lanes arrived more often than they waited. Nothing is reported if no lane used it.
        """
        engine, site = self.engine, self._cluster_site
        if site is None:
            return
        size = engine.cluster_size * geometry.threads
        for counts, fault in ((engine.chunk.cluster.arrived, "missed"), (engine.chunk.cluster.waited, "unawaited")):
            table = counts.reshape(-1, size)
            is_missing = (table < table.max(1, keepdims=True)).reshape(-1)
            if is_missing.any():
                positions = np.flatnonzero(is_missing)
                engine.report(f"cluster-protocol.{fault}", "error", (site,), engine.chunk.root, positions, key=fault)
                return
        unawaited = np.flatnonzero(engine.chunk.cluster.arrived > engine.chunk.cluster.waited)
        if len(unawaited):
            engine.report("cluster-protocol.end", "warning", (site,), engine.chunk.root, unawaited, key="end")
