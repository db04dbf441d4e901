"""Functions that count, in code that runs warps in lockstep: elements of shared memory, steps.

The table of a variable in shared memory begins with four numbers: how many of its cells the block loaded, how many it
stored to, the sizes and offsets of its accesses, as bits, and all sizes in which blocks counted. A cell of four bytes
stands for what all accesses are made of: bit 31 says that it was stored to, bit 30 that it was loaded, the others hold
the number of the thread that stored to it last, from 1 on.
"""

from harness.simt.native.emit.context import ALLOCATION_FACTS, SLOTS

__all__ = ["BLOCK_COUNTS", "BLOCK_WORDS", "ROW_BYTES", "TABLE_WORDS", "lane_count_functions"]

ROW_BYTES = 64  # of what is counted of a thread: eight numbers
# What is counted of a block; `readers` and `earlier` of `threads` bytes each follow.
BLOCK_COUNTS = {
    name: number
    for number, name in enumerate(
        (
            "loads",  # elements of shared memory that the block loaded, and stored to
            "stores",
            "steps",  # barrier intervals in which a thread loaded what another one of the block stored last
            "handed on",  # whether nobody who did so in the last of these did in the one before
            "read",  # whether somebody did so since the last barrier
            "most loads",  # the same of the block with the most
            "most stores",
            "most steps",
            "when",  # how often lanes of a warp ran a piece
            "split rounds",  # rounds of loops that some lanes of a warp went while others had left, at most
            "most rounds",  # that lanes of a warp went, at most, and all warps together
            "all rounds",
            "divergent",  # branches that divided a warp
            "mixed",  # whether blocks counted a variable in elements of different sizes
            "shared order",  # whether there were atomic updates of shared memory, and of global memory
            "global order",
        )
    )
}
BLOCK_WORDS = 16
TABLE_WORDS = 4  # before the cells of a variable

