"""Options of the whole suite."""

from __future__ import annotations

import os

from harness import devices

# A suite that follows the caller's vendor environment would test different things
# in different shells.
os.environ.pop("HARNESS_TARGET", None)
os.environ.pop("GITHUB_STEP_SUMMARY", None)

# Each worker of `pytest -n` keeps to a GPU of its own, and so do the processes that it starts.
VISIBLE = {"nvidia": "CUDA_VISIBLE_DEVICES", "amd": "HIP_VISIBLE_DEVICES"}


def own_gpu(worker: str, vendor: str) -> str | None:
    """What leaves one GPU of a vendor visible to a worker, `gw0` for instance; None where there are not several."""
    count = sum(one.target.vendor == vendor for one in devices.discover())
    if count < 2:
        return None
    entries = os.environ.get(VISIBLE[vendor], ",".join(map(str, range(count)))).split(",")
    return entries[int(worker.removeprefix("gw")) % len(entries)]


def pytest_configure() -> None:
    """Before anything is collected or started."""
    for vendor, variable in VISIBLE.items():
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        if worker and (entry := own_gpu(worker, vendor)) is not None:
            os.environ[variable] = entry
