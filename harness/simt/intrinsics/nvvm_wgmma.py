"""`wgmma`: matrix products of four warps, with matrices in shared memory that descriptors name.

Each warp has 16 of the 64 rows. The product is made where it stands, so that what waits for
it has nothing to do; that its registers and matrices are not to be touched before is not
checked. The matrices of a descriptor have their depth in a row (K-major).

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions
"""

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess, WarpSync
from harness.simt.compile.registry import ignored, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.intrinsics.nvvm_mma import DECODE, ROW, Warps, sum_of
from harness.simt.ir.site import Site
from harness.simt.ops.matrix import multiply
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

ROWS = 16  # of A, for each warp
CHUNKS = 2  # of 16 bytes in a row, of A and of B
# By a descriptor's swizzle: bytes of a row's atom, and which bits of an address are mixed into those of a chunk.
SWIZZLES = {0: (16, 0), 1: (128, 7), 2: (64, 3), 3: (32, 1)}


def _places(descriptors: Integers, row: Integers, chunk: Integers) -> Integers:
    """The shared addresses of chunks of rows of a matrix."""
    start = (descriptors & 0x3FFF) << 4
    leading, stride = (descriptors >> 16 & 0x3FFF) << 4, (descriptors >> 32 & 0x3FFF) << 4
    kinds = descriptors >> 62 & 3
    place = np.zeros(np.broadcast_shapes(start.shape, row.shape), np.int64)
    for kind in np.unique(kinds).tolist():
        atom, mask = SWIZZLES[kind]
        inner = chunk * leading if kind == 0 else chunk * 16
        plain = start + row // 8 * stride + row % 8 * atom + inner
        mixed = plain ^ (plain >> 7 & mask) << 4
        place = np.where(kinds == kind, mixed, place)
    return place


def _matrix(
    engine: Engine, lanes: LaneSet, site: Site, warps: Warps, descriptors: Integers, first: Array, rows: int
) -> tuple[Array, Taint]:
    """The bytes of rows of a matrix, (warps, rows, 32), which the lanes of each warp load together.

    Args:
        first: For each lane the first row that its warp takes.
    """
    lane = np.broadcast_to(lanes.get("lane"), (lanes.n,)).astype(np.int64)
    descriptors = np.broadcast_to(descriptors, (lanes.n,)).astype(np.int64)
    loaded, marked = [], False
    for step in range(-(-rows * CHUNKS // 32)):
        number = 32 * step + lane
        here = np.flatnonzero(number < rows * CHUNKS)
        row, chunk = first[here] + number[here] // CHUNKS, number[here] % CHUNKS
        pointers = engine.window.pointer(_places(descriptors[here], row, chunk))
        some = lanes if len(here) == lanes.n else lanes.sub(here)
        values = np.zeros((lanes.n, 8), np.int16)
        if engine.observation.tracked:
            values[here], mark = engine.memory.load_tainted(some, pointers, None, ROW, site)
            marked |= mark is not None
        else:
            values[here] = engine.memory.load(some, pointers, ROW, site)
        loaded.append(warps.rows(values))
    chunks = np.concatenate(loaded, 1)[:, : rows * CHUNKS]
    octets = np.ascontiguousarray(chunks).view(np.uint8).reshape(warps.count, rows, 32)
    origin = engine.observation.origin("shared", "a matrix", site) if marked else 0
    return octets, np.array([origin], np.int32) if marked else None


def _multiply(kind: str) -> Stateful:
    decode, packed = DECODE[kind]

    def handler(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
        held = len(values) - (7 if packed == 2 else 5)  # registers of the sum
        start, (a, b, scale, sign_a, sign_b, *turned) = values[:held], values[held:]
        if any(one[0] for one in turned):
            raise Unsupported(f"wgmma of {kind} with a matrix whose depth is not in a row")
        warps, columns = Warps(engine, lanes, site), 2 * held
        first = np.broadcast_to(lanes.get("warp_in_block"), (lanes.n,)).astype(np.int64) % 4 * ROWS
        left, mark_a = _matrix(engine, lanes, site, warps, a, first, ROWS)
        right, mark_b = _matrix(engine, lanes, site, warps, b, np.zeros(lanes.n, np.int64), columns)
        first_factor, second_factor = (
            decode(octets).reshape(warps.count, octets.shape[1], -1).astype(np.float64) * int(sign[0])
            for octets, sign in ((left, sign_a), (right, sign_b))
        )
        lane, element = np.arange(32)[:, None], np.arange(held)
        row, column = lane // 4 + 8 * (element // 2 % 2), 8 * (element // 4) + 2 * (lane % 4) + element % 2
        addend = np.zeros((warps.count, ROWS, columns), np.float32)
        if scale[0]:
            addend[:, row, column] = warps.rows(
                np.stack([np.broadcast_to(value, (lanes.n,)) for value in start], 1).astype(np.float32)
            )
        total = multiply(first_factor, second_factor.swapaxes(1, 2), addend, sum_of(engine, 4 // packed))
        marks = [mark for mark in (mark_a, mark_b, *(taints or ())[:held]) if mark is not None]
        spoiled = np.array([max(int(mark.max()) for mark in marks)], np.int32) if marks else None
        return tuple(warps.lanes(total[:, row, column]).T), spoiled

    return handler


for kind, depth in (("bf16", 16), ("f16", 16), ("tf32", 8), ("e4m3", 32), ("e5m2", 32)):
    name = f"asm:wgmma.mma_async.sync.aligned.m64nNk{depth}.f32.{kind}.{kind}"
    # The place among the operands depends on the columns: behind the registers of the sum.
    reads = (MemoryAccess(-1, "load"),)
    stateful(name, exact=False, waits=WarpSync(), accesses=reads, exchanges=True)(_multiply(kind))
# A product has been made when it stands: there is nothing to wait for.
ignored(
    "llvm.nvvm.wgmma.fence.sync.aligned",
    "llvm.nvvm.wgmma.commit_group.sync.aligned",
    "llvm.nvvm.wgmma.wait_group.sync.aligned",
    "asm:wgmma.wait_group.sync.aligned $0;",
)
