"""On an NVIDIA GPU: what only it has computes the same there as in the simulator, bit for bit."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from harness import programs
from harness.model.sources import ROOT
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


# What these hold against NumPy, or PTX, is held against the GPU as well.
FILES = (
    "assembly",
    "atomics",
    "block_names",
    "bulk_copies",
    "bytes",
    "cluster",
    "copies",
    "declared_names",
    "eight_bit",
    "matrix_moves",
    "mbarrier",
)
FILES += ("mma_integer", "nvvm_spelled", "permutations", "special_registers", "wmma", "wmma_assembly")
FILES += ("mbarrier_names", "mma", "printing", "tensor_columns", "tensor_copies", "tensor_reductions", "warp", "wgmma")


@pytest.mark.parametrize("name", FILES)
def test_what_tests_expect_of_the_simulator_holds_there(hopper, name):
    """Their kernels run on the GPU, too, which is in the simulator's place when they compare."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.simt.native", f"tests/simt/test_{name}.py"]
    # A session of its own, and no worker's: some plugins warn there, which is an error here.
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    ran = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout
    assert re.search(r"^[1-9]\d* the same bytes$", ran.stdout, re.MULTILINE), ran.stdout
