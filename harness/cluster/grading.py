"""Files of submissions, judged by the workers of a scheduler as this machine judges them (`harness.grading.judge`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.build.cache import Cache
from harness.cluster.boxes import warm
from harness.cluster.orders import Cluster, Lost, Order
from harness.grading import judge
from harness.grading.work import Job, JobResult, Settings, uniform_result

__all__ = ["GradeOrder", "graded", "judged"]


@dataclass(frozen=True, slots=True)
class GradeOrder:
    """A file, what all of its grading has in common, and the kind of box that it is shut in."""

    job: Job
    settings: Settings
    sandbox: str


def judged(
    jobs: Iterable[Job], settings: Settings, sandbox: str, cluster: Cluster, needs: Iterable[str]
) -> Iterator[JobResult]:
    """The results, as they come.

    Args:
        jobs: What is to be judged, each once.
        settings: What all of it has in common.
        sandbox: The kind of box that each is shut in; `auto` is each worker's strongest.
        cluster: Who judges.
        needs: The resources that a job asks for.
    """
    everything = {job.key: job for job in jobs}
    orders = (_order(job, settings, sandbox) for job in everything.values())
    for order, answer in cluster.answers(orders, needs):
        yield _result(answer, everything[order.key])


def _order(job: Job, settings: Settings, sandbox: str) -> Order:
    code = {judge.code_key(job, settings): judge.CODE} if settings.backend == "simulator" else {}
    return Order(job.key, "grade", GradeOrder(job, settings, sandbox), code)


def _result(answer: Any, job: Job) -> JobResult:
    if isinstance(answer, Lost):
        return uniform_result(job, reason=answer.reason)
    try:
        return JobResult.read(answer, job)
    except ValueError:
        return uniform_result(job, reason="its worker answered what is no result")


def graded(order: GradeOrder, stop: Callable[[], bool]) -> JobResult:
    """On a worker: judges one file."""
    return judge.judge(order.job, order.settings, warm(order.sandbox), Cache.default(), stop)
