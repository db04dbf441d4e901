"""The way through the blocks, the same for all kernels."""

from harness.simt.native.layout import ALLOCATION, FIXED, MARKS, MOST_LINES

__all__ = ["driver", "head"]

# Warps come one after another to the same barrier, or to their end; what a warp waits for within is in `%warp`.
_DRIVER = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @fresh(ptr %table, i64 %own) {{
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n1, %on ]
  %row = getelementptr [{facts} x i64], ptr %table, i64 %n
  %size.at = getelementptr i64, ptr %row, i64 {fresh}
  %size = load i64, ptr %size.at
  %none = icmp eq i64 %size, 0
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
  br label %block
block:
  %b = phi i64 [ %start, %entry ], [ %b.next, %done ]
  %t = load i32, ptr %time
  %birth = add i32 %t, 1
  store i32 %birth, ptr %time
  store i32 %birth, ptr %birth.at
  call void @fresh(ptr %table, i64 %own)
  %row = mul i64 %b, %threads
  br label %round
round:
  %pc = phi i32 [ 0, %block ], [ %agreed, %barrier ]
  %now = phi i32 [ %birth, %block ], [ %later, %barrier ]
  %far = phi i32 [ %birth, %block ], [ %far.next, %barrier ]
  %since = phi i32 [ %birth, %block ], [ %since.next, %barrier ]
  %at = phi i32 [ -1, %block ], [ %met, %barrier ]
  %ahead = phi i64 [ 0, %block ], [ %ahead.next, %barrier ]
  %need = phi ptr [ %nothing, %block ], [ %need.next, %barrier ]
  br label %group
group:
  %from = phi i64 [ 0, %round ], [ %to, %rest ]
  %before = phi i32 [ -3, %round ], [ %next, %rest ]
  %end = add i64 %from, %width
  %over = icmp ugt i64 %end, %threads
  %to = select i1 %over, i64 %threads, i64 %end
  br label %go
go:
  %step = phi i32 [ %pc, %group ], [ %next, %again ]
  %next = call i32 @stretch(
    ptr %ctx, i32 %step, i64 %from, i64 %to, i64 %row, i32 %now, i32 %far, i32 %birth, i32 %since, ptr %need)
  %failed = icmp eq i32 %next, -2
  br i1 %failed, label %bad, label %count
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
came:
  %first = icmp eq i32 %before, -3
  %same = icmp eq i32 %before, %next
  %fine = or i1 %first, %same
  %more = icmp ult i64 %to, %threads
  br i1 %fine, label %rest, label %bad
rest:
  br i1 %more, label %group, label %all
all:
  %agreed = phi i32 [ %next, %rest ]
  %ended = icmp eq i32 %agreed, -1
  br i1 %ended, label %done, label %barrier
barrier:
  %met = call i32 @line_of(i32 %agreed)
  %later = add i32 %now, 1
  store i32 %later, ptr %time
  %all.of.it = call i1 @orders_all(i32 %agreed)
  %far.next = select i1 %all.of.it, i32 %later, i32 %far
  %still = icmp eq i32 %met, %at
  %since.next = select i1 %still, i32 %since, i32 %now
  %met.64 = sext i32 %met to i64
  %met.row = mul i64 %met.64, {marks}
  %need.next = getelementptr i8, ptr %needed, i64 %met.row
  %pass = getelementptr i64, ptr %passed, i64 %met.64
  %always = load i64, ptr %pass
  %always.next = and i64 %always, %ahead
  store i64 %always.next, ptr %pass
  %bit.of = urem i64 %met.64, {most}
  %bit = shl i64 1, %bit.of
  %ahead.next = or i64 %ahead, %bit
  %wrapped = icmp slt i32 %later, 0
  br i1 %wrapped, label %bad, label %round
done:
  store i64 1, ptr %again.at
  %b.next = add nuw i64 %b, 1
  %left = icmp ult i64 %b.next, %blocks
  br i1 %left, label %block, label %clean
clean:
  ret i64 %blocks
bad:
  ret i64 %b
}}
"""


def driver(warps: list[int]) -> str:
    """The function that runs blocks from a first one on, of which there is one; see `Code`.

    Args:
        warps: The pieces before which the lanes of a warp wait for one another.
    """
    cases = " ".join(f"i32 {number}, label %again" for number in warps)
    facts = {name: ALLOCATION[name] for name in ("fresh", "written")}
    return _DRIVER.format(
        heads="\n".join(_heads()), warps=cases, facts=len(ALLOCATION), most=MOST_LINES, marks=MARKS, **facts
    )


def head(name: str) -> list[str]:
    """Lines that load a fixed slot."""
    number = FIXED[name]
    ty = "i64" if name in ("own", "count", "threads", "width") else "ptr"
    return [
        f"  %{name}.at = getelementptr i64, ptr %ctx, i64 {number}",
        f"  %{name} = load {ty}, ptr %{name}.at, align 8, !invariant.load !0",
    ]


def _heads() -> list[str]:
    """Lines that load those of the driver; of those that change, where they are."""
    names = ("table", "own", "threads", "width", "needed", "passed")
    lines = [line for name in names for line in head(name)]
    for name, label in (
        ("time", "time"),
        ("birth", "birth.at"),
        ("rounds", "rounds"),
        ("nothing", "nothing"),
        ("again", "again.at"),
    ):
        lines.append(f"  %{label} = getelementptr i64, ptr %ctx, i64 {FIXED[name]}")
    return lines
