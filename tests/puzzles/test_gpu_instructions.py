"""On an NVIDIA GPU: what only it has computes the same there as in the simulator, bit for bit."""

from __future__ import annotations

import pytest

from harness import programs
from tests import cuda
from tests.simt import clang, compare, random_ir
from tests.simt.nvidia import SOURCE

pytestmark = pytest.mark.gpu


def lines(target, backend):
    """What the program of `kernels/nvidia.mojo` prints: the bits that each kernel leaves, by its name."""
    execution = programs.execute(SOURCE, target=target, backend=backend)
    assert execution.status == 0, execution
    return dict(line.split(" ", 1) for line in execution.output.decode().splitlines())


@pytest.fixture
def hopper(target):
    """An NVIDIA GPU of compute capability 9.0 or later."""
    if target.vendor != "nvidia" or target.architecture < "sm_90":
        pytest.skip("needs an NVIDIA GPU of compute capability 9.0")
    return target


def test_each_kernel_leaves_the_same_bits(hopper):
    """Those of them that differ are named."""
    hardware, simulated = lines(hopper, "max"), lines(hopper, "simulator")

    assert hardware.keys() == simulated.keys()
    assert [name for name, bits in hardware.items() if bits != simulated[name]] == []


@pytest.mark.parametrize("kernel", clang.KERNELS)
def test_what_clang_alone_emits_leaves_the_same_bits(hopper, kernel):
    """Recursion, calls through pointers, atomics of a scope, registers."""
    assert clang.on_device(cuda.Device(), kernel).tolist() == clang.simulated(kernel).tolist()


def test_random_kernels_leave_the_same_bytes(hopper):
    """`python -m tests.simt.random_programs --kinds gpu` runs more of them."""
    device = cuda.Device()
    for seed in range(10):
        compare.on_device(device, random_ir.structured(seed))
