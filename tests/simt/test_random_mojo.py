"""Random Mojo kernels: three targets agree with one another and with NumPy."""

import pytest

from harness.build import toolchain
from tests.simt.compare import MOJO_TARGETS as TARGETS
from tests.simt.compare import device_ir, equal_to_numpy
from tests.simt.random_mojo import Program

BATCH = 5
# The first seeds on one target; more of them, and the others, in the nightly run.
PLACES = [
    pytest.param(first, target, marks=() if (first, target) == (0, TARGETS[0]) else pytest.mark.full)
    for first in range(0, 30, BATCH)
    for target in TARGETS
]


@pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize(("first", "target"), PLACES)
def test_random_kernels_agree_with_numpy(first, target, tmp_path):
    """Five kernels of a target, from one compile."""
    programs = [Program(seed) for seed in range(first, first + BATCH)]
    texts = device_ir(programs, target, tmp_path)
    for program in programs:
        equal_to_numpy(program, target, texts[program.seed])
