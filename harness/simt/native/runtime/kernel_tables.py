"""Emit small functions that the C library calls for a kernel's facts: waits, lane masks, block-invariance.

`library/kernel.h` declares them.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from enum import IntEnum

__all__ = ["WaitKind", "block_functions", "constant_function", "named_function", "table", "wait_function"]


class WaitKind(IntEnum):
    """The kind of wait before a segment; the values are those of `enum WaitKind` in `library/kernel.h`."""

    BARRIER = 0
    WARP = 1
    WARP_IN_ORDER = 2
    CLUSTER = 3
    PHASE = 4


def table(name: str, returns: str, takes: str, values: Mapping[int, object], otherwise: object) -> Iterator[str]:
    """Yield the LLVM IR of a function that returns a constant for each of some numbers, and another for the others.

    Args:
        name: The function's name, without `@`.
        returns: The LLVM type of the constants.
        takes: The LLVM type of the numbers.
        values: The constants, by number.
        otherwise: What it returns for all other numbers.
    """
    cases = " ".join(f"{takes} {number}, label %is.{number}" for number in values)
    yield f"define internal {returns} @{name}({takes} %number) alwaysinline {{"
    yield f"  switch {takes} %number, label %other [ {cases} ]"
    yield from (f"is.{number}:\n  ret {returns} {value}" for number, value in values.items())
    yield f"other:\n  ret {returns} {otherwise}\n}}"


def constant_function(name: str, returns: str, value: object) -> Iterator[str]:
    """Yield a function without arguments that returns a constant."""
    yield f"define internal {returns} @{name}() alwaysinline {{\n  ret {returns} {value}\n}}"


def wait_function(
    warps: Sequence[int], ordered: Sequence[int], clusters: Sequence[int], phases: Sequence[int]
) -> Iterator[str]:
    """Yield the function `wait_of`, which returns the `WaitKind` before a segment; a barrier for those not named.

    A segment in several lists has the kind of the last of them.

    Args:
        warps: The segments before which threads of a warp wait for one another.
        ordered: Those of them where this orders memory.
        clusters: Those before which all threads of a cluster wait.
        phases: Those before which a block waits for the end of a phase.
    """
    kinds = {WaitKind.WARP: warps, WaitKind.WARP_IN_ORDER: ordered, WaitKind.CLUSTER: clusters, WaitKind.PHASE: phases}
    waits = {number: int(wait) for wait, numbers in kinds.items() for number in numbers}
    return table("wait_of", "i32", "i32", waits, int(WaitKind.BARRIER))


def block_functions(invariant: Set[int], *, restarts: bool) -> Iterator[str]:
    """Yield the functions `is_block_invariant`, for a variable's number, and `restarts_blocks`.

    Args:
        invariant: The block-invariant variables, by number.
        restarts: Whether a block that takes another control path than the one before may start again.
    """
    yield from table("is_block_invariant", "i1", "i64", dict.fromkeys(sorted(invariant), "true"), "false")
    yield from constant_function("restarts_blocks", "i1", str(restarts).lower())


def named_function(threads: Mapping[int, int]) -> Iterator[str]:
    """Yield the function that says which threads an exchange before a segment names, as bits; -1 if it names none."""
    return table("named_threads", "i32", "i32", threads, -1)
