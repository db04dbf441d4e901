"""What a launch did, in numbers.

`Counters` gathers them while lanes run; `figures` has those that are derived
from which thread and block touched which element. An element is as wide as the
narrowest access to its buffer. Counted are accesses to global and shared
memory; parameters and constants are not.

For each kernel, all threads together: `instructions`, `global_loads`,
`global_stores`, `shared_loads`, `shared_stores` (elements; an atomic is both),
the same with `_bytes`, `shuffles`, `barriers`, `cluster_barriers` (once for each
thread), `divergent_branches` (once for each warp that a branch divides),
`bank_conflicts` (passes over shared memory beyond those that it takes anyway) and
`global_transactions` (32-byte sectors that a warp touches), both access by access, as
`harness.simt.traffic` has it, and `coalescing` (bytes asked for / bytes of these
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
from harness.simt.observing.dataflow_counters import Figures, of_elements
from harness.simt.observing.requests import parted, served
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.traffic import SECTOR, begins, conflicts, pieces, units

__all__ = ["Counters"]


class _PerThread:
    """A count for each thread of a chunk; what all threads share is one number."""

    def __init__(self, threads: int) -> None:
        self.all = 0
        self.own: Integers = np.zeros(threads, np.int64)

    def add(self, lanes: LaneSet, amount: int) -> None:
        """Each of the lanes did so much more."""
        if lanes is lanes.root:
            self.all += amount
        else:
            self.own[lanes.idx] += amount


# What machine code notes for a number: nothing, or see `harness.simt.native.sanitize.counting`.
NOTED = {
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
    """Puts its numbers into the launch's `counters`.

    Args:
        wanted: The names of those that somebody wants; None for all.
        more: Whether all others are told too, unless machine code cannot count them and Python takes long.
    """

    def __init__(self, wanted: Collection[str] | None = None, *, more: bool = False) -> None:
        self.wanted, self.more = wanted, more

    def notes(self) -> frozenset[str] | None:
        """See `Observer`."""
        if self.wanted is None or self.more or not NOTED.keys() >= set(self.wanted):
            return frozenset({"elements", "global", "ways"})
        return frozenset(note for name in self.wanted for note in NOTED[name])

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        if proof.partial or proof.like:
            return True  # to what is counted of a part the other blocks add theirs
        if proof.most:
            engine.proof = proof
            self.launch_begin(engine)
            self.launch_end(engine)
            engine.proof = None
            return True
        assert self.wanted is not None  # else some stand for all
        self.totals = dict(proof.totals)
        counted = {"coalescing": self._coalescing(), **self.totals, **of_elements(engine, proof.touched)}
        engine.observation.counters.update({name: counted[name] for name in self.wanted})
        return True

    def _coalescing(self) -> float | None:
        asked, moved = self.totals.pop("global_asked", 0), SECTOR * self.totals.get("global_transactions", 0)
        return round(asked / moved, 4) if moved else None

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self.totals = dict.fromkeys((*BY_THREAD, "cluster_barriers", *TOTALS, "global_asked"), 0)
        self.totals |= engine.proof.totals if engine.proof is not None else {}
        self.most = dict.fromkeys((*BY_THREAD, "cluster_barriers"), 0)
        if engine.proof is not None:
            self.most |= {name: most for name, most in engine.proof.most.items() if name in self.most}
        self.figures = Figures(engine)

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._by_thread = {name: _PerThread(geometry.lanes) for name in BY_THREAD}
        proof = self.engine.proof
        self._like = proof.like.get(int(geometry.blocks[0]), 0) if proof is not None else 0
        self.figures.chunk_begin(geometry, counted=self._like > 0)
        self._before = dict(self.totals)

    def chunk_end(self, geometry: Geometry) -> None:
        """See `Observer`."""
        for name, count in self._by_thread.items():
            self.most[name] = max(self.most[name], count.all + int(count.own.max()))
            self.totals[name] += count.all * geometry.lanes + int(count.own.sum())
        waits = self.engine.chunk.cluster.waited
        self.totals["cluster_barriers"] += int(waits.sum())
        self.most["cluster_barriers"] = max(self.most["cluster_barriers"], int(waits.max()))
        self.figures.chunk_end()
        for name, before in self._before.items() if self._like else ():  # what is global was counted of each
            self.totals[name] = before + (self.totals[name] - before) * self._like * (not name.startswith("global_"))

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        # The branch at the end is an instruction too.
        self._by_thread["instructions"].add(event.lanes, len(event.ops) + 1)

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        space = event.allocation.space
        if space not in ("global", "shared"):
            return
        lanes, atomic, vector = event.lanes, event.kind == "atomic", event.elements
        for kind in ("load", "store") if atomic else (event.kind,):
            self._by_thread[f"{space}_{kind}s"].add(lanes, vector)
            self.totals[f"{space}_{kind}_bytes"] += lanes.n * event.size
        if space == "global":
            self.totals["global_asked"] += lanes.n * event.size
        each, begin = pieces(event.size, vector, event.site.align, self.engine.target.vendor)
        for offsets in (event.offsets + first if first else event.offsets for first in begin):
            if space == "global":
                first, times = begins(lanes.get("warp"), offsets)
                self.totals["global_transactions"] += times * units(first, each, SECTOR)
            elif len(offsets) > 1 or atomic:
                part, _ = served(lanes, each)
                self.totals["bank_conflicts"] += conflicts(part, offsets, each, atomic=atomic)
        self.figures.access(event, max(1, event.size // vector))

    def shuffle(self, event: ShuffleEvent) -> None:
        """See `Observer`."""
        if event.sources is not None:
            self._by_thread["shuffles"].add(event.lanes, 1)

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        for _, lanes in event.groups:
            self._by_thread["barriers"].add(lanes, 1)
        self.figures.barrier(event)

    def branch(self, event: BranchEvent) -> None:
        """See `Observer`."""
        self.totals["divergent_branches"] += parted(event.lanes, event.taken)

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        coalescing = self._coalescing()
        counted: Counts = {
            **self.totals,
            **{f"{name}_per_thread": most for name, most in self.most.items()},
            "shuffles_per_lane": self.most["shuffles"],
            "coalescing": coalescing,
            **self.figures.result(),
        }
        if self.wanted is not None and not self.more and engine.proof is not None:
            counted = {name: value for name, value in counted.items() if name in self.wanted}
        engine.observation.counters.update(counted)
