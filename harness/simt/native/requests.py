"""The accesses that native code noted, as the requests of warps that they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.native.declined import Declined
from harness.simt.native.layout import ENTRY, OFFSETS
from harness.simt.state.allocation import Allocation
from harness.simt.targets import SimulatedTarget
from harness.simt.traffic import SECTOR, begins, conflicts, parts, pieces, units

if TYPE_CHECKING:
    from harness.simt.native.body import Traced

__all__ = ["WORDS", "Requests"]

WORDS = ENTRY // 8
WARPS = 1 << 9  # whose passes over shared memory are counted at once
ROW = 32  # bits of a lane's number among those of the blocks in hand; above them is when it was
ROWS = (1 << ROW) - 1
OFFSET = (1 << OFFSETS) - 1
APART = "counting threads of a warp that go different ways"
NAMES = ("loads", "stores", "load_bytes", "store_bytes")


class Requests:
    """What they come to, so far.

    Args:
        threads: Of a cluster.
        blocks: How many blocks there are.
        whose: Of how many threads of the grid is noted which of them store; 0 where nobody asks, and then requests of
            warps are whole, or not counted.

    Attributes:
        totals: By the names of `Counters`.
        writers: By the number of an allocation in global memory which threads store there.
    """

    def __init__(
        self,
        traced: Sequence[Traced],
        rows: Sequence[Allocation | None],
        target: SimulatedTarget,
        threads: int,
        blocks: int,
        whose: int,
    ) -> None:
        self._traced, self._rows, self._target = traced, rows, target
        self._threads, self._blocks, self._whose = threads, blocks, whose
        self.writers: dict[int, Booleans] = {}
        spaces = ("global", "shared")
        self.totals = {f"{space}_{name}": 0 for space in spaces for name in NAMES}
        self.totals |= {"bank_conflicts": 0, "global_transactions": 0, "asked": 0}

    def add(self, trace: Integers, blocks: Integers) -> None:
        """Takes what was noted of some of these blocks.

        Raises:
            Declined: The lanes of a warp went different ways, or to memory of different kinds at once.
        """
        trace = trace.reshape(-1, WORDS)
        stops = np.flatnonzero(trace[:, 0] < 0)
        lengths = np.diff(stops, prepend=-1) - 1
        row, ways = ~trace[stops, 0], trace[stops, 1]
        if not len(row):
            return
        row, when = row & ROWS, row >> ROW
        # Lanes run in order, so where their numbers do not rise a wait is in between; a warp is there as a whole.
        lane, width = row % self._threads, self._target.warp
        rounds = np.cumsum((np.diff(lane, prepend=0) <= 0) | (np.diff(when, prepend=0) != 0))
        warp = rounds * -(-self._threads // width) + lane // width
        first = np.flatnonzero(np.diff(warp, prepend=-1))
        counts = np.diff(first, append=len(lane))
        whole = counts == np.minimum(width, self._threads - lane[first] // width * width)
        whole &= np.logical_and.reduceat(ways == np.repeat(ways[first], counts), first)
        who = blocks[row // self._threads] * self._threads + lane if self._whose else row
        if not whole.all():
            if not self._whose:
                raise Declined(APART)
            some = np.repeat(~whole, counts)
            self._apart(
                trace[np.repeat(some, lengths + 1)], *(np.repeat(one[some], lengths[some] + 1) for one in (row, who))
            )
            stops, lengths, ways, warp, lane, who = (one[~some] for one in (stops, lengths, ways, warp, lane, who))
        lane = lane % width
        for way in distinct(ways).tolist():
            here = np.flatnonzero(ways == way)
            length = int(lengths[here[0]])
            if len(here) == len(ways) and len(trace) == len(ways) * (length + 1):
                own = trace.reshape(-1, length + 1, WORDS)[:, :length]
            else:
                own = trace[stops[here, None] - length + np.arange(length)]
                if (lengths[here] != length).any():
                    raise Declined(APART)
            if (own[:, :, 0] != own[0, :, 0]).any():
                raise Declined(APART)
            for column, number in enumerate(own[0, :, 0].tolist()):
                self._one(self._traced[number], warp[here], lane[here], who[here], own[:, column, 1])

    def _apart(self, trace: Integers, rows: Integers, who: Integers) -> None:
        """Warps that are divided: outside of loops all threads that come to an instruction do so together."""
        size, width = self._threads, self._target.warp
        for number in distinct(trace[:, 0]).tolist():
            if number < 0:
                continue
            here = np.flatnonzero(trace[:, 0] == number)
            traced, own = self._traced[number], rows[here]
            if traced.looped or (own[1:] <= own[:-1]).any():
                raise Declined(APART)
            lane = own % size
            self._one(traced, own // size * -(-size // width) + lane // width, lane % width, who[here], trace[here, 1])

    def _one(self, traced: Traced, warp: Integers, lane: Integers, who: Integers, places: Integers) -> None:
        """One instruction of warps that went one way, or of those of their threads that came to it."""
        numbers = places >> OFFSETS
        for number in distinct(numbers).tolist():
            here = numbers == number
            allocation = self._rows[number]
            assert allocation is not None
            if self._whose and traced.kind == "store":
                self.writers.setdefault(number, np.zeros(self._whose, bool))[who[here]] = True
            if here.all():
                self._counted(traced, allocation.space, warp, lane, places & OFFSET)
            elif np.isin(warp[here], warp[~here]).any():
                raise Declined("counting threads of a warp that go to different memory")
            else:
                self._counted(traced, allocation.space, warp[here], lane[here], places[here] & OFFSET)

    def _counted(self, traced: Traced, space: str, warp: Integers, lane: Integers, offsets: Integers) -> None:
        atomic = traced.kind == "atomic"
        count, totals, times = len(offsets), self.totals, self._blocks if traced.alike else 1
        for kind in ("load", "store") if atomic else (traced.kind,):
            totals[f"{space}_{kind}s"] += times * count * traced.elements
            totals[f"{space}_{kind}_bytes"] += times * count * traced.size
        totals["asked"] += count * traced.size if space == "global" else 0
        each, firsts = pieces(traced.size, traced.elements, traced.op.site.align, self._target.vendor)
        for first in firsts:
            if space == "global":
                totals["global_transactions"] += units(begins(warp, offsets + first)[0], each, SECTOR)
            else:
                starts = np.flatnonzero(np.diff(warp, prepend=-1))[::WARPS]
                for start, stop in zip(starts, [*starts[1:], count], strict=True):
                    part, _ = parts(warp[start:stop] - warp[start], lane[start:stop], each)
                    totals["bank_conflicts"] += times * conflicts(
                        part, offsets[start:stop] + first, each, atomic=atomic
                    )
