"""Atomic sums of floats that no order rounds: then all orders give the same, as with integers.

All that is added lies on one grid, the multiples of a power of two. A sum that stays below so many times that power as
a float has bits of precision is exact, whichever way it is put together. So machine code keeps the finest grid of all
that was added or found, the sum of all magnitudes, and the largest value found; whoever ran the launch compares them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from harness.simt.ir.types import Type
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.emit.ir_types import text

__all__ = ["BEGUN", "is_exact", "merge", "note_float_sum"]

# Bits of the fraction, and what a biased exponent is above that of the lowest bit of a fraction.
KINDS = {"float": (23, 150), "double": (52, 1075)}
NORMAL = 24  # the grid of numbers of type float none of which is subnormal: NVIDIA's GPUs flush those, in some memory
NO_GRID = 1 << 30
# What the slots of a launch hold that begins: the exponent of the grid, and two numbers of type double.
BEGUN = {f"{kind} {what}": NO_GRID if what == "grid" else 0 for kind in KINDS for what in ("grid", "sum", "largest")}


def note_float_sum(body: Body, ty: Type, added: str, previous: str) -> None:
    """Take down a value that is added to another; nothing is proved where one of them is not finite."""
    kind = text(ty)
    if body.shape is not None:  # lanes have these slots in common
        body.shape.shares = True
    for value in (added, previous):
        _grid(body, kind, value)
    wide = [_magnitude(body, kind, value) for value in (added, previous)]
    place, largest = (body.slot_at(f"{kind} {what}") for what in ("sum", "largest"))
    total = body.new(f"fadd double {body.new(f'load double, ptr {place}')}, {wide[0]}")
    body.line(f"store double {total}, ptr {place}")
    before = body.new(f"load double, ptr {largest}")
    more = body.new(f"fcmp ogt double {wide[1]}, {before}")
    body.line(f"store double {body.new(f'select i1 {more}, double {wide[1]}, double {before}')}, ptr {largest}")


def _magnitude(body: Body, kind: str, value: str) -> str:
    wide = value if kind == "double" else body.new(f"fpext float {value} to double")
    return body.call("double", "llvm.fabs.f64", ("double", wide))


def _grid(body: Body, kind: str, value: str) -> None:
    """Refine the grid to a value's lowest bit that is set; 0 is on each grid."""
    new, fraction = body.new, KINDS[kind][0]
    size = 32 if kind == "float" else 64
    ty = f"i{size}"
    bits = new(f"bitcast {kind} {value} to {ty}")
    exponent = new(f"and {ty} {new(f'lshr {ty} {bits}, {fraction}')}, {(1 << (size - 1 - fraction)) - 1}")
    body.unless(new(f"icmp eq {ty} {exponent}, {(1 << (size - 1 - fraction)) - 1}"))
    low = new(f"and {ty} {bits}, {(1 << fraction) - 1}")
    normal = new(f"icmp ne {ty} {exponent}, 0")
    whole = new(f"or {ty} {low}, {new(f'select i1 {normal}, {ty} {1 << fraction}, {ty} 0')}")
    zeros = body.call(ty, f"llvm.cttz.{ty}", (ty, whole), ("i1", "false"))
    one = new(f"select i1 {normal}, {ty} {exponent}, {ty} 1")
    lowest = new(f"add {ty} {one}, {zeros}")
    lowest = new(f"zext i32 {lowest} to i64") if size == 32 else lowest
    place = body.slot_at(f"{kind} grid")
    before = new(f"load i64, ptr {place}")
    finer = new(f"and i1 {new(f'icmp ne {ty} {whole}, 0')}, {new(f'icmp slt i64 {lowest}, {before}')}")
    body.line(f"store i64 {new(f'select i1 {finer}, i64 {lowest}, i64 {before}')}, ptr {place}")


def _number(slot: int) -> float:
    """Return the double in a slot."""
    (value,) = struct.unpack("d", struct.pack("q", slot))
    return float(value)


def is_exact(slot: Callable[[str], int]) -> bool:
    """Return whether no order of the sums would have rounded one.

    Args:
        slot: Returns what lies in a slot of a name.
    """
    for kind, (fraction, bias) in KINDS.items():
        grid = slot(f"{kind} grid")
        if grid == NO_GRID:  # nothing was added, as in most launches
            continue
        if kind == "float" and grid < NORMAL:
            return False
        most = _number(slot(f"{kind} sum")) + _number(slot(f"{kind} largest"))
        if most >= math.ldexp(1.0, min(1023, grid - bias + fraction)):
            return False
    return True


def merge(slots: memoryview[int], others: memoryview[int]) -> None:
    """Add what another worker took down."""
    for kind in KINDS:
        grid, total, largest = (SLOTS[f"{kind} {what}"] for what in ("grid", "sum", "largest"))
        slots[grid] = min(slots[grid], others[grid])
        both = _number(slots[total]) + _number(others[total])
        (slots[total],) = struct.unpack("q", struct.pack("d", both))
        slots[largest] = max(slots[largest], others[largest])  # of numbers that are not negative also their bits
