"""NVIDIA's `mma` of floats, `ldmatrix`, `stmatrix`; decoders, taints and checks that integer `mma` and `wgmma` share.

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
from harness.simt.intrinsics.warp import from_warp_rows, lanes_of_incomplete_warps, to_warp_rows
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
    "WHOLE_WARP",
    "Decoder",
    "accumulation_of",
    "check_warps_complete",
    "gather_fragments",
    "product_handler",
    "taints_by_register",
]

WARP = 32
ROW = Access(Vector(8, Int(16)), 16)
WHOLE_WARP = WarpSync()  # all lanes of the warp
EIGHT_BIT = ("e4m3", "e5m2")
COMPILED_KINDS = ("bf16", "tf32")  # with 16 rows, see `harness.simt.native.lower.matrix`


def check_warps_complete(call: Call) -> None:
    """Report, as `fragment-missing`, the active lanes of warps that lack threads or have inactive lanes.

    The launch goes on: nothing is raised.
    """
    missing = np.flatnonzero(lanes_of_incomplete_warps(call.lanes))
    if len(missing):
        call.report("fragment-missing", missing)


def _tf32(raw: Array) -> Array:
    """Return float32 values with the last 13 bits cleared."""
    return (raw.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


Decoder: TypeAlias = Callable[[Array], Array]
# By type: (function from bytes to values, how many values a register holds).
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


def gather_fragments(lanes: LaneSet, values: Sequence[Array], decode: Callable[[Array], Array]) -> Array:
    """Return the decoded fragments of a matrix, (warps, 32, elements), for all warps of the chunk; inactive lanes have
    zeros.

    Args:
        values: The registers of the fragments, in order; each has an entry for each lane, or one for all.
        decode: Maps the bytes of each lane's registers, (n, bytes), to elements, (n, elements).
    """
    octets = [octets_of(value) for value in values]
    count = max(map(len, octets))
    registers = np.concatenate([np.broadcast_to(each, (count, each.shape[1])) for each in octets], 1)
    return to_warp_rows(lanes, decode(np.ascontiguousarray(registers)), 0)


def accumulation_of(call: Call, kind: str) -> Accumulation:
    """Return how the launch's target adds up products of a type."""
    return accumulation_on(call.engine.target, DECODE[kind][1])


def _multiply(rows: int, depth: int, kind: str, accumulator: str) -> Stateful:
    decode, packed = DECODE[kind]

    def total(call: Call, left: Array, right: Array, addend: Array) -> Array:
        left, right = left.astype(np.float64), right.astype(np.float64)
        if kind == "f64":
            return multiply_doubles(left, right, addend)
        if kind in EIGHT_BIT:  # products first, then one addition
            summed: Array = multiply(left, right, np.zeros_like(addend), accumulation_of(call, kind)) + addend
            return summed
        return multiply(left, right, addend, accumulation_of(call, kind))

    return product_handler(product_layout(rows, depth, packed), packed, (decode, decode), accumulator, total)


