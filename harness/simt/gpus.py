"""Table of GPU architectures: sizes of warps, blocks, grids, clusters, memory, registers; features; `find_gpu`.

Sources, as of 2026:

* NVIDIA: the CUDA programming guide's technical specifications by compute capability, and the same figures as code in
  CCCL (`cuda::arch_traits`): shared memory, threads, blocks and registers. Clusters have 8 blocks wherever there are
  clusters; 16 by the non-portable opt-in (Hopper and Blackwell tuning guides; NVIDIA Warp's
  `get_cuda_max_cluster_dim`: not on Thor and DGX Spark). All figures of sm_90 were read from an H200 (driver 580): it
  launches clusters of 16 when asked to and no larger ones, and loads kernels that declare 232,448 bytes of shared
  memory and none that declare more, though ptxas by itself stops at 48 KiB.
* AMD: LLVM's AMDGPU target (`getAddressableLocalMemorySize`: 160 KiB on gfx950, else 64 KiB for one work-group, though
  a pair of RDNA's compute units has 128 KiB), the ISA manuals (wave64 on CDNA, wave32 on RDNA), ROCm's table of GPU
  specifications (compute units).
  A dispatch packet counts a grid's threads in 32 bits (HSA Platform System Architecture, "Kernel dispatch packet").
* Registers: NVIDIA's `cuda_occupancy.h` (a multiprocessor's four parts, two on sm_60, each with a share of the 65,536
  registers, given to warps 256 at a time); LLVM's AMDGPU target (`getTotalNumVGPRs`, `getVGPRAllocGranule`; a compute
  unit has four vector units of 64 lanes on CDNA and two of 32 on RDNA).
* Apple: the Metal feature set tables (threadgroup memory and threads of Apple7 and later).

Multiprocessors (compute units, GPU cores) are a fact of a product, not of an architecture: they are those of the
product that `name` names, which is the one that Mojo's `GPUInfo` takes for the architecture where Mojo knows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

__all__ = [
    "BLOCK_THREADS",
    "DEFAULTS",
    "GPUS",
    "PORTABLE_CLUSTER_BLOCKS",
    "VENDORS",
    "Feature",
    "Gpu",
    "Vendor",
    "find_gpu",
]

Vendor = Literal["nvidia", "amd", "apple"]
Feature = Literal[
    "independent lanes", "barriers of living threads", "async copies", "bulk copies", "clusters", "matrix units"
]

BLOCK_THREADS = 1024  # the same for all three vendors
PORTABLE_CLUSTER_BLOCKS = 8
KIB = 1024
GIB = 1024**3
APIS = {"nvidia": "cuda", "amd": "hip", "apple": "metal"}

# The architecture that a vendor's name alone stands for.
DEFAULTS: dict[str, str] = {"nvidia": "sm_90", "amd": "gfx942", "apple": "apple-m4"}
VENDORS: tuple[str, ...] = tuple(DEFAULTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One architecture. A figure that its vendor does not publish is None.

    Attributes:
        vendor: Who makes it.
        architecture: The compiler's name for it: `sm_90`, `gfx942`, `apple-m4`.
        name: A product with it.
        multiprocessors: Of that product (AMD's compute units, Apple's GPU cores).
        memory_bytes: Of that product; where several sizes are sold, or the host's memory is used, a common one.
        warp_width: Lanes of a warp (wavefront, SIMD-group).
        default_shared_bytes: The shared memory (local data share, threadgroup memory) that a block has unasked.
        shared_bytes: The most that a block can have, declared and dynamic together, opted into where that is needed.
        multiprocessor_shared_bytes: What the blocks of a multiprocessor share.
        reserved_shared_bytes: Of it, what each block takes beside its own.
        multiprocessor_threads: The most threads that are resident on a multiprocessor.
        multiprocessor_blocks: The most blocks that are.
        block_registers: Registers of 32 bits that a block can have.
        partitions: Of a multiprocessor, among which its warps are shared out (sub-partitions, SIMD units).
        partition_registers: Registers of 32 bits that a partition has for each lane of a warp.
        register_granule: How many of them a lane gets at a time.
        block_extent: The most threads of a block in x, y and z; 1024 in all.
        grid_extent: The most blocks of a grid in x, y and z.
        grid_threads: The most threads of a grid in x, y and z, where that is a limit of its own.
        cluster_blocks: The most blocks of a cluster, opted into where that is needed; 1 where there are no clusters.
        features: What only some architectures have; among it barriers that do not wait for threads which have ended:
            PTX says so from sm_70 on, AMD's instruction sets of waves (`s_barrier`), Metal of none.
        mojo: Whether Mojo 1.2 compiles for it.
    """

    vendor: Vendor
    architecture: str
    name: str
    multiprocessors: int
    memory_bytes: int
    warp_width: int = 32
    default_shared_bytes: int
    shared_bytes: int
    multiprocessor_shared_bytes: int
    reserved_shared_bytes: int = 0
    multiprocessor_threads: int | None = None
    multiprocessor_blocks: int | None = None
    block_registers: int | None = None
    partitions: int = 0
    partition_registers: int = 0
    register_granule: int = 1
    block_extent: tuple[int, int, int] = (1024, 1024, 1024)
    grid_extent: tuple[int, int, int] = (2**31 - 1, 2**31 - 1, 2**31 - 1)
    grid_threads: int | None = None
    cluster_blocks: int = 1
    features: frozenset[Feature] = frozenset()
    mojo: bool = True

    @property
    def target(self) -> str:
        """`vendor:architecture`."""
        return f"{self.vendor}:{self.architecture}"

    @property
    def capability(self) -> int | None:
        """CUDA's compute capability, ten times the major number plus the minor one; None for other vendors."""
        return int(self.architecture.removeprefix("sm_")) if self.vendor == "nvidia" else None

    @property
    def api(self) -> str:
        """The driver's interface, in MAX's words: `cuda`, `hip`, `metal`."""
        return APIS[self.vendor]


