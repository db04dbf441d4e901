"""Launches the kernels of `kernels/nvidia.mojo` in the simulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import simt
from harness.build import toolchain
from tests import compiled

__all__ = ["KERNELS", "SOURCE", "launch"]

SOURCE = Path(__file__).parent / "kernels" / "nvidia.mojo"
TARGET = "nvidia:sm_90"
KERNELS = pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed")


def launch(name, grid, block, out, *inputs, seed=None, cluster=1):
    """What a kernel leaves in its output; every observer must have found nothing."""
    (text,) = [
        text for symbol, text in compiled.program(SOURCE, TARGET).items() if symbol.startswith(f"nvidia_{name}_P")
    ]
    result = simt.launch(
        text,
        target=TARGET,
        grid=grid,
        block=block,
        cluster=cluster,
        args=[out, *inputs],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )
    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    return out
