"""`wgmma`: matrix products of four warps, with matrices in shared memory that descriptors name.

Each warp has 16 of the 64 rows; its part of A may be in registers instead. The product is made where it stands, from
what its operands hold there: nobody may change them, nor use its result, before it was waited for, so that is what
comes out whenever the hardware multiplies. Observers are told what it reads until then.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Integers, distinct
from harness.simt.compile.declarations import MemoryAccess, WarpSync
from harness.simt.compile.registry import effect, ignored, stateful
from harness.simt.intrinsics.asynchronous import Commit, WaitGroups
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.intrinsics.nvvm_mma import DECODE, EIGHT_BIT, ROW, check_whole, fragment, marks_of, sum_of
from harness.simt.intrinsics.warp import by_lane, matrix
from harness.simt.ir.products import operands_of
from harness.simt.ops.matrix import FRACTION, Sum, form, layout_of_sum, multiply

__all__: list[str] = []

ROWS = 16  # of A, for each warp
CHUNKS = 2  # of 16 bytes in a row, of A and of B
DEPTH = 16  # of a matrix whose depth is not in a row: halves
# By a descriptor's swizzle: bytes of a row's atom, and which bits of an address are mixed into those of a chunk.
SWIZZLES = {0: (16, 0), 1: (128, 7), 2: (64, 3), 3: (32, 1)}
COARSE = 13  # bits of the fraction of sums of 8-bit floats
KIND = "wgmma"  # of the groups that are waited for


def _places(descriptors: Integers, row: Integers, chunk: Integers, turned: bool) -> Integers:
    """The shared addresses of chunks of a matrix.

    Args:
        row: Of the chunk; of a matrix that is turned, a place in its depth, where the chunk has 8 rows.
    """
    start = (descriptors & 0x3FFF) << 4
    leading, stride = (descriptors >> 16 & 0x3FFF) << 4, (descriptors >> 32 & 0x3FFF) << 4
    kinds = descriptors >> 62 & 3
    place = np.zeros(np.broadcast_shapes(start.shape, row.shape), np.int64)
    for kind in distinct(kinds).tolist():
        atom, mask = SWIZZLES[kind]
        wide = atom // 16
        if not turned:
            plain = row // 8 * stride + row % 8 * atom + (chunk * leading if kind == 0 else chunk * 16)
        elif kind == 0:
            plain = row // 8 * leading + row % 8 * 16 + chunk * stride
        else:
            plain = row // 8 * stride + row % 8 * atom + chunk // wide * leading + chunk % wide * 16
        plain = start + plain
        mixed = plain ^ (plain >> 7 & mask) << 4
        place = np.where(kinds == kind, mixed, place)
    return place


def _load(call: Call, place: int, first: Array, rows: int, turned: bool) -> tuple[Array, Array]:
    """The bytes of rows of a matrix, (warps, rows, 32), which the lanes of each warp load together, and the taint of
    each row.

    Args:
        place: Of the matrix's descriptor among the arguments.
        first: For each lane the first row that its warp takes.
    """
    engine, lanes = call.engine, call.lanes
    lane = np.broadcast_to(lanes.get("lane"), (lanes.n,)).astype(np.int64)
    descriptors = call.wide(place).astype(np.int64)
    loaded, marks = [], []
    for step in range(-(-rows * CHUNKS // 32)):
        number = 32 * step + lane
        here = np.flatnonzero(number < rows * CHUNKS)
        if turned:
            row, chunk = number[here] // (rows // 8), first[here] // 8 + number[here] % (rows // 8)
        else:
            row, chunk = first[here] + number[here] // CHUNKS, number[here] % CHUNKS
        pointers = engine.window.pointer(_places(descriptors[here], row, chunk, turned))
        some = call.part(here)
        values, marked = np.zeros((lanes.n, 8), np.int16), np.zeros((lanes.n, 8), bool)
        values[here], mark = some.load(pointers, ROW, some.taint(place))
        if mark is not None:
            marked[here] = (mark != 0).reshape(len(here), -1, 2).any(2) if mark.ndim == 2 else (mark != 0)[:, None]
        engine.copies.watch(some.lanes, some.site, pointers, ROW, KIND)
        loaded.append(matrix(lanes, values, 0))
        marks.append(matrix(lanes, marked, False))
    chunks, undefined = (np.concatenate(parts, 1)[:, : rows * CHUNKS] for parts in (loaded, marks))
    if turned:
        chunks, undefined = (
            np.ascontiguousarray(part.reshape(-1, DEPTH, rows).swapaxes(1, 2)) for part in (chunks, undefined)
        )
    octets = chunks.view(np.uint8).reshape(len(chunks), rows, 32)
    spoilt = undefined.reshape(len(chunks), rows, -1).any(2)
    origin = engine.observation.origin("shared", "a matrix", call.site) if spoilt.any() else 0
    return octets, np.where(spoilt, np.int32(origin), np.int32(0))


def _multiply(kind: str, accumulator: str) -> Stateful:
    decode, packed = DECODE[kind]
    whole, pairs = DECODE[accumulator]
    a_layout = form(ROWS, 8 * packed, packed).a

    def handler(call: Call) -> Result:
        at = operands_of(call.site.instruction)
        turned = [bool(call.values[place][0]) for place in at.transposed] or [False]
        lanes, columns = call.lanes, 2 * pairs * len(at.sums)
        check_whole(call)
        scaled = matrix(lanes, call.values[at.scale] != 0, False)
        summed = np.logical_or.reduce(scaled, 1)  # else what the registers of the sum hold is not read
        sums = at.sums if summed.any() else ()
        if len(at.a) == 1:
            first = np.broadcast_to(lanes.get("warp_in_block"), (lanes.n,)).astype(np.int64) % 4 * ROWS
            octets, of_rows = _load(call, at.a[0], first, ROWS, turned[0])
            left = decode(octets).reshape(len(octets), ROWS, -1)
        else:
            left = a_layout.gather(fragment(lanes, [call.values[place] for place in at.a], decode))
            of_rows = a_layout.gather(_held(call, at.a, packed)).max(2)
        octets, of_columns = _load(call, at.b, np.zeros(lanes.n, np.int64), columns, turned[-1])
        right = decode(octets).reshape(len(octets), columns, -1)
        first_factor, second_factor = (
            matrix.astype(np.float64) * int(call.values[sign][0])
            for matrix, sign in zip((left, right), at.signs, strict=True)
        )
        layout = layout_of_sum(ROWS, columns)
        addend = np.zeros((len(octets), ROWS, columns), np.float16 if accumulator == "f16" else np.float32)
        if sums:
            before = fragment(lanes, [call.values[place] for place in sums], whole)
            addend = layout.gather(np.where(summed[:, None, None], before, addend.dtype.type(0)))
        how = sum_of(call, kind)
        how = Sum(how.step, COARSE - FRACTION) if kind in EIGHT_BIT else how
        total = multiply(first_factor, second_factor.swapaxes(1, 2), addend, how)
        if kind in EIGHT_BIT and accumulator == "f32":
            significand, exponent = np.frexp(total)
            total = np.ldexp(np.trunc(np.ldexp(significand, COARSE + 1)), exponent - COARSE - 1).astype(np.float32)
        spoilt = np.maximum(of_rows[:, :, None], of_columns[:, None, :])
        if sums:
            spoilt = np.maximum(spoilt, layout.gather(_held(call, sums, pairs)) * summed[:, None, None])
        spoilt = np.maximum(spoilt, _held(call, (at.scale,), 1).max((1, 2), keepdims=True))
        result = np.ascontiguousarray(by_lane(lanes, layout.spread(total)))
        marks = marks_of(by_lane(lanes, layout.spread(spoilt)), len(at.sums)) if spoilt.any() else None
        return tuple((result.view(np.int32) if accumulator == "f16" else result).T), marks

    return handler


def _held(call: Call, places: Sequence[int], each: int) -> Array:
    """The marks of the elements of some registers with so many each, (warps, 32, elements)."""
    taints = (call.taints[place] for place in places)
    marks = [matrix(call.lanes, np.zeros(1, np.int32) if taint is None else taint, 0) for taint in taints]
    return np.repeat(np.stack(marks, 2), each, 2)


# Type of A and B, depth, type of the sum.
FORMS = [("bf16", 16, "f32"), ("tf32", 8, "f32")]
FORMS += [(kind, deep, to) for kind, deep in (("f16", 16), ("e4m3", 32), ("e5m2", 32)) for to in ("f32", "f16")]
for kind, depth, to in FORMS:
    name = f"asm:wgmma.mma_async.sync.aligned.m64nNk{depth}.{to}.{kind}.{kind}"
    # The place among the operands depends on the columns: behind the registers of the sum.
    reads = (MemoryAccess(-1, "load"),)
    facts: dict[str, Any] = {"waits": WarpSync(), "accesses": reads, "exchanges": True, "copies": True, "proxy": True}
    stateful(name, exact=False, **facts)(_multiply(kind, to))


effect("llvm.nvvm.wgmma.commit_group.sync.aligned", of=Commit(KIND))
effect("llvm.nvvm.wgmma.wait_group.sync.aligned", of=WaitGroups(KIND))
# Registers are where they are: an observer looks whether the fence stands where hardware needs it.
ignored("llvm.nvvm.wgmma.fence.sync.aligned")
