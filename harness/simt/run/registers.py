"""The values that outlive a segment."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Taint
from harness.simt.compile.graph import Ref
from harness.simt.compile.program import Program
from harness.simt.ops.undefined import to_same_rank
from harness.simt.state.lanes import LaneSet
from harness.simt.state.merge import CLEAN, equal

__all__ = ["Registers"]


class Registers:
    """A register for each leaf of a value that lives across segments.

    Attributes:
        values: What is in each register: an entry for each lane of the chunk, or one where all that need it agree.
        taints: The same of taints.
        others: The values that lanes elsewhere still need, as a bit set of value numbers.
    """

    def __init__(self, program: Program, root: LaneSet, given: Iterable[tuple[int, Array]]) -> None:
        """Empty registers, but for those that are given by (slot, value)."""
        self._slots, self._root, count = program.slots, root, len(program.registers)
        self.values: list[Any] = [None] * count
        self.taints: list[Taint] = [None] * count
        self.others = 0
        for slot, value in given:
            self.values[slot] = value

    def fetch(self, slot: int, lanes: LaneSet) -> Array:
        """The value of a register for some lanes."""
        value: Array = self.values[slot]
        return value if lanes is self._root or len(value) == 1 else value.take(lanes.idx, 0)

    def fetch_taint(self, slot: int, lanes: LaneSet) -> Taint:
        """The taint of a register for some lanes, or None."""
        taint = self.taints[slot]
        if taint is None or lanes is self._root or len(taint) == 1:
            return taint
        taint = taint.take(lanes.idx, 0)
        return taint if taint.any() else None

    def operand(self, operand: Any, lanes: LaneSet, address: Callable[[Any], int] | None = None) -> Array:
        """The value of a one-leaf operand for some lanes; `address` gives those of constant expressions."""
        if isinstance(operand, Ref):
            return self.fetch(self._slots[operand.number], lanes)
        return np.array([operand.value if address is None else address(operand)], np.int64)

    def store(self, lanes: LaneSet, items: Iterable[tuple[int, int, Array, Taint]]) -> None:
        """Stores values of some lanes; where others still need a register, theirs stay in it.

        Args:
            items: (value number, slot, value, taint).
        """
        for number, slot, value, taint in items:
            alone = lanes is self._root or not self.others >> number & 1
            self.values[slot] = self._merged(self.values[slot], value, lanes, alone)
            before = self.taints[slot]
            if not alone and (before is not None or taint is not None):
                before, taint = to_same_rank([CLEAN if part is None else part for part in (before, taint)])
            self.taints[slot] = None if taint is None else self._merged(before, taint, lanes, alone)

    def _merged(self, old: Array | None, value: Array, lanes: LaneSet, alone: bool) -> Array:
        """What a register holds once some lanes have put a value there; whether they are `alone` in needing it."""
        if lanes is self._root or (len(value) == 1 and (alone or old is None or equal(old, value))):
            return value
        full = np.zeros((self._root.n, *value.shape[1:]), value.dtype)
        if old is not None and not alone:
            full[:] = old
        full[lanes.idx] = value
        return full
