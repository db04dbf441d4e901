"""Cells of race detection: what a load, a store and an update of one does.

A cell has its last writer and its last reader, each with its epoch; epochs begin anew at each barrier and each
block, for memory that blocks share at those barriers alone that order it. `begins` is the block's first epoch where
blocks share the memory, else 0. The low 16 bits of who it was are the thread's number in its block: 65535 stands for
several blocks, 65534 for several threads of one epoch. The high ones of a writer are 0, or the kind of its updates:
those of one kind give the same in any order. Its highest bit says that its block wrote there otherwise before, behind
another barrier, or that it is for the block alone: then no other block may update it too. The 17th bit of a reader says
that others read there before, behind another barrier, since it was written. An exchange between epochs that only the
barrier in hand lies between says that it is needed, one whose other side is no longer known that it may be, and any
other that it is or one before it.

A thread changes nothing by coming again in the same epoch where it was the last, alone; nor by reading where others
read in that epoch: whoever wrote before has met one of them.

In a launch of clusters a block's epochs end at each wait of its cluster, and the blocks of a cluster run one after
another up to it. `phase` is the epoch before all that the cluster does behind its last wait, `birth` the first of the
block in hand since: what is in between others of the cluster did, unordered. What a lane does between its arrival and
its wait is marked with `phase` too, `mark` instead of `now`: it is unordered with all that is done before the wait, and
by `open`, the phase before, with all up to the next one. A thread's number is that of its cluster; 65533 stands for
several blocks of it. Where lanes of a warp meet, `mark` is the epoch of the warp, see `meetings`.
"""

from harness.simt.native.runtime.barrier_exchanges import exchange_functions
from harness.simt.native.runtime.warp_epochs import warp_epoch_functions

__all__ = ["shadow_cell_functions"]


