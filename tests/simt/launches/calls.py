"""Calls that are not spliced in: through pointers, and recursion; frames outlive waits."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from harness import simt
from tests.simt.calling import HEAD, N
from tests.simt.launches.row import Row

__all__ = ["CALLS", "WRONG_CALLS"]

KERNEL = """
define ptx_kernel void @k(ptr %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = mul i32 %b, 64
  %i = add i32 %c, %t
  %w = zext i32 %t to i64
  %x = and i64 %w, 3
  %at = getelementptr [4 x ptr], ptr addrspace(4) @table, i64 0, i64 %x
  %f = load ptr, ptr addrspace(4) %at
  {}
  %p = getelementptr i32, ptr %o, i32 %i
  store i32 %r, ptr %p
  ret void
}}
"""
FUNCTIONS = """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
@table = addrspace(4) constant [4 x ptr] [ptr @add, ptr @subtract, ptr @deep, ptr {last}]
@s = addrspace(3) global [64 x i32] undef
define i32 @add(i32 %a, i32 %b) {{
  %r = add i32 %a, %b
  ret i32 %r
}}
define i32 @subtract(i32 %a, i32 %b) {{
  %even = trunc i32 %a to i1
  %n = call i32 @deep(i32 3, i32 %b)
  %r = select i1 %even, i32 %n, i32 %a
  ret i32 %r
}}
define i32 @deep(i32 %a, i32 %b) {{
  %end = icmp sle i32 %a, 0
  br i1 %end, label %no, label %more
no:
  ret i32 %b
more:
  %odd = trunc i32 %b to i1
  %m = sub i32 %a, 1
  %n = call i32 @deep(i32 %m, i32 %b)
  %one = zext i1 %odd to i32
  %r = add i32 %n, %one
  ret i32 %r
}}
define i32 @summed(i32 %n, i32 %t) {{
  %end = icmp eq i32 %n, 0
  br i1 %end, label %no, label %more
no:
  ret i32 %t
more:
  %w = zext i32 %t to i64
  %own = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %w
  store i32 %n, ptr addrspace(3) %own
  {wait}
  %other = xor i64 %w, 1
  %there = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %other
  %x = load i32, ptr addrspace(3) %there
  {wait}
  %m = sub i32 %n, 1
  %y = call i32 @summed(i32 %m, i32 %t)
  %lane = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %y, i32 1, i32 31)
  %z = mul i32 %x, %n
  %s2 = add i32 %z, %lane
  ret i32 %s2
}}
define i32 @other(i64 %a) {{
  ret i32 0
}}
"""
WAIT = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
SYNC = "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  "
LINES = {
    "a pointer of each lane": "%r = call i32 %f(i32 %t, i32 7)",
    "one after the other": """%a = call i32 %f(i32 %t, i32 7)
  %b5 = and i32 %a, 31
  %r = call i32 %f(i32 %b5, i32 %t)""",
    "to another depth in each lane": "%n = and i32 %t, 31\n  %r = call i32 @deep(i32 %n, i32 %t)",
    "with waits on the way": "%r = call i32 @summed(i32 5, i32 %t)",
}
LEFT = {
    "no function": (LINES["a pointer of each lane"], "null", {}, "call.null"),
    "another signature": (LINES["a pointer of each lane"], "@other", {}, "call.signature"),
    "too deep": ("%r = call i32 @deep(i32 70, i32 %t)", "@add", {}, "call.too-deep"),
    "too deep for whoever asks": (LINES["to another depth in each lane"], "@add", {"call_depth": 9}, "call.too-deep"),
}


def _row(name: str, lines: str, last: str = "@add", wait: str = WAIT, options: Any = None, **facts: Any) -> Row:
    text = HEAD + FUNCTIONS.format(last=last, wait=wait) + KERNEL.format(lines)
    text += "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
    quiet = partial(simt.observers, counters=False, redundant=False)
    how = {"grid": 3, "block": N, "arguments": [np.zeros(3 * N, np.int32)], "observers": quiet, **(options or {})}
    return Row(f"call: {name}", simt.decode(text), how, scalar=None, **facts)


CALLS = tuple(
    _row(f"{name}, {kind}", lines, wait=wait)
    for name, lines in LINES.items()
    for kind, wait in {"of a block": WAIT, "of a warp": SYNC}.items()
)
WRONG_CALLS = (
    *(
        _row(name, lines, last, options=options, compiled=0, found=(told,))
        for name, (lines, last, options, told) in LEFT.items()
    ),
    _row("without a wait", LINES["with waits on the way"], wait="", compiled=0, found="race"),
)
