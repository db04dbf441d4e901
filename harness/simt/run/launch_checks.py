"""Check that a target can run a launch before anything runs: its code, geometry, arrays and shared memory."""

import math
import re
from functools import lru_cache
from typing import Any

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError, LaunchError
from harness.simt.gpus import BLOCK_THREADS, find_gpu
from harness.simt.ir.module import Function
from harness.simt.ir.parse import Module
from harness.simt.ir.types import BFLOAT, Float, Int, Type, size_of
from harness.simt.run.bound_arguments import BoundArguments
from harness.simt.targets import SimulatedTarget

__all__ = ["check_arrays", "check_code", "check_geometry", "check_shared", "declared_cluster"]

Extent = tuple[int, int, int]

# The first part of a target triple. LLVM 22 writes AMD's as `amdgcn` or with the architecture, `amdgpu9.42`.
TRIPLES = (("nvptx", "nvidia"), ("amdgcn", "amd"), ("amdgpu", "amd"), ("air", "apple"))
# Attributes with which a kernel limits its blocks: LLVM spells NVVM's older metadata like this since version 20.
MAX_THREADS, EXACT_BLOCK, CLUSTER_SHAPE, MAX_CLUSTER_BLOCKS = (
    "nvvm.maxntid",
    "nvvm.reqntid",
    "nvvm.cluster_dim",
    "nvvm.maxclusterrank",
)
FLAT_WORK_GROUP = "amdgpu-flat-work-group-size"
WAVE64 = "+wavefrontsize64"


