"""The table of GPU facts: whole, agreed upon by its readers, and as its sources have it."""

from __future__ import annotations

import re
import subprocess

import pytest

from harness import simt
from harness.build import toolchain
from harness.errors import UsageError
from harness.model.target import Target
from harness.simt import gpus
from harness.simt.targets import target_of
from tests.pairs import is_newest

# Mojo compiles for them, but figures of theirs are not published: no row.
UNPUBLISHED = {"gfx1250"}


def test_the_harness_and_the_simulator_read_one_table():
    for name in Target.all_names():
        target, simulated = Target.parse(name), target_of(name)
        assert target.gpu is simulated.gpu
        assert (target.warp_width, target.has_clusters) == (simulated.warp, simulated.gpu.cluster_blocks > 1), name


@pytest.mark.parametrize(
    ("name", "static", "most", "cluster"),
    [
        # The CUDA programming guide's technical specifications, in KiB, and the clusters of the tuning guides.
        ("nvidia:sm_61", 48, 48, 1),
        ("nvidia:sm_70", 48, 96, 1),
        ("nvidia:sm_75", 48, 64, 1),
        ("nvidia:sm_80", 48, 163, 1),
        ("nvidia:sm_86", 48, 99, 1),
        ("nvidia:sm_87", 48, 163, 1),
        ("nvidia:sm_89", 48, 99, 1),
        ("nvidia:sm_90", 48, 227, 16),
        ("nvidia:sm_100", 48, 227, 16),
        ("nvidia:sm_120", 48, 99, 16),
        ("nvidia:sm_121", 48, 99, 8),
        # LLVM's addressable local memory.
        ("amd:gfx90a", 64, 64, 1),
        ("amd:gfx950", 160, 160, 1),
        ("amd:gfx1100", 64, 64, 1),
        # The Metal feature set tables.
        ("apple:apple-m4", 32, 32, 1),
    ],
)
def test_limits_are_those_of_the_vendors(name, static, most, cluster):
    gpu = gpus.find_gpu(name)

    assert (gpu.default_shared_bytes, gpu.shared_bytes) == (static * 1024, most * 1024)
    assert gpu.cluster_blocks == cluster


@pytest.mark.parametrize("gpu", gpus.GPUS, ids=lambda gpu: gpu.target)
def test_each_row_is_sound(gpu):
    assert gpus.find_gpu(gpu.target) is gpu
    assert gpu.default_shared_bytes <= gpu.shared_bytes <= gpu.multiprocessor_shared_bytes
    assert gpu.warp_width in (32, 64)
    assert (gpu.cluster_blocks > 1) == ("clusters" in gpu.features)
    assert gpu.cluster_blocks in (1, 8, 16)
    assert gpu.multiprocessor_threads is None or gpu.multiprocessor_threads >= gpus.BLOCK_THREADS


def test_no_architecture_stands_twice():
    assert len({gpu.target for gpu in gpus.GPUS}) == len(gpus.GPUS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nvidia", "nvidia:sm_90"),
        ("nvidia:sm_90a", "nvidia:sm_90"),
        ("nvidia:sm_100f", "nvidia:sm_100"),
        ("apple:apple-m4-metal4", "apple:apple-m4"),
        ("amd:gfx942", "amd:gfx942"),
    ],
)
def test_a_suffix_names_the_same_gpu(text, name):
    assert gpus.find_gpu(text).target == name


@pytest.mark.parametrize("text", ["", "nvidia:", "nvidia:sm_99", "amd:sm_90", "nvidia:sm_90b", "intel", "gfx942", ":"])
def test_what_is_no_gpu_is_not_found(text):
    assert gpus.find_gpu(text) is None


def test_a_gpu_that_mojo_does_not_compile_for_is_the_simulators_alone():
    """sm_70 from another compiler runs in the simulator; whatever Mojo must compile is refused by name."""
    with pytest.raises(UsageError, match="Mojo does not compile for nvidia:sm_70"):
        Target.parse("nvidia:sm_70")
    assert Target.parse("nvidia:sm_75").shared_bytes == target_of("nvidia:sm_75").gpu.shared_bytes
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k() { ret void }\n'
    assert simt.launch(text, target="nvidia:sm_70", grid=1, block=32, args=[]).verdict == "clean"


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_every_accelerator_of_mojo_has_a_row():
    """Whatever `mojo build --target-accelerator` takes is a target here."""
    listed = subprocess.run(
        [toolchain.require_mojo(), "build", "--print-supported-accelerators"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    named = set(re.findall(r"^  ((?:sm_|gfx|apple-m)\S+)", listed, re.MULTILINE))
    vendors = {"sm": "nvidia", "gf": "amd", "ap": "apple"}

    assert len(named) > 30
    without = {name for name in named if gpus.find_gpu(f"{vendors[name[:2]]}:{name}") is None}
    assert without == UNPUBLISHED if is_newest() else without <= UNPUBLISHED  # an older Mojo may not know one yet
    for gpu in gpus.GPUS:
        assert (gpu.architecture in named) == gpu.mojo, gpu.target
