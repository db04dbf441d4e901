"""What does not fit is refused before anything runs: code, geometry and shared memory against the target."""

import math
import re
from functools import lru_cache
from typing import Any

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError, LaunchError
from harness.simt.gpus import BLOCK_THREADS, find
from harness.simt.ir.module import Function
from harness.simt.ir.parse import Module
from harness.simt.ir.types import BFLOAT, Float, Int, Type, size_of
from harness.simt.run.bound import Bound
from harness.simt.targets import SimulatedTarget

__all__ = ["check_arrays", "check_code", "check_geometry", "check_shared", "declared_cluster"]

Extent = tuple[int, int, int]

# The first part of a target triple. LLVM 22 writes AMD's as `amdgcn` or with the architecture, `amdgpu9.42`.
TRIPLES = (("nvptx", "nvidia"), ("amdgcn", "amd"), ("amdgpu", "amd"), ("air", "apple"))
# What a kernel says of its blocks: NVVM's attributes, as LLVM spells the older metadata since version 20.
MOST, EXACT, CLUSTER, RANK = "nvvm.maxntid", "nvvm.reqntid", "nvvm.cluster_dim", "nvvm.maxclusterrank"
FLAT = "amdgpu-flat-work-group-size"
WIDE = "+wavefrontsize64"


def check_code(module: Module, function: Function, target: SimulatedTarget) -> None:
    """Refuses code that was compiled for another GPU.

    Raises:
        LaunchError: It was; the message names both.
    """
    vendor = next((vendor for prefix, vendor in TRIPLES if module.triple.startswith(prefix)), None)
    if vendor is None and module.triple:
        raise LaunchError(
            f"the code is for {module.triple}, which is no GPU that is simulated: "
            "compile it for nvptx64-nvidia-cuda or amdgcn-amd-amdhsa"
        )
    if vendor not in (None, target.vendor):
        raise LaunchError(f"the code is for {module.triple}, not for {target.name}: name a target of {vendor}")
    compiled = function.attributes.get("target-cpu", "")
    if not _runs_on(compiled, target):
        raise LaunchError(
            f"the code is for {compiled}, which {target.name} does not run: compile it for {target.gpu.architecture}"
        )
    if target.vendor == "amd" and target.warp == 32 and WIDE in function.attributes.get("target-features", ""):
        raise LaunchError(
            f"the code has wavefronts of 64 lanes, but {target.name} is simulated with 32: "
            "compile it without -mwavefrontsize64"
        )


def _runs_on(compiled: str, target: SimulatedTarget) -> bool:
    mine = target.gpu.architecture
    if not compiled or compiled == "generic" or find(f"{target.vendor}:{compiled}") is target.gpu:
        return True
    if target.vendor == "amd":
        family = re.fullmatch(r"(gfx[\d-]+)-generic", compiled)
        return family is not None and mine.startswith(family[1].replace("-", ""))
    # PTX and AIR run on what is newer, unless they are for one architecture's own instructions (`sm_90a`).
    older, newer = (re.fullmatch(r"(?:sm_|apple-m)(\d+)", name) for name in (compiled, mine))
    return older is not None and newer is not None and int(older[1]) <= int(newer[1])


def check_geometry(program: Program, grid: Extent, block: Extent, cluster: Extent) -> None:
    """Refuses a launch that the target, or what the kernel declares of its blocks, does not allow.

    Raises:
        LaunchError: It does not; the message says what is allowed.
    """
    gpu, name = program.target.gpu, program.target.name
    for what, extent, limits in (("block", block, gpu.block_extent), ("grid", grid, gpu.grid_extent)):
        for axis, value, limit in zip("xyz", extent, limits, strict=True):
            if value > limit:
                raise LaunchError(f"a {what} on {name} has at most {limit} in {axis}, but got {value}")
    for axis, blocks, size in zip("xyz", grid, block, strict=True):
        if gpu.grid_threads is not None and blocks * size > gpu.grid_threads:
            raise LaunchError(f"a grid on {name} has at most {gpu.grid_threads} threads in {axis}, not {blocks * size}")
    threads = math.prod(block)
    if threads > BLOCK_THREADS:
        raise LaunchError(f"a block has at most {BLOCK_THREADS} threads, but got {threads}")
    _check_declared(program, threads, block, cluster)
    if cluster == (1, 1, 1):
        return
    count = math.prod(cluster)
    if "clusters" not in gpu.features:
        raise LaunchError(f"{name} has no clusters, but got {cluster}")
    if count > gpu.cluster_blocks:
        raise LaunchError(f"a cluster on {name} has at most {gpu.cluster_blocks} blocks, but got {count}")
    for axis, blocks, size in zip("xyz", grid, cluster, strict=True):
        if blocks % size:
            raise LaunchError(f"grid {axis} must be a multiple of the cluster's {size}, but got {blocks}")


