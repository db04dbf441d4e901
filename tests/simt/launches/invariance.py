"""Shared memory that all blocks touch alike, and what differs in one of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tests.simt.engines import BARRIER, OUT, VALUE
from tests.simt.launches.row import Row

__all__ = [
    *(
        "AT",
        "DIFFERENT",
        "DIFFERENT_BLOCKS",
        "EXCHANGE",
        "INVARIANT_BLOCKS",
        "EITHER_EXTENT",
        "MIRRORED",
        "ROUND",
        "S",
        "SET",
        "TAKEN",
        "WRONG",
    )
]

S = """
  %t64 = zext i32 %t to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64"""
SET = "\n  store i32 %v, ptr addrspace(3) %s"
TAKEN = "\n  %w = load i32, ptr addrspace(3) %at"
LOCAL = "\n  %l = alloca i32\n  store i32 %bx, ptr %l\n  %b = load i32, ptr %l"
B = "\n  %b = add i32 %bx, 0"
DATA = "\n  %bp = getelementptr i32, ptr %a, i64 %b64\n  %b = load i32, ptr %bp"
LOOP = """
  br label %loop
loop:
  %b = phi i32 [ 0, %0 ], [ %bn1, %loop ]
  %bn1 = add i32 %b, 1
  %more = icmp ult i32 %b, %bx
  br i1 %more, label %loop, label %behind
behind:"""
CHOSEN = """
  %first = icmp eq i32 %bx, 0
  br i1 %first, label %no, label %yes
no:
  br label %behind
yes:
  br label %behind
behind:
  %b = phi i32 [ 0, %no ], [ 1, %yes ]"""
THROUGH = f"""
  %o0 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64
  store i32 %bx, ptr addrspace(3) %o0
  {BARRIER}
  %b = load i32, ptr addrspace(3) %o0"""
# Each makes %b, which is 0 in the first block and 1 in the second.
DIFFERENT = {
    "a block's number": B,
    "a local variable": LOCAL,
    "data": "\n  %b64 = zext i32 %bx to i64" + DATA,
    "how often a loop goes round": LOOP,
    "a way that a block took": CHOSEN,
    "shared memory": THROUGH,
}
# What is wrong where %b is 1.
WRONG = {
    "a place out of bounds": (
        "\n  %far = mul i32 %b, 64\n  %k = add i32 %t, %far"
        f"\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %k{TAKEN}",
        "out-of-bounds",
    ),
    "a place of another thread": (
        f"\n  %k = xor i32 %t, %b\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %k{TAKEN}",
        "race",
    ),
    "a store that is left out": (
        f"""
  %c = icmp eq i32 %b, 0
  br i1 %c, label %one, label %all
one:
  %q0 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64
  store i32 %v, ptr addrspace(3) %q0
  br label %all
all:
  %at = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64{TAKEN}""",
        "uninitialised",
    ),
}
EXCHANGE = f"{VALUE}{S}{SET}\n  {BARRIER}\n  %r = xor i32 %t, 1"
AT = f"\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}{OUT}"
ROUND = f"""{VALUE}{S}{SET}
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  {BARRIER}
  %r = xor i32 %t, %j
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 4
  br i1 %more, label %loop, label %end
end:{OUT}"""
# A thread takes what the one as far from the end of its block gave, which it finds by the block's width.
MIRRORED = f"""{VALUE}{S}{SET}
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %e = call ptr addrspace(4) @llvm.amdgcn.{{where}}.ptr()
  %ex = getelementptr i8, ptr addrspace(4) %e, i32 {{at}}
  %width = load i16, ptr addrspace(4) %ex
  %n = zext i16 %width to i32
  %last = sub i32 %n, 1
  %r = xor i32 %t, %last"""
# The last blocks have less to load; what a thread loads it gives to the next one.
TAIL = f"""{VALUE}{S}
  %bound = icmp ult i32 %b1, {{bound}}
  br i1 %bound, label %some, label %none
some:{SET}
  br label %all
