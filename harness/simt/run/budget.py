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
from harness.simt.stopwatch import Stopwatch, slowness

__all__ = ["Budget", "Long"]

SLOWEST = 20.0  # times slower than usual: a machine on which that is not enough is of no use


class Long(Exception):
    """A launch takes longer than it looked."""


class Budget:
    """The steps and the time of a launch.

    The time is looked at before each segment and now and then in it, after each access that observers
    are told of, and wherever one instruction or one observer may take long. Where the options are patient, it begins
    again whenever blocks end, and is measured by what this machine can do.

    Attributes:
        steps: How many segments were run.
        slept: Nanoseconds that lanes asked to sleep: no time passes, but clocks go on.
        stopwatch: Started when the interpreter began; not set before.
        spent: The seconds that the launch took, and those of work; see `Stopwatch.read`. Not set before it ends.
    """

    stopwatch: Stopwatch
    spent: tuple[float, float]

    def __init__(self, options: Options, program: Program) -> None:
        self._kernel, self._options = program.name, options
        self._most = options.max_steps or math.inf
        self._running: tuple[Segment, LaneSet] | None = None
        self._begin()

    def begin(self) -> None:
        """Time and steps count from now on."""
        self.stopwatch = Stopwatch()
        self._begin()

    def _begin(self) -> None:
        self.steps = self.slept = 0
        self._patient = math.inf
        self._begin_time()

    def _begin_time(self) -> None:
        self._seconds = self._options.patience or self._options.max_seconds
        self._since = thread_time()
        self._latest = perf_counter() + self._seconds  # on the wall, whose clock costs a tenth
        self._soonest = min(self._latest, self._patient)

    def renew(self) -> None:
        """Let the time begin again, if the options are patient: blocks have ended."""
        if self._options.patience is not None:
            self._begin_time()

    def check_ended(self) -> None:
        """Look at the time after blocks have ended; if the options are patient, that is all that they ask for.

        However long it took: machine code is compiled before, and runs many blocks between two looks.

        Raises:
            BudgetExceeded, Long: As from `check`.
        """
        if self._options.patience is None:
            self.check()
        else:
            self._begin_time()

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
        used, patience = thread_time() - self._since, self._options.patience
        if used > self._seconds and patience is not None:
            self._seconds = max(self._seconds, patience * min(slowness(), SLOWEST))
        if used > self._seconds:
            if self._patient < math.inf and self._is_better():
                raise Long
            budget = f"{self._seconds:.3g} seconds of processor time"
            if patience is None:
                self.end(budget)
            self._end(Finding("budget-exceeded.progress", "information", self._kernel, values={"budget": budget}))
        self._latest = now + self._seconds - used
        self._soonest = min(self._latest, self._patient)

    def _lose_patience(self, now: float) -> None:
        """Raise `Long`, unless the launch has worked for less, or there is nothing better."""
        left = self._patience - thread_time()
        if left <= 0 and self._is_better():
            raise Long
        self._patient = now + left if left > 0 else math.inf

    def end(self, budget: str) -> NoReturn:
        """Ends the launch.

        Args:
            budget: What it has used up, for people: `10 seconds of processor time`.

        Raises:
            BudgetExceeded: Always, at the lanes that run.
        """
        self._end(Finding("budget-exceeded", "information", self._kernel, values={"budget": budget}))

    def _end(self, finding: Finding) -> NoReturn:
        if self._running is not None:
            segment, lanes = self._running
            sites = () if segment.site is None else (segment.site.place,)
            finding = replace(finding, sites=sites, who=tuple(lanes.who(np.arange(lanes.n))), count=lanes.n)
        raise BudgetExceeded(finding)
