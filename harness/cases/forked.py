"""Cases in the simulator, in several processes of this machine at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.process.processors import count_processors

__all__ = ["only_here", "shared_out", "side_by_side"]

R = TypeVar("R")
_CALL_LANES = 1 << 17  # that are run in the time that a process of a host function takes


def shared_out(plan: LaunchPlan) -> LaunchPlan:
    """Return the same, with as many threads for each process of a run as there are processors for it."""
    return replace(plan, workers=max(1, count_processors() // plan.jobs)) if plan.jobs > 1 else plan


def only_here(notify: Callable[[str], None]) -> Callable[[str], None]:
    """Return the same for this process alone: a fork of it may not touch the terminal's locks."""
    here = os.getpid()
    return lambda line: notify(line) if os.getpid() == here else None


def side_by_side(cases: Sequence[Case], plan: LaunchPlan, report: Callable[[Case], R]) -> Generator[R]:
    """Yield the reports of cases in their order; those that look longest are begun first."""
    if plan.jobs < 2:
        yield from map(report, cases)
        return
    from harness.process.forks import map_in_forks  # late: a learner's command has one case

    yield from map_in_forks(cases, report, plan.jobs, [_cost(case, plan) for case in cases])


def _cost(case: Case, plan: LaunchPlan) -> float:
    """About how long a case takes, in lanes: what calls host functions starts processes too."""
    launches = [launch for size in plan.case_to_run(case).sizes for launch in size.launches(plan.target.warp_width)]
    return sum(launch.lanes for launch in launches) + (_CALL_LANES if case.called else 0)
