"""Random Mojo kernels: three targets agree with one another and with NumPy."""

import pytest

from harness.build import toolchain
from tests.simt.compare import MOJO_TARGETS as TARGETS
from tests.simt.compare import device_ir, equal_to_numpy
from tests.simt.random_mojo import Program

BATCH = 5


@pytest.mark.full  # random kernels of IR, which take no compiler, run in the ordinary tests
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("first", range(0, 30, BATCH))
def test_random_kernels_agree_with_numpy(first, target, tmp_path):
    """Five kernels of a target, from one compile."""
    programs = [Program(seed) for seed in range(first, first + BATCH)]
    texts = device_ir(programs, target, tmp_path)
    for program in programs:
        equal_to_numpy(program, target, texts[program.seed])
