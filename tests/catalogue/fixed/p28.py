"""What the documents fix of puzzle 28."""

from __future__ import annotations

from dataclasses import replace

from harness.catalogue.further import make_further
from harness.catalogue.p28 import case_at
from harness.model.case import Case
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_SIZE, _TILE = 288, 96


def _with_an_idle_block() -> Case:
    entry = case_at(_SIZE, _TILE)
    (step,) = entry.kernel_steps
    blocks = _SIZE // _TILE + 1
    redefined = {
        "VECTOR_SIZE": _SIZE,
        "CONV_TILE_SIZE": _TILE,
        "THREADS_PER_BLOCK_ASYNC": _TILE,
        "BLOCKS_PER_GRID_ASYNC": blocks,
    }
    return make_further(replace(entry, steps=(replace(step, grid=blocks),)), redefined)


FIXED = (
    Fixed(
        "p28",
        ("VECTOR_SIZE", "threads"),
        _with_an_idle_block(),
        "FINDING",
        "each block copies a whole tile of the vector, whatever is left of it",
    ),
)
