"""Cases of puzzle 31: occupancy of three kernels with nearly the same result.

The documents' data makes the second and the third kernel's corrections, powers of x up to the eighth, larger than any
number from the second million of elements on. So these two get it in thousandths, from the beginning again after a
thousand elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from harness.catalogue.data import FACTOR_DRAW, print_out_and_expected, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import PERFORMANCE
from harness.catalogue.promises import READ_ONCE
from harness.catalogue.sizes import at_sizes, lazy_inputs
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    Need,
    OccupancyClaim,
    ScalarArgument,
    Size,
    TensorArgument,
    Within,
)
from harness.model.handout import Predict
from harness.model.place import CoursePlace
from harness.model.predictions import Question
from harness.process.parts import run_in_parts

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(PERFORMANCE, ("p08", "p30"))

DOCUMENTED, SMALL, TPB = 32 << 20, 8 << 10, 1024
ALPHA = 2.5
# The further launch, whose last block has no elements, and their number in one data set and in the other.
THREADS, BLOCKS = 160, 6
PARTIAL, WHOLE = (700, 450), (800, 480)  # with idle threads in a block that has elements, and without them
_APPLE_KIB = 32

Vector = Callable[[int, int], np.ndarray]
Wide = NDArray[np.float64]
Formula = Callable[[Wide, Wide, float], Wide]
Oracle = Callable[[Arrays, int], dict[str, np.ndarray]]


def _counted(size: int, first: int) -> np.ndarray:
    return np.arange(first, first + size, dtype=np.float32)


def _thousandths(size: int, first: int) -> np.ndarray:
    return np.resize(((np.arange(1000) + first) / 1000).astype(np.float32), size)


def _draw_vector(size: int, seed: int) -> np.ndarray:
    return random_factors((size,), seed)


def _positive(size: int, seed: int, scale: int = 1) -> np.ndarray:
    return np.asarray(np.abs(random_factors((size,), seed)) * scale, np.float32)


def _instance(size: int, threads: int, documented: Vector, scale: int, width: int) -> Instance:
    counted = lazy_inputs(x=partial(documented, size, 1), y=partial(documented, size, 2))
    random = lazy_inputs(x=partial(_draw_vector, size, 31), y=partial(_draw_vector, size, 131))
    positive = lazy_inputs(x=partial(_positive, size, 231, scale), y=partial(_positive, size, 331))
    return Instance(
        width=width,
        arguments=(
            TensorArgument("y", "inout", (size,)),
            TensorArgument("x", "input", (size,)),
            ScalarArgument("alpha", ALPHA, np.dtype(np.float32)),
            ScalarArgument("size_dev", size),
        ),
        constants={"SIZE": size, "TPB": threads},
        datasets=(
            Dataset("documented", counted, "the documents' own data, in thousandths where that bounds the result"),
            Dataset("random-31", random, "one vector taken for the other, a correction that is left out"),
            Dataset("positive", positive, "a correction that is left out where it is small beside the sum"),
            Dataset("another-alpha", random, "a factor that is known before", {"alpha": -0.75}),
        ),
    )


def _make_oracle(formula: Formula) -> Oracle:
    """Return an oracle that applies the formula to x, y and alpha in float64, up to the input `size_dev`, else to all.

    It returns the dict of `y`, where the other elements keep their input values. Without an input alpha is `ALPHA`.
    """

    def oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        last = int(inputs.get("size_dev", np.array(inputs["y"].size)))
        x, y, alpha = inputs["x"][:last], inputs["y"][:last], float(inputs.get("alpha", np.array(ALPHA)))
        result = np.empty(inputs["y"].shape)
        result[last:] = inputs["y"][last:]
        sums = result[:last]

        def compute(part: slice) -> None:
            sums[part] = formula(x[part].astype(np.float64), y[part].astype(np.float64), alpha)

        run_in_parts(last, compute)
        return {"y": result}

    return oracle


def _minimal(x: Wide, y: Wide, alpha: float) -> Wide:
    return alpha * x + y


def _sophisticated(x: Wide, y: Wide, alpha: float) -> Wide:
    x *= 1.0001 * 0.9999 * 1.000001 * 0.999999
    y *= 1.000005 * 0.999995 * 1.0000001 * 0.9999999
    for small in (1e-5, 1e-6, 1e-7, 1e-8):
        alpha *= (1 + small) * (1 - small)
    square = x * x
    series = square * (1e-7 - square * (1e-8 - square * (1e-9 - square * 1e-10)))
    return alpha * x + y + series


def _balanced(x: Wide, y: Wide, alpha: float) -> Wide:
    x *= 1.00001 * 0.99999
    y *= 1.00001 * 0.99999
    return alpha * 1.000001 * 0.999999 * x + y + x * x * 1e-6


_TWICE = Within(
    rtol=2**-22, atol=0, why="two roundings of 2^-24 each, or one; of the random data the product and the sum are exact"
)
_OFTEN = Within(
    rtol=2**-19,
    atol=2**-14,
    why="fewer than 32 roundings of 2^-24 each, of values below 32 on the way; where all have one sign, each of the "
    "result's own size",
    fused=True,
)


_NO_REGISTERS = OccupancyClaim(
    "registers cost no occupancy: 66.7% on an A10 are its blocks of 1,024 of 1,536 threads, and an H100 has 100%",
    threads=TPB,
    shared=0,
    why="a multiprocessor gives out threads, shared memory and registers: what runs out first limits its blocks",
)


def _hopper(why: str) -> Question:
    return Question("Occupancy of nvidia:sm_90, which holds 2,048 threads, in percent", 100, why)


def _ampere(why: str) -> Question:
    return Question("Occupancy of nvidia:sm_86, which holds 1,536 threads, in percent", 200 / 3, why)


def _room(blocks: int, why: str) -> Question:
    return Question("Blocks that the 228 KiB of shared memory of nvidia:sm_90 are enough for", blocks, why)


def _case(
    mode: str,
    title: str,
    questions: tuple[Question, ...],
    formula: Formula,
    within: Within,
    documented: Vector,
    shared_kib: int,
    scale: int = 1,
    sizes: tuple[int, int] = PARTIAL,
) -> Case:
    most, less = sizes
    room = "no shared memory" if not shared_kib else f"{shared_kib} KiB of shared memory for a block"
    shared = CounterClaim(
        room,
        "shared_bytes_per_block",
        lambda _: shared_kib << 10,
        why="what one block takes of a multiprocessor's shared memory, and of its registers, other blocks cannot have",
    )
    enough = Need(
        lambda target: target.shared_bytes >= shared_kib << 10,
        f"a block needs {shared_kib} KiB of shared memory, and Apple's GPUs have {_APPLE_KIB}",
    )

    def at(size: int, threads: int = TPB, blocks: int | None = None) -> Case:
        return Case(
            puzzle="p31",
            mode=mode,
            title=title,
            steps=(Kernel(f"{mode}_kernel", grid=blocks or size // threads, block=threads),),
            resolve=partial(_instance, size, threads, documented, scale),
            oracle=_make_oracle(formula),
            printed=print_out_and_expected,
            printed_output="y",
            within={"y": within},
            draw=FACTOR_DRAW,
            needs=(enough,) if shared_kib > _APPLE_KIB else (),
            claims=(READ_ONCE, shared, replace(_NO_REGISTERS, shared=shared_kib << 10)),
            handout=Predict(questions),
        )

    redefined: dict[str, int | str] = {"SIZE": most, "TPB": THREADS, "BLOCKS_PER_GRID": f"({BLOCKS}, 1)"}
    further = replace(at(most, THREADS, BLOCKS), size=Size("size_dev", most))
    return with_further(
        at_sizes(at, "SIZE", documented=DOCUMENTED, small=SMALL), make_further(further, redefined, size=less)
    )


CASES = (
    _case(
        "minimal",
        "a sum with few registers",
        (
            _hopper("two blocks of 1,024 threads fit, and fill it"),
            _ampere("one block of 1,024 threads fits, and 512 of the 1,536 places stay empty"),
        ),
        _minimal,
        _TWICE,
        _counted,
        0,
    ),
    # In the documents' form the barrier is inside of the guard, where all threads of a block have to be.
    _case(
        "sophisticated",
        "a sum with much shared memory",
        (
            _room(4, "a block takes 48 KiB and the system 1 KiB for each block: 4 blocks take 196 KiB"),
            _hopper("two blocks fit by their threads, and shared memory would be enough for four: it limits nothing"),
        ),
        _sophisticated,
        _OFTEN,
        _thousandths,
        48,
        sizes=WHOLE,
    ),
    _case(
        "balanced",
        "a sum with some shared memory",
        (
            _room(13, "a block takes 16 KiB and the system 1 KiB for each block: 13 blocks take 221 KiB"),
            _ampere("threads run out first, as with the other two kernels"),
        ),
        _balanced,
        _OFTEN,
        _thousandths,
        16,
        scale=64,
    ),
)
