"""Cells of race detection: what a load, a store and an update of one does.

A cell has its last writer and its last reader, each with its epoch; epochs begin anew at each barrier and each
block, for memory that blocks share at those barriers alone that order it. `begins` is the block's first epoch where
blocks share the memory, else 0. The low 16 bits of who it was are the thread's number in its block: 65535 stands for
several blocks, 65534 for several threads of one epoch. The high ones of a writer are 0, or the kind of its updates:
those of one kind give the same in any order. Its highest bit says that its block wrote there otherwise before, behind
another barrier: then no other block may update it too. The 17th bit of a reader says that others read there before,
behind another barrier, since it was written. An exchange between epochs that only the barrier in hand lies between says
that it is needed, one whose other side is no longer known that it may be, and any other that it is or one before it.
"""

__all__ = ["CELLS"]


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
define internal i32 @exchanged(i32 %by, i32 %at, i32 %who, i32 %now, i32 %birth) alwaysinline {
  %differ = xor i32 %by, %who
  %threads = and i32 %differ, 65535
  %other = icmp ne i32 %threads, 0
  %old = icmp ult i32 %at, %now
  %own = icmp uge i32 %at, %birth
  %thread = and i32 %by, 65535
  %known = icmp ne i32 %thread, 65535
  %a = and i1 %other, %old
  %b = and i1 %own, %known
  %c = and i1 %a, %b
  %when = select i1 %c, i32 %at, i32 0
  ret i32 %when
}
define internal void @ordered(i32 %at, i32 %since, i1 %lost, ptr %need) alwaysinline {
  %late = icmp uge i32 %at, %since
  %met = icmp ne i32 %at, 0
  %any = or i1 %met, %lost
  br i1 %any, label %some, label %no
some:
  %early = select i1 %lost, i64 1, i64 2
  %offset = select i1 %late, i64 0, i64 %early
  %place = getelementptr i8, ptr %need, i64 %offset
  store i8 1, ptr %place
  br label %no
no:
  ret void
}
"""
_CELLS = """
define internal i1 @{kind}_cells(
    i64 %first, i64 %count, i32 %who, i32 %now, i32 %birth, i32 %begins, i32 %since, ptr %need) {{
  %nothing = icmp eq i64 %count, 0
  br i1 %nothing, label %clean, label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %i1, %go ]
  %offset = shl i64 %i, 4
  %at = add i64 %first, %offset
  %p = inttoptr i64 %at to ptr
  %old = load <4 x i32>, ptr %p, align 4
  %w = extractelement <4 x i32> %old, i32 0
  %wt = extractelement <4 x i32> %old, i32 1
  %reader.was = extractelement <4 x i32> %old, i32 2
  %r = and i32 %reader.was, 65535
  %rt = extractelement <4 x i32> %old, i32 3
  %clash.w = call i1 @of_others(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %begins)
{clash}
  br i1 %clash, label %bad, label %go
go:
  %met.w = call i32 @exchanged(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %birth)
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
  call void @ordered(i32 %met.w, i32 %since, i1 false, ptr %need)
  %met.r = call i32 @exchanged(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %birth)
  %lost.now = icmp ugt i32 %met.r, %wt
  %flag = and i32 %reader.was, 65536
  %kept = icmp ne i32 %flag, 0
  %unwritten = icmp ugt i32 %rt, %wt
  %lost.before = and i1 %kept, %unwritten
  %lost = or i1 %lost.now, %lost.before
  %mark = select i1 %lost, i32 65536, i32 0
  %alone = or i32 %who, %mark
  %mine = select i1 %several, i32 65534, i32 %alone
  %reader = select i1 %blocks, i32 65535, i32 %mine
  %n1 = insertelement <4 x i32> %old, i32 %reader, i32 2"""
_READ = """
  %clash.r = call i1 @of_others(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %begins)"""
_ORDERED = """
  %met.r = call i32 @exchanged(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %birth)
  %w.later = icmp ugt i32 %met.w, %met.r
  %met = select i1 %w.later, i32 %met.w, i32 %met.r
  %flag = and i32 %reader.was, 65536
  %kept = icmp ne i32 %flag, 0
  %unwritten = icmp ugt i32 %rt, %wt
  %lost.any = and i1 %kept, %unwritten
  %none = icmp eq i32 %met.r, 0
  %lost = and i1 %lost.any, %none
  call void @ordered(i32 %met, i32 %since, i1 %lost, ptr %need)"""
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
