"""The lowerings of all opcodes: importing this module registers them."""

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
