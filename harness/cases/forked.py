"""Map a function over cases in forked processes, if the plan has jobs; divide threads, silence callbacks in forks."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.process.processors import count_processors

__all__ = ["divide_workers", "limit_to_this_process", "map_cases"]

R = TypeVar("R")
_CALL_LANES = 1 << 17  # that are run in the time that a process of a host function takes


def divide_workers(plan: LaunchPlan) -> LaunchPlan:
    """Return the plan, if it has several jobs, with its share of this machine's processors as worker threads for each
    of its processes.
    """
    return replace(plan, workers=max(1, count_processors() // plan.jobs)) if plan.jobs > 1 else plan


def limit_to_this_process(notify: Callable[[str], None]) -> Callable[[str], None]:
    """Return a callback that calls `notify` in this process, and does nothing in a fork, which may not touch the
    terminal's locks.
    """
    owner = os.getpid()
    return lambda line: notify(line) if os.getpid() == owner else None


def map_cases(cases: Sequence[Case], plan: LaunchPlan, report: Callable[[Case], R]) -> Generator[R]:
    """Yield the reports of cases in their order: in forks if the plan has several jobs, where the longest cases start
    first, else one after another in this process.

    Closing the generator ends the forks. An exception of `report` is raised here, in its turn.
    """
    if plan.jobs < 2:
        yield from map(report, cases)
        return
    from harness.process.forks import map_in_forks  # late: a learner's command has one case

    yield from map_in_forks(cases, report, plan.jobs, [_cost(case, plan) for case in cases])


def _cost(case: Case, plan: LaunchPlan) -> float:
    """Return about how long a case takes: the threads of all its launches, and 2^17 more if it calls host functions,
    which starts processes.
    """
    launches = [launch for size in plan.case_to_run(case).sizes for launch in size.launches(plan.target.warp_width)]
    return sum(launch.lanes for launch in launches) + (_CALL_LANES if case.called else 0)
