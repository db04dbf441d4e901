"""Exchanges that wait for nobody: they take the lanes that are there, which must be the whole warp."""

from __future__ import annotations

from itertools import product

from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import ANY, Row, whole

__all__ = ["EXCHANGES", "LEFT_EXCHANGES"]

APPLE, AMD = {"target": "apple:apple-m4"}, {"target": "amd:gfx942"}
SHUFFLE = "%w = call i32 @air.simd_{}.s.i32(i32 %v, i16 {})"
PERMUTE = "%w = call i32 @llvm.amdgcn.ds.bpermute(i32 {}, i32 %v)"
COUNT = "call i32 @llvm.amdgcn.mbcnt.{}(i32 {}, i32 {})"
WHOLE = {
    "another lane": (SHUFFLE.format("shuffle", 7), APPLE),
    "a lane for all": (SHUFFLE.format("broadcast", 31), APPLE),
    "the lanes turned": (SHUFFLE.format("shuffle_xor", 5), APPLE),
    "the lanes above": (SHUFFLE.format("shuffle_up", 3), APPLE),
    "the lanes below": (SHUFFLE.format("shuffle_down", 20), APPLE),
    "the lanes below on the other side": (SHUFFLE.format("shuffle_down", -20), APPLE),
    "one's own choice": (
        f"%h = and i32 %v, 31\n  %n = trunc i32 %h to i16\n  {SHUFFLE.format('shuffle', '%n')}",
        APPLE,
    ),
    "the first": ("%w = call i32 @air.simd_broadcast_first.s.i32(i32 %v)", APPLE),
    "of bytes": (f"%n = mul i32 %v, 12\n  {PERMUTE.format('%n')}", AMD),
    "of bytes behind the last": (PERMUTE.format(1000), AMD),
    "a number": ("%w = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 69)", AMD),
    "the first of 64": ("%w = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)", AMD),
    "one's own number": (f"%k = {COUNT.format('lo', -1, 3)}\n  %w = {COUNT.format('hi', -1, '%k')}", AMD),
    "some of those below": (f"%k = {COUNT.format('lo', '%v', 0)}\n  %w = {COUNT.format('hi', 1234, '%k')}", AMD),
}

DPP = "call i32 @llvm.amdgcn.update.dpp.i32(i32 {}, i32 %v, i32 {}, i32 {}, i32 {}, i1 {})"
CONTROLS = (0x1B, 0x101, 0x10F, 0x111, 0x123, 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, 0x153, 0x167)
# What a lane gets from nowhere is what it had before, or 0.
MASKS = ((15, 15, "false"), (15, 15, "true"), (5, 10, "false"))
PATTERNS = (0x801F, 0x8000 | 0xE4, 0x041F, 0x7C1F, 0x0A55, 0xC0A0, 0xC4A3)
SWIZZLE = "%w = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 {})"
BALLOT = """%c = trunc i32 %v to i1
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  %h = lshr i64 %b, 31
  %w = trunc i64 %h to i32"""
MEET = "call void @air.simdgroup.barrier(i32 2, i32 4)\n  %w = add i32 %v, 1"
XOR = SHUFFLE.format("shuffle_xor", 1)
# Before a block begins with an exchange, half of the lanes have been elsewhere.
JOINED = f"""{VALUE}
  %c = icmp ult i32 %t, 40
  br i1 %c, label %some, label %all
some:
  %more = add i32 %v, 5
  br label %all
all:
  %m = phi i32 [ %v, %0 ], [ %more, %some ]
  {XOR.replace("%v", "%m")}{OUT}"""
ROUNDS = f"""{VALUE}
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  %m = phi i32 [ %v, %0 ], [ %x, %loop ]
  {XOR.replace("%v", "%m").replace("%w", "%y")}
  %x = add i32 %y, %j
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 9
  br i1 %again, label %loop, label %end
end:
  %w = add i32 %x, 0{OUT}"""


def alone(rounds: int) -> str:
    """Return a body whose first lane goes round while the others wait for what it has."""
    return f"""{VALUE}
  %c = icmp eq i32 %t, 0
  br i1 %c, label %loop, label %all
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  %j1 = add i32 %j, 3
  %again = icmp ult i32 %j1, {3 * rounds}
  br i1 %again, label %loop, label %all
all:
  %m = phi i32 [ %v, %0 ], [ %j1, %loop ]
  %w = call i32 @air.simd_broadcast_first.s.i32(i32 %m){OUT}"""


# Half of a warp goes round once more before it comes to the exchange, from which a way leads back, too.
TURNS = f"""{VALUE}
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %back ]
  %h = and i32 %t, 16
  %c = icmp eq i32 %h, 0
  %d = icmp ne i32 %j, 0
  %go = or i1 %c, %d
  br i1 %go, label %meet, label %back
meet:
  {XOR.replace("i16 1", "i16 16")}
  %again = icmp ugt i32 %j, 3
  br i1 %again, label %back, label %end
back:
  %j1 = add i32 %j, 1
  br label %loop
end:{OUT}"""
APART = {
    "a part of the warp": f"{VALUE}\n  %c = icmp ult i32 %t, 40\n  br i1 %c, label %go, label %end\ngo:\n  {XOR}{OUT}\n"
    "  br label %end\nend:",
    "a lane that is none": f"{VALUE}\n  {SHUFFLE.format('shuffle', 32)}{OUT}",
    "a lane below all": f"{VALUE}\n  {SHUFFLE.format('shuffle', -1)}{OUT}",
    "some come later": TURNS,
}


def _moved(control: int, masks: tuple[int, int, str]) -> str:
    return f"%x = {DPP.format('%t', control, *masks)}\n  %w = add i32 %x, 1"


UNDEFINED = {control: whole(f"%w = {DPP.format('undef', control, 15, 15, 'false')}") for control in (0x1B, 0x111)}
JOIN = {"joined": JOINED, "rounds": ROUNDS, "one goes round": alone(3), "one goes round for long": alone(5000)}
EXCHANGES = (
    *(Row(f"unawaited: {name}", whole(lines), how, scalar=False) for name, (lines, how) in WHOLE.items()),
    *(
        Row(f"unawaited: dpp {control:#x}, {masks}", whole(_moved(control, masks)), AMD, scalar=False)
        for control, masks in product(CONTROLS, MASKS)
    ),
    *(Row(f"unawaited: swizzle {by:#x}", whole(SWIZZLE.format(by)), AMD, scalar=False) for by in PATTERNS),
    Row("unawaited: a wave votes", whole(BALLOT), AMD, scalar=False),
    Row("unawaited: a SIMD-group meets", whole(MEET), APPLE, scalar=False),
    Row("unawaited: no lane gets nothing", UNDEFINED[0x1B], AMD, scalar=False),
    *(Row(f"unawaited: {name}", body, APPLE, scalar=False) for name, body in JOIN.items()),
)
LEFT_EXCHANGES = (
    Row("unawaited: a lane gets nothing", UNDEFINED[0x111], AMD, 0, None),
    *(Row(f"unawaited: {name}", body, APPLE, 0, ANY) for name, body in APART.items() if body != TURNS),
    # Machine code may not take those that come later for a whole warp.
    Row("unawaited: some come later", TURNS, APPLE, 0, "inactive-source.undefined"),
)
