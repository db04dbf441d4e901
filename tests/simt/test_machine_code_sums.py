"""Atomic updates that machine code runs in any order: sums of floats that nothing rounds, and numbers that wrap."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.engines import alike, at_once
from tests.simt.snippets import kernel

KINDS = {"float": np.float32, "double": np.float64}
# All threads add their number of `%a` to one of four of `%o`.
ADDED = """  %p = getelementptr {ty}, ptr %a, i64 %i
  %v = load {ty}, ptr %p
  %n = and i64 %i, 3
  %q = getelementptr {ty}, ptr %o, i64 %n
  %old = atomicrmw {how} ptr %q, {ty} %v monotonic"""
SHARED = "@cell = internal addrspace(3) global {ty} undef, align 8\n"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
IN_TILE = f"""  %p = getelementptr {{ty}}, ptr %a, i64 %i
  %v = load {{ty}}, ptr %p
  %first = icmp eq i32 %t, 0
  br i1 %first, label %clear, label %cleared
clear:
  store {{ty}} zeroinitializer, ptr addrspace(3) @cell
  br label %cleared
cleared:
  {BARRIER}
  %old = atomicrmw {{how}} ptr addrspace(3) @cell, {{ty}} %v monotonic
  {BARRIER}
  %w = load {{ty}}, ptr addrspace(3) @cell
  %q = getelementptr {{ty}}, ptr %o, i64 %i
  store {{ty}} %w, ptr %q"""


def both(body, values, out, **options):
    """The result with machine code, and what it left, once the interpreter was found to give the same."""
    text = body if isinstance(body, str) else body[0]
    found = []
    for engine in ("reference", "native"):
        left = out.copy()
        arguments = [simt.Buffer(values, writable=False), left]
        how = {"target": "nvidia:sm_90", "grid": 8, "block": 64, "args": arguments}
        observers = simt.observers(counters=False, unwritten=False, redundant=False)
        result = launch(text, observers=observers, options=simt.Options(engine=engine, **options), **how)
        found.append((result, left))
    (expected, right), (result, left) = found
    assert left.tobytes() == right.tobytes()
    alike(result, expected)
    return result, left


def summed(kind, values, body=ADDED, how="fadd", first=0.0, **options):
    shared = SHARED.format(ty=kind) if "@cell" in body else ""
    text = kernel(body.format(ty=kind, how=how), "ptr %a, ptr %o", shared)
    values = np.broadcast_to(np.asarray(values, KINDS[kind]), 512).copy()
    return both(text, values, np.full(512, first, KINDS[kind]), **options)


@pytest.mark.parametrize("how", ["fadd", "fsub"])
@pytest.mark.parametrize("kind", KINDS)
def test_sums_that_no_order_rounds_run_as_machine_code(kind: str, how: str) -> None:
    result, left = summed(kind, (np.arange(512) % 37 - 18) / 4, how=how, first=0.5)

    assert (result.verdict, result.engine.native) == ("clean", 8)
    own = ((np.arange(512) % 37 - 18) / 4).reshape(-1, 4).sum(0)
    assert left[:4].tolist() == (0.5 + (own if how == "fadd" else -own)).tolist()


@pytest.mark.parametrize(
    "values",
    [
        [0.1],
        [1e30] + [1.0] * 511,
        [3e38],
        [np.inf] + [1.0] * 511,
        [np.nan],
        [1e-40] + [1.0] * 511,
        [-1.0] + [2.0**-24] * 511,
        [1e-40],
    ],
    ids=["tenths", "far apart", "overflow", "infinity", "nan", "subnormal", "one bit too many", "subnormal alone"],
)
def test_others_are_interpreted(values: list[float]) -> None:
    given = np.broadcast_to(values, 512) if len(values) == 1 else np.array(values)
    with np.errstate(all="ignore"):
        result, _ = summed("float", given)

    assert result.engine.native == 0


def test_what_lies_there_before_counts() -> None:
    assert summed("float", 1.0, first=2.0**22)[0].engine.native == 8
    assert summed("float", 1.0, first=2.0**24)[0].engine.native == 0
    assert summed("float", 1.0, first=2.0**-22)[0].engine.native == 0


@pytest.mark.parametrize("kind", KINDS)
def test_sums_in_shared_memory_run_as_machine_code(kind: str) -> None:
    assert summed(kind, np.arange(512) % 19, IN_TILE)[0].engine.native == 8
    assert summed(kind, np.arange(512) / 7, IN_TILE)[0].engine.native == 0


def test_all_workers_count() -> None:
    """Each alone would be exact."""
    values = np.where(np.arange(512) < 256, 2.0**23, 2.0**-1)
    with at_once():
        assert summed("float", np.arange(512) % 37, workers=4)[0].engine.native == 8
        assert summed("float", values, workers=4)[0].engine.native == 0


WRAPS = {"uinc_wrap": lambda count, most: count % (most + 1), "udec_wrap": lambda count, most: -count % (most + 1)}


@pytest.mark.parametrize("how", WRAPS)
def test_numbers_that_wrap_at_the_same_one_run_as_machine_code(how: str) -> None:
    where = "  %n = and i64 %i, 3\n  %q = getelementptr i32, ptr %o, i64 %n"
    body = f"{where}\n  %old = atomicrmw {how} ptr %q, i32 9 monotonic"
    text = kernel(body, "ptr %a, ptr %o")
    result, left = both(text, np.zeros(512, np.int32), np.zeros(512, np.int32))

    assert result.engine.native == 8
    assert left[:4].tolist() == [WRAPS[how](128, 9)] * 4


@pytest.mark.parametrize("most", ["%v", "%i32"])
def test_those_that_may_wrap_at_others_are_interpreted(most: str) -> None:
    body = f"""  %i32 = trunc i64 %i to i32
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %old = atomicrmw uinc_wrap ptr %o, i32 {most} monotonic"""
    result, _ = both(kernel(body, "ptr %a, ptr %o"), np.arange(512, dtype=np.int32), np.zeros(512, np.int32))

    assert result.engine.native == 0


def test_updates_that_wrap_at_different_numbers_are_interpreted() -> None:
    update = "\n  %x{0} = atomicrmw uinc_wrap ptr %o, i32 {0} monotonic"
    text = kernel(update.format(5) + update.format(7), "ptr %a, ptr %o")
    result, _ = both(text, np.zeros(512, np.int32), np.zeros(512, np.int32))

    assert result.engine.native == 0


@pytest.mark.parametrize("how", ["uinc_wrap", "udec_wrap"])
def test_what_an_update_found_is_taken_where_its_place_is_a_threads_own(how: str) -> None:
    body = f"""  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %o, i64 %i
  %old = atomicrmw {how} ptr %q, i32 %v monotonic
  %w = mul i32 %old, 2
  store i32 %w, ptr %q"""
    first = np.arange(512, dtype=np.int32) % 7
    result, _ = both(kernel(body, "ptr %a, ptr %o"), np.arange(512, dtype=np.int32) % 5, first)

    assert result.engine.native == 8


MASKED = """  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %v, i32 %t, i32 1, i32 31)
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %r, ptr %q"""


def test_lanes_that_are_named_while_it_runs_exchange_as_machine_code_where_they_are_all() -> None:
    """Once in a launch others are named, it is interpreted."""
    text = kernel(MASKED, "ptr %a, ptr %o")
    every, some = np.full(512, -1, np.int32), np.full(512, -1, np.int32)
    some[-32:] = 0x7FFFFFFF

    assert both(text, every, np.zeros(512, np.int32))[0].engine.native == 8
    result, _ = both(text, some, np.zeros(512, np.int32))
    assert result.engine.native < 8
