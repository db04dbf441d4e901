"""Pieces of blocks that lanes run without waiting, and what lives across them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import Generic, TypeVar

from harness.simt.compile import registry
from harness.simt.compile.declarations import Wait, WarpSync
from harness.simt.compile.graph import FlatBlock, Graph, Op, Value, numbers_of
from harness.simt.compile.order import loop_contiguous
from harness.simt.ir.module import Const
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type

__all__ = [
    "Gate",
    "Segment",
    "behind",
    "compiled_form",
    "expanded_call",
    "intrinsic_of",
    "intrinsics",
    "segments_of",
    "with_live",
]


CALLED = re.compile(r"call [^@]*@([\w.]+)\(")
LONGEST = 256  # instructions: what is long takes long to compile, and a launch has a time limit
Kind = TypeVar("Kind", bound=Wait, covariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class Gate(Generic[Kind]):
    """What lanes wait for before a segment.

    Attributes:
        segment: The segment's number.
        op: The instruction that waits, the first of the segment.
    """

    segment: int
    wait: Kind
    op: Op

    @property
    def site(self) -> Site:
        """Where it is."""
        return self.op.site

    @property
    def name(self) -> str:
        """The name of the intrinsic, as a report shows it."""
        return self.op.callee.removeprefix("@")


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A piece of a block.

    Attributes:
        phis: As of a `FlatBlock`, as are `term`, `condition` and `cases`.
        gate: What lanes wait for first, or None.
        live: The values needed here or later, as a bit set of value numbers.
        edges: The segments that follow, each with what its phis take.
        stores: The values made here that are needed later.
        loop: The number of the outermost loop it is in, or None.
        site: What it ends with: a terminator, a call, or what lanes wait for next.
        varies: Whether something in it gives another value each time it runs.
    """

    number: int
    phis: tuple[tuple[int, Type], ...]
    ops: tuple[Op, ...]
    gate: Gate[Wait] | None
    term: str
    condition: Value | None
    cases: tuple[int, ...]
    edges: tuple[tuple[int, tuple[Value, ...]], ...]
    site: Site | None
    loop: int | None
    varies: bool
    live: int = 0
    stores: tuple[int, ...] = ()

    @property
    def given(self) -> Iterator[Value | None]:
        """What it branches by, and what it gives to the phis of those that follow."""
        yield self.condition
        for _, moves in self.edges:
            yield from moves


@dataclass(slots=True, eq=False)
class _Piece:
    """The instructions of a segment, and what lanes wait for before them."""

    block: FlatBlock
    ops: list[Op] = field(default_factory=list)
    wait: Wait | None = None


def expanded_call(op: Op) -> str:
    """Return the intrinsic whose place an instruction takes; empty for any other instruction.

    What the intrinsic is made of here says nothing about what the target needs for it.
    """
    text = op.site.text
    match = CALLED.search(text) if "call " in text else None
    if match is None or (op.opcode == "call" and op.callee == f"@{match[1]}"):
        return ""
    intrinsic = registry.find(match[1])
    return match[1] if intrinsic is not None and intrinsic.kind == "expanded" else ""


def intrinsic_of(op: Op) -> registry.Intrinsic | None:
    """What is declared of the intrinsic that an op calls, or None."""
    return registry.find(op.callee) if op.opcode == "call" else None


def compiled_form(op: Op) -> str:
    """Return the word for what an intrinsic becomes in the compiled engine, `copy`; empty if it has no such form."""
    if op.opcode != "call":  # as most are
        return ""
    intrinsic = registry.find(op.callee)
    return "" if intrinsic is None else intrinsic.native.partition(".")[0]


def intrinsics(segments: Iterable[Segment]) -> Iterator[tuple[Site, registry.Intrinsic]]:
    """Each call of an intrinsic, with what is declared of it."""
    for segment in segments:
        for op in segment.ops:
            if (intrinsic := intrinsic_of(op)) is not None:
                yield op.site, intrinsic


def _order(graph: Graph) -> tuple[list[FlatBlock], dict[int, int]]:
    """The blocks in the order that they run, and the loop of each by its identity.

    Behind the entry, to which nothing comes back, stand the functions that were not spliced in, each behind those that
    it calls; then the rest of the kernel. So lanes that called one together go on together, as they do on hardware.
    """
    order, loops = loop_contiguous(graph.blocks, lambda block: [edge.target for edge in block.edges])
    if not graph.calls:
        return order, loops
    resuming = {block.resumes[0]: block for block in graph.blocks if block.resumes is not None}
    parts: dict[str, list[FlatBlock]] = {}
    for block in graph.blocks:
        parts.setdefault(block.function, []).append(block)

    def following(block: FlatBlock) -> Iterator[FlatBlock]:
        """The blocks behind one in its own function: what a call does is left out."""
        for edge in block.edges:
            if edge.target.resumes is None and edge.target.function == block.function:
                yield edge.target
        for op in block.ops:
            number = op.operands[0] if op.opcode == "call.enter" else None
            if isinstance(number, Const) and number.value in resuming:
                yield resuming[number.value]

    def called(part: list[FlatBlock]) -> Iterator[list[FlatBlock]]:
        for block in part:
            for edge in block.edges:
                if edge.target.resumes is None and edge.target.function != block.function:
                    yield parts[edge.target.function]

    (entry, *kernel), *functions = (
        loop_contiguous(part, following)[0] for part in loop_contiguous(list(parts.values()), called)[0]
    )
    return [entry, *(block for part in reversed(functions) for block in part), *kernel], loops