def _check_declared(program: Program, threads: int, block: Extent, cluster: Extent) -> None:
    declared, kernel = program.function.attributes, program.name
    if MOST in declared and threads > (most := math.prod(_extent(declared[MOST]))):
        raise LaunchError(f"kernel {kernel} declares at most {most} threads for a block ({MOST}), but got {threads}")
    if EXACT in declared and block != (exact := _extent(declared[EXACT])):
        raise LaunchError(f"kernel {kernel} declares blocks of {exact} ({EXACT}), but got {block}")
    if FLAT in declared:
        least, most = (int(number) for number in declared[FLAT].split(","))
        if not least <= threads <= most:
            raise LaunchError(f"kernel {kernel} declares {least} to {most} threads for a block ({FLAT}), not {threads}")
    if CLUSTER in declared and cluster != (exact := _extent(declared[CLUSTER])):
        raise LaunchError(f"kernel {kernel} declares clusters of {exact} ({CLUSTER}), but got {cluster}")
    if RANK in declared and math.prod(cluster) > int(declared[RANK]):
        raise LaunchError(f"kernel {kernel} declares clusters of at most {declared[RANK]} blocks, but got {cluster}")


def declared_cluster(function: Function) -> Extent:
    """The cluster that a kernel declares: what a launch that names none has."""
    return _extent(function.attributes.get(CLUSTER, "1"))


def _extent(text: str) -> Extent:
    x, y, z = (*(int(part) for part in text.split(",")), 1, 1)[:3]
    return x, y, z


def check_arrays(program: Program, bound: Bound) -> None:
    """Refuses arrays whose elements are not what the kernel reads and writes, where its code says that.

    Bytes and structs always fit, integers fit integers of any width, and floats of their own: they are their bits.
    Integers as wide as a float or wider may move it.

    Raises:
        ArgumentError: One does not fit; the message names both types.
    """
    for argument in bound.arguments:
        for leaf in argument.leaves:
            accessed = program.element_types.get((argument.position, leaf.offset))
            if accessed is None or leaf.array is None:
                continue
            if not _holds(held := leaf.array.dtype, accessed):
                raise ArgumentError(
                    f"{leaf.name} holds {held} ({held.itemsize} bytes), but kernel {program.name} reads and writes "
                    f"{accessed} ({size_of(accessed)} bytes): convert it, or pass .view(np.uint8) if bytes are meant"
                )


@lru_cache
def _holds(held: np.dtype[Any], accessed: Type) -> bool:
    if held.kind not in "iufc" or held.itemsize == 1 or not isinstance(accessed, Int | Float):
        return True
    width = held.itemsize // 2 if held.kind == "c" else held.itemsize
    if isinstance(accessed, Int):
        return held.kind in "iu" or accessed.bits <= 8 or width <= size_of(accessed)
    return width == size_of(accessed) and not (held.kind in "fc" and accessed == BFLOAT)


def check_shared(program: Program, dynamic_bytes: int) -> None:
    """Refuses more shared memory than a block of the target has.

    Args:
        program: What it touches of the module's variables in shared memory counts.
        dynamic_bytes: The size of the `external` one, which the launch gives.

    Raises:
        LaunchError: It is more; the message says how much there is.
    """
    gpu, name = program.target.gpu, program.target.name
    # What is declared may be as much: ptxas by itself stops at 48 KiB, but the driver's, which MAX uses, does not.
    total = program.static_shared_bytes + dynamic_bytes
    if total > gpu.shared_bytes:
        raise LaunchError(
            f"kernel {program.name} takes {total} bytes of shared memory, but {name} has {gpu.shared_bytes} for a block"
        )
