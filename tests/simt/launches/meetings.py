"""Lanes of a warp that exchange through memory where they synchronise."""

from __future__ import annotations

from itertools import product

from tests.simt.engines import BARRIER, IN_TILE, OUT, VALUE
from tests.simt.launches.row import ANY, NOTHING, Row

__all__ = ["APPLE", "MEET", "MEETINGS", "WRONG_MEETINGS"]

MEET = "call void @llvm.nvvm.bar.warp.sync(i32 -1)"
APPLE = "call void @air.simdgroup.barrier(i32 {}, i32 4)"
APPLE_BARRIER = "call void @air.wg.barrier(i32 {}, i32 1)"
NEIGHBOUR = """
  %far = xor i64 %i, {}
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %far
  %w = load i32, ptr addrspace(3) %u"""
AGAIN = "\n  store i32 9, ptr addrspace(3) %s"
HALVING = f"""{VALUE}{IN_TILE}
  {MEET}
  br label %round
round:
  %n = phi i64 [ 16, %0 ], [ %half, %met ]
  %there = add i64 %i, %n
  %lane = and i64 %i, 31
  %mine = icmp ult i64 %lane, %n
  br i1 %mine, label %add, label %met
add:
  %z = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %there
  %x = load i32, ptr addrspace(3) %z
  %y = load i32, ptr addrspace(3) %s
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %s
  br label %met
met:
  {MEET}
  %half = lshr i64 %n, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %round, label %end
end:
  %first = and i64 %i, 32
  %f = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %first
  %w = load i32, ptr addrspace(3) %f{OUT}"""


def exchange(*between: str, distance: int = 1, space: str = "shared") -> str:
    """Return a body whose lanes store, read a neighbour's and store again, with lines in between."""
    text = f"{VALUE}{IN_TILE}\n  {between[0]}{NEIGHBOUR.format(distance)}\n  {between[1]}{AGAIN}{OUT}"
    if space == "global":
        text = text.replace("ptr addrspace(3)", "ptr").replace("[64 x i32], ptr @tile, i64 0,", "i32, ptr %o,")
        text = text.removesuffix(OUT)
    return text


HALF = f"""{VALUE}
  %t64 = zext i32 %t to i64
  %m = and i64 %t64, 31
  %own = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %lower = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %m
  %first = icmp ult i32 %t, 32"""
# What the first warp does before a meeting, and what both do behind it to the same elements.
BEHIND = {
    "a store, and updates of both": f"""{HALF}
  br i1 %first, label %once, label %both
once:
  store i32 %v, ptr addrspace(3) %own
  br label %both
both:
  MEET
  %u = atomicrmw add ptr addrspace(3) %lower, i32 1 monotonic
  %w = add i32 %v, 1{OUT}""",
    "updates of another kind": f"""{HALF}
  %place = getelementptr i32, ptr %o, i64 %m
  br i1 %first, label %once, label %others
once:
  %x = atomicrmw or ptr %place, i32 1023 monotonic
  br label %both
others:
  %y = atomicrmw add ptr %place, i32 77 monotonic
  br label %both
both:
  MEET
  br i1 %first, label %more, label %end
more:
  %z = atomicrmw add ptr %place, i32 5 monotonic
  br label %end
end:""",
}
WRITTEN = {"initialised": True}
ON_APPLE = WRITTEN | {"target": "apple:apple-m4"}
MISSING = {"none before": ("", MEET), "none after": (MEET, ""), "a barrier after alone": ("", BARRIER)}


def _of(flags: int) -> str:
    return exchange(APPLE.format(flags), APPLE.format(flags))


MEETINGS = (
    *(
        Row(f"meeting: {space} memory, then {name}", exchange(MEET, then, distance=by, space=space), WRITTEN)
        for space, (name, then, by) in product(
            ("shared", "global"), (("a meeting", MEET, 17), ("a barrier", BARRIER, 1))
        )
    ),
    Row("meeting: barriers for the other warp", exchange(BARRIER, BARRIER, distance=32)),
    Row("meeting: a sum by halving", HALVING),
    *(Row(f"meeting: memory {flags} of a SIMD-group", _of(flags), ON_APPLE, scalar=False) for flags in (2, 3)),
)
WRONG_MEETINGS = (
    *(
        Row(f"meeting: {space} memory, {name}", exchange(*between, space=space), WRITTEN, 0, frozenset({"race"}))
        for space, (name, between) in product(("shared", "global"), MISSING.items())
    ),
    Row("meeting: another warp is not met", exchange(MEET, MEET, distance=32), NOTHING, 0, frozenset({"race"})),
    Row("meeting: halving without the first", HALVING.replace(MEET, "", 1), NOTHING, 0, frozenset({"race"})),
    Row("meeting: halving past the end", HALVING, {"block": 96, "size": 96}, 0, ANY),
    Row("meeting: memory 1 of a SIMD-group", _of(1), ON_APPLE, 0, frozenset({"race"})),
    # A lane wrote before the meeting, its neighbour read after it, and the lane writes again after the barrier.
    Row(
        "meeting: a barrier of other memory brings no epoch back",
        exchange(APPLE.format(3), APPLE_BARRIER.format(2), space="global"),
        ON_APPLE,
        0,
        frozenset({"race"}),
    ),
    # A warp's update does not hide what it did before it met: a race, or an order that decides.
    *(
        Row(f"meeting: {name}, {how['target']}", body.replace("MEET", meeting), how, 0, ANY)
        for (name, body), (meeting, how) in product(
            BEHIND.items(), ((MEET, WRITTEN | {"target": "nvidia:sm_90"}), (APPLE.format(3), ON_APPLE))
        )
    ),
)