_APART = """
define internal i1 @of_other_blocks(i32 %by, i32 %at, i32 %begins) alwaysinline {
  %ever = icmp ne i32 %at, 0
  %before = icmp ult i32 %at, %begins
  %foreign = and i1 %ever, %before
  %thread = and i32 %by, 65535
  %blocks = icmp eq i32 %thread, 65535
  %apart = or i1 %foreign, %blocks
  ret i1 %apart
}
"""
_NEAR = """
define internal i1 @of_cluster(i32 %by, i32 %at, i32 %who, i32 %birth, i32 %phase, i32 %open) alwaysinline {
  %differ = xor i32 %by, %who
  %thread = and i32 %differ, 65535
  %other = icmp ne i32 %thread, 0
  %last = and i32 %by, 65535
  %several = icmp eq i32 %last, 65533
  %behind = icmp uge i32 %at, %phase
  %before = icmp ult i32 %at, %birth
  %others = or i1 %before, %several
  %here = and i1 %behind, %others
  %still = icmp eq i32 %at, %open
  %unordered = or i1 %here, %still
  %near = and i1 %other, %unordered
  ret i1 %near
}
"""
_OTHERS = """
define internal i1 @of_others(i32 %by, i32 %at, i32 %who, i32 %now, i32 %begins{taken}) alwaysinline {{
  %other = icmp ne i32 %by, %who
  %same = icmp eq i32 %at, %now
  %here = and i1 %other, %same
  %apart = call i1 @of_other_blocks(i32 %by, i32 %at, i32 %begins)
  %clash.a = or i1 %here, %apart
{near}
  ret i1 %clash
}}
"""
_CELLS = """
define internal i1 @{kind}_cell(
    ptr %p.w, i32 %who, i32 %now, i32 %birth, i32 %begins, i32 %since, ptr %need{taken}) noinline {{
  %p.r = getelementptr i8, ptr %p.w, i64 8
  %old.w = load i64, ptr %p.w, align 4
  %old.r = load i64, ptr %p.r, align 4
  %w = trunc i64 %old.w to i32
  %wt.64 = lshr i64 %old.w, 32
  %wt = trunc nuw i64 %wt.64 to i32
  %reader.was = trunc i64 %old.r to i32
  %r = and i32 %reader.was, 65535
  %rt.64 = lshr i64 %old.r, 32
  %rt = trunc nuw i64 %rt.64 to i32
  %clash.w = call i1 @of_others(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %begins{given})
{clash}
  br i1 %clash, label %bad, label %go
go:
  %met.w = call i32 @exchanged(i32 %w, i32 %wt, i32 %who, i32 %now, i32 %birth)
{change}
  store i32 %by, ptr %p.{own}, align 4
  %time = getelementptr i8, ptr %p.{own}, i64 4
  store i32 {mark}, ptr %time, align 4
  ret i1 false
bad:
  ret i1 true
}}
define internal i1 @{kind}_cells(
    i64 %first, i64 %count, i32 %who, i32 %now, i32 %birth, i32 %begins, i32 %since, ptr %need{taken}) alwaysinline {{
  %mark.64 = zext i32 {time} to i64
  %when = shl nuw i64 %mark.64, 32
  %who.64 = zext i32 %who to i64
  %alone = or disjoint i64 %when, %who.64
  %several = or disjoint i64 %when, 65535
  %nothing = icmp eq i64 %count, 0
  br i1 %nothing, label %clean, label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %i1, %next ]
  %offset = shl i64 %i, 4
  %at = add i64 %first, %offset
  %p.w = inttoptr i64 %at to ptr
  %p.r = getelementptr i8, ptr %p.w, i64 8
  %old.{own} = load i64, ptr %p.{own}, align 4
{again}
  br i1 %again, label %next, label %known
known:
  %old.{other} = load i64, ptr %p.{other}, align 4
  %ever = or i64 %old.w, %old.r
  %fresh = icmp eq i64 %ever, 0
  br i1 %fresh, label %set, label %others
set:
  store i64 %alone, ptr %p.{own}, align 4
  br label %next
others:
  %clash = call i1 @{kind}_cell(
    ptr %p.w, i32 %who, i32 %now, i32 %birth, i32 %begins, i32 %since, ptr %need{passed})
  br i1 %clash, label %bad, label %next
next:
  %i1 = add nuw i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %cell, label %clean
clean:
  ret i1 false
bad:
  ret i1 true
}}
"""
_FOR_ONE = "  %again = icmp eq i64 %old.w, %alone"
_FOR_SOME = """
  %itself = icmp eq i64 %old.r, %alone
  %any = or i64 %old.r, 1
  %among = icmp eq i64 %any, %several
  %again = or i1 %itself, %among"""
