"""Emit a lane's function segment by segment, so that warps run in lockstep and can be counted; decline other kernels.

Lanes that are at one segment run it together, the lowest segment first, as the interpreter runs them: so everything
that it counts of warps can be counted here. A lane's function ends
with each segment after which lanes may diverge. It returns the segment that the lane reaches, or, above `WAITING`, what
it waits for there. `library/lockstep.c` runs them; see also `sanitize.lane_counts`.
"""

from collections.abc import Iterator

from harness.simt.compile.declarations import Barrier
from harness.simt.compile.graph import Ref
from harness.simt.compile.segments import Segment
from harness.simt.declined import Declined, Reason
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.context import WAITING
from harness.simt.native.kernel.lane import STATE, Lane
from harness.simt.native.kernel.plan import KernelPlan
from harness.simt.native.runtime.kernel_tables import constant_function, table
from harness.simt.native.sanitize.lane_counts import end_lane, end_piece

__all__ = ["LockstepLane", "check_lockstep", "lockstep_functions"]


def check_lockstep(plan: KernelPlan) -> None:
    """Check that lanes of a kernel have to do with one another only by barriers and whole warps.

    Raises:
        Declined: It has copies, clusters, calls by pointer, barriers in shared memory, parts of warps that synchronise,
            or exchanges without a wait.
    """
    body, program = plan.body, plan.program
    if plan.partial_groups:
        raise Declined(Reason.COUNTING_PARTIAL_EXCHANGES)
    others = program.copies or program.graph.calls or body.arrives or plan.unawaited or plan.phases
    if others or CLUSTERS in body.notes:
        raise Declined(Reason.COUNTING_OTHERWISE)


class LockstepLane(Lane):
    """Emits the function of a lane for one segment, or several that always follow one another."""

    def signature(self) -> str:
        """Return the text of its parameters, without the parentheses: no uniform values, but the time
        and a count of branches.
        """
        return f"ptr %ctx, i64 %lane, {STATE}, i64 %when, ptr %taken"

    def _needed(self, target: int) -> set[int]:
        phis = {phi for phi, _ in self.plan.segments[target].phis} if target >= 0 else set[int]()
        return (super()._needed(target) | phis) - self.body.known

    def _keep(self, number: int, leaf: int, value: str) -> None:
        super()._keep(number, leaf, value)
        if number in self.body.doubtful and not leaf:
            flag = self.body.new(f"zext i1 {self.body.new(f'load i1, ptr %undefined{number}')} to i8")
            self.body.line(f"store i8 {flag}, ptr {self.body.own_place(f'undefined{number}')}")

    def _kept_value(self, number: int, leaf: int) -> str:
        return self.body.moved_value(Ref(number, self.types[number]), leaf)

    def _again(self) -> None:
        """Restore whether phis are undefined."""
        for number in sorted(self.interval.live & self.body.doubtful):
            flag = self.body.new(f"load i8, ptr {self.body.own_place(f'undefined{number}')}")
            self.body.line(f"store i1 {self.body.new(f'icmp ne i8 {flag}, 0')}, ptr %undefined{number}")

    def _end_piece(self, segment: Segment) -> None:
        origin = self.plan.origins[segment.number]
        last = segment.number + 1 == len(self.plan.segments) or self.plan.origins[segment.number + 1] != origin
        end_piece(self.body, len(segment.ops), ends=last)

    def _note_edge_taken(self, segment: Segment, edge: int) -> None:
        if not edge:
            before = self.body.new("load i64, ptr %taken")
            self.body.line(f"store i64 {self.body.new(f'add i64 {before}, 1')}, ptr %taken")

    def _halt(self, where: int) -> None:
        gate = self.plan.segments[where].gate if where >= 0 else None
        if gate is not None and isinstance(gate.wait, Barrier):
            self.body.tally.counts["barriers"] += 1
            end_piece(self.body, 0, ends=False)
        if where < 0:
            end_lane(self.body)
        self.body.line(f"ret i32 {where if gate is None and where >= 0 else WAITING + 1 + where}")


def _loop_ends(plan: KernelPlan) -> Iterator[int]:
    """Yield for each segment the number of the last segment of the same outermost loop; -1 outside of loops."""
    last: dict[int, int] = {}
    for segment in plan.segments:
        if segment.loop is not None:
            last[segment.loop] = segment.number
    yield from (-1 if segment.loop is None else last[segment.loop] for segment in plan.segments)


def lockstep_functions(plan: KernelPlan) -> Iterator[str]:
    """Yield the LLVM IR of two functions that `library/lockstep.c` and `library/lane_counts.c` call.

    `end_of_loop` takes a segment's number and returns that of the last segment of its outermost loop, or -1 outside
    of loops. `cell_bytes` takes nothing and returns the size of a memory location in bytes.
    """
    ends = {segment.number: end for segment, end in zip(plan.segments, _loop_ends(plan), strict=True) if end >= 0}
    yield from table("end_of_loop", "i32", "i32", ends, -1)
    yield from constant_function("cell_bytes", "i64", plan.layout.cell_bytes)
