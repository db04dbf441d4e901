"""Promises that several puzzles make."""

from __future__ import annotations

from harness.model.case import CounterClaim

__all__ = ["KOREAN", "READ_ONCE", "WRITTEN_ONCE", "shared_elements"]

READ_ONCE = CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1)
WRITTEN_ONCE = CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1)


def shared_elements(threads: int) -> CounterClaim:
    """That a block has an element of 4 bytes in shared memory for each of its threads."""
    return CounterClaim("a block uses TPB elements of shared memory", "shared_bytes_per_block", lambda _: threads * 4)


# What learners read of the texts above, in Korean.
KOREAN = {
    "each input element is read once": "입력 원소는 한 번씩만 읽습니다",
    "each element is written once": "원소는 한 번씩만 씁니다",
    "a block uses TPB elements of shared memory": "블록은 공유 메모리에서 원소 TPB개를 씁니다",
}
