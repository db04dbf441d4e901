"""What calls do: every module here declares its handlers when imported."""

from harness.simt.intrinsics import (
    air,
    amdgcn,
    assembly,
    generic,
    host,
    hostcall,
    math,
    memory,
    nvvm_atomic,
    nvvm_cluster,
    nvvm_copy,
    nvvm_index,
    nvvm_mbarrier,
    nvvm_mma,
    nvvm_sync,
    nvvm_warp,
)

__all__ = [
    "air",
    "amdgcn",
    "assembly",
    "generic",
    "host",
    "hostcall",
    "math",
    "memory",
    "nvvm_atomic",
    "nvvm_cluster",
    "nvvm_copy",
    "nvvm_index",
    "nvvm_mbarrier",
    "nvvm_mma",
    "nvvm_sync",
    "nvvm_warp",
]
