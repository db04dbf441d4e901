"""Warps in lockstep: lanes that are at one piece of the code run it together, the lowest piece first.

This is how the interpreter runs them, so everything that it counts of warps can be counted here. A lane's function ends
with each piece after which lanes may be apart. It returns the piece that the lane comes to, or, above `WAITING`, what
it waits for there. See `sanitize.lane_counts`.
"""

from collections.abc import Iterator, Sequence

from harness.simt.compile.declarations import Barrier
from harness.simt.compile.graph import Ref
from harness.simt.compile.segments import Segment
from harness.simt.declined import Declined, Reason
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.kernel.lane import GIVEN, ROUNDS, STATE, Lane
from harness.simt.native.kernel.plan import KernelPlan
from harness.simt.native.runtime.lane_counts import BLOCK_COUNTS
from harness.simt.native.sanitize.lane_counts import end_lane, end_piece

__all__ = ["LockstepLane", "check_lockstep", "lockstep_driver", "loop_over_set"]

WAITING = 1 << 30  # beyond it, from 1 on: what a lane waits for, or 0 where it has ended
LATER = (1 << 31) - 1  # in place of lanes that a warp does not have


def check_lockstep(plan: KernelPlan) -> None:
    """Decline a kernel whose lanes have to do with one another otherwise than by barriers and whole warps.

    Raises:
        Declined: It has copies, clusters, calls by pointer, barriers in shared memory or parts of warps that meet.
    """
    body, program = plan.body, plan.program
    if plan.parts:
        raise Declined(Reason.COUNTING_PARTIAL_EXCHANGES)
    others = program.copies or program.graph.calls or body.arrives or plan.unawaited or plan.phases
    if others or CLUSTERS in body.notes:
        raise Declined(Reason.COUNTING_OTHERWISE)


class LockstepLane(Lane):
    """Writes the function of a lane for one piece, or several that follow one another anyway."""

    def signature(self) -> str:
        """See `Lane`."""
        return f"ptr %ctx, i64 %lane, {STATE}, i64 %when, ptr %taken"

    def _needed(self, target: int) -> set[int]:
        phis = {phi for phi, _ in self.plan.pieces[target].phis} if target >= 0 else set[int]()
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
        for number in sorted(self.stretch.live & self.body.doubtful):
            flag = self.body.new(f"load i8, ptr {self.body.own_place(f'undefined{number}')}")
            self.body.line(f"store i1 {self.body.new(f'icmp ne i8 {flag}, 0')}, ptr %undefined{number}")

    def _end_piece(self, piece: Segment) -> None:
        origin = self.plan.origins[piece.number]
        last = piece.number + 1 == len(self.plan.pieces) or self.plan.origins[piece.number + 1] != origin
        end_piece(self.body, len(piece.ops), ends=last)

    def _takes(self, piece: Segment, place: int) -> None:
        if not place:
            before = self.body.new("load i64, ptr %taken")
            self.body.line(f"store i64 {self.body.new(f'add i64 {before}, 1')}, ptr %taken")

    def _halt(self, where: int) -> None:
        gate = self.plan.pieces[where].gate if where >= 0 else None
        if gate is not None and isinstance(gate.wait, Barrier):
            self.body.tally.piece["barriers"] += 1
            end_piece(self.body, 0, ends=False)
        if where < 0:
            end_lane(self.body)
        self.body.line(f"ret i32 {where if gate is None and where >= 0 else WAITING + 1 + where}")


