"""Compute how many blocks of a kernel fit on a multiprocessor at once, and which resource limits them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.simt.gpus import BLOCK_THREADS, Gpu

__all__ = ["Occupancy", "Resources", "block_limits", "compute_occupancy", "count_resident_blocks"]

_SHARED_GRANULE = 128  # bytes in which a multiprocessor gives shared memory to blocks


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a kernel's machine code, as the vendor's compiler reports them.

    Attributes:
        registers: 32-bit registers per thread; on AMD vector registers.
        scalar_registers: Scalar registers per wave on AMD; None elsewhere.
        spilled_bytes: Bytes per thread that spilled to memory.
        shared_bytes: Shared memory that a block declares.
    """

    registers: int
    scalar_registers: int | None
    spilled_bytes: int
    shared_bytes: int


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The occupancy of a multiprocessor by one kernel.

    Attributes:
        blocks: The resident blocks.
        warps: Their warps.
        most_warps: The maximum number of resident warps.
        limited_by: The limiting resources: `threads`, `blocks`, `shared memory`, `registers`.
    """

    blocks: int
    warps: int
    most_warps: int
    limited_by: tuple[str, ...]

    @property
    def percent(self) -> float:
        """The theoretical occupancy in percent."""
        return 100 * self.warps / self.most_warps


def compute_occupancy(gpu: Gpu, threads: int, shared: int, registers: int | None = None) -> Occupancy | None:
    """Compute the theoretical occupancy of a kernel, with 0 blocks if none fits; None if the limits are not published.

    Args:
        gpu: The GPU.
        threads: Threads per block.
        shared: Bytes of shared memory per block, declared and dynamic; what the system reserves is added.
        registers: Registers per thread; None if unknown, and then no limit.
    """
    if gpu.multiprocessor_threads is None:
        return None
    allowed = block_limits(gpu, threads, shared, registers)
    blocks = min(allowed.values())
    warps = -(-threads // gpu.warp_width)
    limited_by = tuple(name for name, most in allowed.items() if most == blocks)
    return Occupancy(blocks, blocks * warps, gpu.multiprocessor_threads // gpu.warp_width, limited_by)


def block_limits(gpu: Gpu, threads: int, shared: int, registers: int | None = None) -> Mapping[str, int]:
    """Return how many blocks fit on a multiprocessor, by each limiting resource (`threads`, `blocks`, `shared memory`,
    `registers`).

    A resource that is not used, or whose limit is not known, is left out, but `threads` is always there, and 0 if
    unknown. What the system reserves of shared memory for a block counts as used. The arguments are those of
    `compute_occupancy`.
    """
    warps = -(-threads // gpu.warp_width)
    allowed = {"threads": (gpu.multiprocessor_threads or 0) // (warps * gpu.warp_width)}
    if gpu.multiprocessor_blocks is not None:
        allowed["blocks"] = gpu.multiprocessor_blocks
    shared = -(-(shared + gpu.reserved_shared_bytes) // _SHARED_GRANULE) * _SHARED_GRANULE
    if shared:
        allowed["shared memory"] = gpu.multiprocessor_shared_bytes // shared
    if registers and gpu.partitions:
        allocated = -(-registers // gpu.register_granule) * gpu.register_granule
        allowed["registers"] = gpu.partition_registers // allocated * gpu.partitions // warps
    return allowed


def count_resident_blocks(gpu: Gpu, threads: int, static: int, dynamic: int, most_dynamic: int) -> int:
    """Return how many blocks of a kernel fit on a multiprocessor at once, without regard to registers.

    Returns 0 if such a block cannot be launched, or the GPU's limits are not published.

    Args:
        gpu: The GPU.
        threads: Threads per block.
        static: Bytes of shared memory that the kernel declares.
        dynamic: Bytes that the launch adds.
        most_dynamic: The maximum that a launch may add.
    """
    if threads > BLOCK_THREADS or dynamic > most_dynamic:  # no such block can be launched
        return 0
    return min(block_limits(gpu, threads, static + dynamic).values())
