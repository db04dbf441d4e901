"""Time transfers of 4 KiB to 4 GiB between host and device: by `Staging`, by the engine alone, and by torch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from harness.backends.staging import Staging
from harness.bench.gpu import TimedGpu
from harness.bench.stats import StopRule, Timing, take_samples

__all__ = ["SIZES", "Transfer", "measure_transfers"]

SIZES = (2**12, 2**16, 2**20, 2**24, 2**28, 2**32)  # bytes
PAGEABLE_LIMIT = 2**28  # above it only page-locked memory and the harness's own way are timed
TO_DEVICE, TO_HOST = "host to device", "device to host"
_RULE = StopRule(least=7, most=200, seconds=0.4)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One way to move one size.

    Attributes:
        way: `host to device` or `device to host`.
        what: From or into what. `staging buffer` is an array of `Staging.empty`,
            `ordinary array` one of NumPy's own, both moved by the harness's `Staging`;
            the others are named for what moves them.
        size: Bytes.
        timing: Of one transfer, awaited, by the host's clock.
    """

    way: str
    what: str
    size: int
    timing: Timing

    @property
    def rate(self) -> float:
        """GB/s (10^9 bytes)."""
        return self.size / self.timing.median / 1000


def measure_transfers(gpu: TimedGpu, torch: Any | None) -> Iterator[Transfer]:
    """Time every transfer at every size, those of torch too if it is given; the engine's own and torch's from pageable
    memory only up to 256 MiB.

    Raises:
        RuntimeError: What arrives the harness's own way is not what was sent; other ways are not checked.
    """
    staging = Staging(gpu.device)
    for size in SIZES:
        yield from _measure_harness(gpu, staging, size)
        if size <= PAGEABLE_LIMIT:
            yield from _measure_engine(gpu, size)
        if torch is not None:
            yield from _measure_torch(torch, size)


def _time_awaited(call: Callable[[], object], wait: Callable[[], object]) -> Timing:
    def once() -> float:
        started = time.perf_counter_ns()
        call()
        wait()
        return (time.perf_counter_ns() - started) / 1000

    return take_samples(once, _RULE)


def _measure_harness(gpu: TimedGpu, staging: Staging, size: int) -> Iterator[Transfer]:
    wait = gpu.device.synchronize
    pattern = np.resize(np.arange(251, dtype=np.uint8), min(size, 2**24))
    for what, array in (
        ("staging buffer", staging.empty((size,), np.uint8)),
        ("ordinary array", np.empty(size, np.uint8)),
    ):
        for first in range(0, size, pattern.size):
            array[first : first + pattern.size] = pattern
        device = staging.upload(array)
        yield Transfer(TO_DEVICE, what, size, _time_awaited(partial(staging.upload, array), wait))
        array[:: max(1, size // 4096)] = 255
        yield Transfer(TO_HOST, what, size, _time_awaited(partial(staging.download, device, out=array), wait))
        for first in range(0, size, pattern.size):
            if not (array[first : first + pattern.size] == pattern).all():
                raise RuntimeError(f"{size} bytes of a {what} did not come back as they were sent")


def _measure_engine(gpu: TimedGpu, size: int) -> Iterator[Transfer]:
    from max.driver import Buffer

    wait = gpu.device.synchronize
    plain = np.full(size, 7, np.uint8)
    device = Buffer.from_numpy(plain).to(gpu.device)
    yield Transfer(
        TO_DEVICE, "Buffer.from_numpy", size, _time_awaited(lambda: Buffer.from_numpy(plain).to(gpu.device), wait)
    )
    yield Transfer(TO_HOST, "Buffer.to_numpy", size, _time_awaited(device.to_numpy, wait))


def _measure_torch(torch: Any, size: int) -> Iterator[Transfer]:
    wait = torch.cuda.synchronize
    pinned = torch.empty(size, dtype=torch.uint8, pin_memory=True).fill_(7)
    tensor = torch.empty(size, dtype=torch.uint8, device="cuda")
    timing = _time_awaited(lambda: tensor.copy_(pinned, non_blocking=True), wait)
    yield Transfer(TO_DEVICE, "torch pinned", size, timing)
    timing = _time_awaited(lambda: pinned.copy_(tensor, non_blocking=True), wait)
    yield Transfer(TO_HOST, "torch pinned", size, timing)
    if size <= PAGEABLE_LIMIT:
        pages = torch.empty(size, dtype=torch.uint8).fill_(7)
        yield Transfer(TO_DEVICE, "torch pageable", size, _time_awaited(lambda: tensor.copy_(pages), wait))
        yield Transfer(TO_HOST, "torch pageable", size, _time_awaited(lambda: pages.copy_(tensor), wait))
