"""Promises that several puzzles make."""

from __future__ import annotations

from harness.model.case import CounterClaim, Need

__all__ = [
    "ASYNCHRONOUS_COPIES",
    "NO_COMMUNICATION",
    "NO_CONFLICTS",
    "READ_ONCE",
    "WRITTEN_ONCE",
    "conflicts",
    "shared_elements",
]

READ_ONCE = CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1)
WRITTEN_ONCE = CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1)

ASYNCHRONOUS_COPIES = Need(  # where others have none, the library has the threads copy
    lambda target: target.vendor != "nvidia" or "async copies" in target.gpu.features,
    "asynchronous copies need compute capability 8.0 or later on NVIDIA (nvidia:sm_80)",
)


def conflicts(sentence: str, count: int) -> CounterClaim:
    """What of the passes over shared memory banks that are wanted twice are to blame for."""
    return CounterClaim(
        sentence,
        "bank_conflicts",
        lambda _: count,
        why="a bank gives one word at a time: two lanes that want different words of it are served one after another",
    )


NO_CONFLICTS = conflicts("no bank is wanted twice at once", 0)


NO_COMMUNICATION = CounterClaim(
    "blocks do not communicate",
    "communicating_blocks",
    lambda _: 0,
    why="blocks run in any order, so that none can rely on another",
)


def shared_elements(threads: int, why: str = "") -> CounterClaim:
    """That a block has an element of 4 bytes in shared memory for each of its threads."""
    sentence = "a block uses TPB elements of shared memory"
    return CounterClaim(sentence, "shared_bytes_per_block", lambda _: threads * 4, why)
