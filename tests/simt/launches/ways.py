"""Numbers that are counted of one block for all that go as it does."""

from __future__ import annotations

from itertools import product

import numpy as np

from harness.simt.declined import Reason
from tests.simt.engines import BARRIER, FAR, IN_BLOCK, LOOKS, OUT, VALUE, WIDE, looks
from tests.simt.launches.row import Row

__all__ = ["BLOCKS", "LOADED", "WAYS", "WRONG_WAYS"]

BLOCKS = 12
# Odd blocks load once more, and give on what they loaded.
ODD = f"""{VALUE}{IN_BLOCK}
  store i32 %v, ptr addrspace(3) %mine
  {BARRIER}
  %odd = and i32 %bx, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %all, label %some
some:
  %x = load i32, ptr addrspace(3) %theirs
  %k = getelementptr i32, ptr %a, i64 %t64
  %y = load i32, ptr %k
  %z = add i32 %x, %y
  br label %all
all:
  %w = phi i32 [ %z, %some ], [ %v, %0 ]{OUT}"""
# The first lane of each warp alone stores, and the others load once more.
DIVIDED = f"""{VALUE}
  %lane = and i32 %t, 31
  %c = icmp eq i32 %lane, 0
  br i1 %c, label %first, label %others
first:
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q
  br label %all
others:
  %j = xor i64 %i, 64
  %k = getelementptr i32, ptr %a, i64 %j
  %y = load i32, ptr %k
  br label %all
all:"""
LOOP_APART = """
  %m = and i32 %t, 3
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %loop ]
  %x = load i32, ptr %p
  %more = add i32 %n, 1
  %on = icmp ule i32 %more, %m
  br i1 %on, label %loop, label %end
end:"""
ROUNDS = LOOP_APART.replace("%m = and i32 %t, 3", "%m = add i32 0, 70")
# Rows of a product: in each round all lanes of a warp load the same word, and one each.
PRODUCT = f"""
  %b64 = zext i32 %bx to i64
  %t64 = zext i32 %t to i64
  br label %loop
loop:
  %n = phi i64 [ 0, %0 ], [ %more, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %w, %loop ]
  %l = getelementptr i32, ptr %a, i64 %n
  %x = load i32, ptr %l
  %m = mul i64 %n, 32
  %at = add i64 %m, %t64
  %r = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %r
  %z = mul i32 %x, %y
  %w = add i32 %sum, %z
  %more = add i64 %n, 1
  %on = icmp ult i64 %more, 8
  br i1 %on, label %loop, label %end
end:{OUT}"""
# Each two lanes have words of one bank.
BANKS = f"""{VALUE}{IN_BLOCK}
  %m = mul i64 %t64, 32
  %k = and i64 %m, 63
  %c = icmp ugt i32 %t, 1
  br i1 %c, label %all, label %first
first:
  %f = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %k
  store i32 %v, ptr addrspace(3) %f
  br label %all
all:
  {BARRIER}
  %l = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %k
  %w = load i32, ptr addrspace(3) %l{OUT}"""
# How many ways its blocks go.
KERNELS = {
    "all alike": (f"{VALUE}\n  %w = add i32 %v, 1{OUT}", 1),
    "odd blocks otherwise": (ODD, 2),
    "warps that are divided": (DIVIDED, 1),
    "a loop": (PRODUCT, 1),
    "two words of a bank": (BANKS, 1),
    "many rounds": (f"{VALUE}{ROUNDS}\n  %w = add i32 %v, 1{OUT}", 1),
    "a barrier that nothing needs": (f"{VALUE}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1),
}
LOADED = """
  %m = and i32 %v, 31
  %m64 = zext i32 %m to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %m64
  store i32 %v, ptr addrspace(3) %s"""
TURNS = """
  %m = and i32 %t, 1
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %on ]
  %mine = icmp eq i32 %n, %m
  br i1 %mine, label %turn, label %on
turn:
  %x = load i32, ptr %p
  br label %on
on:
  %more = add i32 %n, 1
  %again = icmp ule i32 %more, 1
  br i1 %again, label %loop, label %end
end:"""
# Half of a warp goes round once, the other half twice, before all go round often; none of them asks for anything.
BESIDE = f"""
  %half = and i32 %t, 1
  br label %few
few:
  %n.few = phi i32 [ 0, %0 ], [ %more.few, %few ]
  %more.few = add i32 %n.few, 1
  %on.few = icmp ule i32 %more.few, %half
  br i1 %on.few, label %few, label %then
then:{ROUNDS.replace("%0 ]", "%then ]").replace("%x = load i32, ptr %p", "")}"""
# Half of a warp behind one barrier, the other half behind the next, by the same way.
HALVES = (
    TURNS.replace("%m = and i32 %t, 1", "%half = lshr i32 %t, 4\n  %m = add i32 %half, 1")
    .replace("on:", f"on:\n  {BARRIER}")
    .replace("%more, 1", "%more, 3")
)
EACH_ITS_OWN = f"{VALUE}{ROUNDS.replace('%m = add i32 0, 70', '%m = and i32 %bx, 31')}"
LOOKING = {"initialised": True, **looks()}
# Of these too little is known to be alike: all blocks are counted.
ALL_COUNTED = {
    "places that are loaded": LOADED,
    "a loop that a warp leaves one by one": LOOP_APART,
    "turns in a loop": TURNS,
    "turns behind barriers": HALVES,
    "many rounds beside a warp that is divided": BESIDE,
}
WAYS = (
    *(
        Row(
            f"ways: {name}, {block}",
            body,
            {
                "grid": BLOCKS,
                "block": block,
                "size": 1024,
                "values": np.arange(1024, dtype=np.int32),
                "initialised": True,
            },
            BLOCKS - ways,
            noted=("redundant-barrier",) if name == "a barrier that nothing needs" else (),
            scalar=None,
            reason=Reason.COUNTED_FOR_OTHERS,
            counters=True,
            workers=(1, 3),
        )
        for (name, (body, ways)), block in product(KERNELS.items(), (WIDE, 2 * WIDE))
    ),
    *(
        Row(f"ways: {name}", f"{VALUE}{lines}", LOOKING, scalar=None, counters=True, workers=(1,))
        for name, lines in ALL_COUNTED.items()
    ),
    Row(
        "ways: each its own",
        EACH_ITS_OWN,
        {"initialised": True, **looks(blocks=40)},
        scalar=None,
        counters=True,
        workers=(1,),
    ),
    Row(
        "ways: what an order of updates decides",
        f"{VALUE}\n  %old = atomicrmw add ptr %o, i32 1 monotonic",
        LOOKING,
        0,
        scalar=None,
        reason=Reason.COUNTING_ORDER,
        counters=True,
        workers=(1,),
    ),
)
WRONG_WAYS = tuple(
    Row(
        f"ways: wrong blocks {wrong}",
        f"{VALUE}{LOOKS}{FAR}",
        {"initialised": True, **looks(*wrong)},
        BLOCKS - len(wrong) - 1,
        "out-of-bounds",
        counters=True,
        workers=(1,),
    )
    for wrong in ((0,), (5,), (1, 2))
)
