"""Measure wall time and processor time of a launch; measure how much slower than usual this machine is now."""

from time import perf_counter, process_time, thread_time

import numpy as np

__all__ = ["Stopwatch", "slowness"]

_ELEMENTS, _STATEMENTS, _TIMES = 2048, 100, 20
_USUAL = 0.02  # seconds of the processor that `slowness` takes on two cores of 2020


class Stopwatch:
    """Starts when it is made."""

    __slots__ = ("_processor", "_wall")

    def __init__(self) -> None:
        self._wall, self._processor = perf_counter(), process_time()

    @property
    def seconds(self) -> float:
        """Seconds since it started, by the wall clock."""
        return perf_counter() - self._wall

    @property
    def work(self) -> float:
        """Seconds of work since it started; see `read`."""
        return self.read()[1]

    def read(self) -> tuple[float, float]:
        """Return the seconds since it started by the wall clock, and the seconds of work; nothing is reset.

        Work is the processor time of all threads of this process, but at most the time by the wall clock.
        """
        seconds = perf_counter() - self._wall
        return seconds, min(seconds, process_time() - self._processor)


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