def _nvidia(
    capability: int,
    name: str,
    multiprocessors: int,
    memory: int,
    *,
    shared: int,
    multiprocessor_shared: int,
    threads: int = 2048,
    blocks: int = 32,
    clusters: int = 1,
    mojo: bool = True,
) -> Gpu:
    # `memory` is in GiB; `shared` is a block's most shared memory and `each` a multiprocessor's, in KiB.
    since: dict[Feature, int] = {
        "independent lanes": 70,
        "barriers of living threads": 70,
        "matrix units": 70,
        "async copies": 80,
        "bulk copies": 90,
        "clusters": 90,
    }
    return Gpu(
        vendor="nvidia",
        architecture=f"sm_{capability}",
        name=name,
        multiprocessors=multiprocessors,
        memory_bytes=memory * GIB,
        default_shared_bytes=48 * KIB,
        shared_bytes=shared * KIB,
        multiprocessor_shared_bytes=multiprocessor_shared * KIB,
        reserved_shared_bytes=KIB if capability >= 80 else 0,
        multiprocessor_threads=threads,
        multiprocessor_blocks=blocks,
        block_registers=65536,
        partitions=2 if capability == 60 else 4,
        partition_registers=1024 if capability == 60 else 512,
        register_granule=8,
        block_extent=(1024, 1024, 64),
        grid_extent=(2**31 - 1, 65535, 65535),
        cluster_blocks=clusters,
        features=frozenset(feature for feature, first in since.items() if capability >= first),
        mojo=mojo,
    )


def _amd(
    architecture: str,
    name: str,
    units: int,
    memory: int,
    *,
    shared: int = 64,
    wide: bool = False,
    matrix: bool = True,
    more: bool = False,
) -> Gpu:
    # `more`: half as many registers again as others with waves of 32 lanes have.
    return Gpu(
        vendor="amd",
        architecture=architecture,
        name=name,
        multiprocessors=units,
        memory_bytes=memory * GIB,
        warp_width=64 if wide else 32,
        default_shared_bytes=shared * KIB,
        shared_bytes=shared * KIB,
        multiprocessor_shared_bytes=shared * KIB,
        multiprocessor_threads=2048 if wide else 1024,
        partitions=4 if wide else 2,
        partition_registers=512 if wide else 1536 if more else 1024,
        register_granule=8 if wide else 24 if more else 16,
        grid_threads=2**32 - 1,
        features=frozenset(("barriers of living threads", *(("matrix units",) if matrix else ()))),
    )


def _apple(architecture: str, name: str, cores: int, memory: int) -> Gpu:
    return Gpu(
        vendor="apple",
        architecture=architecture,
        name=name,
        multiprocessors=cores,
        memory_bytes=memory * GIB,
        default_shared_bytes=32 * KIB,
        shared_bytes=32 * KIB,
        multiprocessor_shared_bytes=32 * KIB,
        features=frozenset(("matrix units",)),
    )


