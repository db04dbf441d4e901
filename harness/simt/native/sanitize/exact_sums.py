"""Emit notes of atomic sums of floats; decide after a launch whether all were exact, so that any order agrees.

All that is added lies on one grid, the multiples of a power of two. A sum that stays below so many times that power as
a float has bits of precision is exact, whichever way it is put together. So machine code keeps the finest grid of all
that was added or found, the sum of all magnitudes, and the largest value found; whoever ran the launch compares them.
"""

from __future__ import annotations

import math
import struct

from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.emit.ir_values import IrValue
from harness.simt.native.emit.lane_values import CONTEXT
from harness.simt.native.runtime.library import functions_of

__all__ = ["BEGUN", "begin_sums", "is_exact", "merge", "note_float_sum"]

# Bits of the fraction, and what a biased exponent is above that of the lowest bit of a fraction.
KINDS = {"float": (23, 150), "double": (52, 1075)}
NORMAL = 24  # the grid of numbers of type float none of which is subnormal: NVIDIA's GPUs flush those, in some memory
NO_GRID = 1 << 30
# What the slots of a launch hold that begins: the exponent of the grid, and two numbers of type double.
BEGUN = {f"{kind} {what}": NO_GRID if what == "grid" else 0 for kind in KINDS for what in ("grid", "sum", "largest")}
FLOAT_GRID, DOUBLE_GRID = (SLOTS[f"{kind} grid"] for kind in KINDS)


def note_float_sum(body: Body, added: IrValue, previous: IrValue) -> None:
    """Emit a note of a value that is added to another; a check fails if one of them is not finite.

    In code for batches it sets `shape.shares`.

    Args:
        added: A float or a double.
        previous: What it is added to.
    """
    if body.shape is not None:  # lanes have these slots in common
        body.shape.shares = True
    body.declared.add(functions_of("float_sums"))
    build = Builder(body)
    build.fail_if(build.call("i1", f"note_{added.type}_sum", CONTEXT, added, previous))


def _number(slot: int) -> float:
    """Return the double whose bits are a slot's value."""
    (value,) = struct.unpack("d", struct.pack("q", slot))
    return float(value)


def begin_sums(slots: memoryview[int]) -> None:
    """Set the slots of float sums to their values at a launch's start, unless they still have them."""
    if _has_sums(slots):
        for name, value in BEGUN.items():
            slots[SLOTS[name]] = value


def _has_sums(slots: memoryview[int]) -> bool:
    return not slots[FLOAT_GRID] == slots[DOUBLE_GRID] == NO_GRID


def is_exact(slots: memoryview[int]) -> bool:
    """Return True if no order of the sums would have rounded one, or nothing was added.

    False also if floats may have been subnormal, which NVIDIA's GPUs flush in some memory.
    """
    if not _has_sums(slots):
        return True
    for kind, (fraction, bias) in KINDS.items():
        grid, total, largest = (slots[SLOTS[f"{kind} {what}"]] for what in ("grid", "sum", "largest"))
        if grid == NO_GRID:
            continue
        if kind == "float" and grid < NORMAL:
            return False
        most = _number(total) + _number(largest)
        if most >= math.ldexp(1.0, min(1023, grid - bias + fraction)):
            return False
    return True


def merge(slots: memoryview[int], others: memoryview[int]) -> None:
    """Add the float sums that another worker noted to a worker's slots: the finer grid, both sums, the larger value."""
    for kind in KINDS:
        grid, total, largest = (SLOTS[f"{kind} {what}"] for what in ("grid", "sum", "largest"))
        slots[grid] = min(slots[grid], others[grid])
        both = _number(slots[total]) + _number(others[total])
        (slots[total],) = struct.unpack("q", struct.pack("d", both))
        slots[largest] = max(slots[largest], others[largest])  # of numbers that are not negative also their bits
