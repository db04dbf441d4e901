"""Puzzle 32: conflicts of shared memory's banks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import PERFORMANCE
from harness.catalogue.promises import NO_CONFLICTS, READ_ONCE, WRITTEN_ONCE, conflicts
from harness.catalogue.simple import simple
from harness.model.case import Case, CounterClaim, Kernel, Size
from harness.model.given import Complete
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(PERFORMANCE, ("p08", "p30"))

SIZE, TPB = 8192, 256
FURTHER = 700, 160, 6  # elements, threads of a block, and blocks: the fifth has idle threads, the sixth no others
_BANKS = 32
_REQUESTS = 2 * SIZE // _BANKS  # a store and a load of each element, 32 at a time


def _case(mode: str, title: str, kernel: str, stride: int, banks: CounterClaim) -> Case:
    room = f"a block uses {stride} x TPB elements of shared memory"
    shared = CounterClaim(room, "shared_bytes_per_block", lambda _: stride * TPB * 4)

    def at(size: int, threads: int, blocks: int, argument: Size | None = None) -> Case:
        return simple(
            "p32",
            title,
            Kernel(kernel, "output input size_dev", grid=blocks, block=threads),
            {"input": np.arange(1, size + 1)},
            lambda input: 2 * (input + 10),
            mode=mode,
            scalars=None if argument else {"size_dev": size},
            size=argument,
            constants={"SIZE": size, "TPB": threads},
            claims=(READ_ONCE, WRITTEN_ONCE, banks, shared),
            random=partial(random_fractions, addends=1),
        )

    size, threads, blocks = FURTHER
    redefined: dict[str, int | str] = {"SIZE": size, "TPB": threads, "BLOCKS_PER_GRID": f"({blocks}, 1)"}
    further = make_further(at(*FURTHER, Size("size_dev", size)), redefined)
    return replace(with_further(at(SIZE, TPB, SIZE // TPB), further), given=Complete())


_TWICE = conflicts("each access goes to its banks twice", _REQUESTS)

CASES = (
    _case("no-conflict", "each lane its own bank", "no_conflict_kernel", 1, NO_CONFLICTS),
    _case("two-way", "two lanes for each bank", "two_way_conflict_kernel", 2, _TWICE),
)
