"""How exact instructions are: it follows from what is declared of them, so no code is generated to learn it."""

from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.compile.registry import find
from harness.simt.compile.segments import Segment, expanded_call
from harness.simt.findings import ATOMIC_ORDERING
from harness.simt.ops.floating import BINARY

__all__ = ["note_fidelity"]

UNSAID = ("ignored", "ending")  # kinds of intrinsics that compute nothing


def note_fidelity(program: Program, segment: Segment) -> None:
    """Add the instructions of a segment to what a program records of exactness; see `Made.fidelity`."""
    made = program.made
    if segment.number not in made.noted:
        made.noted.add(segment.number)
        made.fidelity.update(filter(None, map(_fidelity, segment.ops)))


def _fidelity(op: Op) -> tuple[str, str] | None:
    """Return what an instruction is called and how exact it is; None of what is always exact."""
    if name := expanded_call(op):
        return _of_intrinsic(name, expanded=True)
    if op.opcode in BINARY:
        return op.opcode, "may fuse" if op.flags & {"contract", "fast"} else "exact"
    if op.opcode == "call":
        return _of_intrinsic(op.callee.removeprefix("@") or "a call through a pointer")
    return (ATOMIC_ORDERING, "as written") if op.attrs.get("assumed") else None


def _of_intrinsic(name: str, expanded: bool = False) -> tuple[str, str] | None:
    intrinsic = find(name)
    # A call that should have been expanded and was not has operands that must be constant.
    if intrinsic is None or (intrinsic.kind == "expanded" and not expanded):
        return name, "unknown"
    if intrinsic.kind in UNSAID:
        return None
    return name, "exact" if intrinsic.exact else "approximate"
