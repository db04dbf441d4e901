"""The memory that a barrier orders, by itself or by the fences around it."""

from harness.simt.compile.declarations import BOTH, Barrier, Spaces
from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.ir.opcodes import ACQUIRES, RELEASES, scope_of

__all__ = ["ordered"]


def ordered(program: Program, segment: Segment) -> Spaces:
    """The memory that the barrier before a segment orders, by itself or by fences right before and behind it."""
    assert segment.gate is not None and isinstance(segment.gate.wait, Barrier)
    spaces = segment.gate.wait.ordered(segment.gate.op)
    behind = _effective(segment)[1:2]
    before = [_effective(one)[-1:] for one in program.segments for target, _ in one.edges if target == segment.number]
    if _fences(behind, ACQUIRES) and before and all(_fences(one, RELEASES) for one in before):
        return BOTH
    return spaces


def _effective(segment: Segment) -> list[Op]:
    found = ((op, intrinsic_of(op)) for op in segment.ops)
    return [op for op, intrinsic in found if intrinsic is None or intrinsic.kind != "ignored"]


def _fences(ops: list[Op], orderings: frozenset[str]) -> bool:
    """Whether an instruction is a fence for a block at least."""
    if not ops or ops[0].opcode != "fence":
        return False
    attrs = ops[0].attrs
    return attrs.get("ordering") in orderings and scope_of(attrs.get("scope", "")) not in ("thread", "warp")
