"""Launches one kernel of a hazard pair on an NVIDIA GPU: `gpu_driver.py PTX KERNEL HEADER.ll`.

Speaks to the driver directly, so that each array is an allocation of its own and
a sanitizer sees its exact bounds.
"""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

import numpy as np

TYPES = {"f32": np.float32, "i32": np.int32, "i16": np.int16, "i8": np.int8, "f16": np.float16, "i64": np.int64}
CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION


class Attribute(ctypes.Structure):
    """CUlaunchAttribute with a cluster's dimensions."""

    _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_uint), ("value", ctypes.c_uint * 16)]


class Configuration(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        *((f"{what}{axis}", ctypes.c_uint) for what in ("grid", "block") for axis in "xyz"),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(Attribute)),
        ("count", ctypes.c_uint),
    ]


def main(ptx: str, kernel: str, header: str) -> int:
    """Runs the kernel; 1 when the driver reports an error."""
    text = Path(header).read_text(encoding="utf-8")
    said = {key: re.search(rf"^; {key}: (.*)$", text, re.MULTILINE)[1] for key in ("launch", "arguments")}
    grid, block, cluster, *shared = map(int, re.findall(r"\d+", said["launch"]))
    cuda = ctypes.CDLL("libcuda.so.1")

    def check(status: int, what: str) -> None:
        if status:
            name = ctypes.c_char_p()
            cuda.cuGetErrorName(status, ctypes.byref(name))
            sys.exit(f"{what}: {(name.value or b'').decode()}")

    device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    check(cuda.cuModuleLoadData(ctypes.byref(module), Path(ptx).read_bytes() + b"\0"), "cuModuleLoadData")
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode()), "cuModuleGetFunction")
    pointers = []
    for argument in said["arguments"].split():
        _, role, kind, count = argument.split(":")
        values = np.arange(int(count)) if role == "in" else np.zeros(int(count))
        values = values.astype(TYPES[kind])
        pointer = ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(values.nbytes)), "cuMemAlloc")
        if role != "out":
            source = values.ctypes.data_as(ctypes.c_void_p)
            check(cuda.cuMemcpyHtoD_v2(pointer, source, ctypes.c_size_t(values.nbytes)), "cuMemcpyHtoD")
        pointers.append(pointer)
    arguments = (ctypes.c_void_p * len(pointers))(*(ctypes.addressof(pointer) for pointer in pointers))
    attribute = Attribute(id=CLUSTER_DIMENSION)
    attribute.value[0:3] = [cluster, 1, 1]
    configuration = Configuration(
        gridx=grid,
        gridy=1,
        gridz=1,
        blockx=block,
        blocky=1,
        blockz=1,
        shared=sum(shared),
        attributes=ctypes.pointer(attribute),
        count=int(cluster > 1),
    )
    check(cuda.cuLaunchKernelEx(ctypes.byref(configuration), function, arguments, None), "cuLaunchKernelEx")
    check(cuda.cuCtxSynchronize(), "cuCtxSynchronize")
    for pointer in pointers:
        check(cuda.cuMemFree_v2(pointer), "cuMemFree")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
