"""The first GPU's memory: how much is in use, and a process that takes nearly all of it.

`python -m tests.faults.gpu_memory` is that process: it says so and waits for its stdin to close.
"""

from __future__ import annotations

import contextlib
import ctypes
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pynvml

__all__ = ["occupied", "settles", "used_bytes"]

LEFT_BYTES = 3 << 29  # 1.5 GiB: enough for the engine itself


def used_bytes() -> int:
    """What is in use on the first GPU that the driver knows.

    Raises:
        pynvml.NVMLError: There is no NVIDIA driver, or it refuses.
    """
    pynvml.nvmlInit()
    try:
        return pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(0)).used
    finally:
        pynvml.nvmlShutdown()


def settles(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether something comes to hold: the driver frees a killed process's memory a little later."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


@contextlib.contextmanager
def occupied() -> Iterator[None]:
    """Meanwhile another process holds all but 1.5 GiB of the GPU's memory.

    Raises:
        RuntimeError: It could not take it.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.gpu_memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        said = process.stdout.readline()
        if said != b"held\n":
            raise RuntimeError(f"the GPU's memory could not be taken: {said!r}")
        yield
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def _must(status: int, what: str) -> None:
    if status != 0:
        raise SystemExit(f"{what}: CUDA error {status}")


def _hold() -> None:
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    free, total, taken = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_uint64()
    _must(cuda.cuInit(0), "cuInit")
    _must(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    _must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    _must(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    _must(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)), "cuMemGetInfo")
    wanted = ctypes.c_size_t(free.value - LEFT_BYTES)
    _must(cuda.cuMemAlloc_v2(ctypes.byref(taken), wanted), "cuMemAlloc")
    print("held", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _hold()
