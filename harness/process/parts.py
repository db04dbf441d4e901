"""Work on large vectors, a part at a time: what lies between stays in the processor's cache, and threads share them."""

from __future__ import annotations

from collections.abc import Callable

from harness.process.processors import count_processors

__all__ = ["run_in_parts"]

_PART = 1 << 16  # elements
_THREADS = 8  # more do not add to what memory gives


def run_in_parts(size: int, work: Callable[[slice], object]) -> None:
    """Call a function for each part (up to 65536 elements) of a vector, in any order, and wait for all.

    Args:
        size: Of the vector, in elements.
        work: Is given the places of a part. Threads help where most of it is NumPy's, which lets go of the lock.
    """
    count = [slice(start, start + _PART) for start in range(0, size, _PART)]
    threads = min(_THREADS, count_processors(), len(count) // 8)
    if threads < 2:
        for part in count:
            work(part)
        return
    from concurrent.futures import ThreadPoolExecutor  # late: few vectors are worth it

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, count))
