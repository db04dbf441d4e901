"""Random kernels that touch memory of all kinds, by both engines: two launches one after another, watched or not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from unittest import mock

from harness import simt
from harness.simt.compile.program import LaunchCache
from harness.simt.native import attempt
from harness.simt.native.attempt import CompiledKernel
from harness.simt.observing.counters import NOTES_BY_COUNTER, Counters
from harness.simt.run import saved_memory
from tests.simt import random_touches
from tests.simt.engines import WORKERS, alike, at_once, unoptimised

__all__ = ["touched", "touched_natively"]

PATIENCE = (0.0, 0.001, 0.003, 0.006)  # seconds after which a launch in Python begins anew


def touched(seeds: Sequence[int], *, optimised: bool = False) -> Iterator[Callable[[], object]]:
    """A comparison for each seed."""
    for seed in seeds:
        yield partial(touched_natively, seed, optimised=optimised)


def touched_natively(seed: int, *, optimised: bool = False) -> int:
    """The blocks that machine code ran of the second launch, by each number of workers.

    Args:
        optimised: Whether LLVM optimises the code as that of launches is.
    """
    touches, (observers, names) = random_touches.made(seed), _watched(seed)
    module = simt.decode(touches.text)

    def launches(how: simt.Options) -> Iterator[tuple[simt.LaunchResult, list]]:
        """By a program that knows of no launch before."""
        for name, program in module.programs.items():
            kept = program.cache.native.items()
            native = {
                notes: CompiledKernel(one.written, one.cause, one.code, one.quick, best=one.best) for notes, one in kept
            }
            module.programs[name] = replace(program, cache=LaunchCache(native=native))
        for number in range(len(touches.given)):
            yield touches.run(number, observers(), how, module)

    expected = list(launches(simt.Options(engine="reference")))
    ran = 0
    with mock.patch.object(attempt, "LONG", 0.0 if seed % 2 else math.inf), _as(optimised):
        for workers in WORKERS:
            with at_once():
                found = list(launches(simt.Options(engine="native", workers=workers)))
            _compare(found, expected, names)
            ran += found[-1][0].engine.native
        if seed % 4 == 0:
            patience = random.Random(seed).choice(PATIENCE)
            with mock.patch.multiple(saved_memory, PATIENCE=patience, COUNTING_PATIENCE=patience):
                _compare(list(launches(simt.Options(engine="auto"))), expected, names)
    return ran


def _as(optimised: bool) -> AbstractContextManager[object]:
    return nullcontext() if optimised else unoptimised()


def _watched(seed: int) -> tuple[Callable[[], list[simt.Observer]], Collection[str]]:
    """Who watches, and which counts are asked for."""
    match seed // 2 % 4:
        case 0 if seed % 7 == 0:  # nothing has to be counted, all may
            return lambda: [Counters((), more=True), *simt.observers(counters=False)], ()
        case 0:  # what promises are judged by, or all
            note = ("elements", "global", "ways")[seed // 5 % 3]
            names = (
                None if seed % 5 else [name for name, notes in NOTES_BY_COUNTER.items() if not notes or note in notes]
            )
            return lambda: [Counters(names), *simt.observers(counters=False)], names or NOTES_BY_COUNTER
        case 1:
            return lambda: simt.observers(counters=False)[: seed % 3], ()
    return partial(simt.observers, counters=False, redundant=bool(seed % 3)), ()


def _compare(
    found: list[tuple[simt.LaunchResult, list]], expected: list[tuple[simt.LaunchResult, list]], names: Collection[str]
) -> None:
    for (result, written), (right, left) in zip(found, expected, strict=True):
        assert [octets.tobytes() for octets in written] == [octets.tobytes() for octets in left]
        alike(result, right)
        assert {name: result.counters[name] for name in names} == {name: right.counters[name] for name in names}
