"""A few lines of IR, run by both engines: what they leave and what is said of them is the same."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest import mock

import numpy as np

from harness import simt
from harness.simt.declined import Reason
from harness.simt.native import attempt
from harness.simt.native.execution import blocks as bound
from harness.simt.native.jit import compiler as machine
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.snippets import kernel

__all__ = [
    "ADDED",
    "BARRIER",
    "FAR",
    "FIFTH",
    "FROM_TILE",
    "IN_BLOCK",
    "IN_TILE",
    "LANES",
    "LOOKS",
    "OUT",
    "UPDATE",
    "VALUE",
    "WIDE",
    "WORKERS",
    "alike",
    "at_once",
    "both",
    "looks",
    "made",
    "run",
    "runs_natively",
    "unoptimised",
]

LANES = 64
WORKERS = (1, 2, 8)
WIDE = 32
SHARED = "".join(f"@{name} = internal addrspace(3) global [64 x i32] undef, align 16\n" for name in ("tile", "other"))
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
VALUE = """
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p"""
OUT = """
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %w, ptr %q"""
# Each thread adds up as often as its element of `%a` says, in its element of `%o`.
ADDED = f"""{VALUE}
  %q = getelementptr i32, ptr %o, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %before = load i32, ptr %q
  %after = add i32 %before, 1
  store i32 %after, ptr %q
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %v
  br i1 %more, label %loop, label %end
end:"""
IN_TILE = """
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %s"""
FROM_TILE = """
  %r = sub i64 63, %i
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %w = load i32, ptr addrspace(3) %u"""

# Each thread adds one to its element, and then looks into `%a` where its element of that says.
LOOKS = """
  %s = getelementptr i32, ptr %o, i64 %i
  %before = load i32, ptr %s
  %after = add i32 %before, 1
  store i32 %after, ptr %s"""
FAR = """
  %v64 = sext i32 %v to i64
  %f = getelementptr i32, ptr %a, i64 %v64
  %w = load i32, ptr %f"""
IN_BLOCK = """
  %t64 = zext i32 %t to i64
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %r = xor i64 %t64, 1
  %theirs = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r"""
# Where blocks that look nowhere wrong have an element of their own, the others have the fifth.
FIFTH = """
  %c = icmp ult i32 %v, 384
  %n = select i1 %c, i64 %i, i64 5
  %g = getelementptr i32, ptr %o, i64 %n"""
UPDATE = "\n  %old = atomicrmw add ptr %o, i32 1 monotonic"


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
    arguments=None,
    cluster=1,
    **options,
):
    """(result, output) of a kernel over `%a`, read, and `%o`, written: of its lines, or of a module.

    Args:
        arguments: The arrays of a kernel with others; the output is the last of them.
    """
    if arguments is None:
        given = np.arange(size, dtype=np.int32) - 7 if values is None else values
        output = np.full(size, -1, np.int32)
        arguments = [simt.Buffer(given, writable=False), simt.Buffer(output, initialised=initialised)]
    else:
        output = arguments[-1]
    result = launch(
        body if isinstance(body, simt.Module) else made(body, target),
        kernel="k",
        target=target,
        grid=grid,
        block=block,
        cluster=cluster,
        args=arguments,
        observers=simt.observers(counters=False) if observers is None else observers,
        options=simt.Options(engine=engine, **options),
    )
    return result, output


def made(body, target="nvidia:sm_90"):
    """The text of that kernel."""
    return kernel(body, "ptr %a, ptr %o", SHARED, target)


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
    """All but what ran them is the same of two launches; machine code was written, or said that there is none."""
    assert result.engine.cause is None or result.engine.cause.reason is not Reason.UNREADABLE
    assert repr(result.findings) == repr(expected.findings)  # a value may be a NaN
    facts = [(one.verdict, one.ordered, one.kernel, one.printed, dict(one.fidelity)) for one in (result, expected)]
    assert facts[0] == facts[1]


def at_once() -> AbstractContextManager[object]:
    """Also of the shortest launch all blocks but the first are run by as many workers as may, one at a time."""
    return mock.patch.multiple(bound, LONG=0.0, TRIED=(1, 1), PORTION=1e-9)


def unoptimised() -> AbstractContextManager[object]:
    """All code is what LLVM makes of it without a look at what it does."""
    load, compile_quickly = (
        lambda text, objects, _=0, right=right: right(text, objects, 0)
        for right in (machine.load_compiled, machine.compile_module)
    )
    return mock.patch.multiple(attempt, load_compiled=load, compile_module=compile_quickly)


def looks(*wrong, blocks=12):
    """Where threads look: the blocks that are wrong, outside."""
    values = np.arange(blocks * WIDE, dtype=np.int32)
    for block in wrong:
        values[block * WIDE : (block + 1) * WIDE] += 2 * len(values)
    return {"values": values, "size": len(values), "grid": blocks, "block": WIDE}
