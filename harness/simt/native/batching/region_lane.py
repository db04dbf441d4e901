"""Emit the function that one lane runs in one region of a batched block: a subclass of `kernel.lane.Lane`.

`batch` emits the loops that call it. Values may be recomputed, and the control path is compared with the block before.
"""

from harness.simt.compile.graph import Ref
from harness.simt.compile.segments import Segment
from harness.simt.ir.types import leaves
from harness.simt.native.batching.regions import END, Region, Regions
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.kernel.lane import STATE, Lane
from harness.simt.native.lower import asynchronous_copies as copies
from harness.simt.native.lower.table import LOWERINGS
from harness.simt.native.sanitize.control_path import WAYS, take_turn
from harness.simt.native.sanitize.counting import begin_counting

__all__ = ["RegionLane"]


class RegionLane(Lane):
    """Emits the function of a lane in one region, in a block that behaves like the one before it."""

    def __init__(self, regions: Regions, region: Region, shape: BlockShape) -> None:
        super().__init__(regions.plan, region.interval)
        self.region, self.regions, self.shape = region, regions, shape

    def written(self) -> list[str]:
        """Return the lines of the function's body without its first line, which `header` makes afterwards.

        Sets `shape.shares`, until the next region sets it: True if the lanes of this region must run one after another,
        since they may access memory that others write, or note which segments they reach.

        Raises:
            Declined: An instruction has no compiled form.
        """
        body, interval = self.body, self.interval
        body.lines, self.shape.shares = [], any(segment.number not in interval.always for segment in interval.inside)
        self._heads("table", "own", "count", "reached")
        body.line(f"%threads = add i64 0, {self.shape.lanes}")
        if interval.chooses:
            body.line("%ways = alloca i64")
            before = "0" if self.region.fork is None else body.new(f"load i64, ptr {body.own_place('ways', 8)}")
            body.line(f"store i64 {before}, ptr %ways")
        copies.begin_flight(body, within=self.region.fork is not None)
        begin_counting(body, interval.entry.number)
        self._emit_interval()
        body.lines.append("bad:")
        for number, leaf, ty in interval.uniform_out:
            body.line(f"store {ty} undef, ptr %o.{number}.{leaf}")
        body.line("ret i32 -2\n}")
        return body.lines if self.shape.shares else [_alone(line) for line in body.lines]

    def header(self) -> str:
        """Return the function's first line, its definition; call it after `written`, which adds parameters."""
        parameters = ["ptr %spill", "ptr %ways.at", "i64 %turn", "ptr %undo", *self.shape.arguments()]
        parameters += [f"{ty} %u.{number}.{leaf}" for number, leaf, ty in self.interval.uniform_in]
        parameters += [f"ptr %o.{number}.{leaf}" for number, leaf, _ in self.interval.uniform_out]
        state = f"ptr %ctx, i64 %lane, i64 %x, {STATE}, {', '.join(parameters)}"
        return f"define internal i32 @leg{self.region.number}({state}) alwaysinline {{"

    def _needed(self, target: int) -> set[int]:
        return self.regions.values_to_keep(super()._needed(target))

    def _others(self) -> set[int]:
        return self.region.again

    def _again(self) -> None:
        for number in sorted(self.region.again):
            self._make(number)
            for leaf in range(len(leaves(self.types[number]))):
                self._set_variable(number, leaf, self.body.values[number, leaf])

    def _make(self, number: int) -> None:
        if (number, 0) not in self.body.values and number not in self.plan.once | self.body.known:
            op = self.body.definitions[number]
            for operand in op.operands:
                if isinstance(operand, Ref):
                    self._make(operand.number)
            LOWERINGS[op.opcode](self.body, op)

    def _begin(self, ends: set[int]) -> None:
        if self.region.fork is None:
            super()._begin(ends)
            return
        segment, edge = self.region.fork
        if self.plan.origins[segment.number] in self.body.invariance.branches:
            take_turn(self.body, WAYS, (segment.number << 8) + edge + 1)
        self._edge(END, *segment.edges[edge], ends)

    def _leave(self, segment: Segment, ends: set[int]) -> None:
        if segment.number not in self.regions.forks:
            super()._leave(segment, ends)
            return
        for number in sorted(
            self.regions.forks[segment.number] & (self.interval.defined | {op.result for op in segment.ops})
        ):
            for leaf in range(len(leaves(self.types[number]))):
                self._keep(number, leaf, self.body.raw(Ref(number, self.types[number]), leaf))
        copies.check_flight(self.body, within=True)
        if self.interval.chooses:
            place = self.body.own_place("ways", 8)
            self.body.line(f"store i64 {self.body.new('load i64, ptr %ways')}, ptr {place}")
        self._halt(self.regions.end_of(segment.number))

    def _compared(self) -> None:
        place = self.body.new("getelementptr i64, ptr %ways.at, i64 %lane")
        path, before = self.body.new("load i64, ptr %ways"), self.body.new(f"load i64, ptr {place}")
        self.body.unless(self.body.new(f"icmp ne i64 {path}, {before}"))


def _alone(line: str) -> str:
    """Return a line with the metadata of an access that no other lane's depends on."""
    return f"{line}, !llvm.access.group !1" if line.startswith("  store ") or " = load " in line else line
