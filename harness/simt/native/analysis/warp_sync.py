"""Which address spaces warp synchronisation orders, and where the epochs of a warp end.

A warp's epoch ends where all of it meet, `%met.near` for memory of a block and `%met.far` for what blocks share: what
its lanes did before is ordered for them, and for nobody else before the next barrier of the block. Two warps' epochs
have different times, but for the first one behind a barrier, whose time is the block's. Several threads of one warp
that were at a place are 32768 and the warp's number.

A barrier that leaves some memory unordered would bring times back that a warp has left behind: of such memory a meeting
orders nothing here.
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
