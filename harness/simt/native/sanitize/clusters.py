"""Blocks of a cluster: lanes arrive and wait, and touch the shared memory of other blocks.

Between a lane's arrival and its wait there is no other wait. What it does there others do not see in order, see
`cells`; the memory of another block it does not touch then, nor before the first wait, when that may not run yet, nor
behind the last one, when it may have ended.
"""

from harness.simt.ir.values import PEER_SHIFT
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import SLOTS

__all__ = ["begin_arrival", "check_arrival", "resolve_peer"]


def begin_arrival(body: Body) -> None:
    """A lane goes on from a wait."""
    if CLUSTERS in body.notes:
        body.line("%arrived = alloca i1")
        body.line("store i1 false, ptr %arrived")


def check_arrival(body: Body, *, waits: bool) -> None:
    """It comes to its end or a wait, maybe that of the cluster."""
    if CLUSTERS in body.notes:
        body.unless(body.new(f"icmp ne i1 {body.new('load i1, ptr %arrived')}, {'true' if waits else 'false'}"))


def resolve_peer(body: Body, at: str) -> tuple[str, str, str]:
    """(the address without it, the rank of the block that it is in, whether it says that) of an address."""
    if CLUSTERS not in body.notes:
        return at, "%rank", "false"
    new = body.new
    number = new(f"lshr i64 {at}, {PEER_SHIFT}")
    own = new(f"icmp eq i64 {number}, 0")
    rank = new(f"select i1 {own}, i64 %rank, i64 {new(f'sub i64 {number}, 1')}")
    body.unless(new(f"icmp uge i64 {rank}, %cluster.of"))
    other = new(f"icmp ne i64 {rank}, %rank")
    early = new("icmp eq i32 %phase, %cluster")
    body.unless(new(f"and i1 {other}, {new(f'or i1 {early}, ' + new('load i1, ptr %arrived'))}"))
    place = new(f"getelementptr i64, ptr %ctx, i64 {SLOTS['peered']}")
    before = new(f"load i64, ptr {place}")
    body.line(f"store i64 {new(f'or i64 {before}, ' + new(f'zext i1 {other} to i64'))}, ptr {place}")
    return new(f"and i64 {at}, {(1 << PEER_SHIFT) - 1}"), rank, new(f"xor i1 {own}, true")
