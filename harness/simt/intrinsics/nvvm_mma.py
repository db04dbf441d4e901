"""NVIDIA's tensor cores as a warp uses them: `mma`, and the loads and stores of its fragments.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess, WarpSync
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.asynchronous import shared_pointers
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.intrinsics.warp import by_lane, incomplete, matrix
from harness.simt.ir.types import Int, Vector
from harness.simt.ir.values import bfloat_value, octets_of
from harness.simt.ops.eight_bit import VALUES
from harness.simt.ops.lanes import ProductLayout
from harness.simt.ops.matrix import Accumulation, accumulation_on, multiply, multiply_doubles, product_layout
from harness.simt.ops.undefined import normalise_taint
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet

__all__ = [
    "DECODE",
    "EIGHT_BIT",
    "ROW",
    "WHOLE",
    "Decoder",
    "check_whole",
    "fragment",
    "marks_of",
    "product_of",
    "sum_of",
]

WARP = 32
ROW = Access(Vector(8, Int(16)), 16)
WHOLE = WarpSync()  # all lanes of the warp
EIGHT_BIT = ("e4m3", "e5m2")
NATIVELY = ("bf16", "tf32")  # of 16 rows: `harness.simt.native.lower.matrix`


def check_whole(call: Call) -> None:
    """Reports the lanes of whose warp some are not there: their part of a matrix is taken for zeros."""
    missing = np.flatnonzero(incomplete(call.lanes))
    if len(missing):
        call.report("fragment-missing", missing)


def _tf32(raw: Array) -> Array:
    """float32 whose last 13 bits do not count."""
    return (raw.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


Decoder: TypeAlias = Callable[[Array], Array]
# Of A and B: from bytes to values, and how many of them a register has.
DECODE: dict[str, tuple[Decoder, int]] = {
    "f16": (lambda raw: raw.view(np.float16), 2),
    "bf16": (lambda raw: bfloat_value(raw.view(np.uint16)), 2),
    "tf32": (_tf32, 1),
    "e4m3": (VALUES["e4m3"].__getitem__, 4),
    "e5m2": (VALUES["e5m2"].__getitem__, 4),
    "f32": (lambda raw: raw.view(np.float32), 1),
    "f64": (lambda raw: raw.view(np.float64), 1),
    "s32": (lambda raw: raw.view(np.int32), 1),
}


def fragment(lanes: LaneSet, values: Sequence[Array], decode: Callable[[Array], Array]) -> Array:
    """What lanes hold of a matrix, (warps, 32, elements), from their registers."""
    octets = [octets_of(value) for value in values]
    count = max(map(len, octets))
    whole = np.concatenate([np.broadcast_to(each, (count, each.shape[1])) for each in octets], 1)
    return matrix(lanes, decode(np.ascontiguousarray(whole)), 0)


def sum_of(call: Call, kind: str) -> Accumulation:
    """How products of a type of A and B are added up on the launch's target."""
    return accumulation_on(call.engine.target, DECODE[kind][1])


def _multiply(rows: int, depth: int, kind: str, accumulator: str) -> Stateful:
    decode, packed = DECODE[kind]

    def total(call: Call, left: Array, right: Array, addend: Array) -> Array:
        left, right = left.astype(np.float64), right.astype(np.float64)
        if kind == "f64":
            return multiply_doubles(left, right, addend)
        if kind in EIGHT_BIT:  # the products alone, then one addition
            summed: Array = multiply(left, right, np.zeros_like(addend), sum_of(call, kind)) + addend
            return summed
        return multiply(left, right, addend, sum_of(call, kind))

    return product_of(product_layout(rows, depth, packed), packed, (decode, decode), accumulator, total)


