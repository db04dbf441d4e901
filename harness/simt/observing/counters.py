"""The observer `Counters`: instructions, loads, stores, barriers, shuffles, bank conflicts, coalescing, branches.

`Counters` gathers them while lanes run; `DataflowCounters` has those that are derived
from which thread and block accessed which element. An element is as wide as the
narrowest access to its buffer. Only accesses to global and shared memory are counted,
not those to parameters and constants.

For each kernel, all threads together: `instructions`, `global_loads`,
`global_stores`, `shared_loads`, `shared_stores` (elements; an atomic is both),
the same with `_bytes`, `shuffles`, `barriers`, `cluster_barriers` (once for each
thread), `divergent_branches` (once for each warp that a branch divides),
`bank_conflicts` (passes over shared memory beyond the minimum) and
`global_transactions` (32-byte sectors that a warp touches), both access by access, as
`harness.simt.traffic` defines them, and `coalescing` (bytes requested / bytes of these
sectors; above 1 when lanes share an element).
`..._per_thread`: the most that one thread did.
"""

from collections.abc import Collection

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import AccessEvent, BarrierEvent, BranchEvent, SegmentEvent, ShuffleEvent
from harness.simt.findings import Counts
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.observing.counted import BY_THREAD, TOTALS
from harness.simt.observing.dataflow_counters import DataflowCounters, count_elements
from harness.simt.observing.requests import count_divided_warps, group_by_pass
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.traffic import SECTOR, count_conflicts, count_units, first_byte_keys, split_access

__all__ = ["Counters"]


class _PerThread:
    """A count for each thread of a chunk; what all threads add is stored as one number."""

    def __init__(self, threads: int) -> None:
        self.all = 0
        self.own: Integers = np.zeros(threads, np.int64)

    def add(self, lanes: LaneSet, amount: int) -> None:
        """Add to the count of each lane."""
        if lanes is lanes.root:
            self.all += amount
        else:
            self.own[lanes.idx] += amount


# By counter, the notes of compiled code that it needs; see `harness.simt.native.sanitize.counting`.
NOTES_BY_COUNTER = {
    "shared_bytes_per_block": (),
    "reads_per_input_element": ("elements",),
    "writes_per_output_element": ("elements",),
    "bank_conflicts": ("ways",),
    **dict.fromkeys(("shared_loads", "shared_stores", "shared_load_bytes", "shared_store_bytes"), ("ways",)),
    "coalescing": ("global",),
    "global_transactions": ("global",),
    **dict.fromkeys(("global_loads", "global_stores", "global_load_bytes", "global_store_bytes"), ("global",)),
}


