"""Measure wall time and processor time of a launch; measure how much slower than usual this machine is now."""

from time import perf_counter, process_time, thread_time

import numpy as np

__all__ = ["Stopwatch", "slowness"]

# Work of the interpreter: elements of an array, statements on it, and how often it is sorted after so many statements.
_IN_CACHE, _IN_MEMORY = (2048, 100, 20), (1 << 20, 10, 1)
# Seconds of the processor that each usually takes. The second is estimated: it is 0.05 s where a large launch takes 1.8
# times as long as on the machine that the first was measured on, two cores of 2020.
_USUAL = {_IN_CACHE: 0.02, _IN_MEMORY: 0.03}


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

    Takes about 0.1 s. A processor that is slow, or shares its units, caches and memory with others, counts its time
    like a fast one that is free; so limits in seconds of CPU are multiplied by this before they end a launch. Small
    arrays are measured, and arrays larger than the caches: a machine may be fast at the ones and slow at the others.
    """
    return max(1.0, *(_measure(*work) / seconds for work, seconds in _USUAL.items()))


def _measure(elements: int, statements: int, times: int) -> float:
    """Return the seconds of CPU of some work on an array."""
    values, started = np.arange(elements), thread_time()
    for _ in range(times):
        for number in range(statements):
            values = (values * 3 + number) & 0xFFFF
        values = np.sort(values)
    return thread_time() - started
