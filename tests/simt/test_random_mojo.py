"""Random Mojo kernels: three targets agree with one another and with NumPy."""

import numpy as np
import pytest

from harness import simt
from harness.build import toolchain
from tests import compiled
from tests.simt.random_mojo import BLOCK, GRID, Program, module_source

BATCH = 10
TARGETS = ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")
# The first seeds on one target; more of them, and the others, in the nightly run.
PLACES = [
    pytest.param(first, target, marks=() if (first, target) == (0, TARGETS[0]) else pytest.mark.full)
    for first in (0, 10, 20)
    for target in TARGETS
]


def device_ir(programs, target, folder):
    """The device IR of each program by its seed; one compile for all."""
    file = folder / "kernels.mojo"
    file.write_text(module_source(programs), encoding="utf-8")
    emitted, texts = compiled.program(file, target), {}
    for program in programs:
        (texts[program.seed],) = [text for symbol, text in emitted.items() if f"kernel_{program.seed}_" in symbol]
    return texts


def check(programs, target, texts):
    """Runs each program's IR and compares it with NumPy."""
    for program in programs:
        outputs = program.outputs()
        result = simt.launch(
            texts[program.seed],
            target=target,
            grid=GRID,
            block=BLOCK,
            args=[*outputs, program.inputs()],
        )

        assert result.verdict == "clean", (program.seed, result.fault, result.findings)
        for got, expected in zip(outputs, program.evaluate(), strict=True):
            np.testing.assert_array_equal(got, expected, err_msg=f"kernel_{program.seed}")


@pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize(("first", "target"), PLACES)
def test_random_kernels_agree_with_numpy(first, target, tmp_path):
    """Ten kernels of a target, from one compile."""
    programs = [Program(seed) for seed in range(first, first + BATCH)]
    check(programs, target, device_ir(programs, target, tmp_path))
