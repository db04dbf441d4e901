"""Split basic blocks into segments where lanes wait (`Gate`), number them in execution order, compute liveness.

Also look up the intrinsic that an instruction calls, or was expanded from.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import Generic, TypeVar

from harness.simt.compile import registry
from harness.simt.compile.declarations import Wait, WarpSync
from harness.simt.compile.graph import BasicBlock, ControlFlowGraph, Op, Value, value_numbers
from harness.simt.compile.order import order_for_convergence
from harness.simt.ir.module import Const
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type

__all__ = [
    "Gate",
    "Segment",
    "compiled_form",
    "compute_liveness",
    "expanded_intrinsic",
    "intrinsic_calls",
    "intrinsic_of",
    "segments_after_gates",
    "split_into_segments",
]


CALLED = re.compile(r"call [^@]*@([\w.]+)\(")
MAX_SEGMENT_LENGTH = 256  # instructions: long functions take long to compile, and a launch has a time limit
Kind = TypeVar("Kind", bound=Wait, covariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class Gate(Generic[Kind]):
    """A wait before a segment: what lanes wait for, and the instruction that waits.

    Attributes:
        segment: The segment's number.
        op: The instruction that waits, the first of the segment.
    """

    segment: int
    wait: Kind
    op: Op

    @property
    def site(self) -> Site:
        """Return the site of the instruction that waits."""
        return self.op.site

    @property
    def name(self) -> str:
        """Return the name of the intrinsic, without `@`."""
        return self.op.callee.removeprefix("@")


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A part of a basic block, with its terminator.

    Attributes:
        phis: As in a `BasicBlock`; so are `term`, `condition` and `cases`.
        gate: What lanes wait for first, or None.
        live: The values from before it that are needed here or later, as a bit set of value numbers.
        edges: The successors, each with the values that its phis take.
        stores: The values defined here that are needed later.
        loop: The number of the outermost loop it is in, or None.
        site: The site at which it ends: a terminator, a call, or the next wait.
        varies: Whether an instruction in it gives another value each time it runs.
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
    def terminator_values(self) -> Iterator[Value | None]:
        """Yield the condition, or None without one, then the values that the successors' phis take, constants too."""
        yield self.condition
        for _, moves in self.edges:
            yield from moves


@dataclass(slots=True, eq=False)
class _SegmentDraft:
    """The instructions of a segment that is not numbered yet, and what lanes wait for before them."""

    block: BasicBlock
    ops: list[Op] = field(default_factory=list)
    wait: Wait | None = None


def expanded_intrinsic(op: Op) -> str:
    """Return the name of the expanded intrinsic that an instruction is part of, without `@`; empty for any other
    instruction, also for a call of such an intrinsic that was not expanded.

    It is read from the instruction's text, which is that of the call. The instructions of an expansion say nothing
    about what the target needs: only the intrinsic's name does.
    """
    text = op.site.text
    match = CALLED.search(text) if "call " in text else None
    if match is None or (op.opcode == "call" and op.callee == f"@{match[1]}"):
        return ""
    intrinsic = registry.find_intrinsic(match[1])
    return match[1] if intrinsic is not None and intrinsic.kind == "expanded" else ""


def intrinsic_of(op: Op) -> registry.Intrinsic | None:
    """Return the declaration of the intrinsic that an instruction calls, or None."""
    return registry.find_intrinsic(op.callee) if op.opcode == "call" else None


def compiled_form(op: Op) -> str:
    """Return the `compiled` field, such as `copy`, of the intrinsic that an instruction calls, up to its first dot.

    It is empty if the intrinsic has no form in the compiled engine, or the instruction calls no known intrinsic.
    """
    if op.opcode != "call":  # as most are
        return ""
    intrinsic = registry.find_intrinsic(op.callee)
    return "" if intrinsic is None else intrinsic.compiled.partition(".")[0]


def intrinsic_calls(segments: Iterable[Segment]) -> Iterator[tuple[Site, registry.Intrinsic]]:
    """Yield the site and the declaration of each call of an intrinsic."""
    for segment in segments:
        for op in segment.ops:
            if (intrinsic := intrinsic_of(op)) is not None:
                yield op.site, intrinsic


def _order_blocks(graph: ControlFlowGraph) -> tuple[list[BasicBlock], dict[int, int]]:
    """Return the blocks in execution order, and the number of the outermost loop of each in a loop, by `id(block)`.

    After the entry come the functions that are not inlined, callees first; then the rest of the kernel. Lower segments
    run first, so lanes that called a function together also continue together, as they do on hardware.
    """
    order, loops = order_for_convergence(graph.blocks, lambda block: [edge.target for edge in block.edges])
    if not graph.calls:
        return order, loops
    resuming = {block.resumes[0]: block for block in graph.blocks if block.resumes is not None}
    blocks_by_function: dict[str, list[BasicBlock]] = {}
    for block in graph.blocks:
        blocks_by_function.setdefault(block.function, []).append(block)

    def successors(block: BasicBlock) -> Iterator[BasicBlock]:
        """Yield the successors of a block in its own function; a call leads to where it returns."""
        for edge in block.edges:
            if edge.target.resumes is None and edge.target.function == block.function:
                yield edge.target
        for op in block.ops:
            number = op.operands[0] if op.opcode == "call.enter" else None
            if isinstance(number, Const) and number.value in resuming:
                yield resuming[number.value]

    def callees(blocks: list[BasicBlock]) -> Iterator[list[BasicBlock]]:
        for block in blocks:
            for edge in block.edges:
                if edge.target.resumes is None and edge.target.function != block.function:
                    yield blocks_by_function[edge.target.function]

    (entry, *kernel), *functions = (
        order_for_convergence(blocks, successors)[0]
        for blocks in order_for_convergence(list(blocks_by_function.values()), callees)[0]
    )
    return [entry, *(block for blocks in reversed(functions) for block in blocks), *kernel], loops


