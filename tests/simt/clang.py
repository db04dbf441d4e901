"""The kernels of `kernels/clang.ll`, in the simulator and on a GPU."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from harness import simt
from tests import cuda

__all__ = ["KERNELS", "THREADS", "given", "on_device", "simulated"]

SOURCE = Path(__file__).parent / "kernels" / "clang.ll"
KERNELS = ("recursion", "pointers", "scopes", "registers")
THREADS = 64


def given() -> np.ndarray:
    """256 numbers of all sizes."""
    return (np.arange(256, dtype=np.uint64) * 2654435761 % (1 << 32)).astype(np.uint32).view(np.int32)


def simulated(kernel: str, seed: int | None = None) -> np.ndarray:
    """What a kernel leaves in the simulator; nothing may be found."""
    written = np.zeros(1024, np.int32)
    result = simt.launch(
        SOURCE.read_text(encoding="utf-8"),
        kernel=kernel,
        target="nvidia:sm_90",
        grid=1,
        block=THREADS,
        args=[written, given()],
        observers=simt.observers(unwritten=False),
        options=simt.Options(seed=seed),
    )
    assert result.verdict == "clean", (result.fault, result.findings)
    return written


def on_device(device: cuda.Device, kernel: str) -> np.ndarray:
    """What it leaves on an NVIDIA GPU."""
    written = np.zeros(1024, np.int32)
    places = [device.upload(written), device.upload(given())]
    arguments = [struct.pack("<Q", place) for place in places]
    device.launch(cuda.ptx(SOURCE.read_text(encoding="utf-8")), kernel, 1, THREADS, arguments)
    device.download(places[0], written)
    device.free(places)
    return written
