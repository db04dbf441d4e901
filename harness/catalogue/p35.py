"""Cases of puzzle 35: loads by element, and of unaligned and aligned vectors."""

from __future__ import annotations

from functools import partial

import numpy as np

from harness.catalogue.data import random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Claim, CodeClaim, CounterClaim, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FEATURES, ("p02", "p23"))

SIZE, TPB, SIMD_WIDTH = 1 << 20, 256, 4
# In a tenth of the time of dividing, and as small as they will be: whoever asks for any case waits for them.
VALUES = np.resize(np.arange(97, dtype=np.float32), SIZE)
# The further launch: multiples of a vector's elements, since the documents' kernels leave out what is beyond.
FURTHER, LESS, THREADS = 2300, 1500, 96


def _case(mode: str, title: str, kernel: str, *claims: Claim, each: int = SIMD_WIDTH, alignment: int = 1) -> Case:
    def at(values: np.ndarray, threads: int, blocks: int, argument: Size | None = None) -> Case:
        return make_simple_case(
            "p35",
            title,
            Kernel(kernel, "output a size_dev", grid=blocks, block=threads),
            {"a": values},
            lambda a: 2 * a + 1,
            mode=mode,
            scalars=None if argument else {"size_dev": values.size},
            size=argument,
            constants={"SIZE": values.size, "TPB": threads, "SIMD_WIDTH": SIMD_WIDTH},
            claims=(READ_ONCE, WRITTEN_ONCE, *claims),
            random=partial(random_fractions, addends=1),
            alignment=alignment,
        )

    blocks = -(-FURTHER // (THREADS * each)) + 1  # the last one has nothing to do
    further = at(VALUES[:FURTHER], THREADS, blocks, Size("size_dev", FURTHER))
    grid = "BLOCKS_PER_GRID" if each == 1 else "BLOCKS_PER_GRID_VECTOR"
    redefined: dict[str, int | str] = {"SIZE": FURTHER, "TPB": THREADS, grid: f"({blocks}, 1)"}
    return with_further(at(VALUES, TPB, SIZE // TPB // each), make_further(further, redefined, size=LESS))


def _promise_sectors(sentence: str, times: int = 1, vendor: str | None = None) -> CounterClaim:
    """Return the promise that loads and stores together access `times` sectors of 32 bytes per sector of data."""
    sectors = 2 * SIZE * 4 // 32
    return CounterClaim(sentence, "global_transactions", lambda _: times * sectors, why=_PROMISED, vendor=vendor)


_PROMISED = "one instruction moves several elements where the address is known to be a multiple of their size"
_ONCE = "a warp goes to each sector once"

CASES = (
    _case("scalar", "an element for each thread", "scalar_kernel", _promise_sectors(_ONCE), each=1),
    _case(
        "unaligned",
        "vectors of an unknown alignment",
        "unaligned_kernel",
        CodeClaim(
            "a vector of an unknown alignment is moved element by element",
            "nvidia",
            has=("ld.global.", "st.global."),
            lacks=(".v2.", ".v4."),
            why=_PROMISED,
        ),
        _promise_sectors("each of a vector's four moves goes to all sectors of its warp", SIMD_WIDTH, "nvidia"),
    ),
    _case(
        "aligned",
        "aligned vectors",
        "aligned_kernel",
        _promise_sectors(_ONCE),
        CodeClaim(
            "an aligned vector is moved at once", "nvidia", has=("ld.global.nc.v4.", "st.global.v4."), why=_PROMISED
        ),
        alignment=4 * SIMD_WIDTH,
    ),
)