def loop_over_set(k: int, piece: Segment, width: int) -> str:
    """Return the loop over the lanes in `%set`, which all run the pieces from one on; and how often it divides warps.

    Args:
        piece: The last of them.
    """
    divides = ""
    if len(piece.edges) > 1:
        divides = f"""  %took{k} = load i64, ptr %taken
  %members{k} = call i{width} @llvm.ctpop.i{width}(i{width} %set)
  %count{k} = zext i{width} %members{k} to i64{" " if width < 64 else ""}
  %some{k} = icmp ne i64 %took{k}, 0
  %others{k} = icmp ne i64 %took{k}, %count{k}
  %apart{k} = and i1 %some{k}, %others{k}
  %more{k} = zext i1 %apart{k} to i64
  %divergent{k} = load i64, ptr %divergent.at
  %divergent.next{k} = add i64 %divergent{k}, %more{k}
  store i64 %divergent.next{k}, ptr %divergent.at
"""
        if width == 64:
            divides = divides.replace(f"zext i64 %members{k} to i64", f"or i64 %members{k}, 0")
    wide = f"zext i{width} %first{k} to i64" if width < 64 else f"or i64 %first{k}, 0"
    return f"""  store i64 0, ptr %taken
  br label %l{k}
l{k}:
  %rest{k} = phi i{width} [ %set, %k{k} ], [ %left{k}, %c{k} ]
  %first{k} = call i{width} @llvm.cttz.i{width}(i{width} %rest{k}, i1 true)
  %step{k} = {wide}
  %lane{k} = add i64 %from, %step{k}
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {GIVEN}, i64 %when, ptr %taken)
  %stand{k} = getelementptr i32, ptr %where, i64 %step{k}
  store i32 %went{k}, ptr %stand{k}
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %c{k}
c{k}:
  %less{k} = add i{width} %rest{k}, -1
  %left{k} = and i{width} %rest{k}, %less{k}
  %again{k} = icmp ne i{width} %left{k}, 0
  br i1 %again{k}, label %l{k}, label %o{k}
o{k}:
{divides}  ret i32 0"""


def _last_pieces(plan: KernelPlan) -> Iterator[int]:
    """Yield for each piece the last one of the outermost loop that it is in; -1 outside of loops."""
    last: dict[int, int] = {}
    for piece in plan.pieces:
        if piece.loop is not None:
            last[piece.loop] = piece.number
    yield from (-1 if piece.loop is None else last[piece.loop] for piece in plan.pieces)


