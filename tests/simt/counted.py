"""Kernels of a few lines that load, store and update: what is counted of them is what the reference counts."""

from __future__ import annotations

from tests.simt.engines import BARRIER, OUT, VALUE

__all__ = ["BEHIND", "COUNTED", "DIVIDED", "IN_ROUNDS", "NESTED", "ROUND", "WAITING"]

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
DIVIDED = f"""{VALUE}
  %c = icmp ult i32 %t, 7
  br i1 %c, label %some, label %all
some:
  %x = load i32, ptr %a
  br label %all
all:
  %w = phi i32 [ %x, %some ], [ %v, %0 ]{OUT}"""
APART = """
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %loop ]
  ASKS
  %more = add i32 %n, 1
  %on = icmp ule i32 %more, %m
  br i1 %on, label %loop, label %end
end:"""
# Threads ask in each round of a loop that they leave one by one; or behind one where in Python others do before them.
IN_ROUNDS = f"{VALUE}\n  %m = and i32 %t, 3{APART.replace('ASKS', '%x = load i32, ptr %p')}"
BEHIND = f"{VALUE}\n  %h = and i32 %t, 1\n  %m = mul i32 %h, 600{APART.replace('ASKS', '')}\n  %w = add i32 %v, 1{OUT}"
# In the nth round of the outer loop the nth lane goes round often, and leaves: nobody goes round for long.
NESTED = f"""{VALUE}
  %lane = and i32 %t, 31
  %most = add i32 %lane, 1
  br label %outer
outer:
  %j = phi i32 [ 0, %0 ], [ %j1, %latch ]
  %mine = icmp eq i32 %j, %lane
  br i1 %mine, label %inner, label %latch
inner:
  %n = phi i32 [ 0, %outer ], [ %m, %inner ]
  %m = add i32 %n, 1
  %on = icmp ult i32 %m, 26
  br i1 %on, label %inner, label %latch
latch:
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, %most
  br i1 %more, label %outer, label %end
end:
  %w = add i32 %j1, %v{OUT}"""
# All wait for one another in some rounds, and go on for a few more.
WAITING = f"""{VALUE}
  %lane = and i32 %t, 31
  %most = add i32 %lane, 481
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %latch ]
  %early = icmp ult i32 %j, 480
  br i1 %early, label %wait, label %latch
wait:
  {BARRIER}
  br label %latch
latch:
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, %most
  br i1 %more, label %loop, label %end
end:
  %w = add i32 %j1, %v{OUT}"""
ROUND = f"""{VALUE}
  %lane = and i32 %t, 31
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j, %lane
  br i1 %more, label %loop, label %end
end:
  %w = add i32 %j1, %v{OUT}"""
