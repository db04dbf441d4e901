"""Have a scheduler's workers judge submitted files, and on a worker judge one (by `harness.grading.judge`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.build.cache import Cache
from harness.cluster.boxes import get_pool
from harness.cluster.orders import Cluster, ClusterOrder, LostOrder
from harness.grading import judge
from harness.grading.work import Job, JobResult, Settings, uniform_result

__all__ = ["GradeOrder", "judge_file", "judge_files"]


@dataclass(frozen=True, slots=True)
class GradeOrder:
    """A file, what all of its grading has in common, and the kind of box that it is shut in."""

    job: Job
    settings: Settings
    sandbox: str


def judge_files(
    jobs: Iterable[Job], settings: Settings, sandbox: str, cluster: Cluster, needs: Iterable[str]
) -> Iterator[JobResult]:
    """Yield a result for each different file as it arrives; a job without a valid answer is NOT_GRADED in all modes.

    Args:
        jobs: The files to judge; of files with the same key, only the last is judged and has a result.
        settings: What all of it has in common.
        sandbox: The kind of box that each is shut in; `auto` is each worker's strongest.
        cluster: Who judges.
        needs: The resources that a job asks for.

    Raises:
        EnvironmentFault: As `Cluster.run_orders`.
    """
    jobs_by_key = {job.key: job for job in jobs}
    orders = (_make_order(job, settings, sandbox) for job in jobs_by_key.values())
    for order, answer in cluster.run_orders(orders, needs):
        yield _read_result(answer, jobs_by_key[order.key])


def _make_order(job: Job, settings: Settings, sandbox: str) -> ClusterOrder:
    code = {judge.code_key(job, settings): judge.CODE} if settings.backend == "simulator" else {}
    return ClusterOrder(job.key, "grade", GradeOrder(job, settings, sandbox), code)


def _read_result(answer: Any, job: Job) -> JobResult:
    """Return a worker's answer as a job's result: NOT_GRADED, with the reason, for a `LostOrder` or a malformed one."""
    if isinstance(answer, LostOrder):
        return uniform_result(job, reason=answer.reason)
    try:
        return JobResult.read(answer, job)
    except ValueError:
        return uniform_result(job, reason="its worker answered what is no result")


def judge_file(order: GradeOrder, stop: Callable[[], bool]) -> JobResult:
    """Judge one file, on a worker."""
    return judge.judge(order.job, order.settings, get_pool(order.sandbox), Cache.default(), stop)
