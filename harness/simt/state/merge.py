"""Compare, select and merge the values of lanes that diverge and reconverge."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ops.undefined import to_same_rank
from harness.simt.state.lanes import LaneSet, union

__all__ = ["CLEAN", "PASSED", "Entries", "Values", "combine", "equal", "pick"]

# The values of a segment's phis, then their taints; for a segment with a gate: `PASSED` or empty.
Values: TypeAlias = tuple[Array | None, ...]
Entries: TypeAlias = list[tuple[LaneSet, Values]]
PASSED: Values = (None,)  # compared by identity
CLEAN = np.zeros(1, np.int32)


def equal(first: Array | None, second: Array | None) -> bool:
    """Return whether two values of one register have the same shape and bytes; None is equal to None alone.

    NaNs of the same bits are equal. Arrays of Python integers (dtype object) are compared by their elements.
    """
    if first is second or first is None or second is None:
        return first is second
    if first.dtype == object:
        return np.array_equal(first, second)
    # A taint of four lanes, (4,), and one by byte that holds for all lanes, (1, 4), may have the same bytes.
    return first.shape == second.shape and first.tobytes() == second.tobytes()


def pick(values: Values, positions: Integers) -> Values:
    """Return each value for only the lanes at some positions."""
    return tuple(value if value is None or len(value) == 1 else value[positions] for value in values)


def combine(entries: Entries) -> tuple[LaneSet, Values]:
    """Merge lanes that come to a segment on several edges, with their values; return their union and its values.

    `_merge_column` says how each value is merged. The values are () if those of the first entry are.
    """
    lanes = union([group for group, _ in entries])
    first = entries[0][1]
    if not first:
        return lanes, ()
    positions = [lanes.where[group.idx] for group, _ in entries]
    columns = zip(*(values for _, values in entries), strict=True)
    return lanes, tuple(_merge_column(column, positions, lanes.n) for column in columns)


def _merge_column(column: tuple[Array | None, ...], positions: Sequence[Integers], count: int) -> Array | None:
    """Return one value of all lanes from those of groups of them; None if it is None in all groups.

    A group in which it is None counts as having a single 0. The result has length 1 if the value of each group has and
    all are equal; else it has length `count`.

    Args:
        positions: The positions of each group's lanes in the result.
        count: The number of all lanes.
    """
    if all(value is None for value in column):
        return None
    same_shape = to_same_rank([CLEAN if value is None else value for value in column])
    head = same_shape[0]
    if all(len(value) == 1 and equal(head, value) for value in same_shape):
        return head
    result = np.empty((count, *head.shape[1:]), head.dtype)
    for at, value in zip(positions, same_shape, strict=True):
        result[at] = value
    return result