def segments_of(graph: Graph) -> tuple[Segment, ...]:
    """Cuts blocks where lanes wait or a piece gets long, and numbers the pieces in the order they run."""
    order, loops = _order(graph)
    pieces: list[_Piece] = []
    first: dict[int, int] = {}  # of a block, by its identity
    for block in order:
        first[id(block)] = len(pieces)
        pieces += _cut(block)
    segments = []
    for number, (piece, following) in enumerate(zip_longest(pieces, pieces[1:])):
        block, site = piece.block, piece.block.site
        term, condition, cases = block.term, block.condition, block.cases
        edges = tuple((first[id(edge.target)], edge.moves) for edge in block.edges)
        if following is not None and following.block is block:
            term, condition, cases = "jump", None, ()
            edges, site = ((number + 1, ()),), following.ops[0].site
        called = [found for op in piece.ops if (found := intrinsic_of(op)) is not None]
        if term == "unreachable" and piece.ops:
            last = intrinsic_of(piece.ops[-1])
            term = "exit" if last is not None and last.kind == "ending" else term
        segments.append(
            Segment(
                number,
                tuple(block.phis) if number == first[id(block)] else (),
                tuple(piece.ops),
                None if piece.wait is None else Gate(number, piece.wait, piece.ops[0]),
                term,
                condition,
                cases,
                edges,
                site,
                loops.get(id(block)),
                any(intrinsic.varies for intrinsic in called),
            )
        )
    return with_live(segments)


def _cut(block: FlatBlock) -> list[_Piece]:
    pieces = [_Piece(block)]
    met: Value | None = None  # whom the lanes of the piece have just waited for, and met
    for op in block.ops:
        intrinsic = intrinsic_of(op)
        wait = intrinsic.waits if intrinsic is not None else None
        mask = op.operands[wait.mask] if isinstance(wait, WarpSync) and wait.mask is not None else None
        if wait is not None and (mask is None or mask != met):
            pieces.append(_Piece(block, wait=wait))
            met = mask
        elif len(pieces[-1].ops) == LONGEST:
            pieces.append(_Piece(block))
            met = None
        pieces[-1].ops.append(op)
    return pieces


def _uses(segment: Segment) -> tuple[set[int], set[int]]:
    """The values a segment takes from before it, and those it makes."""
    made = {number for number, _ in segment.phis}
    used: set[int] = set()
    for op in segment.ops:
        used.update(set(numbers_of(op.operands)) - made)
        if op.opcode == "call":
            used.update(set(numbers_of((op.attrs["callee"],))) - made)
        if op.result is not None:
            made.add(op.result)
    return used | set(numbers_of(segment.given)) - made, made


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _ahead(segment: Segment, sets: Sequence[int]) -> int:
    """What is in the set of one of those that follow a segment."""
    return reduce(or_, (sets[target] for target, _ in segment.edges), 0)


def _settled(segments: Sequence[Segment], grown: Callable[[Segment, int], int]) -> list[int]:
    """For each segment a bit set that is made from those ahead, once no more comes of it."""
    sets, before = [0] * len(segments), [-1]
    while sets != before:
        before = list(sets)
        for segment in reversed(segments):
            sets[segment.number] = grown(segment, _ahead(segment, sets))
    return sets


def with_live(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments with the values that are needed in or after each, and those that each leaves to others."""
    uses = [_uses(segment) for segment in segments]
    facts = [(_bits(used), _bits(made)) for used, made in uses]
    live = _settled(segments, lambda segment, ahead: facts[segment.number][0] | ahead & ~facts[segment.number][1])

    def left(segment: Segment) -> tuple[int, ...]:
        ahead = _ahead(segment, live)
        return tuple(sorted(value for value in uses[segment.number][1] if ahead >> value & 1))

    return tuple(replace(segment, live=live[segment.number], stores=left(segment)) for segment in segments)


def behind(segments: Sequence[Segment], gates: Iterable[int]) -> dict[int, frozenset[int]]:
    """By gate the segments with instructions that are run behind it, and from which none comes to it again.

    Among them is the gate's own, unless it is in a loop: who ran one of these passed the gate, or went around it.
    """
    after = _settled(segments, lambda segment, ahead: ahead | _bits({target for target, _ in segment.edges}))
    numbers = [segment.number for segment in segments if segment.ops]
    return {
        gate: frozenset(
            number for number in numbers if (after[gate] | 1 << gate) >> number & 1 and not after[number] >> gate & 1
        )
        for gate in gates
    }
