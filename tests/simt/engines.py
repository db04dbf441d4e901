"""A few lines of IR, run by both engines: what they leave and what is said of them is the same."""

from __future__ import annotations

import numpy as np

from harness import simt
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.snippets import kernel

__all__ = ["BARRIER", "FROM_TILE", "IN_TILE", "LANES", "OUT", "VALUE", "alike", "both", "run", "runs_natively"]

LANES = 64
SHARED = "".join(f"@{name} = internal addrspace(3) global [64 x i32] undef, align 16\n" for name in ("tile", "other"))
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
VALUE = """
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p"""
OUT = """
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %w, ptr %q"""
IN_TILE = """
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %s"""
FROM_TILE = """
  %r = sub i64 63, %i
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %w = load i32, ptr addrspace(3) %u"""


def run(
    body,
    engine,
    block=LANES,
    grid=1,
    initialised=False,
    size=LANES,
    values=None,
    observers=None,
    target="nvidia:sm_90",
    **options,
):
    """(result, output) of a kernel over `%a`, read, and `%o`, written."""
    given = np.arange(size, dtype=np.int32) - 7 if values is None else values
    output = np.full(size, -1, np.int32)
    result = launch(
        kernel(body, "ptr %a, ptr %o", SHARED, target),
        target=target,
        grid=grid,
        block=block,
        args=[simt.Buffer(given, writable=False), simt.Buffer(output, initialised=initialised)],
        observers=simt.observers(counters=False) if observers is None else observers,
        options=simt.Options(engine=engine, **options),
    )
    return result, output


def both(body, **how):
    """The result with machine code, once all but what ran it was found to be the reference's."""
    (expected, left), (result, output) = (run(body, engine, **how) for engine in ("reference", "native"))
    assert output.tobytes() == left.tobytes()
    alike(result, expected)
    return result


def runs_natively(lines, **how):
    """Whether both engines do the same with lines that make `%w` of `%v`, one of them in machine code."""
    return both(f"{VALUE}\n  {lines}{OUT}", **how).engine.native == 1


def alike(result, expected):
    """All but what ran them is the same of two launches."""
    assert repr(result.findings) == repr(expected.findings)  # a value may be a NaN
    facts = [(one.verdict, one.ordered, one.kernel, one.printed, dict(one.fidelity)) for one in (result, expected)]
    assert facts[0] == facts[1]
