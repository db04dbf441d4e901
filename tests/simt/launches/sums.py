"""Atomic updates that the compiled engine makes in any order: sums that nothing rounds, and numbers that wrap."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from harness import simt
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = ["ROUNDED_SUMS", "SUMS"]

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
QUIET = partial(simt.observers, counters=False, unwritten=False, redundant=False)
QUARTERS = (np.arange(512) % 37 - 18) / 4
ROUNDED: dict[str, list[float]] = {
    "tenths": [0.1] * 512,
    "far apart": [1e30] + [1.0] * 511,
    "overflow": [3e38] * 512,
    "infinity": [np.inf] + [1.0] * 511,
    "nan": [np.nan] * 512,
    "subnormal": [1e-40] + [1.0] * 511,
    "one bit too many": [-1.0] + [2.0**-24] * 511,
    "subnormal alone": [1e-40] * 512,
}
# Each worker's own are exact.
APART = np.where(np.arange(512) < 256, 2.0**23, 2.0**-1)
WRAPS = {"uinc_wrap": [128 % 10] * 4, "udec_wrap": [-128 % 10] * 4}
WRAP = """  %n = and i64 %i, 3
  %q = getelementptr i32, ptr %o, i64 %n
  %old = atomicrmw {} ptr %q, i32 9 monotonic"""
# They may wrap at different numbers.
WRAP_APART = """  %i32 = trunc i64 %i to i32
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %old = atomicrmw uinc_wrap ptr %o, i32 {} monotonic"""
WRAP_TWICE = "".join(f"\n  %x{most} = atomicrmw uinc_wrap ptr %o, i32 {most} monotonic" for most in (5, 7))
OWN_PLACE = """  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %o, i64 %i
  %old = atomicrmw {} ptr %q, i32 %v monotonic
  %w = mul i32 %old, 2
  store i32 %w, ptr %q"""
MASKED = """  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %v, i32 %t, i32 1, i32 31)
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %r, ptr %q"""
NUMBERS, ZEROS = np.arange(512, dtype=np.int32), np.zeros(512, np.int32)
ALL_NAMED = np.full(512, -1, np.int32)
SOME_NAMED = np.where(NUMBERS < 480, -1, 0x7FFFFFFF).astype(np.int32)


def _row(name: str, body: str, values: ArrayLike, output: ArrayLike, shared: str = "", **facts: Any) -> Row:
    how = {"grid": 8, "block": 64, "arguments": [values, output], "observers": QUIET}
    return Row(f"sum: {name}", simt.decode(kernel(body, "ptr %a, ptr %o", shared)), how, scalar=None, **facts)


def _sum(
    name: str, kind: str, values: ArrayLike, body: str = ADDED, how: str = "fadd", first: float = 0.0, **facts: Any
) -> Row:
    """Return a row in which all threads add their value to one of four, or to one in shared memory."""
    shared = SHARED.format(ty=kind) if body is IN_TILE else ""
    given, output = np.array(values, KINDS[kind]), np.full(512, first, KINDS[kind])
    return _row(f"{kind} {name}", body.format(ty=kind, how=how), given, output, shared, **facts)


def _sums() -> Iterator[Row]:
    for kind, how in product(KINDS, ("fadd", "fsub")):
        added = QUARTERS.reshape(-1, 4).sum(0)
        left = 0.5 + (added if how == "fadd" else -added)
        yield _sum(how, kind, QUARTERS, how=how, first=0.5, expected=left)
    for kind in KINDS:
        yield _sum("in shared memory", kind, np.arange(512) % 19, IN_TILE)
    yield _sum("onto a large number", "float", [1.0] * 512, first=2.0**22)
    yield _sum("by all workers", "float", np.arange(512) % 37, workers=(4,))
    for how, left in WRAPS.items():
        yield _row(how, WRAP.format(how), ZEROS, ZEROS, expected=left)
        yield _row(f"{how}, a place of one's own", OWN_PLACE.format(how), NUMBERS % 5, NUMBERS % 7)
    yield _row("lanes that are named while it runs are all", MASKED, ALL_NAMED, ZEROS)


def _rounded() -> Iterator[Row]:
    for name, values in ROUNDED.items():
        yield _sum(name, "float", values, compiled=0)
    for kind in KINDS:
        yield _sum("in shared memory, rounded", kind, np.arange(512) / 7, IN_TILE, compiled=0)
    yield _sum("onto too large a number", "float", [1.0] * 512, first=2.0**24, compiled=0)
    yield _sum("onto too small a number", "float", [1.0] * 512, first=2.0**-22, compiled=0)
    yield _sum("by all workers, rounded", "float", APART, compiled=0, workers=(4,))
    for most in ("%v", "%i32"):
        yield _row(f"may wrap at others, {most}", WRAP_APART.format(most), NUMBERS, ZEROS, compiled=0)
    yield _row("wraps at two numbers", WRAP_TWICE, ZEROS, ZEROS, compiled=0)
    found = ("caller-not-in-mask", "inactive-source.undefined")
    yield _row("lanes that are named while it runs are some", MASKED, SOME_NAMED, ZEROS, compiled=7, found=found)


SUMS, ROUNDED_SUMS = tuple(_sums()), tuple(_rounded())
