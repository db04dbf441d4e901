"""What the simulator computes with."""

from __future__ import annotations

import numpy as np
import pytest

from harness.model.sources import ROOT
from harness.simt.arrays import distinct


@pytest.mark.parametrize(
    "values",
    [[], [3], [2, 2, 2], [5, -1, 5, 0], [[1, 0], [0, 1]], np.random.default_rng(0).integers(-50, 50, 1000)],
    ids=["none", "one", "equal", "some", "a table", "many"],
)
@pytest.mark.parametrize("dtype", [np.int64, np.int32, bool])
def test_values_are_there_once_and_ascend(values, dtype):
    held = np.array(values, dtype)
    assert distinct(held).tolist() == np.unique(held).tolist() and distinct(held).dtype == dtype


def test_no_launch_hashes_what_it_can_sort():
    """A million integers take `np.unique` a hundred times as long, unless it is asked for their places too."""
    files = sorted((ROOT / "harness" / "simt").rglob("*.py"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    hashed = [line.strip() for line in lines if "np.unique(" in line and "return_" not in line and "axis=" not in line]
    assert hashed == [] and not any("np.union1d(" in line for line in lines)
