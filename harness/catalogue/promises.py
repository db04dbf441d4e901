"""Claims on counters that several puzzles share (reads, writes, conflicts); the need of asynchronous copies."""

from __future__ import annotations

from harness.model.case import CounterClaim, Need

__all__ = [
    "ASYNCHRONOUS_COPIES",
    "NO_COMMUNICATION",
    "NO_CONFLICTS",
    "READ_ONCE",
    "WRITTEN_ONCE",
    "promise_conflicts",
    "promise_shared",
]

READ_ONCE = CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1)
WRITTEN_ONCE = CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1)

ASYNCHRONOUS_COPIES = Need(  # where others have none, the library has the threads copy
    lambda target: target.vendor != "nvidia" or "async copies" in target.gpu.features,
    "asynchronous copies need compute capability 8.0 or later on NVIDIA (nvidia:sm_80)",
)


def promise_conflicts(sentence: str, count: int) -> CounterClaim:
    """Return the promise of how many passes over shared memory are due to bank conflicts."""
    return CounterClaim(
        sentence,
        "bank_conflicts",
        lambda _: count,
        why="a bank gives one word at a time: two lanes that want different words of it are served one after another",
    )


NO_CONFLICTS = promise_conflicts("no bank is wanted twice at once", 0)


NO_COMMUNICATION = CounterClaim(
    "blocks do not communicate",
    "communicating_blocks",
    lambda _: 0,
    why="blocks run in any order, so that none can rely on another",
)


def promise_shared(threads: int, why: str = "") -> CounterClaim:
    """Return the promise that a block uses 4 bytes of shared memory for each of its threads."""
    sentence = "a block uses TPB elements of shared memory"
    return CounterClaim(sentence, "shared_bytes_per_block", lambda _: threads * 4, why)
