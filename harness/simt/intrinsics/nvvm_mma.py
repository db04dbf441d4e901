"""NVIDIA's tensor cores as a warp uses them: `mma`, and the loads and stores of its fragments.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess, WarpSync
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.asynchronous import shared_pointers
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.ir.types import Int, Vector
from harness.simt.ir.values import bfloat_value, octets_of
from harness.simt.ops.eight_bit import VALUES
from harness.simt.ops.matrix import Layout, Sum, layouts, multiply, multiply_doubles, sum_on
from harness.simt.state.allocation import Access

__all__ = ["DECODE", "EIGHT_BIT", "ROW", "Warps", "fragment", "sum_of"]

WARP = 32
ROW = Access(Vector(8, Int(16)), 16)
WHOLE = WarpSync()  # all lanes of the warp
EIGHT_BIT = ("e4m3", "e5m2")
NATIVELY = ("bf16", "tf32")  # of 16 rows: `harness.simt.native.matrix`


class Warps:
    """The warps of some lanes, lane by lane.

    Attributes:
        count: How many they are.
    """

    def __init__(self, call: Call) -> None:
        lanes = call.lanes
        warp = lanes.get("warp")
        numbers, self._warp = np.unique(warp, return_inverse=True)
        self._lane = np.broadcast_to(lanes.get("lane"), (lanes.n,))
        self._lanes, self.count = lanes, len(numbers)
        short = np.bincount(self._warp, minlength=self.count)[self._warp] < WARP
        if short.any():
            call.report("fragment-missing", np.flatnonzero(short))

    def rows(self, value: Array) -> Array:
        """A value as (warps, 32, ...); zero for lanes that are not there."""
        full = np.zeros((self.count, WARP, *value.shape[1:]), value.dtype)
        full[self._warp, self._lane] = np.broadcast_to(value, (self._lanes.n, *value.shape[1:]))
        return full

    def lanes(self, rows: Array) -> Array:
        """The other way."""
        taken: Array = rows[self._warp, self._lane]
        return taken

    def taint(self, mark: Taint) -> Integers:
        """A taint as (warps, 32)."""
        return self.rows(np.zeros(1, np.int32) if mark is None else mark)


def _tf32(raw: Array) -> Array:
    """float32 whose last 13 bits do not count."""
    return (raw.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


# Of A and B: from bytes to values, and how many of them a register has.
DECODE: dict[str, tuple[Callable[[Array], Array], int]] = {
    "f16": (lambda raw: raw.view(np.float16), 2),
    "bf16": (lambda raw: bfloat_value(raw.view(np.uint16)), 2),
    "tf32": (_tf32, 1),
    "e4m3": (VALUES["e4m3"].__getitem__, 4),
    "e5m2": (VALUES["e5m2"].__getitem__, 4),
    "f32": (lambda raw: raw.view(np.float32), 1),
    "f64": (lambda raw: raw.view(np.float64), 1),
}


def fragment(warps: Warps, values: Sequence[Array], decode: Callable[[Array], Array]) -> Array:
    """What lanes hold of a matrix, (warps, 32, elements), from their registers."""
    lanes = max(len(value) for value in values)
    registers = [np.broadcast_to(octets_of(value), (lanes, octets_of(value).shape[1])) for value in values]
    return warps.rows(decode(np.ascontiguousarray(np.concatenate(registers, 1))))


def sum_of(call: Call, kind: str) -> Sum:
    """How products of a type of A and B are added up on the launch's target."""
    return sum_on(call.engine.target, DECODE[kind][1])


