"""Marks of bytes: whether they were written, or belong to a barrier, or are written by a copy of an epoch."""

from harness.simt.native.body import Body
from harness.simt.native.spots import Spot
from harness.simt.state.allocation import Access

__all__ = ["BARRIER", "epoch_marks", "undisturbed"]

MARKS = 253  # of epochs, from 2 on
BARRIER = 0x82  # what marks a byte that belongs to a barrier: neither 0, for nothing, nor 1, for a store
LAST = 0xFF  # stands for an epoch in place of that


def epoch_marks(body: Body, size: int) -> str:
    """What marks bytes that a copy of this epoch writes, as a vector: neither 0, for nothing, nor 1, for a store."""
    octets, turn = f"<{size} x i8>", body.new(f"urem i32 %now, {MARKS}")
    mark = body.new(f"trunc i32 {body.new(f'add i32 {turn}, 2')} to i8")
    if body.arrives:
        mark = body.new(f"select i1 {body.new(f'icmp eq i8 {mark}, {BARRIER}')}, i8 {LAST}, i8 {mark}")
    one = body.new(f"insertelement {octets} poison, i8 {mark}, i32 0")
    return body.new(f"shufflevector {octets} {one}, {octets} poison, <{size} x i32> zeroinitializer")


def undisturbed(where: Spot, access: Access, kind: str) -> None:
    """While copies are under way nobody touches what they write, nor stores where they may read."""
    if where.data:  # nobody copies there
        return
    body = where.body
    under_way = body.new(f"icmp ne i8 {body.new('load i8, ptr %flight')}, 0")
    start = body.new(f"icmp ne i64 {where.fact('start')}, 0")
    octets = f"<{access.width} x i8>"
    marks = body.new(f"load {octets}, ptr {where.at('written', where.fact('mask'))}, align 1")
    same = body.new(f"icmp eq {octets} {marks}, {epoch_marks(body, access.width)}")
    some = body.call("i1", f"llvm.vector.reduce.or.v{access.width}i1", (f"<{access.width} x i1>", same))
    wrong = body.new(f"select i1 {start}, i1 {'true' if kind == 'store' else 'false'}, i1 {some}")
    body.unless(body.new(f"and i1 {under_way}, {wrong}"))
