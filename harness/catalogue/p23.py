"""Puzzle 23: functional patterns."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNCTIONAL
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, HostStep
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FUNCTIONAL, ("p02",))

# Elements of a vector, and of a tile: in the documents there are as many tiles as elements of one.
DOCUMENTED = 1024, 32
# Tiles divide the vector, and groups of 4 or 8 elements divide a tile, as the documents promise.
_TILES = 960, 24
# Where each element is on its own, nothing need divide their number.
_ODD = 1003, 32
_RANK = "1"


def _make_sum_case(
    mode: str, title: str, function: str, *, threads: bool = False, other: tuple[int, int] = _TILES
) -> Case:
    """Make the case of a sum of two vectors that a library launches.

    Args:
        mode: The mode.
        title: A few words.
        function: The host function.
        threads: Whether the function takes the threads of a tile as a parameter; the documents' own make no use of it.
        other: The sizes of the further launch.
    """

    def at(size: int, tile: int) -> Case:
        before = ("1" if size == DOCUMENTED[0] else "2",) if threads else ()
        sizes = (str(size),) if function == "elementwise_add" else (str(size), str(tile))
        parameters = ("file.LayoutType", "file.dtype", "file.SIMD_WIDTH", *before, _RANK, *sizes)
        return make_simple_case(
            "p23",
            title,
            HostStep(function, "output a b", parameters),
            {"a": 2 * np.arange(size), "b": 2 * np.arange(size) + 1},
            lambda a, b: a + b,
            mode=mode,
            constants={"SIZE": size, "TILE_SIZE": tile},
            claims=(READ_ONCE, WRITTEN_ONCE),
        )

    changed = {"SIZE": other[0], **({"TILE_SIZE": other[1]} if other[1] != DOCUMENTED[1] else {})}
    return with_further(at(*DOCUMENTED), make_further(at(*other), changed))


CASES = (
    _make_sum_case("elementwise", "elements", "elementwise_add", other=_ODD),
    _make_sum_case("tiled", "tiles", "tiled_elementwise_add"),
    _make_sum_case("manual-vectorized", "chunks of vectors", "manual_vectorized_tiled_elementwise_add", threads=True),
    _make_sum_case("vectorized", "vectors within tiles", "vectorize_within_tiles_elementwise_add", threads=True),
)
