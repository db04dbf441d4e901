"""Cases of puzzle 30: one sum of two vectors in three access patterns, for a profiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import ScalableDraw, format_floats, random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import PERFORMANCE
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.sizes import at_sizes, lazy_inputs, pad_masked
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    ScalarArgument,
    Size,
    TensorArgument,
)
from harness.model.handout import Predict
from harness.model.place import CoursePlace
from harness.model.predictions import Question

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(PERFORMANCE, ("p02", "p06"))

DOCUMENTED = 16 << 20
THREADS, STRIDE = 1024, 512
FURTHER = 1100, 240, 6  # elements, threads of a block, and blocks: the fifth has idle threads, the sixth no others
SHOWN = 10


def _counted(size: int, first: int) -> np.ndarray:
    return np.arange(first, first + size, dtype=np.float32)


def _draw_vector(size: int, seed: int) -> np.ndarray:
    return random_fractions((size,), seed, addends=2)


def _instance(size: int, width: int) -> Instance:
    documented = lazy_inputs(a=partial(_counted, size, 1), b=partial(_counted, size, 2))
    random = lazy_inputs(a=partial(_draw_vector, size, 30), b=partial(_draw_vector, size, 130))
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,)),
            TensorArgument("a", "input", (size,)),
            TensorArgument("b", "input", (size,)),
            ScalarArgument("size_dev", size),
        ),
        constants={"SIZE": size},
        datasets=(
            Dataset("documented", documented, "the documents' own data"),
            Dataset("random-30", random, "inputs taken for one another, and anything that a pattern hides"),
        ),
    )


def _compute_sums(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    """Return `output`: `a + b` rounded to float32, as float64; masked from the input `size_dev` on, if there is one."""
    sums = inputs["a"] + inputs["b"]
    last = int(inputs.get("size_dev", np.asarray(sums.size)))
    return {"output": pad_masked(sums[:last].astype(np.float64), sums.shape)}


def _draw(instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        tensor.name: _draw_vector(tensor.elements, int(generator.integers(1 << 32))) for tensor in instance.initialized
    }


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: {format_floats(actual[:SHOWN])}", f"expected: {format_floats(expected[:SHOWN])}")


def _sectors(why: str) -> Question:
    return Question("Sectors that a warp touches when its 32 lanes read `a`", 4, why)


def _case(
    number: int,
    title: str,
    questions: tuple[Question, ...],
    claims: Callable[[int], tuple[CounterClaim, ...]],
    small: int = 1 << 16,
) -> Case:
    def at(size: int, threads: int = THREADS, blocks: int | None = None) -> Case:
        return Case(
            puzzle="p30",
            mode=f"kernel{number}",
            title=title,
            steps=(Kernel(f"kernel{number}", "output a b size_dev", grid=blocks or size // THREADS, block=threads),),
            resolve=partial(_instance, size),
            oracle=_compute_sums,
            printed=_print_lines,
            claims=(_WHOLE_SECTORS, *claims(size)),
            draw=ScalableDraw(_draw),
            handout=Predict(questions),
        )

    size, threads, blocks = FURTHER
    redefined: dict[str, int | str] = {
        "SIZE": size,
        "THREADS_PER_BLOCK": f"({threads}, 1)",
        "BLOCKS_PER_GRID": f"({blocks}, 1)",
    }
    further = replace(at(size, threads, blocks), size=Size("size_dev", size))
    return with_further(at_sizes(at, "SIZE", documented=DOCUMENTED, small=small), make_further(further, redefined))


_WHOLE_SECTORS = CounterClaim("a warp uses all that it moves of the memory", "coalescing", lambda _: 1)


def _many_reads(size: int) -> tuple[CounterClaim, ...]:
    return (
        CounterClaim(
            "an element at the end is read by one thread in 512",
            "reads_per_input_element",
            lambda _: size // STRIDE,
        ),
        CounterClaim(
            "an element is read SIZE / 1024 times on the average, 16,384 times at the documented size",
            "global_loads",
            lambda _: size * (size // STRIDE + 1),
        ),
    )


CASES = (
    _case(
        1,
        "a sum in order",
        (
            _sectors("32 neighbours of 4 bytes are 128 bytes, and a sector has 32"),
            Question(
                "Bytes of global memory that are moved for each element of `output`",
                12,
                "two elements of 4 bytes are read and one is written, and none twice",
            ),
        ),
        lambda _: (READ_ONCE, WRITTEN_ONCE),
    ),
    _case(
        2,
        "a sum in steps that many threads take",
        (
            _sectors("in each step the lanes of a warp still read neighbours"),
            Question(
                "One thread in how many reads the last element of `a`",
                STRIDE,
                "threads 511, 1023, 1535 and so on all come to it in steps of 512",
            ),
        ),
        _many_reads,
        small=1 << 14,
    ),
    _case(
        3,
        "a sum from the end",
        (
            _sectors("the lanes read the same 128 bytes, only in the opposite order"),
            Question(
                "Bytes that the lanes asked for, in percent of the bytes in the sectors",
                100,
                "each sector is used whole, whichever lane uses which part of it",
            ),
        ),
        lambda _: (READ_ONCE, WRITTEN_ONCE),
    ),
)
