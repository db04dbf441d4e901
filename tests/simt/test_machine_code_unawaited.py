"""Machine code of exchanges that wait for nobody: they take the lanes that are there, which must be the whole warp."""

from __future__ import annotations

import pytest

from tests.simt.engines import OUT, VALUE, both

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("what", WHOLE)
def test_a_whole_warp_exchanges(what):
    lines, how = WHOLE[what]

    assert both(f"{VALUE}\n  {lines}{OUT}", **how).engine.native == 1


DPP = "call i32 @llvm.amdgcn.update.dpp.i32(i32 {}, i32 %v, i32 {}, i32 {}, i32 {}, i1 {})"
WAYS = (0x1B, 0x101, 0x10F, 0x111, 0x123, 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, 0x153, 0x167)


@pytest.mark.parametrize("control", WAYS)
@pytest.mark.parametrize(("rows", "banks", "zero"), [(15, 15, "false"), (15, 15, "true"), (5, 10, "false")])
def test_lanes_move_values_in_their_rows(control, rows, banks, zero):
    """What a lane gets from nowhere is what it had before, or 0."""
    lines = f"%x = {DPP.format('%t', control, rows, banks, zero)}\n  %w = add i32 %x, 1"

    assert both(f"{VALUE}\n  {lines}{OUT}", **AMD).engine.native == 1


def test_what_is_undefined_where_a_lane_gets_nothing_is_pythons():
    for control, native in ((0x1B, 1), (0x111, 0)):
        body = f"{VALUE}\n  %w = {DPP.format('undef', control, 15, 15, 'false')}{OUT}"
        assert both(body, **AMD).engine.native == native


@pytest.mark.parametrize("pattern", [0x801F, 0x8000 | 0xE4, 0x041F, 0x7C1F, 0x0A55, 0xC0A0, 0xC4A3])
def test_lanes_swizzle(pattern):
    body = f"{VALUE}\n  %w = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 {pattern}){OUT}"

    assert both(body, **AMD).engine.native == 1


def test_a_wave_votes():
    lines = """%c = trunc i32 %v to i1
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  %h = lshr i64 %b, 31
  %w = trunc i64 %h to i32"""

    assert both(f"{VALUE}\n  {lines}{OUT}", **AMD).engine.native == 1


def test_a_simdgroup_meets():
    body = f"{VALUE}\n  call void @air.simdgroup.barrier(i32 2, i32 4)\n  %w = add i32 %v, 1{OUT}"

    assert both(body, **APPLE).engine.native == 1


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


def alone(rounds):
    """The first lane goes round, and the others wait for what it has."""
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


@pytest.mark.parametrize("body", [JOINED, ROUNDS, alone(3), alone(5000)])
def test_lanes_that_have_met_again_exchange(body):
    assert both(body, **APPLE).engine.native == 1


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


@pytest.mark.parametrize("what", APART)
def test_lanes_that_may_have_come_apart_are_left_to_python(what):
    assert not both(APART[what], **APPLE).engine.native


def test_where_some_come_later_python_finds_them_absent():
    """So machine code may not take them for a whole warp."""
    assert {finding.id for finding in both(TURNS, **APPLE).findings} >= {"inactive-source.undefined"}
