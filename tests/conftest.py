"""Options of the whole suite."""

from __future__ import annotations

import os

from harness.backends import devices

# A suite that follows the caller's vendor environment would test different things
# in different shells.
os.environ.pop("HARNESS_TARGET", None)
os.environ.pop("GITHUB_STEP_SUMMARY", None)


# Each worker of `pytest -n` keeps to a GPU of its own, and so do the processes that it starts.
def own_gpu(worker: str, vendor: str) -> dict[str, str]:
    """The environment that leaves one of several GPUs of a vendor to a worker, `gw0` for instance."""
    indices = [one.index for one in devices.discover() if one.target.vendor == vendor]
    number = int(worker.removeprefix("gw"))
    return devices.visible_only(vendor, indices[number % len(indices)]) if len(indices) > 1 else {}


def pytest_configure() -> None:
    """Before anything is collected or started."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        for vendor in devices.VISIBLE:
            os.environ.update(own_gpu(worker, vendor))
