"""Judges files on this machine, several at a time, each in boxes of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed

from harness.backends.memory_limit import free_bytes
from harness.build.cache import Cache
from harness.grading import compile_stage
from harness.grading.judge import judge
from harness.grading.work import Job, JobResult, Settings
from harness.process.box import Box, Stopped, WarmBoxes

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
    """The results, as they come.

    Args:
        jobs: What is to be judged.
        settings: What all of it has in common.
        box: What each is shut in.
        cache: For what is compiled.
        workers: How many at a time.
        judge: Judges one.
    """
    stopped = threading.Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="judge")
    warm = WarmBoxes(box)
    try:
        for done in as_completed([pool.submit(judge, job, settings, warm, cache, stopped.is_set) for job in jobs]):
            try:
                yield done.result()
            except Stopped:
                continue
    finally:  # whoever asks may have enough: what runs is ended, and its folders removed
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
        warm.close()
