"""What `tests/conftest.py` does not collect is what the markers leave out, or what would be skipped again and again."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.backends import devices
from harness.model.sources import ROOT

FILES = ("tests/simt/test_endless.py", "tests/programs/test_native.py", "tests/test_nox.py")


def collect(*arguments: str) -> list[str]:
    """Return the ids that pytest collects."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "--collect-only", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
@pytest.mark.parametrize("markers", ["not full", "not slow and not full"])
def test_what_no_item_is_made_of_is_what_the_markers_leave_out(markers):
    """An expression that means the same and is not known is left to pytest."""
    collected = collect("-m", markers, *FILES)

    assert collected and collected == collect("-m", f"({markers})", *FILES)


@pytest.mark.slow
@pytest.mark.skipif(bool(devices.discover()), reason="there is a GPU here")
def test_without_a_gpu_each_test_that_needs_one_is_skipped_once():
    collected = collect("-m", "", "tests/puzzles/test_gpu.py")

    functions = [name.partition("[")[0] for name in collected]
    assert functions and sorted(set(functions)) == sorted(functions)
