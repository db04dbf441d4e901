"""Import every module of lowerings, which registers them in `LOWERINGS`; nothing else."""

from harness.simt.native.lower import (
    aggregates,
    approximate,
    arithmetic,
    asynchronous_copies,
    atomics,
    buffers,
    call_frames,
    clusters,
    exchanges,
    intrinsics,
    llvm_intrinsics,
    local_memory,
    matrix,
    matrix_fragments,
    matrix_rows,
    mbarriers,
    memory,
)
from harness.simt.native.lower.registry import LOWERINGS

__all__ = ["LOWERINGS"]

REGISTERING = (
    aggregates,
    approximate,
    arithmetic,
    asynchronous_copies,
    atomics,
    buffers,
    call_frames,
    clusters,
    exchanges,
    intrinsics,
    llvm_intrinsics,
    local_memory,
    matrix,
    matrix_fragments,
    matrix_rows,
    mbarriers,
    memory,
)
