"""How many blocks a multiprocessor holds, as an H200's driver (580.159.04) said it of kernels with 10 registers."""

from __future__ import annotations

import pytest

from harness import simt
from harness.programs.host.functions import resident_blocks
from harness.programs.host.objects import DeviceFunction
from harness.simt.gpus import find

H200 = find("nvidia:sm_90")
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

    assert tuple(resident_blocks(H200, threads, static, dynamic, most) for dynamic in DYNAMIC) == blocks


@pytest.mark.parametrize(
    ("static", "asked", "most"), [(0, 0, 49152), (20, 0, 49132), (4096, 0, 45056), (20, 61440, 61440)]
)
def test_dynamic_shared_memory_is_what_is_left_or_asked_for(static: int, asked: int, most: int):
    function = DeviceFunction("k", KERNEL, asked)

    assert function.dynamic_shared_bytes(H200, static) == most
