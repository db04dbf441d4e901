"""Launches the kernels that `kernels/nvidia.mojo` runs, in the simulator."""

from __future__ import annotations

from harness import simt
from tests.simt.built import FOLDER, kernels

__all__ = ["SOURCE", "launch"]

SOURCE = FOLDER / "nvidia.mojo"
TARGET = "nvidia:sm_90"


def launch(name, grid, block, out, *inputs, seed=None, cluster=1):
    """What a kernel leaves in its output; every observer must have found nothing."""
    result = simt.launch(
        kernels(TARGET, "nvidia_copies", "nvidia_mma", "nvidia_wgmma")[name],
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
