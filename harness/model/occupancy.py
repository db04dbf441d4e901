"""How many blocks of a kernel a multiprocessor holds at once, and what allows no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.simt.gpus import BLOCK_THREADS, Gpu

__all__ = ["Occupancy", "Resources", "limits", "occupancy", "resident_blocks"]

_SHARED_GRANULE = 128  # bytes in which a multiprocessor gives shared memory to blocks


@dataclass(frozen=True, slots=True)
class Resources:
    """What the machine code of a kernel takes, as the vendor's compiler says.

    Attributes:
        registers: Of 32 bits, of a thread; on AMD vector registers.
        scalar_registers: Of a wave on AMD; None where there are none.
        spilled_bytes: Of a thread, for which there were no registers: they lie in memory.
        shared_bytes: That a block of it declares.
    """

    registers: int
    scalar_registers: int | None
    spilled_bytes: int
    shared_bytes: int


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How full a multiprocessor is of one kernel's blocks.

    Attributes:
        blocks: At once.
        warps: Of these.
        most_warps: That are at once on a multiprocessor at all.
        limited_by: What allows no more blocks: `threads`, `blocks`, `shared memory`, `registers`.
    """

    blocks: int
    warps: int
    most_warps: int
    limited_by: tuple[str, ...]

    @property
    def percent(self) -> float:
        """The theoretical occupancy."""
        return 100 * self.warps / self.most_warps


def occupancy(gpu: Gpu, threads: int, shared: int, registers: int | None = None) -> Occupancy | None:
    """The theoretical occupancy of a kernel; None where the GPU's figures are not published.

    Args:
        threads: Of a block.
        shared: Bytes of shared memory of a block, declared and added by the launch.
        registers: Of a thread; None where they are not known, and are no limit.
    """
    if gpu.multiprocessor_threads is None:
        return None
    allowed = limits(gpu, threads, shared, registers)
    blocks = min(allowed.values())
    warps = -(-threads // gpu.warp_width)
    limited_by = tuple(name for name, most in allowed.items() if most == blocks)
    return Occupancy(blocks, blocks * warps, gpu.multiprocessor_threads // gpu.warp_width, limited_by)


def limits(gpu: Gpu, threads: int, shared: int, registers: int | None = None) -> Mapping[str, int]:
    """The most blocks that each resource of a multiprocessor is enough for; arguments as of `occupancy`."""
    warps = -(-threads // gpu.warp_width)
    allowed = {"threads": (gpu.multiprocessor_threads or 0) // (warps * gpu.warp_width)}
    if gpu.multiprocessor_blocks is not None:
        allowed["blocks"] = gpu.multiprocessor_blocks
    shared = -(-(shared + gpu.reserved_shared_bytes) // _SHARED_GRANULE) * _SHARED_GRANULE
    if shared:
        allowed["shared memory"] = gpu.multiprocessor_shared_bytes // shared
    if registers and gpu.partitions:
        given = -(-registers // gpu.register_granule) * gpu.register_granule
        allowed["registers"] = gpu.partition_registers // given * gpu.partitions // warps
    return allowed


def resident_blocks(gpu: Gpu, threads: int, static: int, dynamic: int, most_dynamic: int) -> int:
    """The most blocks of a kernel that are on a multiprocessor at once; its registers may allow fewer.

    Args:
        threads: Of a block.
        static: Bytes of shared memory that the kernel declares.
        dynamic: Bytes that the launch adds.
        most_dynamic: Bytes that it may add; 0 blocks above.
    """
    if threads > BLOCK_THREADS or dynamic > most_dynamic:  # no such block can be launched
        return 0
    return min(limits(gpu, threads, static + dynamic).values())
