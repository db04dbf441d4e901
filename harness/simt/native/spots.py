"""Bytes of allocations that an address leads to."""

from dataclasses import dataclass, replace

from harness.simt.ir.values import BIAS, SHIFT
from harness.simt.native.body import Body
from harness.simt.native.layout import ALLOCATION
from harness.simt.state.allocation import Access
from harness.simt.state.allocations import FIRST

__all__ = ["Spot", "aligned", "spot"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Bytes of an allocation, within its bounds.

    Attributes:
        entry: The allocation's number in the table.
        row: Its row there, as a `ptr`.
        offset: From its beginning.
        own: The same, where each lane has one of its own.
    """

    body: Body
    entry: str
    row: str
    offset: str
    own: str

    def fact(self, name: str) -> str:
        """What is known of the allocation, see `ALLOCATION`."""
        where = self.body.new(f"getelementptr i64, ptr {self.row}, i64 {ALLOCATION[name]}")
        return self.body.new(f"load i64, ptr {where}, align 8, !invariant.load !0")

    def at(self, name: str, mask: str = "-1") -> str:
        """Its place in the data or in what is `written`, as a `ptr`."""
        offset = self.own if mask == "-1" else self.body.new(f"and i64 {self.own}, {mask}")
        return self.body.pointer(self.body.new(f"add i64 {self.fact(name)}, {offset}"))


def spot(body: Body, at: str, width: int) -> Spot:
    """Where the bytes of an address are."""
    new = body.new
    number = new(f"lshr i64 {at}, {SHIFT}")
    lasting = new(f"icmp uge i64 {number}, {FIRST}")
    behind = new(f"add i64 {new(f'sub i64 {number}, {FIRST}')}, %own")
    entry = new(f"select i1 {lasting}, i64 {behind}, i64 {number}")
    last = new(f"select i1 {lasting}, i64 %count, i64 %own")
    body.unless(new(f"icmp uge i64 {entry}, {last}"))
    row = new(f"getelementptr [{len(ALLOCATION)} x i64], ptr %table, i64 {entry}")
    offset = new(f"sub i64 {new(f'and i64 {at}, {(1 << SHIFT) - 1}')}, {BIAS}")
    found = Spot(body, entry, row, offset, offset)
    size = found.fact("size")
    body.unless(new(f"icmp ugt i64 {offset}, {size}"))
    body.unless(new(f"icmp ult i64 {new(f'sub i64 {size}, {offset}')}, {width}"))
    stride = found.fact("stride")
    return replace(found, own=new(f"add i64 {offset}, {new(f'mul i64 %lane, {stride}')}"))


def aligned(where: Spot, access: Access) -> None:
    """It is as aligned as is promised."""
    if (low := access.align - 1) > 0:
        where.body.unless(where.body.new(f"icmp ne i64 {where.body.new(f'and i64 {where.offset}, {low}')}, 0"))
