"""Blocks that go as one before them are run by a function for their shape, where that is all that is known of them."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native import attempt
from harness.simt.native.batching.regions import Regions
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.kernel.plan import KernelPlan
from harness.simt.native.module import write_module
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, FAR, FIFTH, LOOKS, OUT, VALUE, WIDE, alike, at_once, looks, made
from tests.simt.replayed import APART, BLOCKS, BOUND, RIGHT, SET, SUM, TILE, S, replayed
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("what", RIGHT)
def test_blocks_that_go_alike_are_replayed(what, workers):
    result, might = replayed(RIGHT[what], workers)

    assert might
    assert (result.engine.native, result.engine.python) == (BLOCKS, 0)


@pytest.mark.parametrize("block", [(8, 4), (4, 8), (2, 16)], ids=str)
def test_lanes_lie_along_more_than_one_axis(block):
    body = SUM.replace(VALUE, "").replace("%t,", "%n,").replace("i32 %t ", "i32 %n ").replace("i64 %i", "i64 %at")
    number = f"""
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = mul i32 %ty, {block[0]}
  %n = add i32 %nx, %t
  %first = mul i32 %bx, 32
  %all = add i32 %first, %n
  %at = zext i32 %all to i64
  %p = getelementptr i32, ptr %a, i64 %at
  %v = load i32, ptr %p"""
    result, might = replayed(number + body, block=block)

    assert might
    assert (result.engine.native, result.findings) == (BLOCKS, ())


# Threads of a block that looks wrong read what their neighbours store.
OTHERS = """
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q
  %wrong = icmp ugt i32 %v, 383
  %by = zext i1 %wrong to i64
  %n = xor i64 %i, %by
  %r = getelementptr i32, ptr %o, i64 %n
  %x = load i32, ptr %r"""
WRONG = {
    "a load out of bounds": (LOOKS + FAR, "out-of-bounds"),
    "a store where another block stored": (f"{FIFTH}\n  store i32 %v, ptr %g", "race"),
    "a load of what another thread of the block stores": (OTHERS, "race"),
    "a load out of bounds behind a barrier": (f"{S}{SET}\n  {BARRIER}{FAR}", "out-of-bounds"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_a_replayed_block_does_wrong_is_found(what):
    body, kind = WRONG[what]
    result, might = replayed(VALUE + body, **looks(7))

    assert might
    assert kind in {one.kind for one in result.findings}


def test_a_wrong_block_costs_one_block():
    result, _ = replayed(VALUE + LOOKS + FAR, **looks(7))

    assert (result.engine.native, result.engine.python) == (BLOCKS - 1, 1)


def test_a_block_that_goes_round_for_ever_ends():
    body = (
        f"{VALUE}\n  %ever = icmp eq i32 %bx, 7\n  br label %loop\nloop:\n  br i1 %ever, label %loop, label %end\nend:"
    )
    result, might = replayed(body, max_seconds=1.0)

    assert might
    assert {one.kind for one in result.findings} == {"endless-loop"}


MISSING = BOUND.replace("  store i32 7, ptr addrspace(3) %s\n", "")


@pytest.mark.parametrize("bound", [0, 11, 200, 384])
def test_a_block_that_goes_another_way_is_not_replayed(bound):
    body = (BOUND + OUT).replace("{bound}", str(bound))
    assert replayed(body)[0].engine.native == BLOCKS
    if 0 < bound < 384:
        found = replayed((MISSING + OUT).replace("{bound}", str(bound)))[0].findings
        assert {one.kind for one in found} == {"uninitialised"}


def test_shared_memory_at_places_that_are_loaded_is_looked_at_in_each_block():
    """The fourth one's threads touch their neighbours' places."""
    values = np.arange(384, dtype=np.int32) * 0
    values[3 * WIDE : 4 * WIDE] = 1
    body = f"{VALUE}{S}{SET}\n  %u = xor i32 %t, %v\n  %u64 = zext i32 %u to i64\n  %r = {TILE} %u64\n"
    result, might = replayed(f"{body}  %w = load i32, ptr addrspace(3) %r{OUT}", values=values, size=384)

    assert might
    assert {one.kind for one in result.findings} == {"race"}


def launched(module, *arrays):
    """The result of machine code with copies of these, once the reference was found to say the same."""
    results = []
    for engine in ("reference", "native"):
        with mock.patch.object(attempt, "LONG", 0.0), at_once():
            given = {id(array): array.copy() for array in arrays}
            result = simt.launch(
                simt.decode(module),
                target="nvidia:sm_90",
                grid=BLOCKS,
                block=WIDE,
                args=[given[id(array)] for array in arrays],
                observers=simt.observers(counters=False),
                options=simt.Options(engine=engine),
            )
        results.append(result)
    alike(results[1], results[0])
    return results[1]


def test_what_is_stored_to_by_another_name_is_not_only_read():
    """The kernel's two arguments are one array: one block stores where another one reads."""
    values = np.arange(384, dtype=np.int32)
    store = "  %n = xor i64 %i, 64\n  %q = getelementptr i32, ptr %o, i64 %n\n  store i32 %v, ptr %q\n"
    choice = "\n  %c = icmp eq i32 %bx, 7\n  br i1 %c, label %one, label %all\none:\n"
    found = launched(made(f"{VALUE}{choice}{store}  br label %all\nall:"), values, values)
    assert {one.kind for one in found.findings} == {"race"}