_B = BLOCK_COUNTS
_FUNCTIONS = f"""
define internal void @share_load(
    ptr %loads.at, i64 %first.cell, i64 %count, i64 %sizes, i32 %who, ptr %block) {{
  %self = add i32 %who, 1
  %sizes.at = getelementptr i64, ptr %loads.at, i64 2
  %sizes.before = load i64, ptr %sizes.at
  %sizes.next = or i64 %sizes.before, %sizes
  store i64 %sizes.next, ptr %sizes.at
  %all.cells = getelementptr i64, ptr %loads.at, i64 {TABLE_WORDS}
  %cells = getelementptr i32, ptr %all.cells, i64 %first.cell
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n.next, %on ]
  %cell = getelementptr i32, ptr %cells, i64 %n
  %before = load i32, ptr %cell
  %writer = and i32 %before, 1073741823
  %some = icmp ne i32 %writer, 0
  %not.self = icmp ne i32 %writer, %self
  %foreign = and i1 %some, %not.self
  br i1 %foreign, label %reads, label %mark
reads:
  %readers = getelementptr i64, ptr %block, i64 {BLOCK_WORDS}
  %who.64 = zext i32 %who to i64
  %reader = getelementptr i8, ptr %readers, i64 %who.64
  store i8 1, ptr %reader
  %read.at = getelementptr i64, ptr %block, i64 {_B["read"]}
  store i64 1, ptr %read.at
  br label %mark
mark:
  %bit = and i32 %before, 1073741824
  %first = icmp eq i32 %bit, 0
  br i1 %first, label %new, label %on
new:
  %after = or i32 %before, 1073741824
  store i32 %after, ptr %cell
  %loads = load i64, ptr %loads.at
  %loads.next = add i64 %loads, 1
  store i64 %loads.next, ptr %loads.at
  br label %on
on:
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, %count
  br i1 %more, label %next, label %done
done:
  ret void
}}
define internal void @share_store(
    ptr %table, i64 %first.cell, i64 %count, i64 %sizes, i32 %who, ptr %block) {{
  %self = add i32 %who, 1
  %marked = or i32 %self, -2147483648
  %stores.at = getelementptr i64, ptr %table, i64 1
  %sizes.at = getelementptr i64, ptr %table, i64 2
  %sizes.before = load i64, ptr %sizes.at
  %sizes.next = or i64 %sizes.before, %sizes
  store i64 %sizes.next, ptr %sizes.at
  %all.cells = getelementptr i64, ptr %table, i64 {TABLE_WORDS}
  %cells = getelementptr i32, ptr %all.cells, i64 %first.cell
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n.next, %next ]
  %cell = getelementptr i32, ptr %cells, i64 %n
  %before = load i32, ptr %cell
  %loaded = and i32 %before, 1073741824
  %after = or i32 %loaded, %marked
  store i32 %after, ptr %cell
  %first = icmp sge i32 %before, 0
  %first.64 = zext i1 %first to i64
  %stores = load i64, ptr %stores.at
  %stores.next = add i64 %stores, %first.64
  store i64 %stores.next, ptr %stores.at
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, %count
  br i1 %more, label %next, label %done
done:
  ret void
}}
define internal void @begin_block(ptr %ctx) noinline {{
  %block.slot = getelementptr i64, ptr %ctx, i64 {SLOTS["blocks"]}
  %block = load ptr, ptr %block.slot
  %size.at = getelementptr i64, ptr %ctx, i64 {SLOTS["size"]}
  %size = load i64, ptr %size.at
  %table.at = getelementptr i64, ptr %ctx, i64 {SLOTS["table"]}
  %table = load ptr, ptr %table.at
  %own.at = getelementptr i64, ptr %ctx, i64 {SLOTS["own"]}
  %own = load i64, ptr %own.at
  %readers = getelementptr i64, ptr %block, i64 {BLOCK_WORDS}
  %both = shl i64 %size, 1
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 {8 * (_B["read"] + 1)}, i1 false)
  call void @llvm.memset.p0.i64(ptr %readers, i8 0, i64 %both, i1 false)
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n.next, %on ]
  %row = getelementptr [{len(ALLOCATION_FACTS)} x i64], ptr %table, i64 %n
  %start.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["start"]}
  %start = load i64, ptr %start.at
  %cells.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["loads"]}
  %cells = load i64, ptr %cells.at
  %bytes.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["stores"]}
  %bytes = load i64, ptr %bytes.at
  %block.own = icmp eq i64 %start, 0
  %counted = icmp ne i64 %cells, 0
  %is.shared = and i1 %block.own, %counted
  %loads.at = inttoptr i64 %cells to ptr
  br i1 %is.shared, label %shared, label %on
shared:
  %to = getelementptr i64, ptr %loads.at, i64 {TABLE_WORDS}
  call void @llvm.memset.p0.i64(ptr %loads.at, i8 0, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  br label %on
on:
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, %own
  br i1 %more, label %next, label %done
done:
  ret void
}}
define internal void @end_step(ptr %ctx) noinline {{
  %block.slot = getelementptr i64, ptr %ctx, i64 {SLOTS["blocks"]}
  %block = load ptr, ptr %block.slot
  %read.at = getelementptr i64, ptr %block, i64 {_B["read"]}
  %read = load i64, ptr %read.at
  %any = icmp ne i64 %read, 0
  br i1 %any, label %steps, label %done
steps:
  store i64 0, ptr %read.at
  %size.at = getelementptr i64, ptr %ctx, i64 {SLOTS["size"]}
  %size = load i64, ptr %size.at
  %readers = getelementptr i64, ptr %block, i64 {BLOCK_WORDS}
  %earlier = getelementptr i8, ptr %readers, i64 %size
  br label %next
next:
  %n = phi i64 [ 0, %steps ], [ %n.next, %next ]
  %again = phi i8 [ 0, %steps ], [ %again.next, %next ]
  %now.at = getelementptr i8, ptr %readers, i64 %n
  %then.at = getelementptr i8, ptr %earlier, i64 %n
  %now = load i8, ptr %now.at
  %then = load i8, ptr %then.at
  %both = and i8 %now, %then
  %again.next = or i8 %again, %both
  store i8 %now, ptr %then.at
  store i8 0, ptr %now.at
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, %size
  br i1 %more, label %next, label %all
all:
  %count.at = getelementptr i64, ptr %block, i64 {_B["steps"]}
  %count = load i64, ptr %count.at
  %not.first = icmp ne i64 %count, 0
  %nobody = icmp eq i8 %again.next, 0
  %handed = and i1 %not.first, %nobody
  %handed.64 = zext i1 %handed to i64
  %handed.at = getelementptr i64, ptr %block, i64 {_B["handed on"]}
  store i64 %handed.64, ptr %handed.at
  %count.next = add i64 %count, 1
  store i64 %count.next, ptr %count.at
  br label %done
done:
  ret void
}}
define internal void @end_block(ptr %ctx) noinline {{
  call void @end_step(ptr %ctx)
  %block.slot = getelementptr i64, ptr %ctx, i64 {SLOTS["blocks"]}
  %block = load ptr, ptr %block.slot
  %count.at = getelementptr i64, ptr %block, i64 {_B["steps"]}
  %count = load i64, ptr %count.at
  %handed.at = getelementptr i64, ptr %block, i64 {_B["handed on"]}
  %handed = load i64, ptr %handed.at
  %steps = sub i64 %count, %handed
  store i64 %steps, ptr %count.at
  %table.at = getelementptr i64, ptr %ctx, i64 {SLOTS["table"]}
  %table = load ptr, ptr %table.at
  %own.rows.at = getelementptr i64, ptr %ctx, i64 {SLOTS["own"]}
  %own = load i64, ptr %own.rows.at
  %block.loads.at = getelementptr i64, ptr %block, i64 {_B["loads"]}
  %block.stores.at = getelementptr i64, ptr %block, i64 {_B["stores"]}
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n.next, %on ]
  %row = getelementptr [{len(ALLOCATION_FACTS)} x i64], ptr %table, i64 %n
  %start.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["start"]}
  %start = load i64, ptr %start.at
  %cells.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["loads"]}
  %cells = load i64, ptr %cells.at
  %bytes.at = getelementptr i64, ptr %row, i64 {ALLOCATION_FACTS["stores"]}
  %bytes = load i64, ptr %bytes.at
  %block.own = icmp eq i64 %start, 0
  %counted = icmp ne i64 %cells, 0
  %is.shared = and i1 %block.own, %counted
  %loads.at = inttoptr i64 %cells to ptr
  br i1 %is.shared, label %shared, label %on
shared:
  %sizes.at = getelementptr i64, ptr %loads.at, i64 2
  %sizes = load i64, ptr %sizes.at
  %touched = icmp ne i64 %sizes, 0
  br i1 %touched, label %add, label %on
add:
  %negative = sub i64 0, %sizes
  %unit = and i64 %sizes, %negative
  %units.at = getelementptr i64, ptr %loads.at, i64 3
  %units = load i64, ptr %units.at
  %units.next = or i64 %units, %unit
  store i64 %units.next, ptr %units.at
  %units.less = sub i64 %units.next, 1
  %several = and i64 %units.next, %units.less
  %mixed.at = getelementptr i64, ptr %block, i64 {_B["mixed"]}
  %mixed = load i64, ptr %mixed.at
  %mixed.next = or i64 %mixed, %several
  store i64 %mixed.next, ptr %mixed.at
  %bits = call i64 @llvm.cttz.i64(i64 %unit, i1 true)
  %own.loads = load i64, ptr %loads.at
  %scaled.loads = shl i64 %own.loads, GRAIN
  %element.loads = lshr i64 %scaled.loads, %bits
  %block.loads = load i64, ptr %block.loads.at
  %block.loads.next = add i64 %block.loads, %element.loads
  store i64 %block.loads.next, ptr %block.loads.at
  %stores.at = getelementptr i64, ptr %loads.at, i64 1
  %own.stores = load i64, ptr %stores.at
  %scaled.stores = shl i64 %own.stores, GRAIN
  %element.stores = lshr i64 %scaled.stores, %bits
  %block.stores = load i64, ptr %block.stores.at
  %block.stores.next = add i64 %block.stores, %element.stores
  store i64 %block.stores.next, ptr %block.stores.at
  br label %on
on:
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, %own
  br i1 %more, label %next, label %most
most:
  br label %each
each:
  %m = phi i64 [ 0, %most ], [ %m.next, %each ]
  %own.at = getelementptr i64, ptr %block, i64 %m
  %this = load i64, ptr %own.at
  %place = add i64 %m, {_B["most loads"]}
  %most.at = getelementptr i64, ptr %block, i64 %place
  %most.before = load i64, ptr %most.at
  %higher = call i64 @llvm.smax.i64(i64 %this, i64 %most.before)
  store i64 %higher, ptr %most.at
  %m.next = add i64 %m, 1
  %m.more = icmp ult i64 %m.next, 3
  br i1 %m.more, label %each, label %done
done:
  ret void
}}
"""


def lane_count_functions(grain: int) -> str:
    """Return the functions.

    Args:
        grain: Bytes of a cell.
    """
    return _FUNCTIONS.replace("GRAIN", str(grain.bit_length() - 1))
