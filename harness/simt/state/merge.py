"""Values of lanes that part and meet again."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ops.undefined import to_same_rank
from harness.simt.state.lanes import LaneSet, union

__all__ = ["CLEAN", "PASSED", "Entries", "Values", "combine", "equal", "pick"]

# Of the phis, then of their taints; where a segment has a gate instead: whether lanes passed it.
Values: TypeAlias = tuple[Array | None, ...]
Entries: TypeAlias = list[tuple[LaneSet, Values]]
PASSED: Values = (None,)  # compared by identity
CLEAN = np.zeros(1, np.int32)


def equal(left: Array | None, right: Array | None) -> bool:
    """Whether two values are the same, bit for bit."""
    if left is right or left is None or right is None:
        return left is right
    return np.array_equal(left, right) if left.dtype == object else left.tobytes() == right.tobytes()


def pick(values: Values, positions: Integers) -> Values:
    """Keeps the lanes at some positions of each value."""
    return tuple(value if value is None or len(value) == 1 else value[positions] for value in values)


def combine(entries: Entries) -> tuple[LaneSet, Values]:
    """Joins lanes that come to a segment by several ways."""
    lanes = union([own for own, _ in entries])
    first = entries[0][1]
    if not first:
        return lanes, ()
    spots = [lanes.where[own.idx] for own, _ in entries]
    columns = zip(*(values for _, values in entries), strict=True)
    return lanes, tuple(_join(column, spots, lanes.n) for column in columns)


def _join(column: tuple[Array | None, ...], spots: Sequence[Integers], count: int) -> Array | None:
    if all(value is None for value in column):
        return None
    parts = to_same_rank([CLEAN if value is None else value for value in column])
    head = parts[0]
    if all(len(value) == 1 and equal(head, value) for value in parts):
        return head
    result = np.empty((count, *head.shape[1:]), head.dtype)
    for spot, value in zip(spots, parts, strict=True):
        result[spot] = value
    return result