def test_shared_memory_that_the_launch_brings_is_cleared_for_each_block():
    """One leaves out what all others store first."""
    body = f"""{VALUE}
  %s = getelementptr i32, ptr addrspace(3) %brought, i32 %t
  %c = icmp ult i32 %v, 384
  br i1 %c, label %most, label %all
most:
  store i32 %v, ptr addrspace(3) %s
  br label %all
all:
  %w = load i32, ptr addrspace(3) %s{OUT}"""
    values, brought = looks(7)["values"], np.zeros(WIDE, np.int32)
    module = kernel(body, "ptr %a, ptr %o, ptr addrspace(3) %brought")
    found = launched(module, values, np.zeros(384, np.int32), brought)
    assert {one.kind for one in found.findings} == {"uninitialised"}
    assert found.engine.native == BLOCKS - 1


def test_where_not_all_was_written_that_is_read_nothing_is_replayed():
    """Some of it is undefined."""
    body = (
        VALUE.replace("%a", "%o")
        + """
  %c = icmp eq i32 %v, 0
  br i1 %c, label %some, label %all
some:
  br label %all
all:"""
    )
    assert replayed(body)[1]
    result, might = replayed(body, initialised=False)

    assert not might
    assert "uninitialised" in {one.kind for one in result.findings}


def legs(body):
    """Those of a kernel."""
    plan = KernelPlan(compile_kernel(simt.decode(made(body)), None, target_of("nvidia:sm_90")), frozenset())
    return Regions(plan)


@pytest.mark.parametrize(("what", "forks"), [("a sum", 1), ("a choice that all make", 2)])
def test_a_fork_is_where_all_lanes_go_the_same_way(what, forks):
    assert len(legs(RIGHT[what]).forks) == forks
    assert not legs(APART).forks


def test_an_address_that_follows_from_a_lanes_number_is_made_again():
    """It is not kept: only then LLVM sees that neighbours lie side by side."""
    found = legs(SUM)
    assert any(region.again for region in found.regions)
    assert not any(region.again & region.interval.live for region in found.regions)


@pytest.mark.parametrize(("body", "alone"), [(SUM, True), (VALUE + OUT.replace("%w", "%v"), False)])
def test_lanes_run_side_by_side_where_nobody_else_may_be(body, alone):
    """That is said to LLVM of all that lanes touch from the beginning of a block on."""
    shape = BlockShape((WIDE, 1, 1), lambda _: np.arange(WIDE))
    program = compile_kernel(simt.decode(made(body)), None, target_of("nvidia:sm_90"))
    leg = write_module(program, shape=shape).text.split("@leg0(")[1].partition("\n}")[0]
    touching = [line for line in leg.splitlines() if line.startswith("  store ") or " = load " in line]
    assert touching and {line.endswith("!llvm.access.group !1") for line in touching} == {alone}


def test_what_lanes_are_told_is_known_by_their_shape():
    told = {"x": np.arange(64) % 16, "all": np.arange(64), "same": np.full(64, 3), "other": np.arange(64) // 16}
    shape = BlockShape((16, 4, 1), told.__getitem__)
    assert [shape.geometry_value(name, "lane", 0, "i32") for name in told] == ["%x", "%lane", "3", ""]
    assert (shape.along, BlockShape((2, 32, 1), told.__getitem__).along) == (16, 64)
