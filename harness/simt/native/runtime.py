"""The parts of the module that are the same for all kernels: cells of race detection, and the way through the blocks.

A cell has its last writer and its last reader, each with its epoch; epochs begin anew at each barrier and each
block, for memory that blocks share at those barriers alone that order it. `begins` is the block's first epoch where
blocks share the memory, else 0. The low 16 bits of who it was are the thread's number in its block: 65535 stands for
several blocks, 65534 for several threads of one epoch. The high ones of a writer are 0, or the kind of its updates:
those of one kind give the same in any order. Its highest bit says that its block wrote there otherwise before, behind
another barrier: then no other block may update it too. An exchange between epochs that only the barrier in hand lies
between says that it is needed.
"""

from harness.simt.native.layout import ALLOCATION, FIXED

__all__ = ["CELLS", "driver", "head"]


_FOREIGN = """
define internal i1 @of_other_blocks(i32 %by, i32 %at, i32 %begins) alwaysinline {
  %ever = icmp ne i32 %at, 0
  %before = icmp ult i32 %at, %begins
  %foreign = and i1 %ever, %before
  %thread = and i32 %by, 65535
  %blocks = icmp eq i32 %thread, 65535
  %apart = or i1 %foreign, %blocks
  ret i1 %apart
}
define internal i1 @of_others(i32 %by, i32 %at, i32 %who, i32 %now, i32 %begins) alwaysinline {
  %other = icmp ne i32 %by, %who
  %same = icmp eq i32 %at, %now
  %here = and i1 %other, %same
  %apart = call i1 @of_other_blocks(i32 %by, i32 %at, i32 %begins)
  %clash = or i1 %here, %apart
  ret i1 %clash
}
define internal void @exchanged(i32 %by, i32 %at, i32 %who, i32 %now, i32 %birth, i32 %since, ptr %need) alwaysinline {
  %differ = xor i32 %by, %who
  %threads = and i32 %differ, 65535
  %other = icmp ne i32 %threads, 0
  %old = icmp ult i32 %at, %now
  %own = icmp uge i32 %at, %birth
  %late = icmp uge i32 %at, %since
  %thread = and i32 %by, 65535
  %known = icmp ne i32 %thread, 65535
  %a = and i1 %other, %old
  %b = and i1 %own, %late
  %c = and i1 %a, %b
  %d = and i1 %c, %known
  br i1 %d, label %yes, label %no
yes:
  store i8 1, ptr %need
  br label %no
no:
  ret void
}
"""
_CELLS = """
define internal i1 @{kind}_cells(
    i64 %first, i64 %count, i32 %who, i32 %now, i32 %birth, i32 %begins, i32 %since, ptr %need) {{
  %none = icmp eq i64 %count, 0
  br i1 %none, label %clean, label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %i1, %go ]
  %offset = shl i64 %i, 4
  %at = add i64 %first, %offset
  %p = inttoptr i64 %at to ptr
  %old = load <4 x i32>, ptr %p, align 4
  %w = extractelement <4 x i32> %old, i32 0
  %wt = extractelement <4 x i32> %old, i32 1
  %r = extractelement <4 x i32> %old, i32 2
  %rt = extractelement <4 x i32> %old, i32 3
  %clash.w = call i1 @of_others(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %begins)
{clash}
  br i1 %clash, label %bad, label %go
go:
  call void @exchanged(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %birth, i32 %since, ptr %need)
{change}
  %n2 = insertelement <4 x i32> %n1, i32 %now, i32 {time}
  store <4 x i32> %n2, ptr %p, align 4
  %i1 = add nuw i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %cell, label %clean
clean:
  ret i1 false
bad:
  ret i1 true
}}
"""
_LOAD = """
  %blocks = call i1 @of_other_blocks(i32 %r, i32 %rt, i32 %begins)
  %same = icmp eq i32 %rt, %now
  %other = icmp ne i32 %r, %who
  %several = and i1 %same, %other
  %mine = select i1 %several, i32 -2, i32 %who
  %reader = select i1 %blocks, i32 -1, i32 %mine
  %n1 = insertelement <4 x i32> %old, i32 %reader, i32 2"""
_READ = """
  %clash.r = call i1 @of_others(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %begins)"""
_ORDERED = """
  call void @exchanged(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %birth, i32 %since, ptr %need)"""
_UPDATE = """
  %ever = icmp ne i32 %wt, 0
  %otherwise = and i1 %ever, %unlike
  %mixing = or i1 %otherwise, %mixed
  %mark = select i1 %mixing, i32 -2147483648, i32 0
  %same = icmp eq i32 %wt, %now
  %other = icmp ne i32 %w, %who
  %several = and i1 %same, %other
  %any.of.blocks = or i32 %who, 65535
  %start = and i32 %who, -65536
  %any = or i32 %start, 65534
  %mine = select i1 %several, i32 %any, i32 %who
  %how = select i1 %blocks, i32 %any.of.blocks, i32 %mine
  %writer = or i32 %how, %mark
  %n1 = insertelement <4 x i32> %old, i32 %writer, i32 0"""
_ALIKE = """
  %kinds = xor i32 %w, %who
  %kind = and i32 %kinds, 2147418112
  %unlike = icmp ne i32 %kind, 0
  %clash.u = and i1 %clash.w, %unlike
  %mixed = icmp slt i32 %w, 0
  %blocks = call i1 @of_other_blocks(i32 %w, i32 %wt, i32 %begins)
  %clash.m = and i1 %mixed, %blocks
  %clash.o = or i1 %clash.u, %clash.m
  %clash = or i1 %clash.o, %clash.r"""
CELLS = _FOREIGN + "".join(
    _CELLS.format(kind=kind, clash=clash, change=change, time=time)
    for kind, clash, change, time in (
        ("load", "  %clash = or i1 %clash.w, false", _LOAD, 3),
        (
            "store",
            f"{_READ}\n  %clash = or i1 %clash.w, %clash.r",
            f"{_ORDERED}\n  %n1 = insertelement <4 x i32> %old, i32 %who, i32 0",
            1,
        ),
        ("update", _READ + _ALIKE, _ORDERED + _UPDATE, 1),
    )
)

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
  %need.next = getelementptr i8, ptr %needed, i64 %met.64
  %pass = getelementptr i8, ptr %passed, i64 %met.64
  store i8 1, ptr %pass
  %wrapped = icmp slt i32 %later, 0
  br i1 %wrapped, label %bad, label %round
done:
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
    return _DRIVER.format(heads="\n".join(_heads()), warps=cases, facts=len(ALLOCATION), **facts)


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
    for name, label in (("time", "time"), ("birth", "birth.at"), ("rounds", "rounds"), ("nothing", "nothing")):
        lines.append(f"  %{label} = getelementptr i64, ptr %ctx, i64 {FIXED[name]}")
    return lines
