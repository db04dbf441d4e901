"""Judges files on this machine, several at a time, each in boxes of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed

from harness.build.cache import Cache
from harness.errors import HarnessError
from harness.grading import compile_stage
from harness.grading.judge import judge
from harness.grading.work import Job, JobResult, Settings, alike
from harness.process.box import Box, Stopped, WarmBoxes
from harness.process.memory import free_bytes

__all__ = ["default_workers", "judged"]


def default_workers() -> int:
    """One more than the processors that this process may use, if there is memory for what each may take."""
    each = compile_stage.LIMITS.memory_bytes or 1
    free = free_bytes()
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = processors + 1  # so that while one waits, for the disk or its answer, all processors have work
    return max(1, wanted if free is None else min(wanted, free // each))


def judged(
    jobs: Iterable[Job],
    settings: Settings,
    box: Box,
    cache: Cache,
    workers: int,
    judge: Callable[..., JobResult] = judge,
) -> Iterator[JobResult]:
    """The results, as they come; a file over which the harness itself stumbles is not graded, and costs nobody else.

    Args:
        jobs: What is to be judged.
        settings: What all of it has in common.
        box: What each is shut in.
        cache: For what is compiled.
        workers: How many at a time.
        judge: Judges one.

    Raises:
        HarnessError: Nothing can be judged here, for want of room on the disk, say.
    """
    stopped = threading.Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="judge")
    warm = WarmBoxes(box)
    try:
        doing = {pool.submit(judge, job, settings, warm, cache, stopped.is_set): job for job in jobs}
        for done in as_completed(doing):
            try:
                result = done.result()
            except Stopped:
                continue
            except HarnessError:
                raise
            except Exception as error:
                result = alike(doing[done], reason=f"a fault of the harness, {type(error).__name__}: {error}")
            yield result
    finally:  # whoever asks may have enough: what runs is ended, and its folders removed
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
        warm.close()
