"""Determine which address spaces warp synchronisation orders, which all barriers order, and where warp epochs end.

A warp's epoch ends where all of its lanes synchronise: `%met.near` for memory of a block, `%met.far` for memory that
blocks share. Their earlier accesses are then ordered for the warp, but for no other thread before the block's next
barrier. Epochs of two warps have different times, except the first after a barrier, which has the block's time. If
several threads of a warp accessed a location, its record has 32768 plus the warp's number.

After a barrier that does not order some memory, a warp's older times could return: warp synchronisation does not order
such memory in the compiled engine. See `sync_points` for where lanes wait, `lane_groups` for the masks.
"""

from collections.abc import Sequence

from harness.simt.compile.declarations import BOTH, NONE, Barrier, Spaces, WarpSync
from harness.simt.compile.fences import spaces_ordered_at
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment

__all__ = ["epoch_ends", "ordered_spaces", "spaces_all_barriers_order"]


def ordered_spaces(program: Program, segment: Segment) -> Spaces:
    """Return the address spaces that a warp's synchronisation before a segment orders, and every barrier orders too.

    Empty if no warp synchronises before the segment.
    """
    if segment.gate is None or not isinstance(segment.gate.wait, WarpSync):
        return NONE
    return segment.gate.wait.ordered_spaces(segment.gate.op) & spaces_all_barriers_order(program)


def spaces_all_barriers_order(program: Program) -> Spaces:
    """Return the address spaces that every barrier of a block orders; shared and global if the program has none."""
    barriers = (
        segment for segment in program.segments if segment.gate is not None and isinstance(segment.gate.wait, Barrier)
    )
    return BOTH.intersection(*(spaces_ordered_at(program, segment) for segment in barriers))


def epoch_ends(program: Program, segments: Sequence[Segment]) -> list[int]:
    """Return the numbers of the segments before which a warp's epoch ends."""
    return [segment.number for segment in segments if ordered_spaces(program, segment)]
