"""Records of a case's requirements on its target, tolerances, and promises (counters, code, occupancy); no checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.model.target import Target

__all__ = ["Claim", "CodeClaim", "CounterClaim", "Need", "OccupancyClaim", "Within"]


@dataclass(frozen=True, slots=True)
class CounterClaim:
    """A promise of the documents that the simulator's counters can check.

    Attributes:
        sentence: The promise, in one sentence.
        counter: The name of the counter (see `harness.cases.claims`).
        expected: Its value at a warp width.
        why: The idea that the puzzle teaches by it, shown to those whose right kernel works another way.
        step: The number of the launch, counted over all steps.
        vendor: The vendor whose GPUs it is promised for; None for all.
    """

    sentence: str
    counter: str
    expected: Callable[[int], int]
    why: str = ""
    step: int = 0
    vendor: str | None = None


@dataclass(frozen=True, slots=True)
class CodeClaim:
    """A promise about the compiled code for one vendor.

    Attributes:
        sentence: The promise, in one sentence.
        vendor: The vendor.
        has: Texts each of which must occur.
        lacks: Texts none of which may occur.
        why: As in `CounterClaim`.
    """

    sentence: str
    vendor: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class OccupancyClaim:
    """A promise that blocks fill a multiprocessor as far as their threads and shared memory allow.

    Registers, which the vendor's compiler assigns, must be no limit.

    Attributes:
        sentence: The promise, in one sentence.
        threads: Threads per block.
        shared: Bytes of shared memory per block.
        why: As in `CounterClaim`.
    """

    sentence: str
    threads: int
    shared: int
    why: str = ""


Claim = CounterClaim | CodeClaim | OccupancyClaim


@dataclass(frozen=True, slots=True)
class Need:
    """A requirement of a case on its target.

    Attributes:
        met: Returns whether a target meets it.
        reason: One sentence that every skip prints.
    """

    met: Callable[[Target], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Within:
    """The tolerance of a result: `abs(got - expected) <= atol + rtol * abs(expected)`.

    Attributes:
        why: The origin of the bound: the documents, or a derivation from the roundings.
        data: The data sets that rounding affects; all if empty.
        fused: Whether a GPU's compiler may fuse a product and a sum, which then rounds once.
        unordered: Whether blocks add it up in any order, by atomics, so that executions may differ in bits.
    """

    rtol: float
    atol: float
    why: str
    data: tuple[str, ...] = ()
    fused: bool = False
    unordered: bool = False
