"""Find warp synchronisations of fewer than 32 lanes: their constant masks, by the segment that follows."""

from collections.abc import Sequence

from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.segments import Segment
from harness.simt.ir.module import Const

__all__ = ["ALL_LANES", "partial_meetings"]

ALL_LANES = 0xFFFFFFFF


def partial_meetings(entries: Sequence[Segment]) -> dict[int, int]:
    """Return the masks of lanes, 32 bits, that synchronise before segments, by the segments' numbers.

    A segment is left out if no warp synchronises before it, if the mask is not a constant, or if it has all 32 lanes.
    """
    masks = {}
    for segment in entries:
        if segment.gate is not None and isinstance(segment.gate.wait, WarpSync) and segment.gate.wait.mask is not None:
            mask = segment.gate.op.operands[segment.gate.wait.mask]
            if isinstance(mask, Const) and mask.value & ALL_LANES != ALL_LANES:
                masks[segment.number] = mask.value & ALL_LANES
    return masks
