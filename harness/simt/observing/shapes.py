"""Indices outside of an array's shape, be they inside of its memory or not."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import IndexEvent
from harness.simt.findings import ARRAY
from harness.simt.observe import Observer

__all__ = ["Shapes"]


class Shapes(Observer):
    """Reports indices that an array's shape does not have.

    Only debug builds say which index an address was made of, so this watches those alone.
    """

    def index(self, event: IndexEvent) -> None:
        """See `IndexEvent`."""
        shape, columns = event.shape, [np.broadcast_to(column, (event.lanes.n,)) for column in event.values]
        name, outside = "out-of-shape.rank", np.ones(event.lanes.n, bool)
        if len(columns) == len(shape):
            name, outside = "out-of-shape.index", np.zeros(event.lanes.n, bool)
            for column, length in zip(columns, shape, strict=True):
                signed = np.asarray(column).astype(np.int64)
                outside |= (signed < 0) | (False if length is None else signed >= length)
        if outside.any():
            here = np.flatnonzero(outside)
            values = {"shape": _shown(shape), "given": len(columns), "element": _at(columns, here)}
            self.report(event, name, here, argument=ARRAY, values=values)


def _at(columns: list[Integers], here: Integers) -> str:
    """The index of the first of some lanes, as it is written."""
    return f"[{', '.join(str(int(np.int64(column[here[0]]))) for column in columns)}]"


def _shown(shape: tuple[int | None, ...]) -> str:
    parts = ["?" if length is None else str(length) for length in shape]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
