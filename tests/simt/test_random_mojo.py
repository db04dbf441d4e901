"""Random Mojo kernels: three targets agree with one another and with NumPy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness import simt
from tests.simt.random_mojo import BLOCK, GRID, Program, module_source

PROGRAMS = [Program(seed) for seed in range(10)]
TARGETS = {
    "nvidia:sm_90": "sm_90",
    "amd:gfx942": "gfx942",
    "apple:apple-m4": "apple-m4",
}


def compiler():
    """The `mojo` of this environment, or None."""
    beside = Path(sys.executable).parent / "mojo"
    return str(beside) if beside.exists() else shutil.which("mojo")


def device_ir(programs, accelerator, folder):
    """The device IR of each program by its seed; one compile for all."""
    (folder / "kernels.mojo").write_text(module_source(programs), encoding="utf-8")
    done = subprocess.run(
        [
            compiler(),
            "build",
            "--emit",
            "llvm",
            "-g1",
            "--target-accelerator",
            accelerator,
            "kernels.mojo",
            "-o",
            "kernels.ll",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MODULAR_CACHE_DIR": str(folder / "cache")},
    )
    assert done.returncode == 0, done.stderr
    texts = {}
    for one in programs:
        (path,) = folder.glob(f"kernels_kernels_kernel_{one.seed}_*.ll")
        texts[one.seed] = path.read_text(encoding="utf-8")
    return texts


def check(programs, target, texts):
    """Runs each program's IR and compares it with NumPy."""
    for one in programs:
        outputs = one.outputs()
        result = simt.launch(
            texts[one.seed],
            target=target,
            grid=GRID,
            block=BLOCK,
            args=[*outputs, one.inputs()],
        )

        assert result.verdict == "clean", (one.seed, result.fault, result.findings)
        for got, expected in zip(outputs, one.evaluate(), strict=True):
            np.testing.assert_array_equal(got, expected, err_msg=f"kernel_{one.seed}")


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="the mojo compiler is not installed")
@pytest.mark.parametrize("target", TARGETS)
def test_random_kernels_agree_with_numpy(target, tmp_path):
    """Ten kernels of a target, from one compile."""
    check(PROGRAMS, target, device_ir(PROGRAMS, TARGETS[target], tmp_path))
