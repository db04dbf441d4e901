"""Puzzle 23: functional patterns."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNCTIONAL
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Case, Host
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNCTIONAL, ("p02",))

SIZE, TILE_SIZE = 1024, 32
_THREADS, _RANK = "1", "1"


def _added(mode: str, title: str, function: str, *parameters: str) -> Case:
    """A sum of two vectors that a library launches.

    Args:
        parameters: Of the function, behind layout, type and width.
    """
    return simple(
        "p23",
        title,
        Host(function, "output a b", ("file.LayoutType", "file.dtype", "file.SIMD_WIDTH", *parameters)),
        {"a": 2 * np.arange(SIZE), "b": 2 * np.arange(SIZE) + 1},
        lambda a, b: a + b,
        mode=mode,
        constants={"SIZE": SIZE, "TILE_SIZE": TILE_SIZE},
        claims=(READ_ONCE, WRITTEN_ONCE),
    )


_SIZE, _TILE = str(SIZE), str(TILE_SIZE)
CASES = (
    _added("elementwise", "elements", "elementwise_add", _RANK, _SIZE),
    _added("tiled", "tiles", "tiled_elementwise_add", _RANK, _SIZE, _TILE),
    _added(
        "manual-vectorized",
        "chunks of vectors",
        "manual_vectorized_tiled_elementwise_add",
        _THREADS,
        _RANK,
        _SIZE,
        _TILE,
    ),
    _added(
        "vectorized",
        "vectors within tiles",
        "vectorize_within_tiles_elementwise_add",
        _THREADS,
        _RANK,
        _SIZE,
        _TILE,
    ),
)
