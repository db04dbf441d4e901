"""Execute `atomicrmw` and `cmpxchg` of many lanes, one after another at each location, with taints and events.

Lanes that access one location take turns in ascending order (or in the order of
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
from harness.simt.state.memory import Memory, split_by_allocation

__all__ = ["Atomics"]

Combine: TypeAlias = Callable[[Array, Array], Any]


def _compare_unsigned(choose: Combine, left: Array, right: Array) -> Array:
    """Apply `minimum` or `maximum` to the operands as unsigned integers; the result has the dtype of `left`."""
    return np.asarray(choose(unsigned(left), unsigned(right))).view(left.dtype)


def _increment_wrapping(left: Array, right: Array) -> Array:
    """Return `left + 1`, or 0 where `left` is at least the bound `right` (unsigned)."""
    is_at_bound = unsigned(left) >= unsigned(right)
    incremented: Array = np.where(is_at_bound, left.dtype.type(0), left + left.dtype.type(1))
    return incremented


def _decrement_wrapping(left: Array, right: Array) -> Array:
    """Return `left - 1`, or the bound `right` where `left` is 0 or above `right` (unsigned)."""
    is_at_bound = (left == 0) | (unsigned(left) > unsigned(right))
    return np.where(is_at_bound, right, left - left.dtype.type(1))


def _subtract_unsigned(left: Array, right: Array, otherwise: Array) -> Array:
    """Return `left - right` where that is not below 0 for unsigned integers, else `otherwise`."""
    return np.where(unsigned(left) >= unsigned(right), left - right, otherwise)


# See: https://llvm.org/docs/LangRef.html#atomicrmw-instruction
FLOAT, SMALL_FLOAT = Float("float"), 2.0**-102
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
    "umax": partial(_compare_unsigned, np.maximum),
    "umin": partial(_compare_unsigned, np.minimum),
    "fadd": np.add,
    "fsub": np.subtract,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmaximum": MAXIMUM,
    "fminimum": MINIMUM,
    "uinc_wrap": _increment_wrapping,
    "udec_wrap": _decrement_wrapping,
    "usub_cond": lambda left, right: _subtract_unsigned(left, right, left),
    "usub_sat": lambda left, right: _subtract_unsigned(left, right, np.zeros_like(left)),
    "cmpxchg": lambda left, pairs: np.where(left == pairs[:, 0], pairs[:, 1], left),
}


def _add_flushed(left: Array, right: Array) -> Array:
    """Add floats; denormal operands and sums become zero of the same sign."""
    return flush_subnormals(flush_subnormals(left) + flush_subnormals(right))


def _may_be_denormal(values: Array) -> bool:
    """Return whether sums with these floats can be denormal.

    Larger floats are multiples of 2^-125, so their sums are zero or normal.
    """
    return bool(((values != 0) & (np.abs(values) < SMALL_FLOAT)).any())


class Atomics:
    """Atomic read-modify-writes on a launch's memory.

    Args:
        flushes: Whether sums of float32 in global memory have no denormal numbers, as on NVIDIA's GPUs:
            https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
    """

    def __init__(self, observation: Observation, memory: Memory, *, flushes: bool) -> None:
        self._observation, self._memory, self._flushes = observation, memory, flushes

    def _group_by_location(self, first_bytes: Integers) -> tuple[Integers, Integers, Integers, Integers]:
        """Sort lanes by the location that they access, and lanes at one location by their turns.

        Turns are in ascending order of the lanes, or in a random one that `Memory.store_order` draws.

        Args:
            first_bytes: The first byte that each lane accesses.

        Returns:
            `(order, sorted_bytes, starts, sizes)`: the lane positions, sorted; `first_bytes[order]`; for each location
            the index in `order` at which its lanes begin, and how many lanes it has.
        """
        order: Integers = np.argsort(first_bytes, kind="stable")
        if self._memory.store_order is not None:
            shuffled = self._memory.store_order(len(first_bytes))
            order = shuffled[np.argsort(first_bytes[shuffled], kind="stable")]
        locations = first_bytes[order]
        starts: Integers = np.flatnonzero(np.concatenate(([True], locations[1:] != locations[:-1])))
        return order, locations, starts, np.append(starts[1:], len(locations)) - starts

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
        """Execute `atomicrmw` or `cmpxchg`, and report the accesses to observers.

        Lanes that access one location take turns. Undefined pointers and operands are reported. A `cmpxchg` that fails
        is reported as a load. Undefined memory stays marked as undefined, except by `xchg`, which clears the mark even
        if its operand is undefined.

        Args:
            operation: The operation of `atomicrmw`; or `cmpxchg`, whose values are rows (expected, new).
            taints: Of the pointers and of the values.
            scope: The scope that observers get; None for the instruction's `syncscope`.

        Returns:
            The value that each lane found, (n,), and its taint. Lanes whose access is invalid, which is reported, get
            `poison_value`, which counts as defined.
        """
        for use, operand_taint in zip(("address", "atomic"), taints, strict=True):
            self._observation.emit_taint(use, site, lanes, operand_taint)
        old = np.repeat(poison_value(access.type), lanes.n, 0)
        taint: Taint = None
        for allocation, accessing, positions, offsets, lane_rows in split_by_allocation(
            self._memory, lanes, pointers, access, site, "atomic"
        ):
            starts = np.broadcast_to(allocation.starts(offsets, lane_rows), (accessing.n,))
            operands = values[positions] if len(values) > 1 else np.repeat(values, len(positions), 0)
            old_taint = self._load_taint(allocation, starts, access)
            taint = _merge_taint(taint, lanes.n, positions, old_taint)
            results, predecessors = self._combine(operation, allocation, starts, operands, access)
            old[positions] = results
            accesses = _observed_accesses(operation, results, operands) if self._observation.on_access else ()
            for kind, chosen, operand_values in accesses:
                atomic: dict[str, Any] = {"old": results[chosen], "operation": operation, "scope": scope}
                atomic["turns"] = None if predecessors is None else predecessors[chosen]
                observed = (
                    accessing if isinstance(chosen, slice) or len(chosen) == accessing.n else accessing.sub(chosen)
                )
                self._observation.emit_access(
                    kind,
                    site,
                    observed,
                    allocation,
                    offsets[chosen] if len(offsets) > 1 else offsets,
                    access,
                    operand_values[chosen],
                    None,
                    lane_rows[chosen] if len(lane_rows) > 1 else lane_rows,
                    **atomic,
                )
            if allocation.shadow is not None and operation != "cmpxchg":
                new_taint = None if operation == "xchg" else old_taint
                self._memory.set_taint(allocation, starts, new_taint, access.width)
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
        """Execute `cmpxchg` as `update` does.

        Args:
            taints: Of the pointers, and of `expected` and `new` together.

        Returns:
            The value that each lane found, (n,); whether it equals `expected`, so that `new` was stored; the old
            value's taint. Lanes whose access is invalid store nothing, but compare `poison_value` all the same.
        """
        pairs = np.stack(np.broadcast_arrays(expected, new), 1)
        old, taint = self.update(lanes, "cmpxchg", pointers, pairs, access, site, taints, scope)
        return old, old == expected, taint

    def _load_taint(self, allocation: Allocation, starts: Integers, access: Access) -> Taint:
        """Return by lane the largest origin among the bytes that it accesses, (n,), or None if all are defined.

        Args:
            starts: The first byte that each lane accesses.
        """
        if allocation.shadow is None:
            return None
        return collapse_taint(normalise_taint(allocation.shadow.take(starts[:, None] + access.octets)))

    def _combine(
        self, operation: str, allocation: Allocation, first_bytes: Integers, operands: Array, access: Access
    ) -> tuple[Array, Integers | None]:
        """Combine the lanes' operands into memory; add 1 to `Memory.writes` if that changed any byte.

        Sums of float32 in global memory flush subnormal numbers to zero on targets that do so (see `Atomics`).

        Args:
            operands: One for each lane; for `cmpxchg` a row (expected, new).

        Returns:
            The value that each lane finds, and how many lanes came before it at its location. The second is None if no
            two lanes share a location.
        """
        combine = COMBINE[operation]
        order, locations, starts, sizes = self._group_by_location(first_bytes)
        before = allocation.read(locations[starts], access)
        flushes = self._flushes and operation == "fadd" and access.type == FLOAT and allocation.rows == "grid"
        if flushes and (_may_be_denormal(before) or _may_be_denormal(operands)):
            combine = _add_flushed
        old = np.empty((len(first_bytes), *before.shape[1:]), operands.dtype)
        if isinstance(combine, np.ufunc) and access.kind == "plain" and len(starts) <= sizes.max():
            for number, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
                lanes_in_turn = order[start : start + size]
                chain = np.concatenate((before[number : number + 1], operands[lanes_in_turn]))
                chain = combine.accumulate(chain, dtype=chain.dtype)
                old[lanes_in_turn] = chain[:-1]
                allocation.write(locations[start : start + 1], access, chain[-1:])
        else:
            for turn in range(int(sizes.max())):
                due = starts[sizes > turn] + turn
                due_locations, lanes_in_turn = locations[due], order[due]
                old[lanes_in_turn] = current = allocation.read(due_locations, access)
                allocation.write(
                    due_locations, access, access.encode(np.asarray(combine(current, operands[lanes_in_turn])))
                )
        self._memory.writes += bool((allocation.read(locations[starts], access) != before).any())
        return old, _count_predecessors(order, starts, sizes)


def _observed_accesses(operation: str, old: Array, operands: Array) -> list[tuple[str, Integers | slice, Array]]:
    """Return what observers see of an operation: (kind, positions of its lanes, operands of all lanes), one for each
    kind that occurs.

    The kind is `atomic`, but `load` for lanes whose `cmpxchg` fails, since that stores nothing. Operands of `cmpxchg`
    are the new values alone. The caller selects the operands at the positions.
    """
    if operation != "cmpxchg":
        return [("atomic", slice(None), operands)]
    is_equal = old == operands[:, 0]
    # Where the comparison failed nothing is stored: that is a load.
    accesses = (("atomic", np.flatnonzero(is_equal)), ("load", np.flatnonzero(~is_equal)))
    return [(kind, positions, operands[:, 1]) for kind, positions in accesses if len(positions)]


def _count_predecessors(order: Integers, starts: Integers, sizes: Integers) -> Integers | None:
    """Return how many lanes come before each at its location; None if no two lanes share one.

    Args:
        order, starts, sizes: See `Atomics._group_by_location`.
    """
    if len(starts) == len(order):
        return None
    predecessors = np.empty(len(order), np.int64)
    predecessors[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    return predecessors


def _merge_taint(taint: Taint, count: int, positions: Integers, part: Taint) -> Taint:
    """Return the taint of `count` lanes, in which the lanes at some positions have the taint `part`.

    `taint` is changed in place, or returned as it is if `part` is None.
    """
    if part is None:
        return taint
    total = np.zeros(count, np.int32) if taint is None else taint
    total[positions] = part
    return total
