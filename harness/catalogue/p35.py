"""Puzzle 35: alignment."""

from __future__ import annotations

from functools import partial

import numpy as np

from harness.catalogue.data import random_fractions
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Case, CodeClaim, Kernel
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FEATURES, ("p02", "p23"))

SIZE, TPB, SIMD_WIDTH = 1 << 20, 256, 4


def _case(mode: str, title: str, kernel: str, *claims: CodeClaim, each: int = SIMD_WIDTH, alignment: int = 1) -> Case:
    return simple(
        "p35",
        title,
        Kernel(kernel, "output a size_dev", grid=SIZE // TPB // each, block=TPB),
        {"a": np.arange(SIZE) % 97},
        lambda a: 2 * a + 1,
        mode=mode,
        scalars={"size_dev": SIZE},
        constants={"SIZE": SIZE, "TPB": TPB, "SIMD_WIDTH": SIMD_WIDTH},
        claims=(READ_ONCE, WRITTEN_ONCE, *claims),
        random=partial(random_fractions, addends=1),
        alignment=alignment,
    )


_PROMISED = "one instruction moves several elements where the address is known to be a multiple of their size"

CASES = (
    _case("scalar", "an element for each thread", "scalar_kernel", each=1),
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
    ),
    _case(
        "aligned",
        "aligned vectors",
        "aligned_kernel",
        CodeClaim(
            "an aligned vector is moved at once", "nvidia", has=("ld.global.nc.v4.", "st.global.v4."), why=_PROMISED
        ),
        alignment=4 * SIMD_WIDTH,
    ),
)
