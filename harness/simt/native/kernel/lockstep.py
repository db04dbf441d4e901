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
APART, DIVIDED = -4, -3  # in place of where lanes come to: none has yet, and not all to the same piece
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
  %common{k} = phi i32 [ {APART}, %k{k} ], [ %together{k}, %c{k} ]
  %first{k} = call i{width} @llvm.cttz.i{width}(i{width} %rest{k}, i1 true)
  %step{k} = {wide}
  %lane{k} = add i64 %from, %step{k}
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {GIVEN}, i64 %when, ptr %taken)
  %stand{k} = getelementptr i32, ptr %where, i64 %step{k}
  store i32 %went{k}, ptr %stand{k}
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %c{k}
c{k}:
  %start{k} = icmp eq i32 %common{k}, {APART}
  %same{k} = icmp eq i32 %common{k}, %went{k}
  %kept{k} = select i1 %same{k}, i32 %went{k}, i32 {DIVIDED}
  %together{k} = select i1 %start{k}, i32 %went{k}, i32 %kept{k}
  %less{k} = add i{width} %rest{k}, -1
  %left{k} = and i{width} %rest{k}, %less{k}
  %again{k} = icmp ne i{width} %left{k}, 0
  br i1 %again{k}, label %l{k}, label %o{k}
o{k}:
{divides}  ret i32 %together{k}"""


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
    declared |= {f"declare i32 @llvm.vector.reduce.{name}.v{width}i32({every})" for name in ("smin", "smax")}
    declared |= {"declare i64 @llvm.smax.i64(i64, i64)", "declare i32 @llvm.smin.i32(i32, i32)"}
    yield f"@lasts = internal constant [{len(last)} x i32] [{', '.join(f'i32 {one}' for one in last)}]"
    steps = " ".join(f"i32 {number}, label %passes" for number in waits)
    later, nobody = (", ".join([f"i32 {one}"] * width) for one in (LATER, -1))
    splat = f"<{', '.join(['i1 true'] * width)}>"
    count = BLOCK_COUNTS
    yield f"""define internal i32 @run_interval(ptr %ctx, i32 %pc, i64 %from, i64 %to, {GIVEN}) {{
  %where = alloca {every}, align 64
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
  %fuel.first = load i64, ptr %fuel.at
  %when.first = load i64, ptr %when.at
  %all.first = load i64, ptr %all.at
  %most.first = load i64, ptr %most.at
  %split.first = load i64, ptr %split.at
  store {every} <{later}>, ptr %where, align 64
  %lanes = sub i64 %to, %from
  %missing = sub i64 {width}, %lanes
  %missing.n = {f"trunc i64 %missing to i{width}" if width < 64 else "or i64 %missing, 0"}
  %whole = lshr i{width} -1, %missing.n
  br label %go
go:
  %at = phi i32 [ %pc, %start ], [ %least, %goes ]
  %set = phi i{width} [ %whole, %start ], [ %those, %goes ]
  %nearest = phi i32 [ {LATER}, %start ], [ %nearest.next, %goes ]
  %furthest = phi i32 [ -1, %start ], [ %furthest.next, %goes ]
  %rounds = phi i64 [ 0, %start ], [ %rounds.next, %goes ]
  %all = phi i64 [ %all.first, %start ], [ %all.next, %goes ]
  %most = phi i64 [ %most.first, %start ], [ %most.next, %goes ]
  %split = phi i64 [ %split.first, %start ], [ %split.next, %goes ]
  %fuel = phi i64 [ %fuel.first, %start ], [ %fuel.next, %goes ]
  %when.before = phi i64 [ %when.first, %start ], [ %when, %goes ]
  %fuel.next = sub i64 %fuel, 1
  %spent = icmp sle i64 %fuel.next, 0
  %when = add i64 %when.before, 1
  br i1 %spent, label %bad, label %run
run:
  %common = call i32 @run_set(ptr %ctx, i32 %at, i64 %from, i64 %to, {GIVEN}, i64 %when, i{width} %set, ptr %where)
  %wrong = icmp eq i32 %common, -2
  br i1 %wrong, label %bad, label %came
came:
  %one.place = icmp sge i32 %common, 0
  %limit = call i32 @llvm.smin.i32(i32 %nearest, i32 {WAITING})
  %before.others = icmp slt i32 %common, %limit
  %stays = and i1 %one.place, %before.others
  br i1 %stays, label %turn, label %look
look:
  %places = load {every}, ptr %where, align 64
  %lowest = call i32 @llvm.vector.reduce.smin.v{width}i32({every} %places)
  %one = insertelement {every} poison, i32 %lowest, i32 0
  %alike = shufflevector {every} %one, {every} poison, <{width} x i32> zeroinitializer
  %same = icmp eq {every} %places, %alike
  %found = bitcast <{width} x i1> %same to i{width}
  %waits = icmp sge i32 %lowest, {WAITING}
  br i1 %waits, label %met, label %others
others:
  %others.near = select <{width} x i1> %same, {every} <{later}>, {every} %places
  %others.nearest = call i32 @llvm.vector.reduce.smin.v{width}i32({every} %others.near)
  %there = bitcast i{width} %whole to <{width} x i1>
  %not.same = xor <{width} x i1> %same, {splat}
  %others.there = and <{width} x i1> %there, %not.same
  %others.far = select <{width} x i1> %others.there, {every} %places, {every} <{nobody}>
  %others.furthest = call i32 @llvm.vector.reduce.smax.v{width}i32({every} %others.far)
  br label %turn
turn:
  %least = phi i32 [ %common, %came ], [ %lowest, %others ]
  %those = phi i{width} [ %set, %came ], [ %found, %others ]
  %nearest.next = phi i32 [ %nearest, %came ], [ %others.nearest, %others ]
  %furthest.next = phi i32 [ %furthest, %came ], [ %others.furthest, %others ]
  %last.at = getelementptr i32, ptr @lasts, i32 %least
  %last = load i32, ptr %last.at
  %back = icmp sle i32 %least, %at
  br i1 %back, label %round, label %ahead
ahead:
  %outside = icmp slt i32 %last, 0
  %rounds.ahead = select i1 %outside, i64 0, i64 %rounds
  br label %goes
round:
  %rounds.more = add i64 %rounds, 1
  %all.more = add i64 %all, 1
  %most.more = call i64 @llvm.smax.i64(i64 %most, i64 %rounds.more)
  %left.it = icmp sgt i32 %furthest.next, %last
  %divided = call i64 @llvm.smax.i64(i64 %split, i64 %rounds.more)
  %split.more = select i1 %left.it, i64 %divided, i64 %split
  %endless = icmp sgt i64 %rounds.more, {ROUNDS}
  br i1 %endless, label %bad, label %goes
goes:
  %rounds.next = phi i64 [ %rounds.ahead, %ahead ], [ %rounds.more, %round ]
  %all.next = phi i64 [ %all, %ahead ], [ %all.more, %round ]
  %most.next = phi i64 [ %most, %ahead ], [ %most.more, %round ]
  %split.next = phi i64 [ %split, %ahead ], [ %split.more, %round ]
  br label %go
met:
  store i64 %fuel.next, ptr %fuel.at
  store i64 %when, ptr %when.at
  store i64 %all, ptr %all.at
  store i64 %most, ptr %most.at
  store i64 %split, ptr %split.at
  %together = icmp eq i{width} %found, %whole
  br i1 %together, label %meets, label %bad
meets:
  %code = sub i32 %lowest, {WAITING + 1}
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
