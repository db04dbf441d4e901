"""A GPU for each worker of `pytest -n`, and for the processes that it starts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.backends import devices

with suppress(ImportError):  # Windows has no GPU that MAX drives
    import fcntl

__all__ = ["in_turn", "own_gpu"]


def own_gpu(worker: str, vendor: str) -> dict[str, str]:
    """The environment that leaves one of several GPUs of a vendor to a worker, `gw0` for instance."""
    indices = [device.index for device in devices.discover() if device.target.vendor == vendor]
    number = int(worker.removeprefix("gw"))
    return devices.restrict_to_gpu(vendor, indices[number % len(indices)]) if len(indices) > 1 else {}


@contextmanager
def in_turn(*, alone: bool) -> Iterator[None]:
    """A worker's GPU: beside other workers, or without them."""
    mine = os.environ.get(devices.VISIBLE["nvidia"]) or os.environ.get(devices.VISIBLE["amd"]) or "all"
    with open(Path(tempfile.gettempdir()) / f"puzzles-tests-gpu-{mine.replace('/', '-')}.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
