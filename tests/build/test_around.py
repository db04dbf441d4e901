"""What is launched around a case, in the simulator; on a GPU see tests/faults and tests/backends."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.backends.guarded import POISON
from harness.build import toolchain
from harness.build.around import make_comparison, make_shared_filler
from harness.build.device_code import build_device_code
from harness.build.unit import Build
from harness.model.target import Target
from tests import compiled

BLOCKS = 2
SM_90 = "nvidia:sm_90"
needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")


@pytest.mark.parametrize(
    ("name", "kib"),
    [("nvidia:sm_80", 163), ("nvidia:sm_89", 99), ("nvidia:sm_90a", 227), ("amd:gfx942", 64), ("amd:gfx950", 160)],
)
def test_a_block_takes_all_that_a_target_gives(name, kib):
    """Otherwise two blocks share a multiprocessor, and a part of it may stay as it was."""
    (step,) = make_shared_filler(Target.parse(name)).steps
    assert step.parameter_values(32)["shared_bytes"] == step.launch(32).shared_bytes == kib * 1024


def code_of(entry, target):
    """Its device code, which the solutions' has beside it."""
    if target.name == SM_90:
        compiled.solutions()
    (code,) = build_device_code([entry], Build(target=target), "llvm")[entry.id]
    return code


@pytest.mark.slow
@needs_mojo
@pytest.mark.parametrize("name", [SM_90, pytest.param("amd:gfx942", marks=pytest.mark.full)])
@pytest.mark.parametrize("fill", ["poison", "poison-2"])
def test_it_fills_every_word_and_says_so(name, fill):
    """Every word is stored once, and the witness holds for NaN too."""
    target = Target.parse(name)
    entry = make_shared_filler(target)
    code = code_of(entry, target)
    witness = np.zeros(BLOCKS, np.float32)
    pattern = np.array([POISON[fill]], np.uint32).view(np.float32)
    threads = entry.launches(32)[0].block
    result = simt.launch(
        simt.decode(code),
        target=name,
        grid=(BLOCKS, 1, 1),
        block=threads,
        args=[witness, pattern],
        dynamic_shared_bytes=target.shared_bytes,
        observers=simt.observers(),
    )
    result.raise_for_fault()
    assert (witness == 1).all()
    assert not [finding for finding in result.findings if finding.severity != "information"]
    assert result.counters["shared_store_bytes"] == BLOCKS * target.shared_bytes


@pytest.mark.slow
@needs_mojo
@pytest.mark.parametrize("name", [SM_90, pytest.param("amd:gfx942", marks=pytest.mark.full)])
@pytest.mark.parametrize(
    "places",
    [
        (0, 5, 16384 + 5, 70000, -1),
        *(pytest.param(places, marks=pytest.mark.full) for places in ((), (0,), (-1,), (5, 16384 + 5, 70000))),
    ],
)
def test_every_word_is_compared(name, places):
    """And whoever finds some that differ says so, and nobody else."""
    target, entry = Target.parse(name), make_comparison()
    code = code_of(entry, target)
    dataset = entry.instance(target.warp_width).datasets[0]
    one = dataset.inputs["one"]
    other = one.copy()
    other[list(places)] ^= np.uint32(1 << 31)
    wanted = entry.oracle({**dataset.inputs, "other": other}, target.warp_width)["witness"]
    assert wanted.sum() == len({place % len(wanted) for place in places})
    (launch,) = entry.launches(target.warp_width)
    witness = np.zeros(len(wanted), np.uint32)
    result = simt.launch(
        simt.decode(code),
        target=name,
        grid=launch.grid,
        block=launch.block,
        args=[witness, one, other],
        observers=simt.observers(counters=False),
    )
    result.raise_for_fault()
    assert not [finding for finding in result.findings if finding.severity != "information"]
    np.testing.assert_array_equal(witness, wanted)


@pytest.mark.slow
@needs_mojo
def test_the_check_can_fail():
    """A block with a word less than the kernel fills."""
    target = Target.parse(SM_90)
    code = code_of(make_shared_filler(target), target)
    arguments = [np.zeros(1, np.float32), np.ones(1, np.float32)]
    result = simt.launch(
        simt.decode(code),
        target=target.name,
        grid=(1, 1, 1),
        block=(256, 1, 1),
        args=arguments,
        dynamic_shared_bytes=target.shared_bytes - 4,
        observers=simt.observers(),
    )
    assert "out-of-bounds" in {finding.kind for finding in result.findings}
