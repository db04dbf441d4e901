"""What tells the barriers of a module apart."""

from collections.abc import Iterator, Sequence

from harness.simt.compile.declarations import Barrier
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.ir.site import Line
from harness.simt.native.pieces import ordered

__all__ = ["of_barriers"]


def of_barriers(
    program: Program, entries: Sequence[Segment], origins: Sequence[int]
) -> tuple[tuple[Line, ...], list[str]]:
    """The lines of the source that have barriers, and the functions that say of which one is, and what it orders.

    Args:
        entries: The pieces that lanes wait before, and the first.
        origins: Of each piece the number of the segment that it is of.
    """
    lines: dict[Line, int] = {}  # copies of a barrier go with its line
    gates = [
        (piece.number, piece.gate.site) for piece in entries if piece.gate and isinstance(piece.gate.wait, Barrier)
    ]
    numbers = [(piece, lines.setdefault(site.line, len(lines))) for piece, site in gates]
    return tuple(lines), [*_line_of(numbers), *_orders_all(program, origins)]


def _line_of(numbers: Sequence[tuple[int, int]]) -> Iterator[str]:
    cases = " ".join(f"i32 {piece}, label %b{line}" for piece, line in numbers)
    yield "define internal i32 @line_of(i32 %pc) {"
    yield f"  switch i32 %pc, label %none [ {cases} ]"
    for line in sorted({line for _, line in numbers}):
        yield f"b{line}:\n  ret i32 {line}"
    yield "none:\n  ret i32 0\n}"


def _orders_all(program: Program, origins: Sequence[int]) -> Iterator[str]:
    """Whether a barrier orders global memory too."""
    gates = (piece for piece in program.segments if piece.gate and isinstance(piece.gate.wait, Barrier))
    near = [piece.number for piece in gates if "global" not in ordered(program, piece)]
    cases = " ".join(f"i32 {origins.index(number)}, label %near" for number in near)
    yield "define internal i1 @orders_all(i32 %pc) {"
    yield f"  switch i32 %pc, label %all [ {cases} ]\nnear:\n  ret i1 false\nall:\n  ret i1 true\n}}"
