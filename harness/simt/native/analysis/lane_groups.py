"""Lanes of a warp that meet without the others, where the code says which ones."""

from collections.abc import Sequence

from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.segments import Segment
from harness.simt.ir.module import Const

__all__ = ["ALL_LANES", "partial_meetings"]

ALL_LANES = 0xFFFFFFFF


def partial_meetings(entries: Sequence[Segment]) -> dict[int, int]:
    """The pieces before which a part of a warp meets, each with its lanes as bits."""
    found = {}
    for piece in entries:
        if piece.gate is not None and isinstance(piece.gate.wait, WarpSync) and piece.gate.wait.mask is not None:
            mask = piece.gate.op.operands[piece.gate.wait.mask]
            if isinstance(mask, Const) and mask.value & ALL_LANES != ALL_LANES:
                found[piece.number] = mask.value & ALL_LANES
    return found
