"""`wgmma` of floats: compute products by four warps of matrices in shared memory; commit groups and wait for them.

Each warp computes 16 of the 64 rows; its rows of A may be in registers instead. The product is computed at once, from
the operands' current values: a correct kernel neither changes them nor uses the result before it has waited, so the
result is the same as on hardware. Observers learn which memory is read until then.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Integers, distinct
from harness.simt.compile.declarations import MemoryAccess, WarpSync
from harness.simt.compile.registry import declare_effect, declare_ignored, stateful
from harness.simt.intrinsics.asynchronous import CommitGroup, WaitGroups
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.intrinsics.nvvm_mma import (
    DECODE,
    EIGHT_BIT,
    ROW,
    accumulation_of,
    check_warps_complete,
    gather_fragments,
    taints_by_register,
)
from harness.simt.intrinsics.warp import from_warp_rows, to_warp_rows
from harness.simt.ir.products import operands_of
from harness.simt.ops.matrix import FRACTION, Accumulation, accumulator_layout, multiply, product_layout

__all__: list[str] = []

ROWS = 16  # of A, for each warp
CHUNKS = 2  # of 16 bytes in a row, of A and of B
DEPTH = 16  # of a matrix whose depth is not in a row: halves
# By a descriptor's swizzle mode: (bytes of a row's atom, address bits that are xored into the chunk's).
SWIZZLES = {0: (16, 0), 1: (128, 7), 2: (64, 3), 3: (32, 1)}
COARSE = 13  # bits of the fraction of sums of 8-bit floats
KIND = "wgmma"  # of the groups that are waited for


def _chunk_addresses(descriptors: Integers, row: Integers, chunk: Integers, transposed: bool) -> Integers:
    """Return the 32-bit shared addresses of 16-byte chunks of a matrix, by its descriptor's strides and swizzle.

    A chunk belongs to a single row; if the matrix is stored transposed, it has the elements of 8 rows at one depth.

    Args:
        row: The chunk's row; in a transposed matrix its depth.
        chunk: The chunk's number in its row; in a transposed matrix the row divided by 8.
        transposed: Whether the matrix is stored transposed.
    """
    start = (descriptors & 0x3FFF) << 4
    leading, stride = (descriptors >> 16 & 0x3FFF) << 4, (descriptors >> 32 & 0x3FFF) << 4
    kinds = descriptors >> 62 & 3
    place = np.zeros(np.broadcast_shapes(start.shape, row.shape), np.int64)
    for kind in distinct(kinds).tolist():
        atom, mask = SWIZZLES[kind]
        wide = atom // 16
        if not transposed:
            plain = row // 8 * stride + row % 8 * atom + (chunk * leading if kind == 0 else chunk * 16)
        elif kind == 0:
            plain = row // 8 * leading + row % 8 * 16 + chunk * stride
        else:
            plain = row // 8 * stride + row % 8 * atom + chunk // wide * leading + chunk % wide * 16
        plain = start + plain
        mixed = plain ^ (plain >> 7 & mask) << 4
        place = np.where(kinds == kind, mixed, place)
    return place


def _load_matrix(call: Call, argument: int, first: Array, rows: int, transposed: bool) -> tuple[Array, Array]:
    """Load rows of a matrix from shared memory; return the bytes (warps, rows, 32), and each row's taint (warps, rows).

    The bytes come row by row even if the matrix is stored transposed. The taint of a defined row is 0; all other rows
    have the same new origin. Invalid accesses are reported. Observers learn that the memory is read until the lanes
    wait for the group.

    Args:
        argument: The position of the matrix's descriptor among the arguments.
        first: For each lane the first row that its warp loads, (n,).
        rows: How many each warp loads.
        transposed: Whether the matrix is stored transposed.
    """
    engine, lanes = call.engine, call.lanes
    lane = np.broadcast_to(lanes.get("lane"), (lanes.n,)).astype(np.int64)
    descriptors = call.wide(argument).astype(np.int64)
    loaded, marks = [], []
    for step in range(-(-rows * CHUNKS // 32)):
        number = 32 * step + lane
        positions = np.flatnonzero(number < rows * CHUNKS)
        if transposed:
            row, chunk = number[positions] // (rows // 8), first[positions] // 8 + number[positions] % (rows // 8)
        else:
            row, chunk = first[positions] + number[positions] // CHUNKS, number[positions] % CHUNKS
        pointers = engine.window.pointer(_chunk_addresses(descriptors[positions], row, chunk, transposed))
        some = call.part(positions)
        values, marked = np.zeros((lanes.n, 8), np.int16), np.zeros((lanes.n, 8), bool)
        values[positions], mark = some.load(pointers, ROW, some.taint(argument))
        if mark is not None:
            marked[positions] = (
                (mark != 0).reshape(len(positions), -1, 2).any(2) if mark.ndim == 2 else (mark != 0)[:, None]
            )
        engine.copies.watch(some.lanes, some.site, pointers, ROW, KIND)
        loaded.append(to_warp_rows(lanes, values, 0))
        marks.append(to_warp_rows(lanes, marked, False))
    chunks, undefined = (np.concatenate(steps, 1)[:, : rows * CHUNKS] for steps in (loaded, marks))
    if transposed:
        chunks, undefined = (
            np.ascontiguousarray(part.reshape(-1, DEPTH, rows).swapaxes(1, 2)) for part in (chunks, undefined)
        )
    octets = chunks.view(np.uint8).reshape(len(chunks), rows, 32)
    is_undefined = undefined.reshape(len(chunks), rows, -1).any(2)
    origin = engine.observation.origin("shared", "a matrix", call.site) if is_undefined.any() else 0
    return octets, np.where(is_undefined, np.int32(origin), np.int32(0))


def _multiply(kind: str, accumulator: str) -> Stateful:
    decode, packed = DECODE[kind]
    decode_sum, pairs = DECODE[accumulator]
    a_layout = product_layout(ROWS, 8 * packed, packed).a

    def handler(call: Call) -> Result:
        at = operands_of(call.site.instruction)
        transposed = [bool(call.values[place][0]) for place in at.transposed] or [False]
        lanes, columns = call.lanes, 2 * pairs * len(at.sums)
        check_warps_complete(call)
        scaled = to_warp_rows(lanes, call.values[at.scale] != 0, False)
        summed = np.logical_or.reduce(scaled, 1)  # otherwise the accumulator's registers are not read
        sums = at.sums if summed.any() else ()
        if len(at.a) == 1:
            first = np.broadcast_to(lanes.get("warp_in_block"), (lanes.n,)).astype(np.int64) % 4 * ROWS
            octets, of_rows = _load_matrix(call, at.a[0], first, ROWS, transposed[0])
            left = decode(octets).reshape(len(octets), ROWS, -1)
        else:
            left = a_layout.gather(gather_fragments(lanes, [call.values[place] for place in at.a], decode))
            of_rows = a_layout.gather(_taints_of_elements(call, at.a, packed)).max(2)
        octets, of_columns = _load_matrix(call, at.b, np.zeros(lanes.n, np.int64), columns, transposed[-1])
        right = decode(octets).reshape(len(octets), columns, -1)
        first_factor, second_factor = (
            matrix.astype(np.float64) * int(call.values[sign][0])
            for matrix, sign in zip((left, right), at.signs, strict=True)
        )
        layout = accumulator_layout(ROWS, columns)
        addend = np.zeros((len(octets), ROWS, columns), np.float16 if accumulator == "f16" else np.float32)
        if sums:
            before = gather_fragments(lanes, [call.values[place] for place in sums], decode_sum)
            addend = layout.gather(np.where(summed[:, None, None], before, addend.dtype.type(0)))
        accumulation = accumulation_of(call, kind)
        accumulation = Accumulation(accumulation.step, COARSE - FRACTION) if kind in EIGHT_BIT else accumulation
        total = multiply(first_factor, second_factor.swapaxes(1, 2), addend, accumulation)
        if kind in EIGHT_BIT and accumulator == "f32":
            significand, exponent = np.frexp(total)
            total = np.ldexp(np.trunc(np.ldexp(significand, COARSE + 1)), exponent - COARSE - 1).astype(np.float32)
        taints = np.maximum(of_rows[:, :, None], of_columns[:, None, :])
        if sums:
            taints = np.maximum(taints, layout.gather(_taints_of_elements(call, sums, pairs)) * summed[:, None, None])
        taints = np.maximum(taints, _taints_of_elements(call, (at.scale,), 1).max((1, 2), keepdims=True))
        result = np.ascontiguousarray(from_warp_rows(lanes, layout.spread(total)))
        marks = taints_by_register(from_warp_rows(lanes, layout.spread(taints)), len(at.sums)) if taints.any() else None
        return tuple((result.view(np.int32) if accumulator == "f16" else result).T), marks

    return handler


def _taints_of_elements(call: Call, arguments: Sequence[int], per_register: int) -> Array:
    """Return the taints of the elements in some registers, (warps, 32, elements), 0 for what is defined.

    Args:
        arguments: The positions of the registers among the call's arguments.
        per_register: How many elements a register holds; each has the register's taint.
    """
    taints = (call.taints[argument] for argument in arguments)
    marks = [to_warp_rows(call.lanes, np.zeros(1, np.int32) if taint is None else taint, 0) for taint in taints]
    return np.repeat(np.stack(marks, 2), per_register, 2)


# Type of A and B, depth, type of the sum.
FORMS = [("bf16", 16, "f32"), ("tf32", 8, "f32")]
FORMS += [(kind, deep, to) for kind, deep in (("f16", 16), ("e4m3", 32), ("e5m2", 32)) for to in ("f32", "f16")]
for kind, depth, to in FORMS:
    name = f"asm:wgmma.mma_async.sync.aligned.m64nNk{depth}.{to}.{kind}.{kind}"
    # The operand's position depends on the number of columns: it follows the accumulator's registers.
    reads = (MemoryAccess(-1, "load"),)
    facts: dict[str, Any] = {"waits": WarpSync(), "accesses": reads, "exchanges": True, "copies": True, "proxy": True}
    stateful(name, exact=False, **facts)(_multiply(kind, to))


declare_effect("llvm.nvvm.wgmma.commit_group.sync.aligned", of=CommitGroup(KIND))
declare_effect("llvm.nvvm.wgmma.wait_group.sync.aligned", of=WaitGroups(KIND))
# Registers need no fence here; an observer checks that the fence stands where hardware needs it.
declare_ignored("llvm.nvvm.wgmma.fence.sync.aligned")
