"""Cut a kernel at waits and uniform branches (forks); choose which values lanes store there or recompute."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.native.kernel.plan import BarrierInterval, KernelPlan

__all__ = ["END", "Region", "Regions"]

CHEAP = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "zext", "sext", "trunc", "select"}
CHEAP |= {"getelementptr", "addrspacecast", "bitcast", "ptrtoint", "inttoptr", "ptrtoaddr"}
END = -1
FIRST = -8  # as lanes return them: the fork after segment 0, below it the others
Fork: TypeAlias = tuple[Segment, int]  # the segment that it ends, and the index of the edge


@dataclass(frozen=True, slots=True)
class Region:
    """Code that lanes run from a wait, or from an edge of a fork, to the next wait or fork.

    Attributes:
        number: Its index among the regions.
        interval: Its code, as of a barrier interval; `always` are the segments that need not be noted.
        fork: The fork and the edge at which it begins; None after a wait.
        ends: Where it may end, as lanes return it: a segment that it waits before, a fork, or `END`.
        again: The values that it needs and recomputes, since they are not kept.
    """

    number: int
    interval: BarrierInterval
    fork: Fork | None
    ends: list[int]
    again: set[int]


class Regions:
    """The regions of a kernel.

    Attributes:
        forks: The values that are kept for the edges of each fork, by the number of its segment.
        regions: All of them; the first is where a block begins.
        waits, after_edge: The number of the region after a wait, by its segment, or after an edge of a fork.

    Raises:
        Declined: A fork is in intervals that compare control paths and in others.
    """

    def __init__(self, plan: KernelPlan) -> None:
        self.plan, self._known = plan, plan.body.known
        self._parts: dict[int, frozenset[int] | None] = {}
        together = [segment for segment in plan.segments if self._is_fork(segment)]
        self.forks = {
            segment.number: self._numbers([segment.condition])
            | {
                number
                for edge in range(len(segment.edges))
                for number in self.values_to_keep(self._needed_on_edge(segment, edge))
            }
            for segment in together
        }
        begins: list[tuple[Segment, Fork | None]] = [(segment.entry, None) for segment in plan.intervals]
        begins += [
            (plan.segments[to], (segment, edge)) for segment in together for edge, (to, _) in enumerate(segment.edges)
        ]
        self.regions = [self._region(number, *begin) for number, begin in enumerate(begins)]
        self.waits = {region.interval.entry.number: region.number for region in self.regions if region.fork is None}
        self.after_edge = {
            (region.fork[0].number, region.fork[1]): region.number for region in self.regions if region.fork is not None
        }

    @staticmethod
    def end_of(segment: int) -> int:
        """Return the number by which lanes say that they reached the fork after a segment."""
        return FIRST - segment

    def values_to_keep(self, numbers: Iterable[int]) -> set[int]:
        """Return the numbers of the values to keep in memory, so that lanes have `numbers` later.

        A value that lanes recompute is not kept, but the uniform values that it follows from: see `_recomputed_from`.
        """
        operands = {number: self._recomputed_from(number) for number in numbers}
        return {needed for number, of in operands.items() for needed in ([number] if of is None else of)}

    def _is_fork(self, segment: Segment) -> bool:
        """Return True if all lanes of a block reach the end of a segment together and take the same edge.

        False also if it does not branch.
        """
        is_uniform = isinstance(segment.condition, Ref) and segment.condition.number in self.plan.once | self._known
        return is_uniform and self.plan.origins[segment.number] not in self.plan.apart

    def _numbers(self, values: Iterable[Value | None]) -> set[int]:
        return set(value_numbers(values)) - self._known

    def _needed_on_edge(self, segment: Segment, edge: int) -> set[int]:
        """Return the numbers of the values that are needed on an edge of a fork, with the operands of its phis."""
        to, moves = segment.edges[edge]
        phis = {phi for phi, _ in self.plan.segments[to].phis}
        return self.plan.live(self.plan.segments[to]) - phis | self._numbers(moves)

    def _recomputed_from(self, number: int) -> frozenset[int] | None:
        """Return the uniform values from which a lane recomputes a value; None if the value must be kept.

        Only cheap integer arithmetic, address computations and a lane's position are recomputed. None of the uniform
        values changes before the value is needed: whatever computes them again computes the value again, too.
        """
        if number not in self._parts:
            op, self._parts[number] = self.plan.body.definitions.get(number), None
            if op is not None and number not in self.plan.once and (op.opcode in CHEAP or _reads_position(op)):
                uniform = self._numbers(op.operands) & self.plan.once
                others = [self._recomputed_from(operand) for operand in self._numbers(op.operands) - uniform]
                if None not in others:
                    self._parts[number] = frozenset(
                        uniform.union(*(operand for operand in others if operand is not None))
                    )
        return self._parts[number]

    def _region(self, number: int, entry: Segment, fork: Fork | None) -> Region:
        """Return the region that begins at a segment: after a wait if `fork` is None, otherwise on an edge of a fork.

        It has no code if a fork's edge leads straight to a wait.

        Raises:
            Declined: See `_chooses`.
        """
        plan, waits = self.plan, fork is not None and entry.gate is not None
        inside = [] if waits else self._inside(entry)
        needed = plan.live(entry) if fork is None else self._needed_on_edge(*fork)
        operands = {item for value in plan.body.definitions for item in self._recomputed_from(value) or ()}
        defined = {phi for segment in (entry, *inside) for phi, _ in segment.phis}
        defined |= {item for segment in inside for item in segment.stores}
        defined |= {op.result for segment in inside for op in segment.ops if op.result in operands}
        defined -= plan.body.known
        ends, live_out = {entry.number} if waits else set[int](), set[int]()
        for segment in inside:
            if (behind := self.forks.get(segment.number)) is not None:
                ends.add(self.end_of(segment.number))
                live_out |= behind & (defined | {op.result for op in segment.ops})
            else:
                ends |= {to for to, _ in segment.edges if plan.segments[to].gate is not None}
                ends |= {END} if segment.term == "exit" else set()
        live_out |= defined & {
            item for end in ends if end >= 0 for item in self.values_to_keep(plan.live(plan.segments[end]))
        }
        live = self.values_to_keep(needed)
        common = [
            segment.number for segment in inside if plan.origins[segment.number] in plan.body.invariance.common_segments
        ]
        interval = BarrierInterval(
            entry,
            inside,
            common + [item for item in (plan.always(entry) if inside else []) if item not in common],
            defined,
            live,
            plan.leaves(live & plan.once),
            plan.leaves(live_out & plan.once),
            self._chooses(entry, fork),
            differs=False,  # it is known that its lanes went as those of the block before
            can_repeat=plan.can_repeat(inside, self.forks),
            looped=False,
        )
        return Region(
            number, interval, fork, sorted(ends), {item for item in needed if self._recomputed_from(item) is not None}
        )

    def _inside(self, entry: Segment) -> list[Segment]:
        """Return the segments, in order, that a lane may reach before the next wait or fork, from an entry on."""
        segments, reached, pending = self.plan.segments, set[int](), [entry]
        while pending:
            segment = pending.pop()
            if segment.number not in reached and (segment.gate is None or not reached):
                reached.add(segment.number)
                pending += [segments[to] for to, _ in segment.edges if segment.number not in self.forks]
        return [segments[number] for number in sorted(reached)]

    def _chooses(self, entry: Segment, fork: Fork | None) -> bool:
        """Return True if the barrier intervals that contain a region compare control paths; False if none contains it.

        Args:
            entry, fork: Where the region begins, as for `_region`.

        Raises:
            Declined: Some of the intervals do and others do not.
        """
        inside = (
            (interval, entry in (interval.entry,) if fork is None else fork[0] in interval.inside)
            for interval in self.plan.intervals
        )
        choices = {interval.chooses for interval, there in inside if there}
        if len(choices) > 1:
            raise Declined(Reason.FORK)
        return True in choices


def _reads_position(op: Op) -> bool:
    """Return True if an instruction only reads a lane's position in the grid, and takes no operands."""
    intrinsic = intrinsic_of(op)
    return intrinsic is not None and intrinsic.kind == "lanes" and not (op.operands or intrinsic.varies)
