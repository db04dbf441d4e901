"""Record for each operation of a segment whether it is exact, may fuse, is approximate or unknown, as declared."""

from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.compile.registry import find_intrinsic
from harness.simt.compile.segments import Segment, expanded_intrinsic
from harness.simt.findings import ATOMIC_ORDERING
from harness.simt.ops.floating import BINARY

__all__ = ["record_fidelity"]

WITHOUT_FIDELITY = ("ignored", "exit")  # kinds of intrinsics that compute nothing


def record_fidelity(program: Program, segment: Segment) -> None:
    """Add the instructions of a segment to the program's fidelity record, once; see `LaunchCache.fidelity`."""
    cache = program.cache
    if segment.number not in cache.fidelity_segments:
        cache.fidelity_segments.add(segment.number)
        cache.fidelity.update(filter(None, map(_fidelity, segment.ops)))


def _fidelity(op: Op) -> tuple[str, str] | None:
    """Return (name, fidelity) of an instruction, as in `LaunchCache.fidelity`; None if there is nothing to record.

    The name is the opcode of a float operation (`exact`, or `may fuse` if it has the flag `contract` or `fast`), or
    the intrinsic of a call or of an expansion, see `_intrinsic_fidelity`. An atomic whose ordering
    is only assumed, since the compiler is unknown, gives `ATOMIC_ORDERING` and `as written`.
    """
    if name := expanded_intrinsic(op):
        return _intrinsic_fidelity(name, expanded=True)
    if op.opcode in BINARY:
        return op.opcode, "may fuse" if op.flags & {"contract", "fast"} else "exact"
    if op.opcode == "call":
        return _intrinsic_fidelity(op.callee.removeprefix("@") or "a call through a pointer")
    return (ATOMIC_ORDERING, "as written") if op.attrs.get("assumed") else None


def _intrinsic_fidelity(name: str, expanded: bool = False) -> tuple[str, str] | None:
    """Return (name, `exact` or `approximate`) of an intrinsic, also a wait or fence; None if ignored or ending lanes.

    The fidelity is `unknown` if the intrinsic is not declared, or must be expanded and was not (`expanded` is False).
    """
    intrinsic = find_intrinsic(name)
    # A call that was not expanded, although it should be, has operands that are not constant but must be.
    if intrinsic is None or (intrinsic.kind == "expanded" and not expanded):
        return name, "unknown"
    if intrinsic.kind in WITHOUT_FIDELITY:
        return None
    return name, "exact" if intrinsic.exact else "approximate"
