"""The accesses that native code noted, as the requests of warps that they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Integers, distinct
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
OFFSET = (1 << OFFSETS) - 1
APART = "counting threads of a warp that go different ways"
NAMES = ("loads", "stores", "load_bytes", "store_bytes")


class Requests:
    """What they come to, so far.

    Args:
        group: The lanes that run from wait to wait together: a block's or a warp's.
        space: Of whose memory they are counted.

    Attributes:
        totals: By the names of `Counters`.
    """

    def __init__(
        self, traced: Sequence[Traced], rows: Sequence[Allocation | None], target: SimulatedTarget, group: int
    ) -> None:
        self._traced, self._rows, self._target, self._group = traced, rows, target, group
        spaces = ("global", "shared")
        self.totals = {f"{space}_{name}": 0 for space in spaces for name in NAMES}
        self.totals |= {"bank_conflicts": 0, "global_transactions": 0}

    def add(self, trace: Integers) -> None:
        """Takes what was noted of some blocks.

        Raises:
            Declined: The lanes of a warp went different ways, or to memory of different kinds at once.
        """
        trace = trace.reshape(-1, WORDS)
        stops = np.flatnonzero(trace[:, 0] == -1)
        lengths = np.diff(stops, prepend=-1) - 1
        ways = trace[stops, 1]
        lane, width = np.arange(len(stops)) % self._group, self._target.warp
        warp = np.arange(len(stops)) // self._group * -(-self._group // width) + lane // width
        lane %= width
        for way in distinct(ways).tolist():
            here = np.flatnonzero(ways == way)
            length = int(lengths[here[0]])
            if len(here) == len(ways) and len(trace) == len(ways) * (length + 1):
                own = trace.reshape(-1, length + 1, WORDS)[:, :length]
            else:
                own = trace[stops[here, None] - length + np.arange(length)]
                # The first of each warp goes the way of all.
                if (lengths[here] != length).any() or (ways != ways[np.maximum.accumulate(_first(lane))]).any():
                    raise Declined(APART)
            if (own[:, :, 0] != own[0, :, 0]).any():
                raise Declined(APART)
            for column, number in enumerate(own[0, :, 0].tolist()):
                self._one(self._traced[number], warp[here], lane[here], own[:, column, 1])

    def _one(self, traced: Traced, warp: Integers, lane: Integers, places: Integers) -> None:
        """One instruction of all warps that went one way."""
        numbers = places >> OFFSETS
        for number in distinct(numbers).tolist():
            here = numbers == number
            allocation = self._rows[number]
            assert allocation is not None
            if allocation.space in ("global", "shared"):
                if here.all():
                    self._counted(traced, allocation.space, warp, lane, places & OFFSET)
                elif np.isin(warp[here], warp[~here]).any():
                    raise Declined("counting threads of a warp that go to different memory")
                else:
                    self._counted(traced, allocation.space, warp[here], lane[here], places[here] & OFFSET)

    def _counted(self, traced: Traced, space: str, warp: Integers, lane: Integers, offsets: Integers) -> None:
        count, totals = len(offsets), self.totals
        totals[f"{space}_{traced.kind}s"] += count * traced.elements
        totals[f"{space}_{traced.kind}_bytes"] += count * traced.size
        each, firsts = pieces(traced.size, traced.elements, traced.op.site.align, self._target.vendor)
        for first in firsts:
            if space == "global":
                totals["global_transactions"] += units(begins(warp, offsets + first)[0], each, SECTOR)
            else:
                starts = np.flatnonzero(np.diff(warp, prepend=-1))[::WARPS]
                for start, stop in zip(starts, [*starts[1:], count], strict=True):
                    part, _ = parts(warp[start:stop] - warp[start], lane[start:stop], each)
                    totals["bank_conflicts"] += conflicts(part, offsets[start:stop] + first, each)


def _first(lane: Integers) -> Integers:
    """Where each warp begins, and 0 between."""
    return np.where(lane == 0, np.arange(len(lane)), 0)
