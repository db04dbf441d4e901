"""The way through the blocks, the same for all kernels."""

from collections.abc import Iterator, Sequence, Set

from harness.simt.native.analysis.dataflow import BlockInvariance
from harness.simt.native.emit.context import ALLOCATION_FACTS, MARKS, MOST_LINES, SLOTS, load_slot

__all__ = ["driver_function"]

PRICE = 4  # blocks that go as one before them, for one that does not: it is run twice

# The blocks of a cluster come one after another to its next wait, or to their end, the warps of a block to the same
# barrier; what a warp waits for within is in `%warp`. Of an exchange behind the end of a phase, which may be all that
# orders it, is said that it may need the last barrier: `since` is 0 then, and `need` the second mark of that.
_DRIVER = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @fresh(ptr %table, i64 %own, i1 %again) {{
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n1, %on ]
  %row = getelementptr [{facts} x i64], ptr %table, i64 %n
  %size.at = getelementptr i64, ptr %row, i64 {fresh}
  %size = load i64, ptr %size.at
  %empty = icmp eq i64 %size, 0
{alike}
  %known = and i1 %again, %alike
  %none = or i1 %empty, %known
  br i1 %none, label %on, label %clear
clear:
  %written.at = getelementptr i64, ptr %row, i64 {written}
  %written = load ptr, ptr %written.at
  call void @llvm.memset.p0.i64(ptr %written, i8 0, i64 %size, i1 false)
  br label %on
on:
  %n1 = add nuw i64 %n, 1
  %more = icmp ult i64 %n1, %own
  br i1 %more, label %next, label %all
all:
  ret void
}}
define i64 @run(ptr %ctx, i64 %start, i64 %blocks) {{
entry:
{heads}
  br label %blocks.of
blocks.of:
  %b = phi i64 [ %start, %entry ], [ %b.next, %done ], [ %b.failed, %anew ]
  %before.it.began = phi i32 [ 0, %entry ], [ 0, %done ], [ %began.failed, %anew ]
  %again.64 = load i64, ptr %again.at
  %proved = icmp ne i64 %again.64, 0
  %replays = load i64, ptr %replays.at
  %may = icmp ne i64 %replays, 0
  %alike.runs = and i1 %proved, %may
  br i1 %alike.runs, label %replayed, label %begins
replayed:
  %came.to = call i64 @replay(ptr %ctx, i64 %b, i64 %blocks)
  %began.then = load i32, ptr %birth.at
  %rounds.then = load i64, ptr %rounds
  %to.end = icmp eq i64 %came.to, %blocks
  br i1 %to.end, label %clean, label %failing
begins:
  %t = load i32, ptr %time
  %t1 = add i32 %t, 1
  store i32 %t1, ptr %time
  %began = icmp ne i32 %before.it.began, 0
  %first.epoch = select i1 %began, i32 %before.it.began, i32 %t1
  store i32 %first.epoch, ptr %birth.at
  store i64 0, ptr %peered.at
  store i64 0, ptr %stored.at
  %all.rounds = load i64, ptr %rounds
  %ways.first = load i64, ptr %ways.first.at
  store i64 %ways.first, ptr %ways.next.at
  call void @fresh(ptr %table, i64 %own, i1 %proved)
  %row = mul i64 %b, %size
  br label %phase
phase:
  %begin = phi i32 [ 0, %begins ], [ %met.at, %again.all ]
  %marked = phi i32 [ %first.epoch, %begins ], [ %marked.next, %again.all ]
  %open = phi i32 [ %first.epoch, %begins ], [ %marked, %again.all ]
  br label %block.of
block.of:
  %rank = phi i64 [ 0, %phase ], [ %rank.next, %with.others ]
  %met.before = phi i32 [ -3, %phase ], [ %agreed, %with.others ]
  %last = load i32, ptr %time
  %birth = add i32 %last, 1
  store i32 %birth, ptr %time
  %lanes.from = mul i64 %rank, %size
  %lanes.to = add i64 %lanes.from, %size
  %block = add i64 %b, %rank
  br label %round
round:
  %pc = phi i32 [ %begin, %block.of ], [ %agreed, %barrier ], [ %agreed, %ends ]
  %now = phi i32 [ %birth, %block.of ], [ %now.next, %barrier ], [ %ended.at, %ends ]
  %now.far = phi i32 [ %birth, %block.of ], [ %now.far.next, %barrier ], [ %ended.at, %ends ]
  %since = phi i32 [ %birth, %block.of ], [ %since.next, %barrier ], [ 0, %ends ]
  %since.far = phi i32 [ %birth, %block.of ], [ %since.far.next, %barrier ], [ 0, %ends ]
  %ahead = phi i64 [ 0, %block.of ], [ %ahead.next, %barrier ], [ %ahead, %ends ]
  %need = phi ptr [ %nothing, %block.of ], [ %need.next, %barrier ], [ %need.ends, %ends ]
  %need.far = phi ptr [ %nothing, %block.of ], [ %need.far.next, %barrier ], [ %need.far.ends, %ends ]
  br label %group
group:
  %from = phi i64 [ %lanes.from, %round ], [ %to, %rest ]
  %before = phi i32 [ -3, %round ], [ %next, %rest ]
  %end = add i64 %from, %width
  %over = icmp ugt i64 %end, %lanes.to
  %to = select i1 %over, i64 %lanes.to, i64 %end
  br label %go
go:
  %step = phi i32 [ %pc, %group ], [ %next, %again ], [ %next, %meets ]
  %met.near = phi i32 [ 0, %group ], [ %met.near, %again ], [ %near.next, %meets ]
  %met.far = phi i32 [ 0, %group ], [ %met.far, %again ], [ %beyond.next, %meets ]
  %next = call i32 @stretch(
    ptr %ctx, i32 %step, i64 %from, i64 %to, i1 %proved, i64 %row, i64 %block, i64 %rank, i32 %now, i32 %now.far,
    i32 %birth, i32 %since, i32 %since.far, i32 %first.epoch, i32 %marked, i32 %open, i32 %met.near, i32 %met.far,
    ptr %need, ptr %need.far)
  %failed = icmp eq i32 %next, -2
  br i1 %failed, label %failing, label %count
failing:
  %b.failed = phi i64 [ %b, %go ], [ %came.to, %replayed ]
  %began.failed = phi i32 [ %first.epoch, %go ], [ %began.then, %replayed ]
  %rounds.failed = phi i64 [ %all.rounds, %go ], [ %rounds.then, %replayed ]
  store i64 0, ptr %again.at
  %owed = load i64, ptr %credit.at
  %owing = sub i64 %owed, {price}
  store i64 %owing, ptr %credit.at
  %strayed = and i1 %proved, {chooses}
  br i1 %strayed, label %stray, label %left.over
stray:
  store i64 %rounds.failed, ptr %rounds
  %seen = load i64, ptr %stored.at
  %unseen = icmp eq i64 %seen, 0
  br i1 %unseen, label %anew, label %lost
anew:
  br label %blocks.of
lost:
  ret i64 -1
count:
  %n = load i64, ptr %rounds
  %n1 = add i64 %n, -1
  store i64 %n1, ptr %rounds
  %spent = icmp eq i64 %n1, 0
  br i1 %spent, label %bad, label %where
where:
  switch i32 %next, label %came [ {warps} ]
again:
  br label %go
meets:
  %ended.near = load i32, ptr %time
  %of.warp = add i32 %ended.near, 1
  store i32 %of.warp, ptr %time
  %meets.near = call i1 @orders_shared(i32 %next)
  %near.next = select i1 %meets.near, i32 %of.warp, i32 %met.near
  %meets.far = call i1 @orders_global(i32 %next)
  %beyond.next = select i1 %meets.far, i32 %of.warp, i32 %met.far
  %none.left = icmp slt i32 %of.warp, 0
  br i1 %none.left, label %bad, label %go
came:
  %first = icmp eq i32 %before, -3
  %same = icmp eq i32 %before, %next
  %fine = or i1 %first, %same
  %more = icmp ult i64 %to, %lanes.to
  br i1 %fine, label %rest, label %bad
rest:
  br i1 %more, label %group, label %all
all:
  %agreed = phi i32 [ %next, %rest ]
  switch i32 %agreed, label %barrier [ i32 -1, label %arrived {waits} {phases} ]
ends:
  %before.it = load i32, ptr %time
  %ended.at = add i32 %before.it, 1
  store i32 %ended.at, ptr %time
  %first.end = icmp ne i32 %since, 0
  %first.64 = zext i1 %first.end to i64
  %need.ends = getelementptr i8, ptr %need, i64 %first.64
  %first.far = icmp ne i32 %since.far, 0
  %first.far.64 = zext i1 %first.far to i64
  %need.far.ends = getelementptr i8, ptr %need.far, i64 %first.far.64
  %no.more = icmp slt i32 %ended.at, 0
  br i1 %no.more, label %bad, label %round
barrier:
  %met = call i32 @line_of(i32 %agreed)
  %latest = load i32, ptr %time
  %later = add i32 %latest, 1
  store i32 %later, ptr %time
  %orders.near = call i1 @orders_shared(i32 %agreed)
  %now.next = select i1 %orders.near, i32 %later, i32 %now
  %orders.far = call i1 @orders_global(i32 %agreed)
  %now.far.next = select i1 %orders.far, i32 %later, i32 %now.far
  %met.64 = sext i32 %met to i64
  %met.row = mul i64 %met.64, {marks}
  %met.need = getelementptr i8, ptr %needed, i64 %met.row
  %need.next = select i1 %orders.near, ptr %met.need, ptr %need
  %still.near = icmp eq ptr %need.next, %need
  %since.next = select i1 %still.near, i32 %since, i32 %now
  %need.far.next = select i1 %orders.far, ptr %met.need, ptr %need.far
  %still.far = icmp eq ptr %need.far.next, %need.far
  %since.far.next = select i1 %still.far, i32 %since.far, i32 %now.far
  %pass = getelementptr i64, ptr %passed, i64 %met.64
  %always = load i64, ptr %pass
  %always.next = and i64 %always, %ahead
  store i64 %always.next, ptr %pass
  %bit.of = urem i64 %met.64, {most}
  %bit = shl i64 1, %bit.of
  %ahead.next = or i64 %ahead, %bit
  %wrapped = icmp slt i32 %later, 0
  br i1 %wrapped, label %bad, label %round
arrived:
  %rank.next = add nuw i64 %rank, 1
  %first.block = icmp eq i64 %rank, 0
  %like.others = icmp eq i32 %agreed, %met.before
  %together = or i1 %first.block, %like.others
  %more.blocks = icmp ult i64 %rank.next, %cluster
  br i1 %together, label %with.others, label %bad
with.others:
  br i1 %more.blocks, label %block.of, label %all.blocks
all.blocks:
  %met.at = phi i32 [ %agreed, %with.others ]
  %peered = load i64, ptr %peered.at
  %ended = icmp eq i32 %met.at, -1
  br i1 %ended, label %end.all, label %again.all
again.all:
  %last.epoch = load i32, ptr %time
  %marked.next = add i32 %last.epoch, 1
  store i32 %marked.next, ptr %time
  store i64 0, ptr %peered.at
  %ever = load i64, ptr %exchanged.at
  %ever.next = or i64 %ever, %peered
  store i64 %ever.next, ptr %exchanged.at
  br label %phase
end.all:
  %unsafe = icmp ne i64 %peered, 0
  br i1 %unsafe, label %bad, label %done
done:
  %has = load i64, ptr %credit.at
  %has.more = add i64 %has, 1
  store i64 %has.more, ptr %credit.at
  %worth = icmp sgt i64 %has.more, 0
  %worth.64 = zext i1 %worth to i64
  store i64 %worth.64, ptr %again.at
  %b.next = add nuw i64 %b, %cluster
  %left = icmp ult i64 %b.next, %blocks
  br i1 %left, label %blocks.of, label %clean
clean:
  ret i64 %blocks
left.over:
  ret i64 %b.failed
bad:
  ret i64 %b
}}
"""


def driver_function(
    warps: Sequence[int], clusters: Sequence[int], phases: Sequence[int], meets: Sequence[int], alike: BlockInvariance
) -> str:
    """The function that runs blocks from a first one on, of which there is one; see `Code`.

    Args:
        warps: The pieces before which the lanes of a warp wait for one another.
        clusters: Those before which all lanes of a cluster do.
        meets: Those of them where this orders memory, see `meetings`.
        phases: Those before which a block waits for the end of a phase, which no line's barrier has to do with.
        alike: What all blocks do alike; one that goes another way than the one before begins anew.
    """
    others = [number for number in warps if number not in meets]
    again, met, arrived, ends = (
        " ".join(f"i32 {number}, label %{label}" for number in numbers)
        for numbers, label in ((others, "again"), (meets, "meets"), (clusters, "arrived"), (phases, "ends"))
    )
    facts = {name: ALLOCATION_FACTS[name] for name in ("fresh", "written")}
    return _DRIVER.format(
        heads="\n".join(_heads()),
        warps=f"{again} {met}",
        waits=arrived,
        phases=ends,
        facts=len(ALLOCATION_FACTS),
        most=MOST_LINES,
        marks=MARKS,
        alike="\n".join(_among(alike.variables)),
        chooses="true" if alike.ways else "false",
        price=PRICE,
        **facts,
    )


def _among(numbers: Set[int]) -> Iterator[str]:
    """Lines of whether an allocation is one of these."""
    before = "false"
    for number in sorted(numbers):
        yield f"  %is.{number} = icmp eq i64 %n, {number}"
        yield f"  %or.{number} = or i1 {before}, %is.{number}"
        before = f"%or.{number}"
    yield f"  %alike = or i1 {before}, false"


def _heads() -> list[str]:
    """Lines that load those of the driver; of those that change, where they are."""
    names = ("table", "own", "size", "cluster", "width", "needed", "passed")
    lines = [line for name in names for line in load_slot(name)]
    changing = ("birth", "again", "replays", "peered", "exchanged", "credit", "stored", "ways first", "ways next")
    labels = {name: f"{name.replace(' ', '.')}.at" for name in changing}
    for name, label in {"time": "time", "rounds": "rounds", "nothing": "nothing", **labels}.items():
        lines.append(f"  %{label} = getelementptr i64, ptr %ctx, i64 {SLOTS[name]}")
    return lines
