"""How long a launch may run."""

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter, thread_time
from typing import NoReturn

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.errors import BudgetExceeded
from harness.simt.findings import Finding
from harness.simt.options import Options
from harness.simt.state.lanes import LaneSet
from harness.simt.stopwatch import Stopwatch

__all__ = ["Budget", "Long"]


class Long(Exception):
    """A launch takes longer than it looked."""


class Budget:
    """The steps and the time of a launch.

    The time is looked at before each segment and now and then in it, after each access that observers
    are told of, and wherever one instruction or one observer may take long.

    Attributes:
        steps: How many segments were run.
        slept: Nanoseconds that lanes asked to sleep: no time passes, but clocks go on.
        stopwatch: Started when the launch did.
    """

    def __init__(self, options: Options, program: Program) -> None:
        self._kernel, self._options = program.name, options
        self._most = options.max_steps or math.inf
        self._running: tuple[Segment, LaneSet] | None = None
        self.begin()

    def begin(self) -> None:
        """Time and steps count from now on."""
        self.steps = self.slept = 0
        self.stopwatch = Stopwatch()
        self._patient = math.inf
        self._soonest = self._latest = (
            perf_counter() + self._options.max_seconds
        )  # on the wall, whose clock costs a tenth
        self._deadline = thread_time() + self._options.max_seconds

    def hurry(self, seconds: float, is_better: Callable[[], bool]) -> None:
        """After so many seconds of CPU the launch is not worth going on with, if there is something better then."""
        self._patient = perf_counter() + seconds  # first by the wall, whose clock costs less
        self._patience, self._is_better = thread_time() + seconds, is_better
        self._soonest = min(self._latest, self._patient)

    @property
    def clock(self) -> int:
        """What clocks show: time has no other meaning here."""
        return self.steps + self.slept

    def spend(self, segment: Segment, lanes: LaneSet) -> None:
        """Takes one step, that of lanes which run a segment.

        Raises:
            BudgetExceeded: It was one too many, or the time is over.
            Long: It was to `hurry`, and has not ended.
        """
        self.steps += 1
        self._running = segment, lanes
        if self.steps > self._most:
            self.end(f"{self._options.max_steps} steps")
        self.check()

    def check(self) -> None:
        """Looks at the time.

        Raises:
            BudgetExceeded: It is over.
            Long: As from `spend`.
        """
        now = perf_counter()
        if now < self._soonest:
            return
        if now > self._patient:
            self._lose_patience(now)
        if thread_time() > self._deadline:
            self.end(f"{self._options.max_seconds:g} seconds")

    def _lose_patience(self, now: float) -> None:
        """Raise `Long`, unless the launch has worked for less, or there is nothing better."""
        left = self._patience - thread_time()
        if left <= 0 and self._is_better():
            raise Long
        self._patient = now + left if left > 0 else math.inf
        self._soonest = min(self._latest, self._patient)

    def end(self, budget: str) -> NoReturn:
        """Ends the launch.

        Args:
            budget: What it has used up, for people: `10 seconds`.

        Raises:
            BudgetExceeded: Always, at the lanes that run.
        """
        finding = Finding("budget-exceeded", "information", self._kernel, values={"budget": budget})
        if self._running is not None:
            segment, lanes = self._running
            sites = () if segment.site is None else (segment.site.place,)
            finding = replace(finding, sites=sites, who=tuple(lanes.who(np.arange(lanes.n))), count=lanes.n)
        raise BudgetExceeded(finding)
