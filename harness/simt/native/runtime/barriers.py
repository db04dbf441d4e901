"""Number barriers by source line, emit functions of what each orders, and report which of them accesses needed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from harness.simt.compile.declarations import BOTH, Barrier, Spaces
from harness.simt.compile.fences import spaces_ordered_at
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.ir.site import Line
from harness.simt.native.analysis.warp_sync import ordered_spaces
from harness.simt.native.emit.context import MARKS, MOST_LINES
from harness.simt.native.runtime.kernel_tables import table

__all__ = ["UNKNOWN", "Needs", "barrier_functions", "needs_of"]

NEVER = -1  # of a barrier that no block came to


def barrier_functions(
    program: Program, entries: Sequence[Segment], origins: Sequence[int]
) -> tuple[tuple[Line, ...], list[str]]:
    """Return the source lines that have barriers, each once, and the LLVM IR of three functions of a cut segment.

    `barrier_line` returns the index, among the source lines, of the barrier before the segment; 0, as for the first
    line, if there is none. For `orders_shared` and `orders_global` see `_orders`. All take the segment's number.

    Args:
        entries: The cut segments that lanes wait before, and the first.
        origins: For each cut segment, the number of the program's segment.
    """
    lines: dict[Line, int] = {}  # copies of a barrier go with its line
    gates = [
        (segment.number, segment.gate.site)
        for segment in entries
        if segment.gate and isinstance(segment.gate.wait, Barrier)
    ]
    numbers = [(segment, lines.setdefault(site.line, len(lines))) for segment, site in gates]
    met = {segment.number: ordered_spaces(program, segment) for segment in entries}
    ordering = (line for space in sorted(BOTH) for line in _orders(program, origins, met, space))
    return tuple(lines), [*table("barrier_line", "i32", "i32", dict(numbers), 0), *ordering]


def _orders(program: Program, origins: Sequence[int], met: Mapping[int, Spaces], space: str) -> Iterator[str]:
    """Yield the lines of `orders_SPACE`, a function of the number of a cut segment: it returns whether the barrier or
    the warp synchronisation before the segment orders an address space, and true if there is neither.

    Args:
        origins: For each cut segment, the number of the program's segment.
        met: By number of a cut segment, the spaces that a warp synchronisation before it orders; an empty set counts as
            no synchronisation.
        space: The address space.
    """
    gates = (segment for segment in program.segments if segment.gate and isinstance(segment.gate.wait, Barrier))
    others = [origins.index(segment.number) for segment in gates if space not in spaces_ordered_at(program, segment)]
    others += [number for number, spaces in met.items() if spaces and space not in spaces]
    return table(f"orders_{space}", "i1", "i32", dict.fromkeys(others, "false"), "true")


class Needs(NamedTuple):
    """Barriers that a launch reached, by their lines and by whether any pair of accesses needed them.

    Attributes:
        alone: The barriers that were needed: each is the only one that orders some pair of accesses.
        nowhere: The others.
        sure: Whether all of the others may be left out, and every block reached them in this order.
    """

    alone: frozenset[Line]
    nowhere: tuple[Line, ...]
    sure: bool


UNKNOWN = Needs(frozenset(), (), False)


@lru_cache
def needs_of(lines: tuple[Line, ...], passed: tuple[int, ...], marks: bytes) -> Needs:
    """Return the barriers that a launch reached, by whether they were needed, from what compiled code noted.

    Barriers that no block reached are left out. The needless ones are in the order in which blocks reached them. `sure`
    is False if a pair of accesses may need one of them. For two or more it is False also if a pair needs one or
    another of them, if their order differs between blocks, or if over 63 lines have barriers.

    Args:
        lines: The lines of the source that have barriers.
        passed: For each of them, the lines that all blocks passed before it, as bits; -1 if no block came to it.
        marks: `MARKS` bytes for each of them; see `harness.simt.native.emit.context`.
    """
    before = {number: ahead for number, ahead in enumerate(passed[: len(lines)]) if ahead != NEVER}
    needed, maybe, earlier = (marks[first::MARKS] for first in range(MARKS))
    needless = sorted(
        (number for number in before if not needed[number]), key=lambda number: before[number].bit_count()
    )
    sure = not any(maybe[number] for number in needless)
    if len(needless) > 1:  # that none is needed alone says nothing of two
        ordered = all(before[later] >> first & 1 for first, later in pairwise(needless))
        sure = sure and ordered and len(lines) <= MOST_LINES and not any(earlier[number] for number in needless)
    alone = frozenset(line for number, line in enumerate(lines) if number in before and number not in needless)
    return Needs(alone, tuple(lines[number] for number in needless), sure)
