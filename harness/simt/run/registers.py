"""The values that outlive a segment."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Taint
from harness.simt.compile.graph import Ref
from harness.simt.compile.program import Program
from harness.simt.ops.undefined import joined
from harness.simt.state.lanes import LaneSet
from harness.simt.state.merge import CLEAN, equal

__all__ = ["Registers"]


class Registers:
    """A register for each leaf of a value that lives across segments.

    Attributes:
        values: What is in each register.
        lanes: The lanes that a value belongs to; None for all.
        taints, taint_lanes: The same for taints.
        others: The values that lanes elsewhere still need, as a bit set of value numbers.
    """

    def __init__(self, program: Program, root: LaneSet, given: Iterable[tuple[int, Array]]) -> None:
        """Empty registers, but for those that are given by (slot, value)."""
        self._slots, self._root, count = program.slots, root, len(program.registers)
        self.values: list[Any] = [None] * count
        self.lanes: list[LaneSet | None] = [None] * count
        self.taints: list[Taint] = [None] * count
        self.taint_lanes: list[Any] = [None] * count
        self.others = 0
        for slot, value in given:
            self.values[slot] = value

    def fetch(self, slot: int, lanes: LaneSet) -> Array:
        """The value of a register for some lanes."""
        owner = self.lanes[slot]
        value: Array = self.values[slot]
        if owner is None or owner is lanes:
            return value
        own: Array = value.take(lanes.positions_in(owner), 0)
        return own

    def fetch_taint(self, slot: int, lanes: LaneSet) -> Taint:
        """The taint of a register for some lanes, or None."""
        taint = self.taints[slot]
        if taint is None or len(taint) == 1:
            return taint
        owner = self.taint_lanes[slot]
        if owner is not lanes:
            taint = taint.take(lanes.positions_in(owner), 0)
        return taint if taint.any() else None

    def operand(self, operand: Any, lanes: LaneSet, address: Callable[[Any], int] | None = None) -> Array:
        """The value of a one-leaf operand for some lanes; `address` gives those of constant expressions."""
        if isinstance(operand, Ref):
            return self.fetch(self._slots[operand.number], lanes)
        return np.array([operand.value if address is None else address(operand)], np.int64)

    def store(self, lanes: LaneSet, items: Iterable[tuple[Any, ...]]) -> None:
        """Stores values of some lanes; where others still need a register, theirs stay in it.

        Args:
            items: (value number, slot, value) and, where taints are tracked, the taint.
        """
        for number, slot, value, *taint in items:
            if not self.others >> number & 1 or self.values[slot] is None:
                self.values[slot] = value
                self.lanes[slot] = None if len(value) == 1 else lanes
                if taint:
                    self.taints[slot], self.taint_lanes[slot] = taint[0], lanes
                continue
            old = self.values[slot]
            same = len(old) == len(value) == 1 and equal(old, value)
            if not same:
                self.values[slot] = self._merged(old, self.lanes[slot], value, lanes)
                self.lanes[slot] = self._root
            if taint and not (taint[0] is None and self.taints[slot] is None):
                before, after = self.taints[slot], taint[0]
                before = CLEAN if before is None else before
                after = CLEAN if after is None else after
                before, after = joined((before, after))
                owner = self.taint_lanes[slot] if len(before) > 1 else None
                self.taints[slot] = self._merged(before, owner, after, lanes)
                self.taint_lanes[slot] = self._root

    def _merged(self, old: Array, owner: LaneSet | None, value: Array, lanes: LaneSet) -> Array:
        if owner is self._root:
            full = old.copy()
        else:
            full = np.empty((self._root.n, *value.shape[1:]), value.dtype)
            full[... if owner is None else owner.idx] = old
        full[lanes.idx] = value
        return full
