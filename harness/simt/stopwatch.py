"""How long a launch takes, whatever else the machine does."""

from dataclasses import dataclass, field
from time import perf_counter, process_time

__all__ = ["Stopwatch"]


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Starts when it is made.

    Attributes:
        wall: When it started, by the wall clock.
        processor: When it started, by the processor time of the process.
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
