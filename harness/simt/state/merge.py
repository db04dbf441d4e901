"""Values of lanes that part and meet again."""

from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array
from harness.simt.ops.undefined import joined
from harness.simt.state.lanes import LaneSet, union

__all__ = ["CLEAN", "PASSED", "Entries", "Values", "combine", "equal", "pick"]

# Of the phis, then of their taints; where a segment has a gate instead: whether lanes passed it.
Values: TypeAlias = tuple[Array | None, ...]
Entries: TypeAlias = list[tuple[LaneSet, Values]]
PASSED: Values = (None,)  # compared by identity
CLEAN = np.zeros(1, np.int32)


def equal(left, right):
    """Whether two values are the same, bit for bit."""
    return left.tobytes() == right.tobytes() if left.dtype != object else left == right


def pick(values, positions):
    """Keeps the lanes at some positions of each value."""
    return tuple(one if one is None or len(one) == 1 else one[positions] for one in values)


def combine(entries):
    """Joins lanes that come to a segment by several ways."""
    lanes = union([one for one, _ in entries])
    first = entries[0][1]
    if not first:
        return lanes, ()
    spots = [one.positions_in(lanes) for one, _ in entries]
    together = []
    for column in zip(*(values for _, values in entries), strict=True):
        together.append(_join(column, spots, lanes.n))
    return lanes, tuple(together)


def _join(column, spots, count):
    if all(one is None for one in column):
        return None
    column = joined([CLEAN if one is None else one for one in column])
    head = column[0]
    if all(len(one) == 1 and equal(head, one) for one in column):
        return head
    result = np.empty((count, *head.shape[1:]), head.dtype)
    for spot, value in zip(spots, column, strict=True):
        result[spot] = value
    return result
