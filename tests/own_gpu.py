"""A GPU for each worker of `pytest -n`, and for the processes that it starts."""

from __future__ import annotations

from harness.backends import devices

__all__ = ["own_gpu"]


def own_gpu(worker: str, vendor: str) -> dict[str, str]:
    """The environment that leaves one of several GPUs of a vendor to a worker, `gw0` for instance."""
    indices = [device.index for device in devices.discover() if device.target.vendor == vendor]
    number = int(worker.removeprefix("gw"))
    return devices.visible_only(vendor, indices[number % len(indices)]) if len(indices) > 1 else {}
