"""Call a function on slices of 65536 elements of a vector, which fit the cache, in threads if there are many."""

from __future__ import annotations

from collections.abc import Callable

from harness.process.processors import count_processors

__all__ = ["run_in_parts"]

_PART = 1 << 16  # elements
_THREADS = 8  # more do not add to what memory gives


def run_in_parts(size: int, work: Callable[[slice], object]) -> None:
    """Call a function for each part (up to 65536 elements) of a vector, in any order, and wait for all.

    A small vector is done in this thread, a large one in up to 8 threads. An exception of the function is raised.

    Args:
        size: The number of elements of the vector; nothing is called for 0.
        work: Gets the slice of a part. Threads help if most of it is NumPy's, which releases the interpreter's lock.
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