def lockstep_driver(plan: KernelPlan, waits: Sequence[int]) -> Iterator[str]:
    """Yield the function that leads the lanes of a warp from one wait to the next, and counts how loops went.

    Args:
        waits: The pieces before which a block waits.
    """
    width, last = plan.program.target.warp, list(_last_pieces(plan))
    every = f"<{width} x i32>"
    declared = plan.body.declared
    declared.add(f"declare i{width} @llvm.ctpop.i{width}(i{width})")
    declared |= {f"declare i{bits} @llvm.cttz.i{bits}(i{bits}, i1)" for bits in (width, 64)}
    declared |= {"declare i64 @llvm.smax.i64(i64, i64)", f"declare i32 @llvm.vector.reduce.smin.v{width}i32({every})"}
    yield f"@lasts = internal constant [{len(last)} x i32] [{', '.join(f'i32 {one}' for one in last)}]"
    steps = " ".join(f"i32 {number}, label %passes" for number in waits)
    later = ", ".join([f"i32 {LATER}"] * width)
    count = BLOCK_COUNTS
    yield f"""define internal i32 @stretch(ptr %ctx, i32 %pc, i64 %from, i64 %to, {GIVEN}) {{
  %where = alloca {every}, align 64
  %rounds = alloca i64
  %fuel.at = getelementptr i64, ptr %ctx, i64 {SLOTS["fuel"]}
  %blocks.at = getelementptr i64, ptr %ctx, i64 {SLOTS["blocks"]}
  %block.counts = load ptr, ptr %blocks.at
  %when.at = getelementptr i64, ptr %block.counts, i64 {count["when"]}
  %split.at = getelementptr i64, ptr %block.counts, i64 {count["split rounds"]}
  %most.at = getelementptr i64, ptr %block.counts, i64 {count["most rounds"]}
  %all.at = getelementptr i64, ptr %block.counts, i64 {count["all rounds"]}
  %size.at = getelementptr i64, ptr %ctx, i64 {SLOTS["size"]}
  %size = load i64, ptr %size.at
  %first = icmp eq i64 %from, 0
  br i1 %first, label %leads, label %start
leads:
  switch i32 %pc, label %start [ i32 0, label %begins {steps} ]
begins:
  call void @begin_block(ptr %ctx)
  br label %start
passes:
  call void @end_step(ptr %ctx)
  br label %start
start:
  store i64 0, ptr %rounds
  store {every} <{later}>, ptr %where, align 64
  %lanes = sub i64 %to, %from
  %missing = sub i64 {width}, %lanes
  %missing.n = {f"trunc i64 %missing to i{width}" if width < 64 else "or i64 %missing, 0"}
  %whole = lshr i{width} -1, %missing.n
  br label %go
go:
  %at = phi i32 [ %pc, %start ], [ %least, %goes ]
  %set = phi i{width} [ %whole, %start ], [ %those, %goes ]
  %fuel = load i64, ptr %fuel.at
  %fuel.next = sub i64 %fuel, 1
  store i64 %fuel.next, ptr %fuel.at
  %spent = icmp sle i64 %fuel.next, 0
  %when.before = load i64, ptr %when.at
  %when = add i64 %when.before, 1
  store i64 %when, ptr %when.at
  br i1 %spent, label %bad, label %run
run:
  %failed = call i32 @some(ptr %ctx, i32 %at, i64 %from, i64 %to, {GIVEN}, i64 %when, i{width} %set, ptr %where)
  %wrong = icmp eq i32 %failed, -2
  br i1 %wrong, label %bad, label %look
look:
  %places = load {every}, ptr %where, align 64
  %least = call i32 @llvm.vector.reduce.smin.v{width}i32({every} %places)
  %one = insertelement {every} poison, i32 %least, i32 0
  %alike = shufflevector {every} %one, {every} poison, <{width} x i32> zeroinitializer
  %same = icmp eq {every} %places, %alike
  %those = bitcast <{width} x i1> %same to i{width}
  %waits = icmp sge i32 %least, {WAITING}
  br i1 %waits, label %met, label %turn
turn:
  %last.at = getelementptr i32, ptr @lasts, i32 %least
  %last = load i32, ptr %last.at
  %back = icmp sle i32 %least, %at
  br i1 %back, label %round, label %ahead
ahead:
  %outside = icmp slt i32 %last, 0
  br i1 %outside, label %straight, label %goes
straight:
  store i64 0, ptr %rounds
  br label %goes
round:
  %before = load i64, ptr %rounds
  %now.round = add i64 %before, 1
  store i64 %now.round, ptr %rounds
  %endless = icmp sgt i64 %now.round, {ROUNDS}
  br i1 %endless, label %bad, label %noted
noted:
  %all.rounds = load i64, ptr %all.at
  %all.next = add i64 %all.rounds, 1
  store i64 %all.next, ptr %all.at
  %most = load i64, ptr %most.at
  %most.next = call i64 @llvm.smax.i64(i64 %most, i64 %now.round)
  store i64 %most.next, ptr %most.at
  %end = insertelement {every} poison, i32 %last, i32 0
  %ends = shufflevector {every} %end, {every} poison, <{width} x i32> zeroinitializer
  %beyond = icmp sgt {every} %places, %ends
  %left.it = bitcast <{width} x i1> %beyond to i{width}
  %left.here = and i{width} %left.it, %whole
  %split = icmp ne i{width} %left.here, 0
  br i1 %split, label %divided, label %goes
divided:
  %split.before = load i64, ptr %split.at
  %split.next = call i64 @llvm.smax.i64(i64 %split.before, i64 %now.round)
  store i64 %split.next, ptr %split.at
  br label %goes
goes:
  br label %go
met:
  %together = icmp eq i{width} %those, %whole
  br i1 %together, label %meets, label %bad
meets:
  %code = sub i32 %least, {WAITING + 1}
  %over = icmp eq i32 %code, -1
  %final = icmp eq i64 %to, %size
  %block.ends = and i1 %over, %final
  br i1 %block.ends, label %finish, label %done
finish:
  call void @end_block(ptr %ctx)
  br label %done
done:
  ret i32 %code
bad:
  ret i32 -2
}}"""
