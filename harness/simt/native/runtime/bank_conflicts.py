"""The function that counts the passes over shared memory beyond those that a request takes anyway.

A record stands for a place in the code: when lanes came to it last, which part of their warp, how many passes that part
has taken, and for each bank the words that it asked for. The lanes of a part come one after another.
"""

__all__ = ["BANK_FUNCTION", "RECORD_BYTES"]

BANKS, MOST_WORDS = 32, 32  # that a part of a warp asks for of each
RECORD_BYTES = 24 + 4 * BANKS + 4 * BANKS * MOST_WORDS
BANK_FUNCTION = f"""
define internal void @bank(ptr %site, ptr %record, i64 %when, i64 %part, i64 %word, i64 %count, i64 %least,
    i1 %alone) noinline {{
  %part.at = getelementptr i64, ptr %record, i64 1
  %most.at = getelementptr i64, ptr %record, i64 2
  %depths = getelementptr i64, ptr %record, i64 3
  %words = getelementptr i8, ptr %depths, i64 {4 * BANKS}
  %total.at = getelementptr i64, ptr %site, i64 1
  %before = load i64, ptr %record
  %part.before = load i64, ptr %part.at
  %same.time = icmp eq i64 %before, %when
  %same.part = icmp eq i64 %part.before, %part
  %known = and i1 %same.time, %same.part
  br i1 %known, label %next, label %fresh
fresh:
  store i64 %when, ptr %record
  store i64 %part, ptr %part.at
  store i64 %least, ptr %most.at
  store <{BANKS} x i32> zeroinitializer, ptr %depths, align 8
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ 0, %fresh ], [ %n.next, %on ]
  %one = add i64 %word, %n
  %bank = and i64 %one, {BANKS - 1}
  %depth.at = getelementptr i32, ptr %depths, i64 %bank
  %depth = load i32, ptr %depth.at
  %row = mul i64 %bank, {MOST_WORDS}
  %number = trunc i64 %one to i32
  %none = icmp eq i32 %depth, 0
  %skip = or i1 %alone, %none
  br i1 %skip, label %new, label %look
look:
  %i = phi i32 [ 0, %next ], [ %i.next, %other ]
  %i.64 = zext i32 %i to i64
  %place = add i64 %row, %i.64
  %at = getelementptr i32, ptr %words, i64 %place
  %there = load i32, ptr %at
  %same = icmp eq i32 %there, %number
  br i1 %same, label %on, label %other
other:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %depth
  br i1 %more, label %look, label %new
new:
  %depth.64 = zext i32 %depth to i64
  %free = add i64 %row, %depth.64
  %free.at = getelementptr i32, ptr %words, i64 %free
  store i32 %number, ptr %free.at
  %deeper = add i32 %depth, 1
  store i32 %deeper, ptr %depth.at
  %deeper.64 = zext i32 %deeper to i64
  %most = load i64, ptr %most.at
  %exceeds = icmp ugt i64 %deeper.64, %most
  br i1 %exceeds, label %count.it, label %on
count.it:
  store i64 %deeper.64, ptr %most.at
  %total = load i64, ptr %total.at
  %total.next = add i64 %total, 1
  store i64 %total.next, ptr %total.at
  br label %on
on:
  %n.next = add i64 %n, 1
  %left = icmp ult i64 %n.next, %count
  br i1 %left, label %next, label %done
done:
  ret void
}}
"""
