"""The function of a lane on a leg, in a block that goes as one before it."""

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
    """Writes it."""

    def __init__(self, legs: Regions, leg: Region, shape: BlockShape) -> None:
        super().__init__(legs.plan, leg.stretch)
        self.leg, self.legs, self.shape = leg, legs, shape

    def written(self) -> list[str]:
        """The lines of its body, before which stands its `header`."""
        body, stretch = self.body, self.stretch
        body.lines, self.shape.shares = [], any(piece.number not in stretch.always for piece in stretch.inside)
        self._heads("table", "own", "count", "reached")
        body.line(f"%threads = add i64 0, {self.shape.lanes}")
        if stretch.chooses:
            body.line("%ways = alloca i64")
            before = "0" if self.leg.fork is None else body.new(f"load i64, ptr {body.own_place('ways', 8)}")
            body.line(f"store i64 {before}, ptr %ways")
        copies.begin_flight(body, within=self.leg.fork is not None)
        begin_counting(body, stretch.entry.number)
        self._way()
        body.lines.append("bad:")
        for number, leaf, ty in stretch.left:
            body.line(f"store {ty} undef, ptr %o.{number}.{leaf}")
        body.line("ret i32 -2\n}")
        return body.lines if self.shape.shares else [_alone(line) for line in body.lines]

    def header(self) -> str:
        """It takes what all lanes were found to be given."""
        given = ["ptr %spill", "ptr %ways.at", "i64 %turn", "ptr %undo", *self.shape.arguments()]
        given += [f"{ty} %u.{number}.{leaf}" for number, leaf, ty in self.stretch.brought]
        given += [f"ptr %o.{number}.{leaf}" for number, leaf, _ in self.stretch.left]
        state = f"ptr %ctx, i64 %lane, i64 %x, {STATE}, {', '.join(given)}"
        return f"define internal i32 @leg{self.leg.number}({state}) alwaysinline {{"

    def _needed(self, target: int) -> set[int]:
        return self.legs.kept(super()._needed(target))

    def _others(self) -> set[int]:
        return self.leg.again

    def _again(self) -> None:
        for number in sorted(self.leg.again):
            self._make(number)
            for leaf in range(len(leaves(self.types[number]))):
                self._put(number, leaf, self.body.values[number, leaf])

    def _make(self, number: int) -> None:
        if (number, 0) not in self.body.values and number not in self.plan.once | self.body.known:
            op = self.body.made[number]
            for operand in op.operands:
                if isinstance(operand, Ref):
                    self._make(operand.number)
            LOWERINGS[op.opcode](self.body, op)

    def _begin(self, ends: set[int]) -> None:
        if self.leg.fork is None:
            super()._begin(ends)
            return
        piece, way = self.leg.fork
        if self.plan.origins[piece.number] in self.body.alike.ways:
            take_turn(self.body, WAYS, (piece.number << 8) + way + 1)
        self._edge(END, *piece.edges[way], ends)

    def _leave(self, piece: Segment, ends: set[int]) -> None:
        if piece.number not in self.legs.forks:
            super()._leave(piece, ends)
            return
        for number in sorted(self.legs.forks[piece.number] & (self.stretch.held | {op.result for op in piece.ops})):
            for leaf in range(len(leaves(self.types[number]))):
                self._keep(number, leaf, self.body.raw(Ref(number, self.types[number]), leaf))
        copies.check_flight(self.body, within=True)
        if self.stretch.chooses:
            place = self.body.own_place("ways", 8)
            self.body.line(f"store i64 {self.body.new('load i64, ptr %ways')}, ptr {place}")
        self._halt(self.legs.end_of(piece.number))

    def _compared(self) -> None:
        place = self.body.new("getelementptr i64, ptr %ways.at, i64 %lane")
        own, before = self.body.new("load i64, ptr %ways"), self.body.new(f"load i64, ptr {place}")
        self.body.unless(self.body.new(f"icmp ne i64 {own}, {before}"))


def _alone(line: str) -> str:
    """A line of what does not depend on what other lanes do meanwhile."""
    return f"{line}, !llvm.access.group !1" if line.startswith("  store ") or " = load " in line else line
