"""What the documents promise of kernels beside their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["CodeClaim", "CounterClaim"]


@dataclass(frozen=True, slots=True)
class CounterClaim:
    """A promise of the documents that the simulator's counters can check.

    Attributes:
        sentence: The promise, in one sentence.
        counter: The name of the counter (see `harness.cases.claims`).
        step: The number of the launch that is meant.
        expected: Its value at a warp width.
        why: What the puzzle means to teach by it, for those whose right kernel goes another way.
    """

    sentence: str
    counter: str
    expected: Callable[[int], int]
    why: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class CodeClaim:
    """A promise about the compiled code of one vendor.

    Attributes:
        sentence: The promise, in one sentence.
        vendor: Whose code.
        has: Texts of which each must occur.
        lacks: Texts of which none may occur.
        why: As of a `CounterClaim`.
    """

    sentence: str
    vendor: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    why: str = ""
