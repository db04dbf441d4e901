"""Atomic read-modify-write of many lanes, as if one after another.

Lanes that meet at one place are taken in ascending order (or in the order of
the seed). Each gets the value that the one before it left.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ir.types import Float
from harness.simt.ir.values import poison_value
from harness.simt.ops.floating import MAXIMUM, MINIMUM, flush_subnormals
from harness.simt.ops.integer import unsigned
from harness.simt.ops.undefined import collapse_taint, normalise_taint
from harness.simt.run.observation import Observation
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory, pieces

__all__ = ["Atomics"]

Combine: TypeAlias = Callable[[Array, Array], Any]


def _unsigned_pick(choose: Combine, left: Array, right: Array) -> Array:
    return np.asarray(choose(unsigned(left), unsigned(right))).view(left.dtype)


def _wrap_up(left: Array, right: Array) -> Array:
    at_end = unsigned(left) >= unsigned(right)
    more: Array = np.where(at_end, left.dtype.type(0), left + left.dtype.type(1))
    return more


def _wrap_down(left: Array, right: Array) -> Array:
    over = (left == 0) | (unsigned(left) > unsigned(right))
    return np.where(over, right, left - left.dtype.type(1))


def _less(left: Array, right: Array, otherwise: Array) -> Array:
    """A difference of numbers without a sign, where there is one."""
    return np.where(unsigned(left) >= unsigned(right), left - right, otherwise)


# See: https://llvm.org/docs/LangRef.html#atomicrmw-instruction
FLOAT, SMALL = Float("float"), 2.0**-102
COMBINE: dict[str, Combine] = {
    "xchg": lambda left, right: np.broadcast_to(right, left.shape),
    "add": np.add,
    "sub": np.subtract,
    "and": np.bitwise_and,
    "nand": lambda left, right: ~(left & right),
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "max": np.maximum,
    "min": np.minimum,
    "umax": partial(_unsigned_pick, np.maximum),
    "umin": partial(_unsigned_pick, np.minimum),
    "fadd": np.add,
    "fsub": np.subtract,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmaximum": MAXIMUM,
    "fminimum": MINIMUM,
    "uinc_wrap": _wrap_up,
    "udec_wrap": _wrap_down,
    "usub_cond": lambda left, right: _less(left, right, left),
    "usub_sat": lambda left, right: _less(left, right, np.zeros_like(left)),
    "cmpxchg": lambda left, pairs: np.where(left == pairs[:, 0], pairs[:, 1], left),
}


def _flushed_sum(left: Array, right: Array) -> Array:
    return flush_subnormals(flush_subnormals(left) + flush_subnormals(right))


def _small(values: Array) -> bool:
    """Whether sums with some floats may be denormal: those of others are whole multiples of a number that is not."""
    return bool(((values != 0) & (np.abs(values) < SMALL)).any())


class Atomics:
    """Read-modify-writes on a launch's memory.

    Args:
        flushes: Whether sums of float32 in global memory have no denormal numbers, as on NVIDIA's GPUs:
            https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
    """

    def __init__(self, observation: Observation, memory: Memory, *, flushes: bool) -> None:
        self._observation, self._memory, self._flushes = observation, memory, flushes

    def _runs(self, index: Integers) -> tuple[Integers, Integers, Integers, Integers]:
        """Lanes by place, each place's lanes one after another.

        Returns:
            (lanes in that order, their places, where each place begins, how many lanes it has)
        """
        order: Integers = np.argsort(index, kind="stable")
        if self._memory.store_order is not None:
            shuffled = self._memory.store_order(len(index))
            order = shuffled[np.argsort(index[shuffled], kind="stable")]
        places = index[order]
        starts: Integers = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
        return order, places, starts, np.append(starts[1:], len(places)) - starts

    def update(
        self,
        lanes: LaneSet,
        operation: str,
        pointers: Array,
        values: Array,
        access: Access,
        site: Site,
        taints: tuple[Taint, Taint],
        scope: str | None = None,
    ) -> tuple[Array, Taint]:
        """`atomicrmw`: returns the old value and its taint, which stays with what is made of it.

        Args:
            operation: Or `cmpxchg`, whose values are pairs of what is expected and what is put in its place.
            scope: As for `emit_access`.
        """
        for use, given in zip(("address", "atomic"), taints, strict=True):
            self._observation.emit_taint(use, site, lanes, given)
        old = np.repeat(poison_value(access.type), lanes.n, 0)
        taint: Taint = None
        for allocation, some, positions, offsets, rows in pieces(self._memory, lanes, pointers, access, site, "atomic"):
            starts = np.broadcast_to(allocation.starts(offsets, rows), (some.n,))
            operands = values[positions] if len(values) > 1 else np.repeat(values, len(positions), 0)
            found = self._undefined(allocation, starts, access)
            taint = _at(taint, lanes.n, positions, found)
            got, turns = self._apply(operation, allocation, starts, operands, access)
            old[positions] = got
            for kind, here, given in _told(operation, got, operands) if self._observation.on_access else ():
                own = some if isinstance(here, slice) or len(here) == some.n else some.sub(here)
                row = rows[here] if len(rows) > 1 else rows
                first, turn = offsets[here] if len(offsets) > 1 else offsets, None if turns is None else turns[here]
                atomic: dict[str, Any] = {"old": got[here], "operation": operation, "scope": scope, "turns": turn}
                self._observation.emit_access(
                    kind, site, own, allocation, first, access, given[here], None, row, **atomic
                )
            if allocation.shadow is not None and operation != "cmpxchg":
                left = None if operation == "xchg" else found
                self._memory.put_shadow(allocation, starts, left, access.width)
        return old, taint

    def exchange(
        self,
        lanes: LaneSet,
        pointers: Array,
        expected: Array,
        new: Array,
        access: Access,
        site: Site,
        taints: tuple[Taint, Taint],
        scope: str | None = None,
    ) -> tuple[Array, Booleans, Taint]:
        """`cmpxchg`: returns the old value, whether it was exchanged, and the taint of both."""
        pairs = np.stack(np.broadcast_arrays(expected, new), 1)
        old, taint = self.update(lanes, "cmpxchg", pointers, pairs, access, site, taints, scope)
        return old, old == expected, taint

    def _undefined(self, allocation: Allocation, starts: Integers, access: Access) -> Taint:
        """The taint of what lanes find."""
        if allocation.shadow is None:
            return None
        return collapse_taint(normalise_taint(allocation.shadow.take(starts[:, None] + access.octets)))

    def _apply(
        self, operation: str, allocation: Allocation, index: Integers, operands: Array, access: Access
    ) -> tuple[Array, Integers | None]:
        """Combines all operands into memory at some bytes; returns what each lane found, and its turn."""
        combine = COMBINE[operation]
        order, places, starts, sizes = self._runs(index)
        before = allocation.read(places[starts], access)
        flushes = self._flushes and operation == "fadd" and access.type == FLOAT and allocation.rows == "grid"
        if flushes and (_small(before) or _small(operands)):
            combine = _flushed_sum
        old = np.empty((len(index), *before.shape[1:]), operands.dtype)
        if isinstance(combine, np.ufunc) and access.kind == "plain" and len(starts) <= sizes.max():
            for number, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
                own = order[start : start + size]
                chain = np.concatenate((before[number : number + 1], operands[own]))
                chain = combine.accumulate(chain, dtype=chain.dtype)
                old[own] = chain[:-1]
                allocation.write(places[start : start + 1], access, chain[-1:])
        else:
            for turn in range(int(sizes.max())):
                here = starts[sizes > turn] + turn
                spots, own = places[here], order[here]
                old[own] = current = allocation.read(spots, access)
                allocation.write(spots, access, access.encode(np.asarray(combine(current, operands[own]))))
        self._memory.writes += bool((allocation.read(places[starts], access) != before).any())
        return old, _turns(order, starts, sizes)


def _told(operation: str, got: Array, operands: Array) -> list[tuple[str, Integers | slice, Array]]:
    """What observers are told that lanes did, at which positions and with which operands."""
    if operation != "cmpxchg":
        return [("atomic", slice(None), operands)]
    hit = got == operands[:, 0]
    # Where the comparison failed nothing is stored: that is a load.
    both = (("atomic", np.flatnonzero(hit)), ("load", np.flatnonzero(~hit)))
    return [(kind, here, operands[:, 1]) for kind, here in both if len(here)]


def _turns(order: Integers, starts: Integers, sizes: Integers) -> Integers | None:
    """How many others come before each lane at its place; None where each has a place of its own."""
    if len(starts) == len(order):
        return None
    turns = np.empty(len(order), np.int64)
    turns[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    return turns


def _at(taint: Taint, count: int, positions: Integers, found: Taint) -> Taint:
    """A taint of so many lanes, with what those at some positions found."""
    if found is None:
        return taint
    total = np.zeros(count, np.int32) if taint is None else taint
    total[positions] = found
    return total
