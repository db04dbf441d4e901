"""What all tests of the functions from Python need."""

from __future__ import annotations

import pytest

from harness import api
from harness.cases import pipeline


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch):
    """The same on every machine; the GPU's own tests are in `tests/puzzles`."""
    monkeypatch.setattr(pipeline.devices, "discover", list)
    api._plan.cache_clear()
    yield
    api._plan.cache_clear()
