"""How many blocks a multiprocessor holds, as an H200's driver (580.159.04) said it of kernels with 10 registers."""

from __future__ import annotations

import pytest

from harness import simt
from harness.model.occupancy import compute_occupancy, count_resident_blocks
from harness.programs.host.objects import DeviceFunction
from harness.simt.gpus import find_gpu

H200 = find_gpu("nvidia:sm_90")
KERNEL = simt.decode("define ptx_kernel void @k() {\n  ret void\n}")
DYNAMIC = (0, 1, 100, 1000, 1024, 45056, 46080, 49152, 61440, 102400, 204800, 232448, 233472)
# Declared shared memory, what was asked for of dynamic one, threads, and the blocks for each of `DYNAMIC`.
SEEN = [
    (0, 0, 1, (32, 32, 32, 32, 32, 5, 4, 4, 0, 0, 0, 0, 0)),
    (0, 0, 33, (32, 32, 32, 32, 32, 5, 4, 4, 0, 0, 0, 0, 0)),
    (0, 0, 128, (16, 16, 16, 16, 16, 5, 4, 4, 0, 0, 0, 0, 0)),
    (0, 0, 1000, (2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0)),
    (0, 0, 1025, (0,) * 13),
    (0, 61440, 128, (16, 16, 16, 16, 16, 5, 4, 4, 3, 0, 0, 0, 0)),
    (0, 204800, 33, (32, 32, 32, 32, 32, 5, 4, 4, 3, 2, 1, 0, 0)),
    (20, 0, 128, (16, 16, 16, 16, 16, 5, 4, 0, 0, 0, 0, 0, 0)),
    (4096, 0, 128, (16, 16, 16, 16, 16, 4, 0, 0, 0, 0, 0, 0, 0)),
    (4096, 0, 1024, (2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("static", "asked", "threads", "blocks"), SEEN)
def test_occupancy_is_that_of_the_driver(static: int, asked: int, threads: int, blocks: tuple[int, ...]):
    function = DeviceFunction("k", KERNEL, asked)
    most = function.dynamic_shared_bytes(H200, static)

    assert tuple(count_resident_blocks(H200, threads, static, dynamic, most) for dynamic in DYNAMIC) == blocks


@pytest.mark.parametrize(
    ("static", "asked", "most"), [(0, 0, 49152), (20, 0, 49132), (4096, 0, 45056), (20, 61440, 61440)]
)
def test_dynamic_shared_memory_is_what_is_left_or_asked_for(static: int, asked: int, most: int):
    function = DeviceFunction("k", KERNEL, asked)

    assert function.dynamic_shared_bytes(H200, static) == most


# A block's threads, shared memory and registers; the blocks, warps of the most, and what allows no more.
WORKED = [
    ("nvidia:sm_86", 1024, 0, 10, (1, 32, 48, ("threads",))),  # two thirds, as Nsight Compute says of an A10G
    ("nvidia:sm_90", 1024, 0, 10, (2, 64, 64, ("threads",))),
    ("nvidia:sm_90", 1024, 49152, 15, (2, 64, 64, ("threads",))),
    ("nvidia:sm_90", 256, 0, 32, (8, 64, 64, ("threads", "registers"))),
    ("nvidia:sm_90", 256, 0, 33, (6, 48, 64, ("registers",))),  # 40 registers a lane: 12 warps in each of four parts
    ("nvidia:sm_90", 1024, 0, 64, (1, 32, 64, ("registers",))),
    ("nvidia:sm_90", 32, 0, 16, (32, 32, 64, ("blocks",))),
    ("nvidia:sm_80", 128, 65536, 16, (2, 8, 64, ("shared memory",))),
    ("nvidia:sm_60", 256, 0, 72, (3, 24, 64, ("registers",))),  # 14 warps in each of two parts
    ("amd:gfx942", 256, 0, 64, (8, 32, 32, ("threads", "registers"))),
    ("amd:gfx942", 256, 0, 65, (7, 28, 32, ("registers",))),
    ("amd:gfx942", 256, 32768, 8, (2, 8, 32, ("shared memory",))),
    ("amd:gfx1100", 128, 0, 97, (6, 24, 32, ("registers",))),  # 120 registers a lane: 12 waves in each of two units
    ("amd:gfx1030", 128, 0, 97, (4, 16, 32, ("registers",))),  # 112 a lane: 9 waves in each, and a block has four
]


@pytest.mark.parametrize(("target", "threads", "shared", "registers", "seen"), WORKED)
def test_occupancy_says_what_limits_it(
    target: str, threads: int, shared: int, registers: int, seen: tuple[int, int, int, tuple[str, ...]]
):
    gpu = find_gpu(target)
    assert gpu is not None
    found = compute_occupancy(gpu, threads, shared, registers)

    assert found is not None
    assert (found.blocks, found.warps, found.most_warps, found.limited_by) == seen


def test_two_thirds_of_a_multiprocessor_are_a_percentage():
    a10 = find_gpu("nvidia:sm_86")
    assert a10 is not None
    found = compute_occupancy(a10, 1024, 0, 10)

    assert found is not None
    assert round(found.percent, 1) == 66.7


def test_where_figures_are_not_published_there_is_no_occupancy():
    m4 = find_gpu("apple:apple-m4")
    assert m4 is not None

    assert compute_occupancy(m4, 256, 0) is None
