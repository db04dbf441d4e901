"""Emit `run_batch`: loops over blocks and lanes, uniform branches, barriers; no checks that a former block passed.

The function itself takes the branches that all lanes take together. In between it has loops over the lanes, one for
each `Region`, which no lane leaves early: a lane with a failed check does no more, and its block fails after the loop.
So LLVM may run several lanes at a time, unless they touch memory that other lanes or blocks may write.
"""

from collections.abc import Iterator

from harness.simt.compile.graph import Ref
from harness.simt.declined import Declined
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED
from harness.simt.native.batching.region_lane import RegionLane
from harness.simt.native.batching.regions import END, Region, Regions
from harness.simt.native.batching.undo_counts import UndoCounts
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.context import MARKS, MOST_LINES, SLOTS, load_slot
from harness.simt.native.emit.ir_types import text
from harness.simt.native.kernel.lane import GIVEN, branch_instruction
from harness.simt.native.kernel.plan import KernelPlan

__all__ = ["NO_BATCH", "batch_function"]

LARGEST = 1 << 18  # bytes that a block keeps
# In code for blocks of any shape there is no such function.
NO_BATCH = """
define internal i64 @run_batch(ptr %ctx, i64 %begin, i64 %blocks) alwaysinline {
  ret i64 %begin
}
"""

_EPOCHS = dict.fromkeys(("now", "now.far", "since", "since.far"), "i32")
_NEEDS = dict.fromkeys(("need", "need.far"), "ptr")
# What it keeps while it runs.
_OWN = {**_EPOCHS, **_NEEDS, "last": "i32", "waits": "i64", "ahead": "i64", "ways.next": "i64", "ways.at": "ptr"}
_SLOTS = ("time", "rounds", "birth", "credit", "nothing", "stored", "fuel", "ways first", "ways end", "turns", "went")


