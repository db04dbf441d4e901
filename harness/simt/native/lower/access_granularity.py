"""Choose how many bytes a shadow cell covers, so that each access covers whole cells; types of copies' accesses."""

from harness.simt.compile.graph import Op
from harness.simt.compile.segments import compiled_form
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.sizes import MAX_BYTES, unsigned_value
from harness.simt.ir.types import Int, Vector
from harness.simt.native.emit.body import Body
from harness.simt.native.lower.memory import TYPED, access_parts, local_variable_of
from harness.simt.state.allocation import Access

__all__ = ["MOST", "access_granularity", "accessed_bytes"]

MOST, LARGEST = 4, 16  # bytes: of a cell, and of what is loaded or stored at once
WHOLE = {"move": 2, "fill": 1}  # of what copies and fills bytes, how many of its operands are addresses


def access_granularity(body: Body) -> int:
    """Return the largest power of two, up to 16, that divides the size and the alignment of every access, in bytes.

    Accesses of local variables do not count; without any other access it is 16.

    Raises:
        Declined: A type cannot be in memory, or `accessed_bytes` refuses the length of a copy or fill.
    """
    smallest = LARGEST
    for op in (op for segment in body.program.segments for op in segment.ops):
        what = compiled_form(op) or op.opcode
        if what in TYPED:
            value, pointer = TYPED[what]
            if local_variable_of(body, op.operands[pointer]) is None:
                for part in access_parts(op, op.type if value is None else op.operands[value].type):
                    smallest = min(smallest, part.access.width, part.access.align)
        for number in range(WHOLE.get(what, 0)):
            if local_variable_of(body, op.operands[number]) is None:
                access = accessed_bytes(op, number)
                smallest = min(smallest, access.width & -access.width, access.align)
    return smallest


def accessed_bytes(op: Op, number: int) -> Access:
    """Return what a copy or fill accesses at one of its pointers: a vector of bytes with the pointer's alignment, or 1.

    Args:
        number: The index of the pointer among the operands.

    Raises:
        Declined: The length is no constant, 0, or more than `MAX_BYTES`.
    """
    length, aligns = op.operands[2], op.attrs.get("aligns", ())
    size = unsigned_value(length) if isinstance(length, Const) else 0
    if not 0 < size <= MAX_BYTES:
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    return Access(Vector(size, Int(8)), max(1, aligns[number] if aligns else 1))
