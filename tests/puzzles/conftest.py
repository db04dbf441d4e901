"""What the tests on a GPU share."""

from __future__ import annotations

import pytest

from harness.backends import devices
from harness.cases import pipeline


@pytest.fixture(scope="module")
def target():
    """The target of this machine's first GPU that MAX drives."""
    present = [device.target for device in devices.discover() if device.target.max_can_build]
    if not present:
        pytest.skip("no GPU that MAX drives on this machine")
    return pipeline.plan(present[0].name, "max").target
