"""Launches the kernels that `kernels/nvidia.mojo` runs, in the simulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import simt
from harness.build import toolchain
from tests import compiled

__all__ = ["KERNELS", "SOURCE", "launch"]

SOURCE = Path(__file__).parent / "kernels" / "nvidia.mojo"
MODULES = ("nvidia_copies", "nvidia_mma", "nvidia_wgmma")
TARGET = "nvidia:sm_90"
KERNELS = pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed")


def launch(name, grid, block, out, *inputs, seed=None, cluster=1):
    """What a kernel leaves in its output; every observer must have found nothing."""
    texts = compiled.modules([(SOURCE.with_stem(stem), TARGET) for stem in MODULES])
    (text,) = [kernels[name] for kernels in texts if name in kernels]
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
