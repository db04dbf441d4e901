"""Uniformity analysis: the values that all lanes of a block agree on, and the segments that only some may reach.

A value differs between lanes if it follows from a lane's number, from memory or from an exchange, or if it is computed
or chosen where lanes may take different paths.
"""

from collections.abc import Sequence
from typing import NamedTuple

from harness.simt.compile.graph import Op, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, compiled_form, intrinsic_of
from harness.simt.native.analysis.block_invariance import ADDRESS, KEPT, geometry_scope
from harness.simt.native.analysis.dataflow import Dataflow
from harness.simt.native.analysis.provenance import provenance_of

__all__ = ["UniformValues", "find_uniform_values"]


class UniformValues(NamedTuple):
    """The uniform values of a block.

    Attributes:
        values: Their numbers, without those that lanes exchange.
        apart: The segments that some lanes may reach alone, or more often than others.
    """

    values: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()


def find_uniform_values(program: Program) -> UniformValues:
    """Return the values that all lanes of a block agree on, and the segments that some lanes may reach alone.

    Parameters, and values that lanes exchange, are not among the values.
    """
    flow = _Flow(program)
    return UniformValues(frozenset(flow.uniform()), frozenset(flow.apart))


class _Flow(Dataflow):
    """Finds the values that differ between the lanes of a block.

    Attributes:
        apart: The segments that some lanes may reach alone, or more often than others.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._params = dict(program.params)
        self.apart: set[int] = set()
        self._behind = _post_dominators(self.segments)
        self.settle()

    def uniform(self) -> set[int]:
        """Return the numbers of the uniform results and phis.

        Those that are operands of exchanges between lanes are left out, though uniform.
        """
        ops = [op for segment in self.segments for op in segment.ops]
        exchanging = (op for op in ops if (intrinsic := intrinsic_of(op)) is not None and intrinsic.exchanges)
        exchanged = {number for op in exchanging for number in value_numbers(op.operands)}
        phis = {phi for segment in self.segments for phi, _ in segment.phis}
        return (self.definitions.keys() | phis) - self.varied - exchanged

    def _differs(self, op: Op) -> bool:
        takes = self._takes(op)
        match op.opcode:
            case "load":
                place = provenance_of(self.program, self.definitions, op.operands[0])
                return takes or place is None or self._params[place.param].indirect is None or place.offset is not None
            case "alloca":
                return False
            case "call":
                intrinsic = intrinsic_of(op)
                if intrinsic is None or intrinsic.varies:
                    return True
                if intrinsic.kind == "lanes":  # with operands it counts the lanes below
                    return bool(op.operands) or geometry_scope(intrinsic.name) not in ("block", "launch")
                return takes or intrinsic.kind == "stateful" or intrinsic.exchanges or compiled_form(op) == ADDRESS
        return takes or op.opcode in KEPT

    def _part(self, segment: Segment) -> None:
        """Mark what lanes may reach alone after a divergent branch, up to its post-dominator.

        The segments between are `apart`; their results, their phis and those of the post-dominator may differ.
        """
        meet = self._behind[segment.number]
        pending, reached = [target for target, _ in segment.edges], set[int]()
        while pending:
            number = pending.pop()
            if number != meet and number not in reached:
                reached.add(number)
                pending += [target for target, _ in self.segments[number].edges]
        for number in reached - self.apart:
            self.apart.add(number)
            current = self.segments[number]
            for op in current.ops:
                if op.result is not None:
                    self._vary(op.result)
            for place in (number, *(target for target, _ in current.edges)):
                self._vary_phis(place)
        if meet is not None:
            self._vary_phis(meet)

    def _vary_phis(self, number: int) -> None:
        for phi, _ in self.segments[number].phis:
            self._vary(phi)


def _post_dominators(segments: Sequence[Segment]) -> dict[int, int | None]:
    """Return for each segment its immediate post-dominator; None if no other segment is on all paths from it to an end.

    For a segment from which no path ends, the entry means nothing: it is None or some segment's number.
    """
    every = (1 << len(segments)) - 1
    after = {segment.number: every if segment.edges else 1 << segment.number for segment in segments}
    changed = True
    while changed:
        changed = False
        for segment in reversed(segments):
            if segment.edges:
                both = every
                for target, _ in segment.edges:
                    both &= after[target]
                both |= 1 << segment.number
                if both != after[segment.number]:
                    after[segment.number], changed = both, True
    # Those behind a segment are a chain, so behind the nearest are all others. Segments of an endless loop keep all the
    # bits that they began with, since no path leads to the kernel's end: those bits name no chain.
    ending = _ending_segments(segments)
    numbers = {after[number]: number for number in ending}
    return {
        number: numbers.get(behind & ~(1 << number)) if number in ending else None for number, behind in after.items()
    }


def _ending_segments(segments: Sequence[Segment]) -> set[int]:
    """Return the numbers of the segments from which a path leads to the kernel's end."""
    before: dict[int, list[int]] = {segment.number: [] for segment in segments}
    for segment in segments:
        for target, _ in segment.edges:
            before[target].append(segment.number)
    pending = [segment.number for segment in segments if not segment.edges]
    ending = set(pending)
    while pending:
        new = set(before[pending.pop()]) - ending
        ending |= new
        pending += new
    return ending
