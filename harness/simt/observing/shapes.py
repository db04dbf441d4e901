"""Detect indices outside an array's shape, or of another rank, even inside its memory; only in debug builds."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import IndexEvent
from harness.simt.findings import ARRAY
from harness.simt.observe import Observer

__all__ = ["Shapes"]


class Shapes(Observer):
    """Report indices that are outside of an array's shape.

    Only debug builds record the indices of an address, so this checks only those.
    """

    def index(self, event: IndexEvent) -> None:
        """Report lanes with an index that is negative, or not below the array's extent along its axis.

        An extent that is not known (None) has no upper end. If the number of indices is not the array's rank, that is
        the error for all lanes.
        """
        shape, columns = event.shape, [np.broadcast_to(column, (event.lanes.n,)) for column in event.values]
        name, outside = "out-of-shape.rank", np.ones(event.lanes.n, bool)
        if len(columns) == len(shape):
            name, outside = "out-of-shape.index", np.zeros(event.lanes.n, bool)
            for column, length in zip(columns, shape, strict=True):
                signed = np.asarray(column).astype(np.int64)
                outside |= (signed < 0) | (False if length is None else signed >= length)
        if outside.any():
            positions = np.flatnonzero(outside)
            values = {"shape": _shape_text(shape), "given": len(columns), "element": _index_text(columns, positions)}
            self.report(event, name, positions, argument=ARRAY, values=values)


def _index_text(columns: list[Integers], positions: Integers) -> str:
    """Return the index of the first of some lanes, as `[1, 2]`."""
    return f"[{', '.join(str(int(np.int64(column[positions[0]]))) for column in columns)}]"


def _shape_text(shape: tuple[int | None, ...]) -> str:
    lengths = ["?" if length is None else str(length) for length in shape]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
