"""How long a launch may run."""

import time
from typing import NoReturn

from harness.simt.compile.segments import Segment
from harness.simt.errors import BudgetExceeded
from harness.simt.options import Options
from harness.simt.run.observation import Observation
from harness.simt.state.lanes import LaneSet

__all__ = ["Budget"]

CLOCK_STEPS = 256


class Budget:
    """The steps and the time of a launch.

    Attributes:
        steps: How many segments were run.
    """

    def __init__(self, options: Options, observation: Observation) -> None:
        self.steps = 0
        self._observation = observation
        self._seconds, self._most = options.max_seconds, options.max_steps
        self._deadline = time.monotonic() + options.max_seconds

    def spend(self, segment: Segment, lanes: LaneSet) -> None:
        """Takes one step, that of lanes which run a segment."""
        self.steps += 1
        if self.steps % CLOCK_STEPS == 0 and time.monotonic() > self._deadline:
            self._out(segment, lanes, f"{self._seconds:g} seconds")
        if self._most and self.steps > self._most:
            self._out(segment, lanes, f"{self._most} steps")

    def _out(self, segment: Segment, lanes: LaneSet, budget: str) -> NoReturn:
        self._observation.fail("budget-exceeded", (segment.site,), lanes, error=BudgetExceeded, budget=budget)
