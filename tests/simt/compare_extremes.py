"""Kernels at the edges by both engines: nothing but a result or a declared error, the same from both, and as an exact
model has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from harness import simt
from harness.simt.errors import BudgetExceeded, Livelock
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt import random_extremes
from tests.simt.engines import alike, unoptimised

__all__ = ["compared", "extremes", "outcome"]

SECONDS = 4.0
GRID, BLOCK = 2, 32
OPTIMISED, COUNTED, AUTO = 16, 7, 5  # every so many-th kernel: as those of users are, with counters, by the default


def extremes(seeds: Sequence[int]) -> Iterator[Callable[[], object]]:
    """A comparison for each seed."""
    for seed in seeds:
        yield partial(compared, seed)


def outcome(
    kernel: random_extremes.Extreme, engine: Any, counters: bool = False
) -> tuple[simt.LaunchResult | simt.SimtError, bytes]:
    """Launch a kernel; return the result, or the declared error that refused it, and the memory after it."""
    data = np.zeros(random_extremes.BYTES, np.uint8), np.arange(random_extremes.BYTES, dtype=np.uint8)
    end = np.zeros(GRID * BLOCK, np.int64)
    try:
        result = launch(
            kernel.text,
            target=kernel.target,
            grid=GRID,
            block=BLOCK,
            args=[*data, *(np.int64(number) for number in kernel.numbers), end],
            observers=simt.observers(counters=counters),
            options=simt.Options(engine=engine, max_seconds=SECONDS, max_bytes=1 << 28),
        )
    except simt.SimtError as error:
        return error, b""
    return result, b"".join(array.tobytes() for array in (*data, end))


def compared(seed: int, kinds: Sequence[random_extremes.Kind] = random_extremes.KINDS) -> str:
    """Run a kernel by both engines; return what became of it: `clean`, `findings`, `incomplete`, or an error's name.

    Raises:
        AssertionError: They differ, or the model knows better.
    """
    kernel = random_extremes.made(seed, kinds)
    counters = seed % COUNTED == 0
    expected, left = outcome(kernel, "reference", counters)
    with nullcontext() if seed % OPTIMISED == 0 else unoptimised():
        found, memory = outcome(kernel, "native" if seed % AUTO else "auto", counters)
    if isinstance(expected, simt.SimtError) or isinstance(found, simt.SimtError):
        assert (type(found), str(found)) == (type(expected), str(expected))
        assert "\n" not in str(expected).strip() or isinstance(expected, simt.DecodeError), str(expected)
        # LLVM refuses some texts, and the simulator what no device has.
        assert kernel.can_refuse or isinstance(expected, simt.DecodeError), str(expected)
        return type(expected).__name__
    if not isinstance(expected.fault, BudgetExceeded | Livelock):  # whose time is over where both may be
        assert memory == left
        alike(found, expected)
    if kernel.is_wrong is not None:
        told = expected.verdict
        assert (told != "clean") == kernel.is_wrong or expected.fault is not None, (told, kernel.is_wrong)
    return str(expected.verdict)
