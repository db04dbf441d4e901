"""Blocks that the compiled engine leaves to the interpreter: memory is as if it had never run them."""

from __future__ import annotations

from itertools import product

import numpy as np

from harness import simt
from tests.simt.engines import BARRIER, OUT, SHARED
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = ["LEFT_BLOCKS"]

# The fifth block comes to `%a` from `%o`, by their distance: native code takes `%a` for what is only read.
CROSS = """
  %ai = ptrtoint ptr %a to i64
  %oi = ptrtoint ptr %o to i64
  %far = sub i64 %ai, %oi
  %q = getelementptr i32, ptr %r, i64 %i
  %c = icmp eq i32 %bx, 5
  br i1 %c, label %one, label %others
one:
  %x = getelementptr i8, ptr %o, i64 %far
  %xi = getelementptr i32, ptr %x, i64 %i
  CHANGE
  MORE
  br label %all
others:
  %p = getelementptr i32, ptr %a, i64 163
  %v = load i32, ptr %p
  br label %all
all:
  %w = phi i32 [ %v, %others ], [ 5, %one ]
  store i32 %w, ptr %q"""
PLAIN = "%old = load i32, ptr %xi\n  %new = add i32 %old, 1\n  store i32 %new, ptr %xi"
UPDATE = "%old = atomicrmw add ptr %xi, i32 1 monotonic"
# A lane runs ahead of its neighbour's store natively, and goes where no thread goes.
AHEAD = f"""
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %t64 = zext i32 %t to i64
  %b64 = zext i32 %bx to i64
  %x = getelementptr i32, ptr %r, i64 %b64
  %near = xor i64 %t64, 1
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %theirs = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %near
  store i32 %v, ptr addrspace(3) %mine
  {BARRIER}
  %is5 = icmp eq i32 %bx, 5
  %is1 = icmp eq i32 %t, 1
  %st = and i1 %is1, %is5
  br i1 %st, label %s, label %read
s:
  store i32 1, ptr %x
  br label %read
read:
  %z = load i32, ptr %x
  %zc = icmp eq i32 %z, 0
  br i1 %zc, label %never, label %end
never:
  %hi = load i32, ptr addrspace(3) %theirs
  %lo = call i32 @llvm.ctpop.i32(i32 %hi)
  br label %end
end:
  %w = phi i32 [ %lo, %never ], [ %v, %read ]{OUT}"""
# The fifth block's access begins in the middle of its last element, and ends in the next block's first.
ACROSS = """
  %q = getelementptr i32, ptr %r, i64 %i
  %five = icmp eq i32 %bx, 5
  br i1 %five, label %some, label %all
all:
  store i32 7, ptr %q
  br label %end
some:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %end
one:
  %p = getelementptr i8, ptr %r, i64 766
  ACCESS
  br label %end
end:"""
# Of the fifth block two threads store to one place, as wide as WIDTH; the others store half of that each.
NARROW = """
  %five = icmp eq i32 %bx, 5
  %q = getelementptr i64, ptr %r, i64 %i
  br i1 %five, label %some, label %all
all:
  store HALF 7, ptr %q, align 8
  br label %end
some:
  %even = and i64 %i, -2
  %p = getelementptr i64, ptr %r, i64 %even
  store i64 %i, ptr %p, align 8
  br label %end
end:"""
CHANGES = {"a store": PLAIN, "an update": UPDATE}
MORE = {"alone": "", "beside a load of what others store": "%z = load i32, ptr %r"}
ZEROS = np.zeros(384, np.int32)


def _row(
    name: str,
    body: str,
    last: np.ndarray,
    found: str | frozenset[str],
    compiled: int = 0,
    noted: tuple[str, ...] | None = None,
) -> Row:
    how = {"grid": 12, "block": 32, "arguments": [np.arange(384, dtype=np.int32), ZEROS, last]}
    text = kernel(body, "ptr %a, ptr %o, ptr %r", SHARED)
    return Row(f"left: {name}", simt.decode(text), how, compiled, found, noted=noted)


LEFT_BLOCKS = (
    *(
        _row(
            f"{what}, {where}, to what others were proved to read alone",
            CROSS.replace("CHANGE", change).replace("MORE", more),
            ZEROS,
            "race",
        )
        for (what, change), (where, more) in product(CHANGES.items(), MORE.items())
    ),
    # A barrier that nobody needs is told, though natively somebody seemed to need it.
    _row(
        "where it went before counts for nothing",
        AHEAD,
        np.where(np.arange(384) == 5, 0, 1).astype(np.int32),
        frozenset({"race"}),
        noted=("redundant-barrier",),
    ),
    *(
        _row(
            f"a part of another block's element, {access[:5]}",
            ACROSS.replace("ACCESS", access),
            ZEROS,
            frozenset({"misaligned", "race"}),
        )
        for access in ("%x = load i32, ptr %p, align 4", "store i32 9, ptr %p, align 4")
    ),
    # A place that is touched in parts by anybody is told in parts.
    *(
        _row(
            f"places as wide as {half}",
            NARROW.replace("HALF", half),
            np.zeros(768, np.int32),
            frozenset({"race"}),
            compiled,
        )
        for half, compiled in {"i32": 0, "i64": 11}.items()
    ),
)