def product_handler(
    layouts: ProductLayout,
    packed: int,
    decoders: tuple[Decoder, Decoder],
    accumulator: str,
    total_of: Callable[..., Array],
) -> Stateful:
    """Return the handler of a product of matrices that a warp holds in registers.

    A call's arguments are the registers of A, of B and of C. The handler returns a tuple of the result's registers,
    each (n,), or (n, 2) for halves; and a tuple of their taints, or None. Lanes of incomplete warps are reported by
    `check_warps_complete`; the product then takes 0 for the elements of missing lanes.

    Args:
        layouts: The layouts of A, B and C.
        packed: How many elements of A and B a register holds.
        decoders: Functions from the bytes of registers to elements of A, and of B.
        accumulator: The type of C and of the result.
        total_of: Computes the result from the call and the matrices A, B and C, (warps, rows, columns).
    """
    counts = [layout.rows.shape[1] // packed for layout in (layouts.a, layouts.b)]

    def handler(call: Call) -> Result:
        lanes = call.lanes
        check_warps_complete(call)
        first, second, third = _split_operands(call.values, counts)
        left = layouts.a.gather(gather_fragments(lanes, first, decoders[0]))
        right = layouts.b.gather(gather_fragments(lanes, second, decoders[1]))
        addend = layouts.c.gather(gather_fragments(lanes, third, DECODE[accumulator][0]))
        total = total_of(call, left, right, addend)
        result = from_warp_rows(lanes, layouts.c.spread(total))
        each = DECODE[accumulator][1]
        registers = tuple(result[:, start : start + each] for start in range(0, result.shape[1], each))
        marks = _register_taints(lanes, layouts, counts, call.taints, len(registers))
        return (registers if each > 1 else tuple(result.T)), marks

    return handler


def _split_operands(
    arguments: Sequence[Any], counts: Sequence[int]
) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    """Split a list into the items of A, of B and of the accumulator."""
    return arguments[: counts[0]], arguments[counts[0] : sum(counts)], arguments[sum(counts) :]


def _register_taints(
    lanes: LaneSet, layouts: ProductLayout, counts: Sequence[int], taints: Sequence[Taint], registers: int
) -> tuple[Taint, ...] | None:
    """Return a taint, or None, for each result register: the largest of its rows of A, columns of B and elements of C.

    If all arguments are defined, return None instead of a tuple.

    Args:
        counts: The number of registers of A, and of B.
        taints: Of the registers of A, of B and of C.
        registers: The number of result registers.
    """
    if all(taint is None for taint in taints):
        return None
    by_register = [to_warp_rows(lanes, np.zeros(1, np.int32) if taint is None else taint, 0) for taint in taints]
    groups = zip((layouts.a, layouts.b, layouts.c), _split_operands(by_register, counts), strict=True)
    spread = (np.repeat(np.stack(marks, 2), layout.rows.shape[1] // len(marks), 2) for layout, marks in groups)
    return taints_by_register(from_warp_rows(lanes, layouts.combine_taints(*spread)), registers)


def taints_by_register(elements: Array, registers: int) -> tuple[Taint, ...]:
    """Return the taint of each register: for each lane the largest of the register's elements, (n,).

    A register whose elements are all defined, in all lanes, gets None instead.

    Args:
        elements: The taints of all elements, (n, elements), register by register.
        registers: The number of registers; each holds equally many elements.
    """
    marks = elements.reshape(len(elements), registers, -1).max(2)
    return tuple(mark if mark.any() else None for mark in marks.T)


def _shapes() -> Iterator[tuple[str, tuple[int, int, str, str]]]:
    """Yield (intrinsic, (rows, depth, type of A and B, type of the accumulator)) of every `mma` of floats.

    All have 8 columns.
    """
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
    compiled = f"product.{shape[1]}.{shape[2]}" if shape[2] in COMPILED_KINDS else ""
    stateful(name, exact=False, waits=WHOLE_WARP, exchanges=True, compiled=compiled)(_multiply(*shape))


def _lanes_with_addresses(call: Call, matrices: int) -> tuple[Call, Integers]:
    """Return the call restricted to the lanes that give addresses of rows, and these lanes' positions in `call`.

    The lanes with addresses are the lowest of each warp, 8 for each matrix.
    """
    positions = np.flatnonzero(np.broadcast_to(call.lanes.get("lane"), (call.lanes.n,)) < 8 * matrices)
    return call.part(positions), positions


def _load(matrices: int, transposed: bool, call: Call) -> Result:
    lanes = call.lanes
    check_warps_complete(call)
    some, positions = _lanes_with_addresses(call, matrices)
    loaded, mark = some.load(shared_pointers(some, 0), ROW, some.taint(0))
    row_data = np.zeros((lanes.n, 8), np.int16)
    row_data[positions] = loaded
    tiles = to_warp_rows(lanes, row_data, 0)[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
    if transposed:
        tiles = tiles.swapaxes(2, 3)
    # Each lane holds two adjacent elements of a row of each matrix.
    pairs = np.ascontiguousarray(tiles).view(np.int32).reshape(-1, matrices, WARP)
    registers = from_warp_rows(lanes, pairs.swapaxes(1, 2))
    if mark is not None:
        marks = np.zeros((lanes.n, 16), np.int32)
        marks[positions] = mark if mark.ndim == 2 else mark[:, None]
        by_row = to_warp_rows(lanes, marks.reshape(-1, 8, 2).max(2), 0)[:, : 8 * matrices].reshape(-1, matrices, 8, 8)
        by_row = by_row.swapaxes(2, 3) if transposed else by_row
        by_word = by_row.reshape(-1, matrices, WARP, 2).max(3)
        taints = taints_by_register(from_warp_rows(lanes, by_word.swapaxes(1, 2)), matrices)
        return (registers[:, 0], taints[0]) if matrices == 1 else (tuple(registers.T), taints)
    return (registers[:, 0] if matrices == 1 else tuple(registers.T)), None


def _store(matrices: int, transposed: bool, call: Call) -> None:
    check_warps_complete(call)
    lanes, words = call.lanes, slice(1, 1 + matrices)
    some, positions = _lanes_with_addresses(call, matrices)
    halves = [np.ascontiguousarray(value).view(np.int16).reshape(-1, 2) for value in call.values[words]]
    mark: Taint = None
    if any(taint is not None for taint in call.taints[words]):
        taints = (np.zeros(1, np.int32) if taint is None else taint for taint in call.taints[words])
        marks = (np.repeat(taint[:, None], 2, 1) for taint in taints)
        mark = normalise_taint(np.repeat(_rows_to_store(lanes, marks, transposed)[positions], 2, 1))
    some.store(
        shared_pointers(some, 0), _rows_to_store(lanes, halves, transposed)[positions], ROW, (some.taint(0), mark)
    )


def _rows_to_store(lanes: LaneSet, words: Iterable[Array], transposed: bool) -> Array:
    """Return the row of 8 elements that each lane stores, (n, 8), from matrices whose fragments the lanes hold.

    Lanes that store no row, from 8 for each matrix on, get zeros.

    Args:
        words: For each matrix, the two elements of each lane, (n, 2).
        transposed: Whether columns of the matrices are stored as rows.
    """
    by_warp = np.stack([to_warp_rows(lanes, word, 0) for word in words], 1)
    tiles = by_warp.reshape(len(by_warp), -1, 8, 8)
    rows = np.zeros((len(by_warp), WARP, 8), by_warp.dtype)
    rows[:, : 8 * tiles.shape[1]] = (tiles.swapaxes(2, 3) if transposed else tiles).reshape(len(by_warp), -1, 8)
    return from_warp_rows(lanes, rows)


for matrices in (1, 2, 4):
    for word, transposed in (("", False), (".trans", True)):
        for space in ("", ".p3"):
            stateful(
                f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{matrices}{word}.b16{space}",
                waits=WHOLE_WARP,
                accesses=(MemoryAccess(0, "load"),),
                exchanges=True,
                compiled=f"rows{word}",
            )(partial(_load, matrices, transposed))
        stateful(
            f"llvm.nvvm.stmatrix.sync.aligned.m8n8.x{matrices}{word}.b16",
            waits=WHOLE_WARP,
            accesses=(MemoryAccess(0, "store"),),
            exchanges=True,
        )(partial(_store, matrices, transposed))
