"""Options of the whole suite."""

from __future__ import annotations

import os

import pytest

from harness.backends import devices
from tests.own_gpu import own_gpu

# A suite that follows the caller's environment would test different things in different shells.
for variable in ("HARNESS_TARGET", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(variable, None)


def pytest_configure() -> None:
    """Before anything is collected or started: each worker keeps to a GPU of its own."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        for vendor in devices.VISIBLE:
            os.environ.update(own_gpu(worker, vendor))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: what begins last, and takes long, is what all others wait for in the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