def _multiply(rows: int, depth: int, kind: str, accumulator: str) -> Stateful:
    decode, packed = DECODE[kind]
    a, b, c = layouts(rows, depth, packed)
    counts = [layout.rows.shape[1] // packed for layout in (a, b)]

    def handler(call: Call) -> Result:
        warps = Warps(call)
        first, second, third = _three(call.values, counts)
        left = a.gather(fragment(warps, first, decode)).astype(np.float64)
        right = b.gather(fragment(warps, second, decode)).astype(np.float64)
        addend = c.gather(fragment(warps, third, DECODE[accumulator][0]))
        if kind == "f64":
            total = multiply_doubles(left, right, addend)
        elif kind in EIGHT_BIT:  # the products alone, then one addition
            total = multiply(left, right, np.zeros_like(addend), sum_of(call, kind)) + addend
        else:
            total = multiply(left, right, addend, sum_of(call, kind))
        held = warps.lanes(c.spread(total))
        mark = _mark(warps, (a, b, c), counts, call.taints)
        if accumulator == "f16":
            return tuple(held[:, start : start + 2] for start in range(0, held.shape[1], 2)), mark
        return tuple(held.T), mark

    return handler


def _three(arguments: Sequence[Any], counts: Sequence[int]) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    """Those of A, of B and of the sum."""
    return arguments[: counts[0]], arguments[counts[0] : sum(counts)], arguments[sum(counts) :]


def _mark(warps: Warps, shape: tuple[Layout, Layout, Layout], counts: Sequence[int], taints: Sequence[Taint]) -> Taint:
    """The taint of a lane's results: of the rows of A, the columns of B and the sums that they are made from."""
    if all(taint is None for taint in taints):
        return None
    a, b, c = (
        layout.gather(
            np.repeat(np.stack([warps.taint(mark) for mark in marks], 2), layout.rows.shape[1] // len(marks), 2)
        )
        for layout, marks in zip(shape, _three(taints, counts), strict=True)
    )
    total = np.maximum(np.maximum(a.max(2)[:, :, None], b.max(1)[:, None, :]), c)
    mark: Taint = warps.lanes(shape[2].spread(total)).max(1)
    return mark


def _shapes() -> Iterator[tuple[str, tuple[int, int, str, str]]]:
    """Names and (rows, depth, type of A and B, type of the sum)."""
    name = "llvm.nvvm.mma"
    for depth in (8, 16):
        yield f"{name}.m16n8k{depth}.row.col.f16.f16", (16, depth, "f16", "f16")
        yield f"{name}.m16n8k{depth}.row.col.f32.f32", (16, depth, "f16", "f32")
        yield f"{name}.m16n8k{depth}.row.col.bf16", (16, depth, "bf16", "f32")
    for depth in (4, 8):
        yield f"{name}.m16n8k{depth}.row.col.tf32", (16, depth, "tf32", "f32")
    for rows, depth in ((8, 4), (16, 4), (16, 8), (16, 16)):
        yield f"{name}.m{rows}n8k{depth}.row.col.f64", (rows, depth, "f64", "f64")
    for kind in ("e4m3", "e5m2"):
        yield f"asm:mma.sync.aligned.m16n8k32.row.col.f32.{kind}.{kind}.f32", (16, 32, kind, "f32")


for name, shape in _shapes():
    native = f"product.{shape[1]}.{shape[2]}" if shape[2] in NATIVELY else ""
    stateful(name, exact=False, waits=WHOLE, exchanges=True, native=native)(_multiply(*shape))


def _rows_of(call: Call, matrices: int) -> tuple[Call, Integers]:
    """The call by the lanes that give the addresses of rows, and where they are."""
    here = np.flatnonzero(np.broadcast_to(call.lanes.get("lane"), (call.lanes.n,)) < 8 * matrices)
    return call.part(here), here


def _load(matrices: int, transposed: bool) -> Stateful:
    def handler(call: Call) -> Result:
        warps = Warps(call)
        some, here = _rows_of(call, matrices)
        loaded, mark = some.load(shared_pointers(some, 0), ROW, some.taint(0))
        given = np.zeros((call.lanes.n, 8), np.int16)
        given[here] = loaded
        tiles = warps.rows(given)[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
        if transposed:
            tiles = tiles.swapaxes(2, 3)
        # Each lane has two neighbours of a row of each matrix.
        pairs = np.ascontiguousarray(tiles).view(np.int32).reshape(-1, matrices, WARP)
        held = warps.lanes(pairs.swapaxes(1, 2))
        if mark is not None:
            marks = np.zeros((call.lanes.n, 16), np.int32)
            marks[here] = mark if mark.ndim == 2 else mark[:, None]
            by_row = warps.rows(marks.reshape(-1, 8, 2).max(2))[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
            by_row = by_row.swapaxes(2, 3) if transposed else by_row
            mark = warps.lanes(by_row.reshape(-1, matrices, WARP, 2).max((1, 3)))
            mark = mark if mark.any() else None
        return (held[:, 0] if matrices == 1 else tuple(held.T)), mark

    return handler


def _store(matrices: int, transposed: bool) -> Stateful:
    def handler(call: Call) -> None:
        warps = Warps(call)
        held = np.stack([warps.rows(value.view(np.int32)) for value in call.values[1 : 1 + matrices]], 1)
        tiles = np.ascontiguousarray(held).view(np.int16).reshape(-1, matrices, 8, 8)
        if transposed:
            tiles = tiles.swapaxes(2, 3)
        rows = np.zeros((warps.count, WARP, 8), np.int16)
        rows[:, : 8 * matrices] = tiles.reshape(-1, 8 * matrices, 8)
        some, here = _rows_of(call, matrices)
        marks = [mark for mark in call.taints[1:] if mark is not None]
        mark = np.array([max(int(mark.max()) for mark in marks)], np.int32) if marks else None
        some.store(shared_pointers(some, 0), warps.lanes(rows)[here], ROW, (None, mark))

    return handler


for matrices in (1, 2, 4):
    for word, transposed in (("", False), (".trans", True)):
        for space in ("", ".p3"):
            stateful(
                f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{matrices}{word}.b16{space}",
                waits=WHOLE,
                accesses=(MemoryAccess(0, "load"),),
                exchanges=True,
                native=f"rows{word}",
            )(_load(matrices, transposed))
        stateful(
            f"asm:stmatrix.sync.aligned.m8n8{word}.x{matrices}.shared.b16",
            waits=WHOLE,
            accesses=(MemoryAccess(0, "store"),),
            exchanges=True,
        )(_store(matrices, transposed))
