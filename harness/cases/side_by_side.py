"""Map a function over cases in threads, up to four on each GPU, fewer if memory is short; large cases come first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from harness.backends.base import Backend
from harness.model.case import Case
from harness.model.report import CaseReport
from harness.process.free_memory import find_free_bytes

__all__ = ["map_on_gpus"]

AT_ONCE = 4  # on each GPU: one runs, the data of two is on its way, and what one left is judged
EACH_BYTES = 3 << 29  # of memory: documented buffers take up to 256 MiB, three times over; an oracle's as much again


def map_on_gpus(
    cases: Sequence[Case], backends: Sequence[Backend], report: Callable[[Case, Backend], CaseReport]
) -> Iterator[CaseReport]:
    """Yield the reports of the cases, each run on the first backend that is free, at most four at once on each.

    Cases that are too large for the simulator come first, in the reports too: small ones fill the gaps at the end.
    Fewer run at once if memory is short. An exception of `report` is raised in its turn. Cases that have not begun then
    never run, as after closing the iterator.

    Args:
        cases: The cases to run.
        backends: One for each GPU.
        report: Runs a case on a backend and judges it.
    """
    free_bytes, most = find_free_bytes(), len(backends) * AT_ONCE
    lanes = most if free_bytes is None else max(len(backends), min(most, free_bytes // EACH_BYTES))
    free: SimpleQueue[Backend] = SimpleQueue()
    for number in range(lanes):
        free.put(backends[number % len(backends)])

    def on_a_free_one(case: Case) -> CaseReport:
        backend = free.get()
        try:
            return report(case, backend)
        finally:
            free.put(backend)

    pool = ThreadPoolExecutor(lanes)
    try:
        yield from pool.map(on_a_free_one, sorted(cases, key=lambda case: case.small is None))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
