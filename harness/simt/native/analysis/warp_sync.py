"""Lanes of a warp that meet, by which their memory is ordered: the epochs of a warp, within those of its block.

A warp's epoch ends where all of it meet, `%met.near` for memory of a block and `%met.far` for what blocks share: what
its lanes did before is ordered for them, and for nobody else before the next barrier of the block. Two warps' epochs
have different times, but for the first one behind a barrier, whose time is the block's. Several threads of one warp
that were at a place are 32768 and the warp's number.

A barrier that leaves some memory unordered would bring times back that a warp has left behind: of such memory a meeting
orders nothing here.
"""

from collections.abc import Sequence

from harness.simt.compile.declarations import BOTH, NONE, Barrier, Spaces, WarpSync
from harness.simt.compile.fences import ordered
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.native.analysis.sync_points import meeting
from harness.simt.native.emit.body import Body, word_of
from harness.simt.native.lower import clusters

__all__ = ["WARPS", "cells_of_warps", "marked", "met", "noted", "orders"]

WARPS = "warps"  # what is noted where meetings order memory


def orders(program: Program, piece: Segment) -> Spaces:
    """The memory that is ordered where a warp meets before a piece, if it does."""
    if piece.gate is None or not isinstance(piece.gate.wait, WarpSync):
        return NONE
    return piece.gate.wait.ordered(piece.gate.op) & _everywhere(program)


def _everywhere(program: Program) -> Spaces:
    """The memory that all barriers order."""
    barriers = (one for one in program.segments if one.gate is not None and isinstance(one.gate.wait, Barrier))
    return BOTH.intersection(*(ordered(program, one) for one in barriers))


def noted(program: Program, notes: frozenset[str]) -> frozenset[str]:
    """What is noted of a launch: not beside what has its own order within an epoch."""
    notes = clusters.noted(program, notes)
    ops = [op for one in program.segments for op in one.ops]
    waits = [(op, wait) for op in ops if (wait := meeting(intrinsic_of(op))) is not None]
    if not waits or clusters.CLUSTERS in notes or program.copies or any(word_of(op) == "phase" for op in ops):
        return notes
    everywhere = _everywhere(program)
    return notes | {WARPS for op, wait in waits if wait.ordered(op) & everywhere}


def met(body: Body, pieces: Sequence[Segment]) -> list[int]:
    """The numbers of the pieces before which a warp's epoch ends."""
    return [piece.number for piece in pieces if WARPS in body.notes and orders(body.program, piece)]


def marked(body: Body, foreign: str, now: str) -> str:
    """The warp's epoch as one more argument, where it has any: for memory that blocks share or not, an i1."""
    if WARPS not in body.notes:
        return ""
    met = body.new(f"select i1 {foreign}, i32 %met.far, i32 %met.near")
    return f", i32 {body.call('i32', 'llvm.umax.i32', ('i32', met), ('i32', now))}"


_WARPS = """
define internal i1 @of_warp(i32 %by, i32 %who) alwaysinline {{
  %thread = and i32 %by, 65535
  %own = and i32 %who, 65535
  %mine = lshr i32 %own, {shift}
  %one = lshr i32 %thread, {shift}
  %some = and i32 %thread, 32767
  %several = icmp uge i32 %thread, 32768
  %warp = select i1 %several, i32 %some, i32 %one
  %near = icmp eq i32 %warp, %mine
  ret i1 %near
}}
define internal i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark) alwaysinline {{
  %live = icmp uge i32 %at, %now
  %near = call i1 @of_warp(i32 %by, i32 %who)
  %early = icmp ult i32 %at, %mark
  %met = and i1 %near, %early
  %open = xor i1 %met, true
  %yes = and i1 %live, %open
  ret i1 %yes
}}
define internal i32 @with_others(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark, i32 %alone) alwaysinline {{
  %differ = xor i32 %by, %who
  %thread = and i32 %differ, 65535
  %other = icmp ne i32 %thread, 0
  %open = call i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark)
  %some = and i1 %other, %open
  %near = call i1 @of_warp(i32 %by, i32 %who)
  %own = and i32 %who, 65535
  %warp = lshr i32 %own, {shift}
  %of.warp = or i32 %warp, 32768
  %several = select i1 %near, i32 %of.warp, i32 65534
  %kind = and i32 %who, -65536
  %all = or i32 %kind, %several
  %those = select i1 %some, i32 %all, i32 %alone
  ret i32 %those
}}
"""
_OURS = "  %ours = call i32 @with_others(i32 {by}, i32 {at}, i32 %who, i32 %now, i32 %mark, i32 {alone})"
# In place of what cells have where no warp has epochs.
_MARKED = dict.fromkeys(("taken", "passed", "given", "seen"), ", i32 %mark") | {
    "time": "%mark",
    "mark": "%mark",
    "others": """
  %open = call i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark)
  %beside = and i1 %other, %open
  %clash = or i1 %apart, %beside""",
    # What a warp did otherwise before a meeting is gone from the cell: others of the block are still beside it.
    "mixed": """
  %lately = icmp uge i32 %wt, %now
  %lasting = icmp ne i32 %begins, 0
  %matters = or i1 %lately, %lasting
  %ever = icmp ne i32 %wt, 0
  %since.then = and i1 %ever, %matters
  %otherwise = and i1 %since.then, %unlike
  %ever.mixed = or i32 %w, %who
  %was.mixed = icmp slt i32 %ever.mixed, 0
  %mixed = and i1 %was.mixed, %matters
  %apart = or i1 %blocks, %clash.w""",
    "read": _OURS.format(by="%r", at="%rt", alone="%alone"),
    "updated": _OURS.format(by="%w", at="%wt", alone="%who"),
}


def cells_of_warps(width: int) -> tuple[str, dict[str, str]]:
    """Functions, and what cells of race detection have more where warps of some lanes have epochs; see `cells`."""
    return _WARPS.format(shift=width.bit_length() - 1), _MARKED
