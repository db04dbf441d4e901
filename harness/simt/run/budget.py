"""Count a launch's steps and CPU time; end it when they are exceeded, or ask for a restart; the kernel's clock."""

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

__all__ = ["Budget", "RestartNeeded"]

MAX_SLOWNESS = 20.0  # times slower than usual: no usable machine is slower
RENEWED = 0.05  # of the budget: what begins again before so much of it is gone goes on with what is left


class RestartNeeded(Exception):
    """A launch is slower than expected, and is to restart in a faster way."""


class Budget:
    """Count a launch's steps and time, and end the launch when it exceeds its budget.

    The time is checked before each segment, sometimes within it, after each access that is
    reported to observers, and wherever one instruction or one observer may take long. With `Options.patience`, the time
    budget starts again whenever blocks end, and is scaled to the speed of this machine.

    Attributes:
        steps: How many segments were run.
        slept: Nanoseconds that lanes asked to sleep: no time passes, but clocks advance.
        stopwatch: Started when the interpreter began; not set before.
        spent: The seconds that the launch took, and those of work; see `Stopwatch.read`. Not set before it ends.
    """

    stopwatch: Stopwatch
    spent: tuple[float, float]

    def __init__(self, options: Options, program: Program) -> None:
        self._kernel, self._options = program.name, options
        self._max_steps = options.max_steps or math.inf
        self._running: tuple[Segment, LaneSet] | None = None
        self._began = -math.inf
        self._begin()

    def begin(self) -> None:
        """Start counting time and steps from zero, with a new stopwatch, and forget `set_patience`.

        The time is not reset if less than `RENEWED` of the time budget has passed.
        """
        self.stopwatch = Stopwatch()
        self._begin()

    def _begin(self) -> None:
        self.steps = self.slept = 0
        self._patience_deadline = math.inf
        self._begin_time()

    def _begin_time(self) -> None:
        self._seconds = self._options.patience or self._options.max_seconds
        now = perf_counter()
        if now - self._began > RENEWED * self._seconds:  # a thread's clock is slow to read, and blocks may be short
            self._began, self._started = now, thread_time()
        self._deadline = self._began + self._seconds  # on the wall, whose clock costs a tenth
        self._next_check = min(self._deadline, self._patience_deadline)

    def renew(self) -> None:
        """Restart the time budget because blocks have ended, if the options have `patience`; else do nothing."""
        if self._options.patience is not None:
            self._begin_time()

    def check_ended(self) -> None:
        """Check the time after blocks have ended. With `Options.patience` only restart the time budget instead.

        Compiled code runs many blocks between two checks.

        Raises:
            BudgetExceeded, RestartNeeded: As from `check`.
        """
        if self._options.patience is None:
            self.check()
        else:
            self._begin_time()

    def set_patience(self, seconds: float, is_better: Callable[[], bool]) -> None:
        """Have `check` raise `RestartNeeded` once this thread has used `seconds` more of CPU time, if `is_better()`.

        `is_better` is called once: then, or when the time budget is exceeded, if that is earlier. If it returns False,
        the launch goes on with the time budget alone.
        """
        self._patience_deadline = perf_counter() + seconds  # first by the wall, whose clock costs less
        self._patience, self._is_better = thread_time() + seconds, is_better
        self._next_check = min(self._deadline, self._patience_deadline)

    @property
    def clock(self) -> int:
        """The value that the kernel's clocks show: steps plus nanoseconds slept."""
        return self.steps + self.slept

    def spend(self, segment: Segment, lanes: LaneSet) -> None:
        """Count one step, before lanes run a segment, and check the time; see `check`.

        Errors of this and later checks name the segment and the lanes, until the next step.

        Raises:
            BudgetExceeded: The step or the time budget is exceeded.
            RestartNeeded: As from `check`.
        """
        self.steps += 1
        self._running = segment, lanes
        if self.steps > self._max_steps:
            self.end(f"{self._options.max_steps} steps")
        self.check()

    def check(self) -> None:
        """Check the CPU time that this thread has used since the time budget last started.

        With `Options.patience`, a machine that is slower than usual gets more, up to `MAX_SLOWNESS` times as much.

        Raises:
            BudgetExceeded: The time budget is exceeded.
            RestartNeeded: The time budget, or the time of `set_patience`, is over, and its `is_better` returns True.
        """
        now = perf_counter()
        if now < self._next_check:
            return
        if now > self._patience_deadline:
            self._lose_patience(now)
        used, patience = thread_time() - self._started, self._options.patience
        if used > self._seconds and patience is not None:
            self._seconds = max(self._seconds, patience * min(slowness(), MAX_SLOWNESS))
        if used > self._seconds:
            if self._patience_deadline < math.inf and self._is_better():
                raise RestartNeeded
            budget = f"{self._seconds:.3g} seconds of processor time"
            if patience is None:
                self.end(budget)
            self._end(Finding("budget-exceeded.progress", "information", self._kernel, values={"budget": budget}))
        self._deadline = now + self._seconds - used
        self._next_check = min(self._deadline, self._patience_deadline)

    def _lose_patience(self, now: float) -> None:
        """Raise `RestartNeeded` if the CPU time of `set_patience` is used up and restarting is better.

        Otherwise set `_patience_deadline`: to when the CPU time that is left can be used up; infinite if none is left.

        Args:
            now: The current time of `perf_counter`.
        """
        remaining = self._patience - thread_time()
        if remaining <= 0 and self._is_better():
            raise RestartNeeded
        self._patience_deadline = now + remaining if remaining > 0 else math.inf

    def end(self, budget: str) -> NoReturn:
        """Raise `BudgetExceeded` for the lanes that run.

        Args:
            budget: The budget that is exceeded, for people: `10 seconds of processor time`.

        Raises:
            BudgetExceeded: Always.
        """
        self._end(Finding("budget-exceeded", "information", self._kernel, values={"budget": budget}))

    def _end(self, finding: Finding) -> NoReturn:
        if self._running is not None:
            segment, lanes = self._running
            sites = () if segment.site is None else (segment.site.place,)
            finding = replace(finding, sites=sites, who=tuple(lanes.who(np.arange(lanes.n))), count=lanes.n)
        raise BudgetExceeded(finding)