_NEVER = "  %again = or i1 false, false"
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
  %lost.bit = select i1 %lost, i32 65536, i32 0
  %alone = or i32 %who, %lost.bit
  %mine = select i1 %several, i32 65534, i32 %alone
{near}
  %by = select i1 %blocks, i32 65535, i32 %ours"""
_READ = """
  %clash.r = call i1 @of_others(i32 %r, i32 %rt, i32 %who, i32 %now, i32 %begins{given})"""
_STORE = """
  %clash = or i1 %clash.w, %clash.r"""
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
_STORED = """
  %by = or i32 %who, 0"""
_UPDATE = """
  %mixing = or i1 %otherwise, %mixed
  %mark.of = select i1 %mixing, i32 -2147483648, i32 0
  %same = icmp eq i32 %wt, %now
  %w.differs = xor i32 %w, %who
  %w.threads = and i32 %w.differs, 65535
  %other = icmp ne i32 %w.threads, 0
  %several = and i1 %same, %other
  %any.of.blocks = or i32 %who, 65535
  %start = and i32 %who, -65536
  %any = or i32 %start, 65534
  %mine = select i1 %several, i32 %any, i32 %who
{near}
  %how = select i1 %blocks, i32 %any.of.blocks, i32 %ours
  %by = or i32 %how, %mark.of"""
_ALIKE = """
  %kinds = xor i32 %w, %who
  %kind = and i32 %kinds, 2147418112
  %unlike = icmp ne i32 %kind, 0
  %clash.u = and i1 %clash.w, %unlike
  %blocks = call i1 @of_other_blocks(i32 %w, i32 %wt, i32 %begins)
{mixed}
  %clash.m = and i1 %mixed, %apart
  %clash.o = or i1 %clash.u, %clash.m
  %clash = or i1 %clash.o, %clash.r"""

# What each part has more of in a launch of clusters, and what it has in place of that in another.
_TAKEN = ", i32 %birth, i32 %phase, i32 %open"
_ALONE = dict.fromkeys(("seen", "taken", "passed", "given"), "") | {
    "time": "%now",
    "mark": "%now",
    "others": "  %clash = or i1 %clash.a, false",
    "read": "  %ours = or i32 %mine, 0",
    "updated": "  %ours = or i32 %mine, 0",
    "mixed": """
  %ever = icmp ne i32 %wt, 0
  %otherwise = and i1 %ever, %unlike
  %ever.mixed = or i32 %w, %who
  %mixed = icmp slt i32 %ever.mixed, 0
  %apart = or i1 %blocks, false""",
}
_NEARLY = """
  %near = call i1 @of_cluster(i32 {by}, i32 {at}, i32 %who, i32 %birth, i32 %phase, i32 %open)"""
_KEPT = """
  %several.blocks = {several}
  %ours = select i1 %near, i32 %several.blocks, i32 %mine
  %arrived = icmp eq i32 {at}, %phase
  %still = and i1 %near, %arrived
  %when = select i1 %still, i32 %phase, i32 %mark"""
_TOGETHER = {
    "taken": ", i32 %mark, i32 %phase, i32 %open",
    "passed": ", i32 %mark, i32 %phase, i32 %open",
    "seen": _TAKEN,
    "given": _TAKEN,
    "time": "%mark",
    "mark": "%when",
    "others": _NEARLY.format(by="%by", at="%at") + "\n  %clash = or i1 %clash.a, %near",
    "read": _NEARLY.format(by="%r", at="%rt") + _KEPT.format(several="or i32 65533, 0", at="%rt"),
    "updated": _KEPT.format(several="or i32 %start, 65533", at="%wt"),
    "mixed": _NEARLY.format(by="%w", at="%wt")
    + """
  %lately = icmp uge i32 %wt, %phase
  %lasting = icmp eq i32 %wt, %open
  %recent = or i1 %lately, %lasting
  %otherwise = and i1 %recent, %unlike
  %was.mixed = icmp slt i32 %w, 0
  %mixed = and i1 %recent, %was.mixed
  %apart = or i1 %blocks, %near""",
}


def shadow_cell_functions(*, clusters: bool, needs: bool, width: int = 0) -> str:
    """The functions, for launches of clusters or for others.

    Args:
        needs: Whether it is noted which barriers are needed.
        width: Of a warp, where its lanes have epochs of their own.
    """
    functions, more = (_NEAR, _TOGETHER) if clusters else ("", _ALONE)
    if width:
        functions, marked = warp_epoch_functions(width)
        more = more | marked
    others = _OTHERS.format(taken=more["seen"], near=more["others"])
    read = _READ.format(given=more["given"])
    time = more["time"]
    kinds = {
        "load": ("  %clash = or i1 %clash.w, false", _LOAD.format(near=more["read"]), more["mark"], _FOR_SOME, "r"),
        "store": (read + _STORE, _ORDERED + _STORED, time, _FOR_ONE, "w"),
        "update": (
            read + _ALIKE.format(mixed=more["mixed"]),
            _ORDERED + _UPDATE.format(near=more["updated"]),
            more["mark"],
            _FOR_ONE,
            "w",
        ),
    }
    made = (
        _CELLS.format(
            kind=kind,
            clash=clash,
            change=change,
            mark=mark,
            time=time,
            again=_NEVER if clusters else again,
            own=own,
            other="w" if own == "r" else "r",
            **{name: more[name] for name in ("taken", "passed", "given")},
        )
        for kind, (clash, change, mark, again, own) in kinds.items()
    )
    return "".join([_APART, functions, others, exchange_functions(needs=needs), *made])
