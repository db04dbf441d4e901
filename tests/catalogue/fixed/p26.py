"""What the documents fix of puzzle 26."""

from __future__ import annotations

from dataclasses import replace

from harness.catalogue import find_case
from harness.catalogue.further import make_further
from harness.catalogue.warps import WARPS_OF_A_BLOCK
from harness.model.case import Case, Instance
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_BLOCKS = 2


def _of_several_warps() -> Case:
    """The partition of as many elements as there are threads in two blocks of several warps."""
    documented = find_case("p26:partition")
    (step,) = documented.kernel_steps

    def size(width: int) -> int:
        return _BLOCKS * WARPS_OF_A_BLOCK * width

    def resolve(width: int) -> Instance:
        one = documented.geometry(width)
        tensors = tuple(replace(tensor, shape=(size(width),)) for tensor in one.tensors)
        return replace(one, arguments=(*tensors, *one.scalars), constants={"SIZE": size(width)}, datasets=())

    launch = replace(
        step,
        grid=_BLOCKS,
        block=lambda width: WARPS_OF_A_BLOCK * width,
        parameters=lambda width: {"size": size(width)},
    )
    redefined = {
        "SIZE": f"{_BLOCKS * WARPS_OF_A_BLOCK} * WARP_SIZE",
        "BLOCKS_PER_GRID": f"({_BLOCKS}, 1)",
        "THREADS_PER_BLOCK": f"({WARPS_OF_A_BLOCK} * WARP_SIZE, 1)",
    }
    return make_further(replace(documented, steps=(launch,), resolve=resolve), redefined)


FIXED = (
    Fixed(
        "p26:partition",
        ("block_dim.x", "grid_dim.x", "grid_dim.y", "WARP_SIZE"),
        _of_several_warps(),
        "FINDING",
        "each warp writes to the places from the first one on",
    ),
)