class Counters(Observer):
    """Put counters into the launch's `counters`.

    Args:
        names: The counters that are needed; None for all.
        more: Whether to count all others too, unless the compiled engine cannot count them and the interpreter takes
            long.
    """

    def __init__(self, names: Collection[str] | None = None, *, more: bool = False) -> None:
        self.names, self.more = names, more

    def notes(self) -> frozenset[str] | None:
        """Return which notes of compiled code the counters need: any of `elements`, `global` and `ways`, never None.

        All three are needed for all counters (no `names`, or `more`), and for names that are not in `NOTES_BY_COUNTER`.
        """
        if self.names is None or self.more or not NOTES_BY_COUNTER.keys() >= set(self.names):
            return frozenset({"elements", "global", "ways"})
        return frozenset(note for name in self.names for note in NOTES_BY_COUNTER[name])

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Put the counters from a proof into `engine.observation.counters`, in place of events; return True always.

        If some blocks are still to run, since the proof is partial or they represent others, nothing is taken yet: the
        hooks add the events of these blocks to the proof. If the proof counted everything (`most`), the counters are
        those of `launch_end` with this proof; else those in `names`, which may not be None then.
        """
        if proof.partial or proof.like:
            return True  # to what is counted of a part the other blocks add theirs
        if proof.most:
            engine.proof = proof
            self.launch_begin(engine)
            self.launch_end(engine)
            engine.proof = None
            return True
        assert self.names is not None  # else some stand for all
        self.totals = dict(proof.totals)
        counted = {"coalescing": self._coalescing(), **self.totals, **count_elements(engine, proof.touched)}
        engine.observation.counters.update({name: counted[name] for name in self.names})
        return True

    def _coalescing(self) -> float | None:
        """Return bytes requested / bytes of the sectors moved, to four digits, or None if no sector was moved.

        The bytes requested are removed from the totals.
        """
        requested, moved = self.totals.pop("global_asked", 0), SECTOR * self.totals.get("global_transactions", 0)
        return round(requested / moved, 4) if moved else None

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Start with zeros, or with what the proof counted of the blocks that do not run."""
        self.totals = dict.fromkeys((*BY_THREAD, "cluster_barriers", *TOTALS, "global_asked"), 0)
        self.totals |= engine.proof.totals if engine.proof is not None else {}
        self.most = dict.fromkeys((*BY_THREAD, "cluster_barriers"), 0)
        if engine.proof is not None:
            self.most |= {name: most for name, most in engine.proof.most.items() if name in self.most}
        self.dataflow = DataflowCounters(engine)

    def chunk_begin(self, geometry: Geometry) -> None:
        """Start the counts of the chunk's threads and of its dataflow.

        Note the totals so far, and how many blocks the chunk's first block represents by the proof; else 0.
        """
        self._by_thread = {name: _PerThread(geometry.lanes) for name in BY_THREAD}
        proof = self.engine.proof
        self._represented = proof.like.get(int(geometry.blocks[0]), 0) if proof is not None else 0
        self.dataflow.chunk_begin(geometry, counted=self._represented > 0)
        self._before = dict(self.totals)

    def chunk_end(self, geometry: Geometry) -> None:
        """Add the counts of the chunk's threads and cluster barriers to the totals; raise the maxima of one thread.

        If the chunk's block represents several, all that the chunk added to the totals counts once for each of these;
        the counters of global memory are set back, since the proof has them.
        """
        for name, count in self._by_thread.items():
            self.most[name] = max(self.most[name], count.all + int(count.own.max()))
            self.totals[name] += count.all * geometry.lanes + int(count.own.sum())
        waits = self.engine.chunk.cluster.waited
        self.totals["cluster_barriers"] += int(waits.sum())
        self.most["cluster_barriers"] = max(self.most["cluster_barriers"], int(waits.max()))
        self.dataflow.chunk_end()
        for name, before in self._before.items() if self._represented else ():  # what is global was counted of each
            self.totals[name] = before + (self.totals[name] - before) * self._represented * (
                not name.startswith("global_")
            )

    def segment(self, event: SegmentEvent) -> None:
        """Count the instructions of a segment, its terminator too, for each lane that runs it."""
        # The branch at the end is an instruction too.
        self._by_thread["instructions"].add(event.lanes, len(event.ops) + 1)

    def access(self, event: AccessEvent) -> None:
        """Count an access to global or shared memory: elements, bytes, sectors of global memory, bank conflicts.

        An atomic counts as a load and a store. The access is also passed to `dataflow`. Other address spaces are
        ignored.
        """
        space = event.allocation.space
        if space not in ("global", "shared"):
            return
        lanes, atomic, elements = event.lanes, event.kind == "atomic", event.elements
        for kind in ("load", "store") if atomic else (event.kind,):
            self._by_thread[f"{space}_{kind}s"].add(lanes, elements)
            self.totals[f"{space}_{kind}_bytes"] += lanes.n * event.size
        if space == "global":
            self.totals["global_asked"] += lanes.n * event.size
        bytes_each, first_bytes = split_access(event.size, elements, event.site.align, self.engine.target.vendor)
        for offsets in (event.offsets + first if first else event.offsets for first in first_bytes):
            if space == "global":
                first, times = first_byte_keys(lanes.get("warp"), offsets)
                self.totals["global_transactions"] += times * count_units(first, bytes_each, SECTOR)
            elif len(offsets) > 1 or atomic:
                groups, _ = group_by_pass(lanes, bytes_each)
                self.totals["bank_conflicts"] += count_conflicts(groups, offsets, bytes_each, atomic=atomic)
        self.dataflow.access(event, max(1, event.size // elements))

    def shuffle(self, event: ShuffleEvent) -> None:
        """Count an exchange, once for each lane, unless each lane reads from all (votes, reductions)."""
        if event.sources is not None:
            self._by_thread["shuffles"].add(event.lanes, 1)

    def barrier(self, event: BarrierEvent) -> None:
        """Count a barrier of blocks, once for each lane that waits, and end the barrier interval in `dataflow`."""
        for _, lanes in event.groups:
            self._by_thread["barriers"].add(lanes, 1)
        self.dataflow.barrier(event)

    def branch(self, event: BranchEvent) -> None:
        """Count the warps that a branch divides."""
        self.totals["divergent_branches"] += count_divided_warps(event.lanes, event.taken)

    def launch_end(self, engine: RunningLaunch) -> None:
        """Put the counters into `engine.observation.counters`: all, even if `names` has few.

        Only with a proof, and unless `more` is set, those that `names` lacks are left out.
        """
        coalescing = self._coalescing()
        counted: Counts = {
            **self.totals,
            **{f"{name}_per_thread": most for name, most in self.most.items()},
            "shuffles_per_lane": self.most["shuffles"],
            "coalescing": coalescing,
            **self.dataflow.result(),
        }
        if self.names is not None and not self.more and engine.proof is not None:
            counted = {name: value for name, value in counted.items() if name in self.names}
        engine.observation.counters.update(counted)