def split_into_segments(graph: ControlFlowGraph) -> tuple[Segment, ...]:
    """Split blocks where lanes wait or a segment gets too long, and number the segments in execution order.

    They come with `live` and `stores`. A segment that ends unreachable after a call that ends lanes exits instead.
    """
    order, loops = _order_blocks(graph)
    drafts: list[_SegmentDraft] = []
    first: dict[int, int] = {}  # number of a block's first segment, by `id(block)`
    for block in order:
        first[id(block)] = len(drafts)
        drafts += _split_block(block)
    segments = []
    for number, (draft, following) in enumerate(zip_longest(drafts, drafts[1:])):
        block, site = draft.block, draft.block.site
        term, condition, cases = block.term, block.condition, block.cases
        edges = tuple((first[id(edge.target)], edge.moves) for edge in block.edges)
        if following is not None and following.block is block:
            term, condition, cases = "jump", None, ()
            edges, site = ((number + 1, ()),), following.ops[0].site
        called = [intrinsic for op in draft.ops if (intrinsic := intrinsic_of(op)) is not None]
        if term == "unreachable" and draft.ops:
            last = intrinsic_of(draft.ops[-1])
            term = "exit" if last is not None and last.kind == "exit" else term
        segments.append(
            Segment(
                number,
                tuple(block.phis) if number == first[id(block)] else (),
                tuple(draft.ops),
                None if draft.wait is None else Gate(number, draft.wait, draft.ops[0]),
                term,
                condition,
                cases,
                edges,
                site,
                loops.get(id(block)),
                any(intrinsic.varies for intrinsic in called),
            )
        )
    return compute_liveness(segments)


def _split_block(block: BasicBlock) -> list[_SegmentDraft]:
    """Split one block before each wait, and after `MAX_SEGMENT_LENGTH` instructions; the first part may be empty.

    A wait of the warp for the mask that the segment began by waiting for does not split it again.
    """
    drafts = [_SegmentDraft(block)]
    synchronised_mask: Value | None = None  # the mask of lanes that the segment began by waiting for
    for op in block.ops:
        intrinsic = intrinsic_of(op)
        wait = intrinsic.waits if intrinsic is not None else None
        mask = op.operands[wait.mask] if isinstance(wait, WarpSync) and wait.mask is not None else None
        if wait is not None and (mask is None or mask != synchronised_mask):
            drafts.append(_SegmentDraft(block, wait=wait))
            synchronised_mask = mask
        elif len(drafts[-1].ops) == MAX_SEGMENT_LENGTH:
            drafts.append(_SegmentDraft(block))
            synchronised_mask = None
        drafts[-1].ops.append(op)
    return drafts


def _uses_and_definitions(segment: Segment) -> tuple[set[int], set[int]]:
    """Return the numbers of the values from before that a segment uses, and of those that it defines, phis included.

    What the successors' phis take counts as used by the segment, not by the successors.
    """
    defined = {number for number, _ in segment.phis}
    used: set[int] = set()
    for op in segment.ops:
        used.update(set(value_numbers(op.operands)) - defined)
        if op.opcode == "call":
            used.update(set(value_numbers((op.attrs["callee"],))) - defined)
        if op.result is not None:
            defined.add(op.result)
    return used | set(value_numbers(segment.terminator_values)) - defined, defined


def _to_bit_set(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _union_of_successors(segment: Segment, sets: Sequence[int]) -> int:
    """Return the union of the bit sets of a segment's successors."""
    return reduce(or_, (sets[target] for target, _ in segment.edges), 0)


def _solve_backwards(segments: Sequence[Segment], transfer: Callable[[Segment, int], int]) -> list[int]:
    """Solve a backward data-flow problem: return a bit set for each segment, by its number.

    `transfer` computes a segment's set from the segment and the union of its successors' sets. All begin empty, and
    are computed again until none changes.
    """
    sets, previous = [0] * len(segments), [-1]
    while sets != previous:
        previous = list(sets)
        for segment in reversed(segments):
            sets[segment.number] = transfer(segment, _union_of_successors(segment, sets))
    return sets


def compute_liveness(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Return copies of the segments with `live` (values from before it that are needed in it or later) and `stores`
    (values that it defines and that are needed later) filled in. They must be in the order of their numbers, from 0.
    """
    uses = [_uses_and_definitions(segment) for segment in segments]
    facts = [(_to_bit_set(used), _to_bit_set(defined)) for used, defined in uses]
    live = _solve_backwards(
        segments, lambda segment, ahead: facts[segment.number][0] | ahead & ~facts[segment.number][1]
    )

    def stored_values(segment: Segment) -> tuple[int, ...]:
        ahead = _union_of_successors(segment, live)
        return tuple(sorted(value for value in uses[segment.number][1] if ahead >> value & 1))

    return tuple(replace(segment, live=live[segment.number], stores=stored_values(segment)) for segment in segments)


def segments_after_gates(segments: Sequence[Segment], gates: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return, for each segment's number in `gates`, the segments (numbers) that it leads to and that do not lead back.

    Lanes that run one of them passed the gate or went around it. Segments without instructions are left out; the
    gate's own segment is included unless it leads back to itself.
    """
    after = _solve_backwards(
        segments, lambda segment, ahead: ahead | _to_bit_set({target for target, _ in segment.edges})
    )
    numbers = [segment.number for segment in segments if segment.ops]
    return {
        gate: frozenset(
            number for number in numbers if (after[gate] | 1 << gate) >> number & 1 and not after[number] >> gate & 1
        )
        for gate in gates
    }