none:
  store i32 7, ptr addrspace(3) %s
  br label %all
all:
  {BARRIER}
  %r = xor i32 %t, 1
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}"""
LATE = f"""{VALUE}{S}{SET}
  %q = getelementptr i32, ptr %o, i64 %i
  %before = load i32, ptr %q
  %after = add i32 %before, %v
  store i32 %after, ptr %q
  {BARRIER}
  %bound = icmp ult i32 %b1, {{bound}}
  br i1 %bound, label %some, label %none
some:
  %r = xor i32 %t, 1
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}
  br label %none
none:"""
MISSING = TAIL.replace("  store i32 7, ptr addrspace(3) %s\n", "")
# Every other block goes another way.
TURNS = TAIL.replace("icmp ult i32 %b1, {bound}", "icmp ult i32 %odd, 1").replace(S, S + "\n  %odd = and i32 %bx, 1")
# The width in the first block, the height in the second.
EITHER_EXTENT = MIRRORED.format(where="implicitarg", at="%far").replace(
    "%e =", "%by = mul i32 %bx, 2\n  %far = add i32 %by, 12\n  %e ="
)
TAKES_BOTH = ("shared memory", "a store that is left out")  # arrays
TWO = {"grid": 2, "block": 32, "values": np.arange(64, dtype=np.int32)}  # of the values the first are 0 and 1
AMD = {"target": "amd:gfx942", "initialised": True}


def _tail(name: str, body: str, bound: int, **facts: Any) -> Row:
    """Return a row of blocks of four threads, of which those from some place on go another way."""
    how = {"grid": 16, "block": 4, "values": np.arange(64, dtype=np.int32), "initialised": body == LATE}
    counted = "counters" in facts
    body, how = body.replace("{bound}", str(bound)), how | ({"initialised": True} if counted else {})
    return Row(f"tail: {name}", body, how, **facts)


def _ways(bound: int) -> int:
    """How many ways the blocks go, one of each of which is interpreted to count for the others."""
    return (bound > 3) + (bound % 4 > 0) + (bound < 61)


INVARIANT_BLOCKS = (
    *(
        Row(f"invariant: {name}", body, TWO)
        for name, body in {"places of threads": EXCHANGE + AT, "a loop": ROUND}.items()
    ),
    *(
        Row(
            f"invariant: the extents, {where}",
            MIRRORED.format(where=where, at=at) + AT,
            AMD | {"grid": 4, "block": 32, "values": np.arange(128, dtype=np.int32), "size": 128},
            3,
            scalar=None,
            counters=True,
            workers=(1,),
        )
        for where, at in {"implicitarg": 12, "dispatch": 4}.items()
    ),
    *(_tail(f"begins again, {bound}", TAIL + OUT, bound) for bound in (0, 2, 21, 38, 64)),
    *(
        _tail(
            f"{who} begins again, counted, {bound}",
            body,
            bound,
            compiled=16 - _ways(bound),
            counters=True,
            workers=(1,),
            scalar=None,
        )
        for (who, body), bound in product({"one block": TAIL + OUT, "the launch": LATE}.items(), (2, 21, 38, 63))
    ),
    # Others may have seen what the block stored before it goes another way.
    _tail("the launch begins again", LATE, 38),
    _tail("many blocks go other ways", TURNS + OUT, 0),
    Row("invariant: which extent a block looks at", EITHER_EXTENT + AT, TWO | AMD, scalar=None),
)
DIFFERENT_BLOCKS = (
    *(
        Row(
            f"different: {how}, {what}",
            f"{VALUE}{S}{DIFFERENT[how]}{SET}{WRONG[what][0]}{OUT}",
            TWO,
            0 if how == "shared memory" else 1,
            WRONG[what][1],
        )
        for how, what in product(DIFFERENT, WRONG)
        if (how, what) != TAKES_BOTH
    ),
    _tail("looked at", MISSING + OUT, 38, compiled=9, found=frozenset({"uninitialised"})),
)
