"""Lanes of a warp that meet without the others, where the code says which ones.

A warp's lanes stand at places of their own. Where all that an exchange names stand at it, and no others, they go on
alone to where they wait next; a warp is where the driver leads it on once all of its lanes stand at one place.
"""

from collections.abc import Iterator, Mapping

from harness.simt.native.emit.context import SLOTS

__all__ = ["loop_over_lanes", "warp_driver"]


def loop_over_lanes(k: int, given: str) -> str:
    """The loop over the lanes of a warp that are in `%set`, from a piece; each stands then where it comes to."""
    return f"""  br label %l{k}
l{k}:
  %lane{k} = phi i64 [ %from, %k{k} ], [ %next{k}, %m{k} ]
  %step{k} = sub i64 %lane{k}, %from
  %number{k} = trunc i64 %step{k} to i32
  %bits{k} = lshr i32 %set, %number{k}
  %here{k} = trunc i32 %bits{k} to i1
  br i1 %here{k}, label %c{k}, label %m{k}
c{k}:
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {given})
  %stand{k} = getelementptr i32, ptr %where, i64 %step{k}
  store i32 %went{k}, ptr %stand{k}
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %m{k}
m{k}:
  %next{k} = add nuw i64 %lane{k}, 1
  %more{k} = icmp ult i64 %next{k}, %to
  br i1 %more{k}, label %l{k}, label %o{k}
o{k}:
  ret i32 0"""


def warp_driver(parts: Mapping[int, int], given: str) -> Iterator[str]:
    """The functions that lead the lanes of a warp from one place that all are at to the next."""
    cases = " ".join(f"i32 {number}, label %p{number}" for number in parts)
    yield f"define internal i32 @named(i32 %pc) {{\n  switch i32 %pc, label %all [ {cases} ]"
    yield from (f"p{number}:\n  ret i32 {mask}" for number, mask in parts.items())
    yield "all:\n  ret i32 -1\n}"
    yield f"""define internal i32 @stretch(ptr %ctx, i32 %pc, i64 %from, i64 %to, {given}) {{
  %where = alloca [32 x i32], align 4
  %rounds = getelementptr i64, ptr %ctx, i64 {SLOTS["rounds"]}
  %whole = call i32 @named(i32 %pc)
  %begins = icmp eq i32 %whole, -1
  br i1 %begins, label %go, label %bad
go:
  %at = phi i32 [ %pc, %0 ], [ %place, %part ]
  %set = phi i32 [ -1, %0 ], [ %those, %part ]
  %left = load i64, ptr %rounds
  %spent = icmp ule i64 %left, 1
  br i1 %spent, label %bad, label %run
run:
  %less = sub i64 %left, 1
  store i64 %less, ptr %rounds
  %failed = call i32 @some(ptr %ctx, i32 %at, i64 %from, i64 %to, {given}, i32 %set, ptr %where)
  %wrong = icmp eq i32 %failed, -2
  br i1 %wrong, label %bad, label %each
each:
  %i = phi i32 [ 0, %run ], [ %next, %others ]
  %stand = getelementptr i32, ptr %where, i32 %i
  %place = load i32, ptr %stand
  %one = insertelement <32 x i32> poison, i32 %place, i32 0
  %alike = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %places = load <32 x i32>, ptr %where, align 4
  %same = icmp eq <32 x i32> %places, %alike
  %those = bitcast <32 x i1> %same to i32
  %every = icmp eq i32 %those, -1
  br i1 %every, label %met, label %part
part:
  %named = call i32 @named(i32 %place)
  %complete = icmp eq i32 %named, %those
  br i1 %complete, label %go, label %others
others:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %each, label %bad
met:
  ret i32 %place
bad:
  ret i32 -2
}}"""
