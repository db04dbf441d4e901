"""Every name by which a block's threads reduce at a barrier, or copy asynchronously: against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import kernel

REDUCE = {"and": np.all, "or": np.any, "popc": np.sum}
BARRIERS = [name for name in all_intrinsics() if ".barrier.cta.red." in name]
COPIES = [
    name for name in all_intrinsics() if re.fullmatch(r"llvm\.nvvm\.cp\.async\.c[ag]\.shared\.global\.\d+(\.s)?", name)
]


def launch(body, *arrays, globals_="", params="ptr %o, ptr %a"):
    result = simt.launch(
        kernel(body, params=params, globals_=globals_),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=arrays,
        observers=simt.observers(),
    )
    assert result.verdict == "clean", (result.findings, result.fault)
    return arrays[0]


@pytest.mark.parametrize("name", BARRIERS)
@pytest.mark.parametrize("true", [0, 1, 64])
def test_a_barrier_tells_each_what_all_brought(name, true):
    """Of 64 threads so many bring a true."""
    kind = name.split(".red.")[1].split(".")[0]
    ty = "i32" if kind == "popc" else "i1"
    count = "i32 64, " if name.endswith("count") else ""
    body = f"  %c = icmp ult i32 %t, {true}\n  %v = call {ty} @{name}(i32 0, {count}i1 %c)\n"
    body += "  %r = add i32 %v, 0\n" if ty == "i32" else "  %r = zext i1 %v to i32\n"
    body += "  %p = getelementptr i32, ptr %o, i64 %i\n  store i32 %r, ptr %p\n"

    got = launch(body, np.full(64, -1, np.int32), params="ptr %o")

    assert set(got.tolist()) == {int(REDUCE[kind](np.arange(64) < true))}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_brings_its_bytes_and_zeros_behind_them(name):
    """Of each thread its own; with a size it brings so many, and fills up."""
    size = int(re.search(r"global\.(\d+)", name)[1])
    given = np.random.default_rng(2).integers(1, 256, (64, size)).astype(np.uint8)
    few = name.endswith(".s")
    body = f"""  %at = mul i32 %t, {size}
  %n = urem i32 %t, {size + 1}
  %s = getelementptr i8, ptr addrspace(3) @tile, i32 %at
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %f = getelementptr i8, ptr addrspace(1) %g, i32 %at
  %q = getelementptr i8, ptr %o, i32 %at
  call void @{name}(ptr addrspace(3) %s, ptr addrspace(1) %f{", i32 %n" if few else ""})
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load <{size} x i8>, ptr addrspace(3) %s, align 1
  store <{size} x i8> %v, ptr %q, align 1
"""
    shared = f"@tile = internal addrspace(3) global [{64 * size} x i8] undef, align 16\n"

    got = launch(body, np.zeros(64 * size, np.uint8), given.reshape(-1), globals_=shared)

    brought = np.arange(64) % (size + 1) if few else np.full(64, size)
    expected = np.where(np.arange(size) < brought[:, None], given, 0)
    np.testing.assert_array_equal(got.reshape(64, size), expected)