def product_of(
    held: ProductLayout,
    packed: int,
    decoders: tuple[Decoder, Decoder],
    accumulator: str,
    total_of: Callable[..., Array],
) -> Stateful:
    """Return the handler of a product of matrices that a warp holds.

    Args:
        packed: Elements of A and B in a register.
        decoders: From the bytes of registers to the elements of A, and of B.
        accumulator: The type of the sum.
        total_of: The sum, from the call and from the matrices A, B and C of each warp.
    """
    counts = [layout.rows.shape[1] // packed for layout in (held.a, held.b)]

    def handler(call: Call) -> Result:
        lanes = call.lanes
        check_whole(call)
        first, second, third = _three(call.values, counts)
        left = held.a.gather(fragment(lanes, first, decoders[0]))
        right = held.b.gather(fragment(lanes, second, decoders[1]))
        addend = held.c.gather(fragment(lanes, third, DECODE[accumulator][0]))
        total = total_of(call, left, right, addend)
        result = by_lane(lanes, held.c.spread(total))
        each = DECODE[accumulator][1]
        registers = tuple(result[:, start : start + each] for start in range(0, result.shape[1], each))
        marks = _marks(lanes, held, counts, call.taints, len(registers))
        return (registers if each > 1 else tuple(result.T)), marks

    return handler


def _three(arguments: Sequence[Any], counts: Sequence[int]) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    """Those of A, of B and of the sum."""
    return arguments[: counts[0]], arguments[counts[0] : sum(counts)], arguments[sum(counts) :]


def _marks(
    lanes: LaneSet, held: ProductLayout, counts: Sequence[int], taints: Sequence[Taint], registers: int
) -> Taint | tuple[Taint, ...]:
    """The taints of a lane's registers: of the row of A, the column of B and the sum that each is made from."""
    if all(taint is None for taint in taints):
        return None
    by_register = [matrix(lanes, np.zeros(1, np.int32) if taint is None else taint, 0) for taint in taints]
    parts = zip((held.a, held.b, held.c), _three(by_register, counts), strict=True)
    spread = (np.repeat(np.stack(marks, 2), layout.rows.shape[1] // len(marks), 2) for layout, marks in parts)
    return marks_of(by_lane(lanes, held.combine_taints(*spread)), registers)


def marks_of(elements: Array, registers: int) -> tuple[Taint, ...]:
    """The taints of registers that hold neighbouring elements, of these, (n, elements)."""
    marks = elements.reshape(len(elements), registers, -1).max(2)
    return tuple(mark if mark.any() else None for mark in marks.T)


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


def _load(matrices: int, transposed: bool, call: Call) -> Result:
    lanes = call.lanes
    check_whole(call)
    some, here = _rows_of(call, matrices)
    loaded, mark = some.load(shared_pointers(some, 0), ROW, some.taint(0))
    given = np.zeros((lanes.n, 8), np.int16)
    given[here] = loaded
    tiles = matrix(lanes, given, 0)[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
    if transposed:
        tiles = tiles.swapaxes(2, 3)
    # Each lane has two neighbours of a row of each matrix.
    pairs = np.ascontiguousarray(tiles).view(np.int32).reshape(-1, matrices, WARP)
    held = by_lane(lanes, pairs.swapaxes(1, 2))
    if mark is not None:
        marks = np.zeros((lanes.n, 16), np.int32)
        marks[here] = mark if mark.ndim == 2 else mark[:, None]
        by_row = matrix(lanes, marks.reshape(-1, 8, 2).max(2), 0)[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
        by_row = by_row.swapaxes(2, 3) if transposed else by_row
        by_word = by_row.reshape(-1, matrices, WARP, 2).max(3)
        taints = marks_of(by_lane(lanes, by_word.swapaxes(1, 2)), matrices)
        return (held[:, 0], taints[0]) if matrices == 1 else (tuple(held.T), taints)
    return (held[:, 0] if matrices == 1 else tuple(held.T)), None


def _store(matrices: int, transposed: bool, call: Call) -> None:
    check_whole(call)
    lanes, words = call.lanes, slice(1, 1 + matrices)
    some, here = _rows_of(call, matrices)
    halves = [np.ascontiguousarray(value).view(np.int16).reshape(-1, 2) for value in call.values[words]]
    mark: Taint = None
    if any(taint is not None for taint in call.taints[words]):
        given = (np.zeros(1, np.int32) if taint is None else taint for taint in call.taints[words])
        marks = (np.repeat(taint[:, None], 2, 1) for taint in given)
        mark = normalise_taint(np.repeat(_by_row(lanes, marks, transposed)[here], 2, 1))
    some.store(shared_pointers(some, 0), _by_row(lanes, halves, transposed)[here], ROW, (some.taint(0), mark))


def _by_row(lanes: LaneSet, words: Iterable[Array], transposed: bool) -> Array:
    """What each lane stores as a row, (n, 8), of what all hold of some matrices: of each two neighbours of a row."""
    held = np.stack([matrix(lanes, word, 0) for word in words], 1)
    tiles = held.reshape(len(held), -1, 8, 8)
    rows = np.zeros((len(held), WARP, 8), held.dtype)
    rows[:, : 8 * tiles.shape[1]] = (tiles.swapaxes(2, 3) if transposed else tiles).reshape(len(held), -1, 8)
    return by_lane(lanes, rows)


for matrices in (1, 2, 4):
    for word, transposed in (("", False), (".trans", True)):
        for space in ("", ".p3"):
            stateful(
                f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{matrices}{word}.b16{space}",
                waits=WHOLE,
                accesses=(MemoryAccess(0, "load"),),
                exchanges=True,
                native=f"rows{word}",
            )(partial(_load, matrices, transposed))
        stateful(
            f"llvm.nvvm.stmatrix.sync.aligned.m8n8.x{matrices}{word}.b16",
            waits=WHOLE,
            accesses=(MemoryAccess(0, "store"),),
            exchanges=True,
        )(partial(_store, matrices, transposed))