class _Block:
    """Emits the function that runs blocks in a batch."""

    def __init__(self, regions: Regions, shape: BlockShape) -> None:
        self.regions, self.plan, self.body, self.shape = regions, regions.plan, regions.plan.body, shape
        self.chooses, self.counts = bool(self.body.invariance.branches), UndoCounts(self.body)

    def lines(self) -> Iterator[str]:
        """Yield the functions of all regions, then `run_batch`; Declined if an instruction has no compiled form."""
        lanes = [RegionLane(self.regions, region, self.shape) for region in self.regions.regions]
        bodies = [(lane, lane.written(), self.shape.shares) for lane in lanes]
        for lane, lines, _ in bodies:
            yield lane.header()
            yield from lines
        yield "!1 = distinct !{}"
        yield from (line for lane, _, shares in bodies for line in self._metadata(lane.region, shares))
        yield "define internal i64 @run_batch(ptr %ctx, i64 %begin, i64 %blocks) noinline {"
        yield from self._entry()
        yield from self._block()
        yield from (line for lane, _, shares in bodies for line in self._region(lane.region, shares))
        yield from (line for number in self.regions.forks for line in self._fork(number))
        yield from (line for number in self.regions.waits if number for line in self._wait(number))
        yield from self._end()

    def _metadata(self, region: Region, shares: bool) -> Iterator[str]:
        if not shares:
            node = 2 + 2 * region.number
            yield f"!{node} = distinct !{{!{node}, !{node + 1}}}"
            yield f'!{node + 1} = !{{!"llvm.loop.parallel_accesses", !1}}'

    def _entry(self) -> Iterator[str]:
        for name in ("table", "own", "count", "needed", "passed", "reached", "clears", "sites", "undo"):
            yield from load_slot(name)
        for name in _SLOTS:
            yield f"  %{name.replace(' ', '.')}.slot = getelementptr i64, ptr %ctx, i64 {SLOTS[name]}"
        once = {
            f"o.{number}.{leaf}": ty
            for region in self.regions.regions
            for number, leaf, ty in region.interval.uniform_out
        }
        bytes_of = {"spill": max(1, self.plan.layout.kept) * self.shape.lanes}
        bytes_of |= {f"variable{number}": size for number, size in self.shape.variables.items()}
        bytes_of |= self.counts.saved_memory()
        yield from (f"  %s.{name} = alloca {ty}" for name, ty in _OWN.items())
        yield from (f"  %{name} = alloca {ty}" for name, ty in once.items())
        yield from (f"  %{name} = alloca [{size} x i8], align 64" for name, size in bytes_of.items())
        yield from (
            line
            for name, (ty, slot, level) in self.shape.slot_values.items()
            for line in _load_value(name, ty, slot, level)
        )
        yield f"""  %credit.before = load i64, ptr %credit.slot
  %time.before = load i32, ptr %time.slot
  store i32 %time.before, ptr %s.last
  %rounds.before = load i64, ptr %rounds.slot
  store i64 %rounds.before, ptr %s.waits
  %some = icmp ne i64 %clears, 0
  %sites.own = getelementptr i64, ptr %sites, i64 {self.counts.first}
  br label %more"""

    def _block(self) -> Iterator[str]:
        """Yield the head of the loop over blocks: leave it after the last block, else prepare the next one.
        The next block gets new epochs, the state before any barrier, saved counts and its geometry values.
        """
        yield f"""more:
  %b = phi i64 [ %begin, %0 ], [ %b.next, %next ]
  %rounds.first = load i64, ptr %s.waits
  %time.first = load i32, ptr %s.last
  %epoch = add i32 %time.first, 1
  %birth = add i32 %time.first, 2
  %left = icmp ult i64 %b, %blocks
  br i1 %left, label %block, label %stop
block:
  %row = mul i64 %b, {self.shape.lanes}
  store i32 %birth, ptr %s.last
  store i64 0, ptr %s.ahead"""
        yield from (f"  store i32 %birth, ptr %s.{name}" for name in _EPOCHS)
        yield from (f"  store ptr %nothing.slot, ptr %s.{name}" for name in _NEEDS)
        yield from self.counts.begin_block()
        if self.chooses:
            yield "  store i64 0, ptr %stored.slot\n  %ways.first = load i64, ptr %ways.first.slot"
            yield "  store i64 %ways.first, ptr %s.ways.next"
        yield "  br i1 %some, label %clear, label %cleared\nclear:"
        yield "  call void @clear_written(ptr %table, i64 %own, i1 true)\n  br label %cleared\ncleared:"
        for name, (ty, _, level) in self.shape.slot_values.items():
            if level == "block":
                yield f"  {name}.far = mul i64 {name}.step, %b"
                yield f"  {name}.at = getelementptr i8, ptr {name}.data, i64 {name}.far"
                yield f"  {name} = load {ty}, ptr {name}.at, align 1"
        yield "  br label %k0"

    def _region(self, region: Region, shares: bool) -> Iterator[str]:
        """Yield the loop over the lanes of a region, and the branch to the wait, fork or end that all lanes reach.

        The block fails if they reach different ones. Unless `shares`, see `RegionLane`, LLVM may vectorise the loop.
        """
        k, interval, ends = region.number, region.interval, dict(enumerate(region.ends))
        yield f"k{k}:"
        if interval.chooses and region.fork is None:
            yield f"""  %ways.at{k} = load i64, ptr %s.ways.next
  %ways.next{k} = add i64 %ways.at{k}, {8 * self.shape.lanes}
  store i64 %ways.next{k}, ptr %s.ways.next
  %ways.from{k} = inttoptr i64 %ways.at{k} to ptr
  store ptr %ways.from{k}, ptr %s.ways.at
  %ways.end{k} = load i64, ptr %ways.end.slot
  %ways.full{k} = icmp ugt i64 %ways.next{k}, %ways.end{k}
  br i1 %ways.full{k}, label %failed, label %w{k}
w{k}:"""
        yield from (f"  %{name}.of{k} = load {ty}, ptr %s.{name}" for name, ty in (_EPOCHS | _NEEDS).items())
        yield f"  %ways.of{k} = load ptr, ptr %s.ways.at"
        yield from self.counts.begin_region(k)
        for number, leaf, ty in interval.uniform_in:
            yield f"  %u.{number}.{leaf}.of{k} = load {ty}, ptr %o.{number}.{leaf}"
        self.body.lines = []
        self.plan.note_reached(
            [item for item in interval.always if self.plan.origins[item] not in self.body.invariance.common_segments]
        )
        yield from self.body.lines
        names = {"again": "true", "row": "%row", "block": "%b", "rank": "0", "birth": "%birth"}
        names |= dict.fromkeys(("cluster", "phase", "open"), "%epoch") | {"met.near": "0", "met.far": "0"}
        names |= {name: f"%{name}.of{k}" for name in _EPOCHS | _NEEDS}
        state = [f"{ty} {names[name[1:]]}" for ty, name in (item.split() for item in GIVEN.split(", "))]
        state += ["ptr %spill", f"ptr %ways.of{k}", f"i64 %turn.of{k}", "ptr %undo", *self.shape.arguments()]
        state += [f"{ty} %u.{number}.{leaf}.of{k}" for number, leaf, ty in interval.uniform_in]
        state += [f"ptr %o.{number}.{leaf}" for number, leaf, _ in interval.uniform_out]
        yield f"  br label %o{k}.0\no{k}.0:\n  br label %y{k}\ny{k}:"
        yield f"  %start{k} = phi i64 [ 0, %o{k}.0 ], [ %start.next{k}, %z{k} ]"
        yield from (f"  %y{k}.{end} = phi i32 [ 0, %o{k}.0 ], [ %next{k}.{end}, %z{k} ]" for end in ends)
        yield f"  br label %x{k}\nx{k}:\n  %i{k} = phi i64 [ 0, %y{k} ], [ %i.next{k}, %x{k} ]"
        yield from (f"  %x{k}.{end} = phi i32 [ %y{k}.{end}, %y{k} ], [ %next{k}.{end}, %x{k} ]" for end in ends)
        yield f"  %lane{k} = add nuw nsw i64 %start{k}, %i{k}"
        yield f"  %went{k} = call i32 @leg{k}(ptr %ctx, i64 %lane{k}, i64 %i{k}, {', '.join(state)})"
        for end, where in ends.items():  # how many came there
            yield f"  %is{k}.{end} = icmp eq i32 %went{k}, {where}\n  %one{k}.{end} = zext i1 %is{k}.{end} to i32"
            yield f"  %next{k}.{end} = add i32 %x{k}.{end}, %one{k}.{end}"
        loop = "" if shares else f", !llvm.loop !{2 + 2 * k}"
        yield f"""  %i.next{k} = add nuw nsw i64 %i{k}, 1
  %more.x{k} = icmp ult i64 %i.next{k}, {self.shape.along}
  br i1 %more.x{k}, label %x{k}, label %z{k}{loop}
z{k}:
  %start.next{k} = add nuw nsw i64 %start{k}, {self.shape.along}
  %more.y{k} = icmp ult i64 %start.next{k}, {self.shape.lanes}
  br i1 %more.y{k}, label %y{k}, label %e{k}.0"""
        for end, where in ends.items():
            to = "ended" if where == END else f"g{where}" if where > END else f"f{self.regions.end_of(where)}"
            yield f"e{k}.{end}:\n  %all{k}.{end} = icmp eq i32 %next{k}.{end}, {self.shape.lanes}"
            yield f"  br i1 %all{k}.{end}, label %{to}, label %e{k}.{end + 1}"
        yield f"e{k}.{len(ends)}:\n  br label %failed"

    def _fork(self, number: int) -> Iterator[str]:
        segment, body = self.plan.segments[number], self.body
        body.lines, condition = [f"f{number}:"], segment.condition
        assert isinstance(condition, Ref)
        if condition.number in body.params:
            of = body.param(condition.number, 0, condition.type)
        else:
            of = body.new(f"load {text(condition.type)}, ptr %o.{condition.number}.0")
        labels = [f"f{number}.{edge}" for edge in range(len(segment.edges))]
        body.line(branch_instruction(segment, of, labels))
        for way, (to, _) in enumerate(segment.edges):
            body.lines.append(f"{labels[way]}:")
            if to <= number and self.plan.segments[to].gate is None:  # all go round
                fuel = body.new(f"sub i64 {body.new('load i64, ptr %fuel.slot')}, {self.shape.lanes}")
                body.line(f"store i64 {fuel}, ptr %fuel.slot")
                self._unless(body.new(f"icmp sle i64 {fuel}, 0"))
            body.line(f"br label %k{self.regions.after_edge[number, way]}")
        yield from body.lines

    def _unless(self, wrong: str) -> None:
        then = self.body.name()
        self.body.line(f"br i1 {wrong}, label %failed, label %{then}")
        self.body.lines.append(f"{then}:")

    def _count_interval(self) -> None:
        """Append code that counts one more barrier interval; in it the block fails if none may run any more."""
        remaining = self.body.new(f"sub i64 {self.body.new('load i64, ptr %s.waits')}, 1")
        self.body.line(f"store i64 {remaining}, ptr %s.waits")
        self._unless(self.body.new(f"icmp eq i64 {remaining}, 0"))

    def _wait(self, number: int) -> Iterator[str]:
        """Yield the lines of the barrier before segment `number`: new epochs, the barrier's marks (which barriers were
        needed), and the jump to the region after it. The block fails if no barrier interval or epoch is left.
        """
        body, new = self.body, self.body.new
        body.lines = [f"g{number}:"]
        self._count_interval()
        later = new(f"add i32 {new('load i32, ptr %s.last')}, 1")
        body.line(f"store i32 {later}, ptr %s.last")
        self._unless(new(f"icmp slt i32 {later}, 0"))
        line = new(f"sext i32 {new(f'call i32 @barrier_line(i32 {number})')} to i64")
        met = new(f"getelementptr i8, ptr %needed, i64 {new(f'mul i64 {line}, {MARKS}')}")
        for space, suffix in (("shared", ""), ("global", ".far")):
            orders = new(f"call i1 @orders_{space}(i32 {number})")
            now, need, since = (new(f"load {_OWN[name]}, ptr %s.{name}{suffix}") for name in ("now", "need", "since"))
            after = new(f"select i1 {orders}, ptr {met}, ptr {need}")
            still = new(f"icmp eq ptr {after}, {need}")
            body.line(f"store ptr {after}, ptr %s.need{suffix}")
            body.line(f"store i32 {new(f'select i1 {still}, i32 {since}, i32 {now}')}, ptr %s.since{suffix}")
            body.line(f"store i32 {new(f'select i1 {orders}, i32 {later}, i32 {now}')}, ptr %s.now{suffix}")
        ahead = new("load i64, ptr %s.ahead")
        if self.plan.origins[number] not in body.invariance.common_segments:
            place = new(f"getelementptr i64, ptr %passed, i64 {line}")
            body.line(f"store i64 {new(f'and i64 {ahead}, ' + new(f'load i64, ptr {place}'))}, ptr {place}")
        bit = new(f"shl i64 1, {new(f'urem i64 {line}, {MOST_LINES}')}")
        body.line(f"store i64 {new(f'or i64 {ahead}, {bit}')}, ptr %s.ahead")
        body.line(f"br label %k{self.regions.waits[number]}")
        yield from body.lines

    def _end(self) -> Iterator[str]:
        self.body.lines = ["ended:"]
        self._count_interval()
        self.counts.end_block()
        yield from self.body.lines
        yield f"""  br label %next
next:
  %b.next = add nuw i64 %b, 1
  br label %more
failed:
  %waits.failed = load i64, ptr %s.waits
  %time.failed = load i32, ptr %s.last
  store i32 %epoch, ptr %birth.slot
{self.counts.restore()}
  br label %stop
stop:
  %waits.now = phi i64 [ {"%rounds.first" if self.chooses else "%waits.failed"}, %undone ], [ %rounds.first, %more ]
  %time.now = phi i32 [ %time.failed, %undone ], [ %time.first, %more ]
  store i64 %waits.now, ptr %rounds.slot
  store i32 %time.now, ptr %time.slot
  %clean = sub i64 %b, %begin
  %credit.now = add i64 %credit.before, %clean
  store i64 %credit.now, ptr %credit.slot
  ret i64 %b
}}"""


