"""On an NVIDIA GPU: what only it has computes the same there as in the simulator, bit for bit."""

from __future__ import annotations

import pytest

from harness import programs
from tests.simt.nvidia import SOURCE

pytestmark = pytest.mark.gpu


def lines(target, backend):
    """What the program of `kernels/nvidia.mojo` prints: the bits that each kernel leaves, by its name."""
    execution = programs.execute(SOURCE, target=target, backend=backend)
    assert execution.status == 0, execution
    return dict(line.split(" ", 1) for line in execution.output.decode().splitlines())


def test_each_kernel_leaves_the_same_bits(target):
    """Those of them that differ are named."""
    if target.vendor != "nvidia" or target.architecture < "sm_90":
        pytest.skip("needs an NVIDIA GPU of compute capability 9.0")
    hardware, simulated = lines(target, "max"), lines(target, "simulator")

    assert hardware.keys() == simulated.keys()
    assert [name for name, bits in hardware.items() if bits != simulated[name]] == []
