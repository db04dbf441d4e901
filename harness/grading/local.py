"""Judge many files at once on this machine, in threads and sandboxes; `harness.cluster.grading` uses other hosts.

Files of the same people are compiled together, because most of a compilation is the library's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import Any

from harness.build.cache import Cache
from harness.errors import HarnessError
from harness.grading import compile_stage
from harness.grading.compile_stage import Compiled
from harness.grading.judge import compile_together, judge
from harness.grading.work import Job, JobResult, Settings, uniform_result
from harness.process.box import Sandbox, SandboxPool, StoppedError
from harness.process.free_memory import find_free_bytes
from harness.process.processors import count_processors

__all__ = ["default_workers", "judge_all"]


def default_workers() -> int:
    """Return one more than the processors of this process, or fewer if free memory has not room for 2 GiB each; at
    least 1.
    """
    each = compile_stage.LIMITS.memory_bytes or 1
    free = find_free_bytes()
    most = count_processors() + 1  # so that while one waits, for the disk or its answer, all processors have work
    return max(1, most if free is None else min(most, free // each))


def judge_all(
    jobs: Iterable[Job],
    settings: Settings,
    box: Sandbox,
    cache: Cache,
    workers: int,
    judge: Callable[..., JobResult] = judge,
    compiled: Callable[..., dict[str, Compiled]] = compile_together,
) -> Iterator[JobResult]:
    """Yield results as they come; a file whose judging raises anything but a `HarnessError` is NOT_GRADED.

    Files of the same people are compiled together first. Whoever stops iterating ends what runs; such files give no
    result.

    Args:
        jobs: The files to judge.
        settings: The settings that all of them share.
        box: The kind of sandbox for each.
        cache: The cache of compiled code.
        workers: How many files are judged at a time.
        judge: The function that judges one file.
        compiled: The function that compiles several files of the same people.

    Raises:
        HarnessError: Judging a file raised it, for want of room on the disk, say: other files get no result.
    """
    stopped = threading.Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="judge")
    warm = SandboxPool(box)
    how = settings, warm, cache, stopped.is_set
    groups = iter(_of_the_same_people(jobs))
    doing: dict[Future[Any], Job | list[Job]] = {}

    def begin() -> None:
        """Start to compile the next group of the same people, if there is one; when it is done, the group is judged and
        the next one comes.
        """
        for group in islice(groups, 1):
            doing[pool.submit(partial(compiled, group, *how) if len(group) > 1 else dict)] = group

    try:
        for _ in range(workers):
            begin()
        while doing:
            for future in wait(doing, return_when=FIRST_COMPLETED).done:
                what = doing.pop(future)
                try:
                    answer = future.result()
                except StoppedError:
                    continue
                except HarnessError:
                    raise
                except Exception as error:  # a defect of ours that one file met: the class goes on
                    reason = f"a fault of the harness, {type(error).__name__}: {error}"
                    answer = {} if isinstance(what, list) else uniform_result(what, reason=reason)
                if isinstance(what, Job):
                    yield answer
                    continue
                for job in what:
                    code = {"code": answer[job.key]} if job.key in answer else {}
                    doing[pool.submit(judge, job, *how, **code)] = job
                begin()
    finally:  # whoever asks may have enough: what runs is ended, and its folders removed
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
        warm.close()


def _of_the_same_people(jobs: Iterable[Job]) -> list[list[Job]]:
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.people or job.key, []).append(job)
    return list(groups.values())
