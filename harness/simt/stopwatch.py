"""Measure how long a launch takes, without the time of other work on the machine."""

from dataclasses import dataclass, field
from time import perf_counter, process_time, thread_time

import numpy as np

__all__ = ["Stopwatch", "slowness"]

_ELEMENTS, _STATEMENTS, _TIMES = 2048, 100, 20
_USUAL = 0.02  # seconds of the processor that `slowness` takes on two cores of 2020


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Starts when it is made.

    Attributes:
        wall: When it started, by the wall clock.
        processor: When it started, by the CPU time of the process.
    """

    wall: float = field(default_factory=perf_counter)
    processor: float = field(default_factory=process_time)

    @property
    def seconds(self) -> float:
        """Seconds since it started, by the wall clock."""
        return perf_counter() - self.wall

    @property
    def work(self) -> float:
        """Seconds of work since it started.

        Time in which the processor does something else does not count, nor do threads that work side by side count
        more than once.
        """
        return min(self.seconds, process_time() - self.processor)


def slowness() -> float:
    """Measure how many times slower than usual this machine interprets now; at least 1.

    Takes about 30 ms. A processor that is slow, or shares its units and caches with others, counts its time like a fast
    one that is free; so limits in seconds of CPU are multiplied by this before they end a launch.
    """
    values, started = np.arange(_ELEMENTS), thread_time()
    for _ in range(_TIMES):
        for number in range(_STATEMENTS):
            values = (values * 3 + number) & 0xFFFF
        values = np.sort(values)
    return max(1.0, (thread_time() - started) / _USUAL)
