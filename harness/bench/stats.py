"""Take samples of a duration until a rule is met; summarise them as a median with its interval."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["StopRule", "Timing", "summarise", "take_samples"]


@dataclass(frozen=True, slots=True)
class Timing:
    """The statistics of one measurement, in microseconds.

    Attributes:
        median: Of the samples.
        low: Lower end of a 95 % interval for the median, from order statistics.
        high: Its upper end.
        best: The fastest sample.
        samples: How many there were.
    """

    median: float
    low: float
    high: float
    best: float
    samples: int

    def rate(self, size: int) -> float:
        """Return the bandwidth in TB/s (10^12) for `size` bytes in the median time."""
        return size / self.median / 1e6


@dataclass(frozen=True, slots=True)
class StopRule:
    """Sampling ends when the interval is narrow, or at a limit.

    Attributes:
        relative: Half the interval's width over the median.
        least: Samples taken in any case, unless they take ten times `seconds`.
        most: Samples never exceeded.
        seconds: Time after which no further sample is begun.
    """

    relative: float = 0.005
    least: int = 20
    most: int = 300
    seconds: float = 0.6

    def is_met(self, timing: Timing, elapsed: float) -> bool:
        """Return whether to stop sampling, `elapsed` seconds after the first sample began.

        Before there are `least` samples, only after ten times `seconds`. From then on if the interval is narrow enough
        (`relative`), after `most` samples, or after `seconds`.
        """
        if timing.samples < self.least:
            return elapsed > 10 * self.seconds
        is_narrow = timing.high - timing.low <= 2 * self.relative * timing.median
        return is_narrow or timing.samples >= self.most or elapsed > self.seconds


def summarise(samples: Sequence[float]) -> Timing:
    """Return the median with a distribution-free 95 % interval.

    Args:
        samples: In microseconds, at least one.
    """
    ordered = sorted(samples)
    count = len(ordered)
    # Ranks from the normal approximation of Binomial(count, 1/2).
    spread = 1.96 * math.sqrt(count) / 2
    low = max(0, math.floor(count / 2 - spread))
    high = min(count - 1, math.ceil(count / 2 + spread))
    middle = count // 2
    median = ordered[middle] if count % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Timing(median, ordered[low], ordered[high], ordered[0], count)


def take_samples(once: Callable[[], float], rule: StopRule | None = None, warm_up: int = 3) -> Timing:
    """Call `once` until the rule is met, and return the statistics of the samples.

    Args:
        once: Does the thing and returns how long it took, in microseconds.
        rule: When to stop; `StopRule()` if None.
        warm_up: Calls whose times are dropped.
    """
    rule = rule or StopRule()
    for _ in range(warm_up):
        once()
    samples: list[float] = []
    started = time.perf_counter()
    while True:
        samples.append(once())
        timing = summarise(samples)
        if rule.is_met(timing, time.perf_counter() - started):
            return timing