def _load_value(name: str, ty: str, slot: int, level: str) -> Iterator[str]:
    """Yield the lines that load the value `NAME`: from a slot if `level` is empty; for `launch`, from where it points.

    For `block`, where the slot points to an array of one value for each block, they load only the array's address,
    `NAME.data`, and from the next slot its step in bytes, `NAME.step`.
    """
    yield f"  {name}.slot = getelementptr i64, ptr %ctx, i64 {slot}"
    if not level:
        yield f"  {name} = load {ty}, ptr {name}.slot, align 8"
        return
    yield f"  {name}.data = load ptr, ptr {name}.slot, align 8"
    if level == "launch":
        yield f"  {name} = load {ty}, ptr {name}.data, align 1"
        return
    yield f"  {name}.step.slot = getelementptr i64, ptr %ctx, i64 {slot + 1}"
    yield f"  {name}.step = load i64, ptr {name}.step.slot, align 8"


def batch_function(plain: KernelPlan, shape: BlockShape) -> list[str] | None:
    """Return the lines of `run_batch` and of the functions of its regions; None if a kernel's blocks cannot be batched.

    That is so if lanes wait for anything but barriers, it has calls or clusters, over 60 loads and stores are counted,
    counts may differ, a part has no compiled form, or a block keeps over 256 KiB. Otherwise the body of `plain` gets
    these functions' request sites, too. Adds to `shape` and to the declarations of `plain`, also if a part has no form.

    Args:
        plain: The kernel, as it is emitted for blocks of any shape.
    """
    body = plain.body
    if plain.partial_groups or plain.warps or plain.phases or plain.waits or plain.unawaited or body.arrives:
        return None
    if plain.program.graph.calls or CLUSTERS in body.notes or (body.long and body.notes & COUNTED):
        return None
    if body.notes & {"global", "ways"} and body.invariance.differs - body.invariance.branches:
        return None  # blocks may go otherwise, unseen
    plan = KernelPlan(plain.program, body.notes, plain.layout)
    plan.body.shape, shape.stored = shape, body.stored
    plan.body.apart, plan.body.declared, plan.body.traced = body.apart, body.declared, list(body.traced)
    plan.body.single = body.single
    try:
        lines = list(_Block(Regions(plan), shape).lines())
    except Declined:
        return None
    if plain.layout.kept * shape.lanes + sum(shape.variables.values()) > LARGEST:
        return None
    body.traced, body.single, body.asked = plan.body.traced, plan.body.single, body.asked | plan.body.asked
    return lines
