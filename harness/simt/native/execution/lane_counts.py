"""Tables for counts of lockstep code, sums over workers, and a check that the interpreter would count the same.

`sanitize.lane_counts` emits the code that fills the tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Integers, address_of
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.declined import Declined, Reason
from harness.simt.native.emit.context import ALLOCATION_FACTS
from harness.simt.native.emit.lane_tally import TALLIED
from harness.simt.native.execution.launch_memory import WorkerNotes
from harness.simt.native.runtime.counts import BANK_RECORD_BYTES, BLOCK_COUNTS, ELEMENT_COUNTS, ROW_BYTES
from harness.simt.state.allocation import Allocation

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["LaneTables", "add_lane_counts", "check_same_schedule", "lane_totals", "most_of_lanes"]

CELLS = 2 * len(ELEMENT_COUNTS)  # words of 32 bits before the cells of a variable
HIGHEST = ("most loads", "most stores", "most steps", "split rounds", "most rounds")  # the others are sums
FIGURES = {
    "most loads": "distinct_shared_loads",
    "most stores": "distinct_shared_stores",
    "most steps": "reduction_steps",
}


class LaneTables:
    """Tables in which code in lockstep counts, besides those that all code has.

    Args:
        table: The rows of allocations, which get the addresses of the tables of shared memory.
        allocations: The allocations, by row.
    """

    def __init__(self, table: Integers, module: KernelModule, allocations: Sequence[Allocation | None]) -> None:
        self._table, self._records = table, module.tally.records
        shared = (item for item in enumerate(allocations) if item[1] is not None and item[1].rows == "block")
        cells = ((row, item.size // module.layout.cell_bytes) for row, item in shared if item is not None)
        self._shared = [(row, np.zeros(CELLS + count + 1, np.int32)) for row, count in cells]

    def begin(self, notes: WorkerNotes, threads: int) -> dict[str, int]:
        """Make room for the counts of a launch, in its notes and here; return the slots that point to it, by name.

        Args:
            threads: The number of threads of a cluster.
        """
        notes.sums = np.zeros((2, ROW_BYTES // 8), np.int64)
        notes.blocks = np.zeros(len(BLOCK_COUNTS) + threads // 4 + 1, np.int64)
        notes.sizes = np.zeros(len(self._table), np.int64)
        self._kept = np.zeros((threads, ROW_BYTES), np.uint8), np.zeros(self._records * BANK_RECORD_BYTES, np.uint8)
        self.write_rows()
        tallies, records = map(address_of, self._kept)
        return {
            "tallies": tallies,
            "sums": address_of(notes.sums),
            "blocks": address_of(notes.blocks),
            "banks": records,
        }

    def write_rows(self) -> None:
        """Set the counts of shared memory to 0 (not its cells), and write their location into its allocations' rows.

        `loads` of a row becomes their address, `stores` the number of bytes of the cells after them.
        """
        for row, cells in self._shared:
            cells[:CELLS] = 0
            counts = address_of(cells), cells[CELLS:].nbytes
            self._table[row, [ALLOCATION_FACTS["loads"], ALLOCATION_FACTS["stores"]]] = counts


def add_lane_counts(to: WorkerNotes, other: WorkerNotes) -> None:
    """Add what another worker counted in lockstep to the notes in `to`; of maxima the greater stays.

    Does nothing if the code was not in lockstep.
    """
    if not len(to.blocks):
        return
    to.sums[0] += other.sums[0]
    to.sizes |= other.sizes
    to.sums[1] = [*map(max, to.sums[1].tolist(), other.sums[1].tolist())]
    for name, place in BLOCK_COUNTS.items():
        both = int(to.blocks[place]), int(other.blocks[place])
        to.blocks[place] = max(both) if name in HIGHEST else sum(both)


def lane_totals(notes: WorkerNotes) -> dict[str, int]:
    """Return the sums over all threads, and `divergent_branches`, by the names of `Counters`."""
    sums = dict(zip(TALLIED, notes.sums[0].tolist(), strict=False))
    return {**sums, "divergent_branches": int(notes.blocks[BLOCK_COUNTS["divergent"]])}


def most_of_lanes(notes: WorkerNotes) -> dict[str, int]:
    """Return the most that any thread did, and the most that any block did, by the names of `Counters`."""
    figures = {name: int(notes.blocks[BLOCK_COUNTS[count]]) for count, name in FIGURES.items()}
    return {**dict(zip(TALLIED, notes.sums[1].tolist(), strict=False)), **figures}


def check_same_schedule(program: Program, notes: WorkerNotes, blocks: int, spin_steps: int) -> None:
    """Check that the interpreter would count the same.

    The interpreter lets lanes that left a loop go on once others went round `spin_steps` times. The order of atomic
    updates decides which thread has data from which.

    Args:
        blocks: The number of blocks of the launch.

    Raises:
        Declined: There were atomic updates of shared memory, or of global memory in a launch of several blocks;
            blocks counted elements of different sizes; or warps may have been split for `spin_steps` rounds.
    """

    def count(name: str) -> int:
        return int(notes.blocks[BLOCK_COUNTS[name]])

    if count("shared order") or (count("global order") and blocks > 1):
        raise Declined(Reason.COUNTING_ORDER)
    if count("mixed"):
        raise Declined(Reason.COUNTING_OTHERWISE)
    split = count("split rounds")
    if split and min(count("all rounds"), _rounds_of_all(program.segments, split, count("most rounds"))) >= spin_steps:
        raise Declined(Reason.COUNTING_DIVERGENCE)


def _rounds_of_all(segments: Sequence[Segment], split: int, most: int) -> int:
    """Return an upper limit of the rounds that the interpreter may have counted while warps were split.

    The interpreter counts the rounds of all warps of a chunk, until none is in a loop. With a wait in a loop the limit
    is 2^62.

    Args:
        split: The most rounds that a warp had gone when it was split.
        most: The most rounds that a warp went at all.
    """
    loops = Counter[int]()
    for segment in segments:
        if segment.loop is not None:
            if segment.gate is not None:  # from one round to the next others may have gone on
                return 1 << 62
            loops[segment.loop] += sum(target <= segment.number for target, _ in segment.edges)
    if len(loops) == 1 and max(loops.values()) == 1:
        return split
    depth: int = max(loops.values(), default=1)
    return len(loops) * int(most**depth)
