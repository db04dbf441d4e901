"""What cases need of a target, how near results must be, and what the documents promise of kernels beside them."""

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
        step: The number of the launch that is meant, those of all steps counted one after the other.
        expected: Its value at a warp width.
        why: What the puzzle means to teach by it, for those whose right kernel goes another way.
        vendor: Of whose GPUs it is promised; None for all.
    """

    sentence: str
    counter: str
    expected: Callable[[int], int]
    why: str = ""
    step: int = 0
    vendor: str | None = None


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


@dataclass(frozen=True, slots=True)
class OccupancyClaim:
    """A promise that a multiprocessor is as full of a kernel's blocks as their threads and shared memory allow.

    Registers, which the vendor's compiler gives out, are then no limit.

    Attributes:
        threads: Of a block.
        shared: Bytes of shared memory of a block.
        why: As of a `CounterClaim`.
    """

    sentence: str
    threads: int
    shared: int
    why: str = ""


Claim = CounterClaim | CodeClaim | OccupancyClaim


@dataclass(frozen=True, slots=True)
class Need:
    """What a case needs of a target.

    Attributes:
        met: Whether a target has it.
        reason: One sentence that every skip prints.
    """

    met: Callable[[Target], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Within:
    """How far a result may lie from what the oracle says: `abs(got - expected) <= atol + rtol * abs(expected)`.

    Attributes:
        why: Where the bound comes from: the documents' own, or derived from the roundings on the way.
        data: The data sets that rounding touches; all unless told.
        fused: Whether a GPU's compiler may make a product and a sum one operation, which rounds once.
        unordered: Whether blocks add it up in any order, by atomics: then no two executions need to give the same bits.
    """

    rtol: float
    atol: float
    why: str
    data: tuple[str, ...] = ()
    fused: bool = False
    unordered: bool = False