def check_code(module: Module, function: Function, target: SimulatedTarget) -> None:
    """Check that code was compiled for the target: its vendor, an architecture that it runs, and its wavefronts.

    What the code leaves open is not checked: no triple, or no architecture.

    Raises:
        LaunchError: It was compiled for something else, or for wavefronts of 64 lanes where the target has 32; the
            message names both.
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
    if not _is_compatible(compiled, target):
        raise LaunchError(
            f"the code is for {compiled}, which {target.name} does not run: compile it for {target.gpu.architecture}"
        )
    if target.vendor == "amd" and target.warp == 32 and WAVE64 in function.attributes.get("target-features", ""):
        raise LaunchError(
            f"the code has wavefronts of 64 lanes, but {target.name} is simulated with 32: "
            "compile it without -mwavefrontsize64"
        )


def _is_compatible(architecture: str, target: SimulatedTarget) -> bool:
    """Return whether the target runs code that was compiled for an architecture.

    It does if that is its own, none or generic. On NVIDIA and Apple older ones without a suffix run too, on AMD only
    the generic ones of its family.
    """
    own_architecture = target.gpu.architecture
    if not architecture or architecture == "generic" or find_gpu(f"{target.vendor}:{architecture}") is target.gpu:
        return True
    if target.vendor == "amd":
        family = re.fullmatch(r"(gfx[\d-]+)-generic", architecture)
        return family is not None and own_architecture.startswith(family[1].replace("-", ""))
    # PTX and AIR run on what is newer, unless they are for one architecture's own instructions (`sm_90a`).
    older, newer = (re.fullmatch(r"(?:sm_|apple-m)(\d+)", name) for name in (architecture, own_architecture))
    return older is not None and newer is not None and int(older[1]) <= int(newer[1])


def check_geometry(program: Program, grid: Extent, block: Extent, cluster: Extent) -> None:
    """Check that the target, and the kernel's own declaration, allow a launch's geometry.

    Raises:
        LaunchError: They do not; the message says what is allowed.
    """
    gpu, name = program.target.gpu, program.target.name
    for level, extent, limits in (("block", block, gpu.block_extent), ("grid", grid, gpu.grid_extent)):
        for axis, value, limit in zip("xyz", extent, limits, strict=True):
            if value > limit:
                raise LaunchError(f"a {level} on {name} has at most {limit} in {axis}, but got {value}")
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
    """Check the block and the cluster against the attributes of the kernel, if it has any.

    Raises:
        LaunchError: They do not fit; the message names the attribute.
    """
    declared, kernel = program.function.attributes, program.name
    if MAX_THREADS in declared and threads > (limit := math.prod(_parse_attribute(declared[MAX_THREADS]))):
        raise LaunchError(
            f"kernel {kernel} declares at most {limit} threads for a block ({MAX_THREADS}), but got {threads}"
        )
    if EXACT_BLOCK in declared and block != (expected := _parse_attribute(declared[EXACT_BLOCK])):
        raise LaunchError(f"kernel {kernel} declares blocks of {expected} ({EXACT_BLOCK}), but got {block}")
    if FLAT_WORK_GROUP in declared:
        minimum, limit = (int(number) for number in declared[FLAT_WORK_GROUP].split(","))
        if not minimum <= threads <= limit:
            raise LaunchError(
                f"kernel {kernel} declares {minimum} to {limit} threads for a block ({FLAT_WORK_GROUP}), not {threads}"
            )
    if CLUSTER_SHAPE in declared and cluster != (expected := _parse_attribute(declared[CLUSTER_SHAPE])):
        raise LaunchError(f"kernel {kernel} declares clusters of {expected} ({CLUSTER_SHAPE}), but got {cluster}")
    if MAX_CLUSTER_BLOCKS in declared and math.prod(cluster) > int(declared[MAX_CLUSTER_BLOCKS]):
        raise LaunchError(
            f"kernel {kernel} declares clusters of at most {declared[MAX_CLUSTER_BLOCKS]} blocks, but got {cluster}"
        )


def declared_cluster(function: Function) -> Extent:
    """Return the extents of the cluster that a kernel declares, the default of a launch; (1, 1, 1) if it declares
    none.
    """
    return _parse_attribute(function.attributes.get(CLUSTER_SHAPE, "1"))


def _parse_attribute(text: str) -> Extent:
    """Return (x, y, z) from the integers `x,y,z`, missing ones as 1; ValueError if a part is no integer."""
    x, y, z = (*(int(part) for part in text.split(",")), 1, 1)[:3]
    return x, y, z


def check_arrays(program: Program, bound: BoundArguments) -> None:
    """Check that the elements of arrays have the type that the kernel loads and stores, if its code shows that.

    Arrays of bytes, booleans or structs always fit. If the kernel accesses integers, integer arrays of any width fit,
    and float arrays unless the kernel's integers are narrower; accesses by single bytes fit all. If it accesses floats,
    float arrays of the same format fit, and integer arrays of the same width. A complex array counts as one of floats
    half as wide.

    Raises:
        ArgumentError: An array does not fit; the message names both types.
    """
    for argument in bound.arguments:
        for leaf in argument.leaves:
            accessed = program.element_types.get((argument.position, leaf.offset))
            if accessed is None or leaf.array is None:
                continue
            if not _fits(dtype := leaf.array.dtype, accessed):
                raise ArgumentError(
                    f"{leaf.name} holds {dtype} ({dtype.itemsize} bytes), but kernel {program.name} reads and writes "
                    f"{accessed} ({size_of(accessed)} bytes): convert it, or pass .view(np.uint8) if bytes are meant"
                )


@lru_cache
def _fits(dtype: np.dtype[Any], accessed: Type) -> bool:
    """Return whether a kernel that accesses elements as `accessed` can work on an array of this dtype.

    It can if either is neither integer nor float, or if the array's elements have one byte. Integer accesses fit any
    integers, and floats that are no wider (all, if bytes are accessed). Float accesses fit numbers of the same width;
    `bfloat` fits integers only. A complex number counts as a float half as wide.
    """
    if dtype.kind not in "iufc" or dtype.itemsize == 1 or not isinstance(accessed, Int | Float):
        return True
    width = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    if isinstance(accessed, Int):
        return dtype.kind in "iu" or accessed.bits <= 8 or width <= size_of(accessed)
    return width == size_of(accessed) and not (dtype.kind in "fc" and accessed == BFLOAT)


def check_shared(program: Program, dynamic_bytes: int) -> None:
    """Check that a block of the target has enough shared memory for a kernel's own and what the launch adds.

    Args:
        program: Only those shared variables of the module count that it uses.
        dynamic_bytes: The bytes that the launch adds: of the `external` variable, and of pointers to shared memory.

    Raises:
        LaunchError: There is less; the message says how much there is.
    """
    gpu, name = program.target.gpu, program.target.name
    # What is declared may be as much: ptxas by itself stops at 48 KiB, but the driver's, which MAX uses, does not.
    total = program.static_shared_bytes + dynamic_bytes
    if total > gpu.shared_bytes:
        raise LaunchError(
            f"kernel {program.name} takes {total} bytes of shared memory, but {name} has {gpu.shared_bytes} for a block"
        )
