"""Cases of puzzle 32: bank conflicts of shared memory, none and two-way."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import PERFORMANCE
from harness.catalogue.promises import NO_CONFLICTS, READ_ONCE, WRITTEN_ONCE, promise_conflicts
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, CounterClaim, Kernel, Size
from harness.model.handout import Predict
from harness.model.place import CoursePlace
from harness.model.predictions import Question

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(PERFORMANCE, ("p08", "p30"))

SIZE, TPB = 8192, 256
FURTHER = 700, 160, 6  # elements, threads of a block, and blocks: the fifth has idle threads, the sixth no others
_BANKS = 32
_REQUESTS = 2 * SIZE // _BANKS  # a store and a load of each element, 32 at a time


def _questions(stride: int, why_passes: str, why_bytes: str) -> tuple[Question, ...]:
    return (
        Question("Passes that a warp's store to shared memory takes", stride, why_passes),
        Question("Bytes of shared memory that a block takes", 4 * stride * TPB, why_bytes),
    )


def _case(
    mode: str, title: str, kernel: str, stride: int, banks: CounterClaim, questions: tuple[Question, ...]
) -> Case:
    room = f"a block uses {stride} x TPB elements of shared memory"
    shared = CounterClaim(room, "shared_bytes_per_block", lambda _: stride * TPB * 4)

    def at(size: int, threads: int, blocks: int, argument: Size | None = None) -> Case:
        return make_simple_case(
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
    return replace(with_further(at(SIZE, TPB, SIZE // TPB), further), handout=Predict(questions))


_TWICE = promise_conflicts("each access goes to its banks twice", _REQUESTS)

CASES = (
    _case(
        "no-conflict",
        "each lane its own bank",
        "no_conflict_kernel",
        1,
        NO_CONFLICTS,
        _questions(1, "32 neighbouring words lie in 32 banks", "256 threads have a word of 4 bytes each"),
    ),
    _case(
        "two-way",
        "two lanes for each bank",
        "two_way_conflict_kernel",
        2,
        _TWICE,
        _questions(
            2,
            "the words of lanes 0 and 16 lie 32 apart, in one bank; so do those of lanes 1 and 17, and so on",
            "beside each of 256 words of 4 bytes one stays unused",
        ),
    ),
)
