"""Find which address spaces a block barrier orders: those it declares, or both if fences enclose it."""

from harness.simt.compile.declarations import BOTH, Barrier, Spaces
from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.ir.opcodes import ACQUIRES, RELEASES, scope_of

__all__ = ["spaces_ordered_at"]


def spaces_ordered_at(program: Program, segment: Segment) -> Spaces:
    """Return the address spaces ordered by the block barrier that a segment begins with; it must begin with one.

    They are those of the barrier itself. They are global and shared memory if an acquire fence comes next and a release
    fence ends each segment that leads here, both for a block at least; calls of ignored intrinsics may lie between.
    """
    assert segment.gate is not None and isinstance(segment.gate.wait, Barrier)
    spaces = segment.gate.wait.ordered_spaces(segment.gate.op)
    after = _ops_with_effect(segment)[1:2]
    before = [
        _ops_with_effect(predecessor)[-1:]
        for predecessor in program.segments
        for target, _ in predecessor.edges
        if target == segment.number
    ]
    if (
        _is_block_fence(after, ACQUIRES)
        and before
        and all(_is_block_fence(predecessor, RELEASES) for predecessor in before)
    ):
        return BOTH
    return spaces


def _ops_with_effect(segment: Segment) -> list[Op]:
    """Return the instructions of a segment without calls of ignored intrinsics."""
    pairs = ((op, intrinsic_of(op)) for op in segment.ops)
    return [op for op, intrinsic in pairs if intrinsic is None or intrinsic.kind != "ignored"]


def _is_block_fence(ops: list[Op], orderings: frozenset[str]) -> bool:
    """Return whether the first instruction is LLVM's `fence` with one of the orderings, for a block at least."""
    if not ops or ops[0].opcode != "fence":
        return False
    attrs = ops[0].attrs
    return attrs.get("ordering") in orderings and scope_of(attrs.get("scope", "")) not in ("thread", "warp")
