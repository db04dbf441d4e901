"""Kernels of a few lines that load, store and update: what is counted of them is what the reference counts."""

from __future__ import annotations

from tests.simt.engines import BARRIER, OUT, VALUE

__all__ = ["COUNTED"]

VECTORS = """
  %i4 = and i64 %i, 15
  %p = getelementptr <4 x i32>, ptr %a, i64 %i4
  %x = load <4 x i32>, ptr %p, align ALIGN
  %w = extractelement <4 x i32> %x, i32 1
"""
STRIDED = """
  %sh = shl i64 %i, 1
  %se = and i64 %sh, 62
  %so = lshr i64 %i, 5
  %sm = or i64 %se, %so
  %k = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %sm
  store i32 %v, ptr addrspace(3) %k
  %w = load i32, ptr addrspace(3) %k"""
ONE_SETS = f"""
  %c = icmp ult i32 %t, 32
  br i1 %c, label %some, label %all
some:
  store i32 %v, ptr addrspace(3) %s
  br label %all
all:
  {BARRIER}"""
SET = "\n  store i32 %v, ptr addrspace(3) %s"
OF_ANOTHER = """
  %r = xor i64 %i, 9
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %w = load i32, ptr addrspace(3) %u"""
S = "\n  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i"
IN_SHARED = f"""{S}{SET}
  %m = and i64 %i, 32
  %k = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %m
  {BARRIER}
  %old = atomicrmw add ptr addrspace(3) %k, i32 %v monotonic
  {BARRIER}
  %w = load i32, ptr addrspace(3) %s"""
LOOP = """
  br label %loop
loop:
  %j = phi i64 [ 0, %0 ], [ %j1, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %w, %loop ]
  %at = mul i64 %i, %j
  %in = and i64 %at, 63
  %l = getelementptr i32, ptr %a, i64 %in
  %x = load i32, ptr %l
  %w = add i32 %sum, %x
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, 9
  br i1 %more, label %loop, label %end
end:"""

COUNTED = {
    "loads and stores in order": f"{VALUE}\n  %w = add i32 %v, 1{OUT}",
    "through shared memory": f"{VALUE}{S}{SET}\n  {BARRIER}{OF_ANOTHER}{OUT}",
    "two words of one bank": f"{VALUE}{STRIDED}{OUT}",
    "vectors": VECTORS.replace("ALIGN", "16") + OUT,
    "vectors of which less is known": VECTORS.replace("ALIGN", "4") + OUT,
    "a loop, far apart": f"{LOOP}{OUT}",
    "updates": f"{VALUE}\n  %old = atomicrmw add ptr %o, i32 %v monotonic",
    "updates in shared memory": f"{VALUE}{IN_SHARED}{OUT}",
    "a warp that goes another way as a whole": f"{VALUE}{S}{ONE_SETS}\n  %w = add i32 %v, 1{OUT}",
}