GPUS: tuple[Gpu, ...] = (
    _nvidia(52, "GeForce GTX 970", 13, 4, shared=48, multiprocessor_shared=96),
    _nvidia(60, "Tesla P100", 56, 16, shared=48, multiprocessor_shared=64),
    _nvidia(61, "GeForce GTX 1080 Ti", 28, 11, shared=48, multiprocessor_shared=96),
    _nvidia(70, "Tesla V100", 80, 16, shared=96, multiprocessor_shared=96, mojo=False),
    _nvidia(75, "GeForce RTX 2060", 30, 6, shared=64, multiprocessor_shared=64, threads=1024, blocks=16),
    _nvidia(80, "A100", 108, 80, shared=163, multiprocessor_shared=164),
    _nvidia(86, "A10", 72, 24, shared=99, multiprocessor_shared=100, threads=1536, blocks=16),
    _nvidia(87, "Jetson Orin Nano", 8, 8, shared=163, multiprocessor_shared=164, threads=1536, blocks=16),
    _nvidia(89, "L4", 58, 24, shared=99, multiprocessor_shared=100, threads=1536, blocks=24),
    _nvidia(90, "H100", 132, 80, shared=227, multiprocessor_shared=228, clusters=16),
    _nvidia(100, "B200", 148, 180, shared=227, multiprocessor_shared=228, clusters=16),
    _nvidia(103, "B300", 160, 288, shared=227, multiprocessor_shared=228, clusters=16),
    _nvidia(110, "Jetson Thor", 20, 128, shared=227, multiprocessor_shared=228, threads=1536, blocks=24, clusters=8),
    _nvidia(
        120, "GeForce RTX 5090", 170, 32, shared=99, multiprocessor_shared=100, threads=1536, blocks=24, clusters=16
    ),
    _nvidia(121, "DGX Spark", 48, 128, shared=99, multiprocessor_shared=100, threads=1536, blocks=24, clusters=8),
    _amd("gfx90a", "Instinct MI250X", 220, 128, wide=True),
    _amd("gfx942", "Instinct MI300X", 304, 192, wide=True),
    _amd("gfx950", "Instinct MI355X", 256, 288, wide=True, shared=160),
    _amd("gfx1030", "Radeon RX 6900 XT", 80, 16, matrix=False),
    _amd("gfx1033", "Steam Deck", 8, 16, matrix=False),
    _amd("gfx1100", "Radeon RX 7900 XTX", 96, 24, more=True),
    _amd("gfx1101", "Radeon RX 7800 XT", 60, 16, more=True),
    _amd("gfx1102", "Radeon RX 7600", 32, 8),
    _amd("gfx1103", "Radeon 780M", 12, 16),
    _amd("gfx1150", "Radeon 880M", 12, 32),
    _amd("gfx1151", "Radeon 8060S", 40, 128, more=True),
    _amd("gfx1152", "Radeon 860M", 8, 32),
    _amd("gfx1200", "Radeon RX 9060 XT", 32, 16, more=True),
    _amd("gfx1201", "Radeon RX 9070 XT", 64, 16, more=True),
    _apple("apple-m1", "M1", 8, 8),
    _apple("apple-m2", "M2", 10, 8),
    _apple("apple-m3", "M3", 10, 8),
    _apple("apple-m4", "M4", 10, 16),
    _apple("apple-m5", "M5", 10, 16),
)
_BY_TARGET = {gpu.target: gpu for gpu in GPUS}


@cache
def find_gpu(text: str) -> Gpu | None:
    """Return the GPU of `vendor:architecture`, such as `nvidia:sm_90`, or of a vendor alone, its default.

    None for anything else, also for an architecture without vendor. Suffixes that say which instructions a compiler
    may use name the same GPU: `nvidia:sm_90a`, `nvidia:sm_100f`, `apple:apple-m4-metal4`.
    """
    vendor, colon, architecture = text.partition(":")
    if not colon:
        architecture = DEFAULTS.get(vendor, "")
    base = re.sub(r"^(sm_\d+)[af]$|^(apple-m\d+)-metal\d$", r"\1\2", architecture)
    return _BY_TARGET.get(f"{vendor}:{base}")
