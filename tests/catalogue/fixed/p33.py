"""What the documents fix of puzzle 33."""

from __future__ import annotations

from dataclasses import replace

from harness.catalogue import find_case
from harness.catalogue.further import make_further
from harness.model.case import Case
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]


def _with_idle_blocks() -> Case:
    """The further launch of the product in tiles, with a column of blocks more than the product has."""
    documented = find_case("p33:tiled")
    (further,) = documented.further
    (step,) = further.kernel_steps
    across, down, _ = step.launch(32).grid
    grid = across + 1, down
    redefined = {**further.redefined, "BLOCK_PER_GRID_TILED": str(grid)}
    launch = replace(documented, steps=(replace(step, grid=grid),), resolve=further.resolve)
    return make_further(launch, redefined)


def _with_small_products() -> Case:
    """The further launch on tensor cores, which have no such product on NVIDIA, nor on AMD, where it is a square."""
    documented = find_case("p33:tensor-core")
    (further,) = documented.further
    (step,) = further.kernel_steps
    small = replace(step, parameters=lambda width: {**step.parameter_values(width), "MMA_M": 8, "MMA_N": 4})
    redefined = {**further.redefined, "MMA_M": "8", "MMA_N": "4"}
    return make_further(replace(documented, steps=(small,), resolve=further.resolve), redefined)


FIXED = (
    Fixed(
        "p33:tiled",
        ("len(output)", "threads"),
        _with_idle_blocks(),
        "FINDING",
        "each block copies whole tiles of both factors, wherever it lies",
    ),
    Fixed(
        "p33:tensor-core",
        ("MMA_M", "MMA_N"),
        _with_small_products(),
        "COMPILE_ERROR",
        "the hardware has few shapes of products; those of AMD's for 32-bit numbers are squares",
    ),
)
