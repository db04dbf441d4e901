"""Split a warp's `ldmatrix` into a load of one row by each lane and an exchange of elements, and lower both.

So such a load is two instructions here, with a wait of the warp in between: what a lane that goes on stores does not
come to those that are still to load.
"""

from collections.abc import Iterator
from dataclasses import replace

from harness.simt.compile.graph import Op, Ref
from harness.simt.compile.program import Program
from harness.simt.compile.segments import compiled_form
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Int, Pointer, Type, Vector
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import IrValue
from harness.simt.native.emit.lane_values import LANE, WHO
from harness.simt.native.lower.exchanges import SNAPSHOT, exchanged_values
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import check_alignment, checked_address
from harness.simt.native.sanitize.byte_marks import check_copies
from harness.simt.state.allocation import Access

__all__ = ["split_row_loads"]

WORD, ROW = "rows", "matrix.row"
SIDE = 8  # rows of a matrix, and elements of a row
ELEMENTS = Vector(SIDE, Int(16))
WHOLE = Access(ELEMENTS, 16)


def split_row_loads(program: Program) -> Program:
    """Return a program in which each load of matrix rows is two instructions: a load of a row, and an exchange.

    It is the program itself if it has no such load.
    """
    if not any(compiled_form(op) == WORD for segment in program.segments for op in segment.ops):
        return program
    types = list(program.graph.types)
    segments = tuple(replace(segment, ops=tuple(_split(segment.ops, types))) for segment in program.segments)
    return replace(program, segments=segments, graph=replace(program.graph, types=types))


def _split(ops: tuple[Op, ...], types: list[Type]) -> Iterator[Op]:
    for op in ops:
        if compiled_form(op) == WORD:
            row = Ref(len(types), ELEMENTS)
            types.append(ELEMENTS)
            yield replace(op, opcode=ROW, result=row.number, type=ELEMENTS)
            op = replace(op, operands=(row,))
        yield op


def _matrices(op: Op) -> int:
    return int(op.callee.partition(".x")[2][0])


@lowers(ROW)
def row(body: Body, op: Op) -> None:
    """Emit the load of a row, a vector of eight i16, with all checks, by the first lanes of a warp.

    There are eight of these lanes for each matrix. The others get 0, and nothing is checked for them.

    Raises:
        Declined: `global` or `elements` is noted, or the operand is no pointer.
    """
    build = Builder(body)
    (pointer,) = op.operands
    if body.notes & {"global", "elements"} or not isinstance(pointer.type, Pointer):
        raise Declined(Reason.BESIDE_COUNTERS_OR_NUMBER, name=op.callee.removeprefix("@"))
    address = build.value(pointer)
    has_row = build.icmp_unsigned("<", build.and_(WHO, 31), SIDE * _matrices(op))

    def read() -> IrValue:
        where = checked_address(body, address, WHOLE.width, pointer)
        check_alignment(where, WHOLE)
        if body.program.copies:
            check_copies(where, WHOLE, "load")
        check_initialised(where, WHOLE, "load")
        check_races(where, WHOLE, "load")
        return build.load(where.at("data"), str(ELEMENTS), align=1)

    build.define(op, build.value_if(has_row, str(ELEMENTS), read))


@forms("rows")
def rows(body: Body, op: Op, how: str) -> None:
    """Emit for each matrix an i32 with two elements of it, from the rows that the lanes loaded.

    Lane n gets those in row n / 4, columns 2 (n % 4) and the next; with rows and columns swapped if `how` is `trans`.
    """
    build = Builder(body)
    (operand,) = op.operands
    number = exchanged_values(body, operand)
    assert number is not None
    lane, warp = build.and_(LANE, 31), build.and_(LANE, -32)
    line, pair = build.lshr(lane, 2), build.shl(build.and_(lane, 3), 1)
    names = []
    for matrix in range(_matrices(op)):
        first, elements = build.add(warp, SIDE * matrix), []
        for neighbour in range(2):
            across = build.or_(pair, neighbour)
            of, at = (across, line) if how == "trans" else (line, across)
            _, place = build.lane_storage(number, 0, build.add(first, of), SNAPSHOT)
            element = build.load(build.gep(place, at, "i16"), "i16", align=1)
            elements.append(build.zext(element, "i32"))
        names.append(build.or_(elements[0], build.shl(elements[1], 16)))
    build.define(op, *names)
