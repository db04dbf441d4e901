"""The register file of a chunk: values that outlive a segment, and their taints, read and merged for some lanes."""

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
    """One register for each leaf of a value that is live across segments.

    Attributes:
        values: The value in each register: an entry for each lane of the chunk, or one entry if all lanes agree.
        taints: The same for taints.
        others: The values that other lanes still need, as a bit set of value numbers.
    """

    def __init__(self, program: Program, root: LaneSet, parameters: Iterable[tuple[int, Array]]) -> None:
        """Make empty registers, and set those of the parameters: (slot, value)."""
        self._slots, self._root, count = program.slots, root, len(program.registers)
        self.values: list[Any] = [None] * count
        self.taints: list[Taint] = [None] * count
        self.others = 0
        for slot, value in parameters:
            self.values[slot] = value

    def fetch(self, slot: int, lanes: LaneSet) -> Array:
        """Return the value of a register for some lanes, (n, ...), or (1, ...) if all lanes agree; it must have one."""
        value: Array = self.values[slot]
        return value if lanes is self._root or len(value) == 1 else value.take(lanes.idx, 0)

    def fetch_taint(self, slot: int, lanes: LaneSet) -> Taint:
        """Return the taint of a register for some lanes, (n, ...) or one for all; None if their values are defined."""
        taint = self.taints[slot]
        if taint is None or lanes is self._root or len(taint) == 1:
            return taint
        taint = taint.take(lanes.idx, 0)
        return taint if taint.any() else None

    def operand(self, operand: Any, lanes: LaneSet, address: Callable[[Any], int] | None = None) -> Array:
        """Return the value of an operand with one leaf: its register's, (n,) or (1,); of a constant an int64, (1,).

        Args:
            address: Computes the value of any constant; if it is None, constants must be plain numbers.
        """
        if isinstance(operand, Ref):
            return self.fetch(self._slots[operand.number], lanes)
        return np.array([operand.value if address is None else address(operand)], np.int64)

    def store(self, lanes: LaneSet, items: Iterable[tuple[int, int, Array, Taint]]) -> None:
        """Store the values and taints of some lanes; keep those of other lanes if `others` names the value.

        Args:
            items: (value number, slot, value, taint) of each.
        """
        for number, slot, value, taint in items:
            is_unshared = lanes is self._root or not self.others >> number & 1
            self.values[slot] = self._merge(self.values[slot], value, lanes, is_unshared)
            before = self.taints[slot]
            if not is_unshared and (before is not None or taint is not None):
                before, taint = to_same_rank([CLEAN if each is None else each for each in (before, taint)])
            self.taints[slot] = None if taint is None else self._merge(before, taint, lanes, is_unshared)

    def _merge(self, old: Array | None, value: Array, lanes: LaneSet, is_unshared: bool) -> Array:
        """Return the content of a register after some lanes store a value: `value` itself if one entry holds for all,
        or if these are all lanes of the chunk; else a new array with an entry for each lane of the chunk.

        Args:
            old: The content before, or None, not changed; other lanes keep it, unless the register is unshared.
            is_unshared: Whether no other lane needs the register.
        """
        if lanes is self._root or (len(value) == 1 and (is_unshared or old is None or equal(old, value))):
            return value
        merged = np.zeros((self._root.n, *value.shape[1:]), value.dtype)
        if old is not None and not is_unshared:
            merged[:] = old
        merged[lanes.idx] = value
        return merged
