"""Cases of puzzle 23: a sum of two vectors in four functional patterns."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNCTIONAL
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, CounterClaim, HostStep
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
# Elements of float32 of a sector of 32 bytes; two vectors are read and one is written.
_SECTORS = 3 * DOCUMENTED[0] // 8


def _promise_touches(sentence: str, each: int) -> CounterClaim:
    """Return the promise that the requests of NVIDIA's warps touch each sector of the data `each` times."""
    why = "who takes which elements decides how many sectors a warp touches at once"
    return CounterClaim(sentence, "global_transactions", lambda _: each * _SECTORS, why=why, vendor="nvidia")


def _make_sum_case(
    mode: str,
    title: str,
    function: str,
    *promised: CounterClaim,
    threads: bool = False,
    other: tuple[int, int] = _TILES,
) -> Case:
    """Make the case of a sum of two vectors that a library launches.

    Args:
        mode: The mode.
        title: A few words.
        function: The host function.
        promised: The promises of the documented launch, beside the common ones.
        threads: Whether the function takes the threads of a tile as a parameter; the documents' own make no use of it.
        other: The elements of a vector and of a tile at the further launch.
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
            claims=(READ_ONCE, WRITTEN_ONCE, *(promised if size == DOCUMENTED[0] else ())),
        )

    changed = {"SIZE": other[0], **({"TILE_SIZE": other[1]} if other[1] != DOCUMENTED[1] else {})}
    return with_further(at(*DOCUMENTED), make_further(at(*other), changed))


CASES = (
    _make_sum_case(
        "elementwise",
        "elements",
        "elementwise_add",
        _promise_touches("neighbouring vectors: a warp touches each sector once", 1),
        other=_ODD,
    ),
    _make_sum_case(
        "tiled",
        "tiles",
        "tiled_elementwise_add",
        _promise_touches("a tile for each thread: a warp touches each sector twice, for half of it each time", 2),
    ),
    _make_sum_case("manual-vectorized", "chunks of vectors", "manual_vectorized_tiled_elementwise_add", threads=True),
    _make_sum_case("vectorized", "vectors within tiles", "vectorize_within_tiles_elementwise_add", threads=True),
)
