"""Emit checks that lanes arrive at a cluster barrier; resolve addresses in the shared memory of a cluster's blocks.

Between a lane's arrival and its wait there is no other wait. What it does there others do not see in order, see
`cells`; the memory of another block it does not touch then, nor before the first wait, when that may not run yet, nor
behind the last one, when it may have ended.
"""

from harness.simt.ir.values import PEER_SHIFT
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import ARRIVED, CLUSTER, CLUSTER_SIZE, PHASE, RANK

__all__ = ["begin_arrival", "check_arrival", "resolve_peer"]


def begin_arrival(body: Body) -> None:
    """Emit that a lane has not yet arrived at its cluster's barrier; nothing without clusters."""
    if CLUSTERS in body.notes:
        build = Builder(body)
        build.store(FALSE, build.alloca("i1", "arrived"))


def check_arrival(body: Body, *, waits: bool) -> None:
    """Emit a check, before a wait or the end, that a lane has arrived at its cluster's barrier if it waits there, and
    else has not; nothing without clusters.
    """
    if CLUSTERS in body.notes:
        build = Builder(body)
        build.fail_if(build.icmp_unsigned("!=", build.load(ARRIVED, "i1"), constant("i1", waits)))


def resolve_peer(body: Body, address: IrValue) -> tuple[IrValue, IrValue, IrValue]:
    """Return an address without the rank in its high bits, that rank or else the lane's own, and an i1: it had one.

    A check fails if the cluster has no such block, or if another block's memory is accessed before the cluster's first
    wait or between arrival and wait. The slot `peered` notes such an access. Without clusters: the address, the lane's
    own rank and false.
    """
    if CLUSTERS not in body.notes:
        return address, RANK, FALSE
    build = Builder(body)
    number = build.lshr(address, PEER_SHIFT)
    is_own = build.icmp_unsigned("==", number, 0)
    rank = build.select(is_own, RANK, build.sub(number, 1))
    build.fail_if(build.icmp_unsigned(">=", rank, CLUSTER_SIZE))
    is_other = build.icmp_unsigned("!=", rank, RANK)
    is_early = build.icmp_unsigned("==", PHASE, CLUSTER)
    build.fail_if(build.and_(is_other, build.or_(is_early, build.load(ARRIVED, "i1"))))
    peered = build.slot_at("peered")
    before = build.load(peered, "i64")
    build.store(build.or_(before, build.zext(is_other, "i64")), peered)
    return build.and_(address, (1 << PEER_SHIFT) - 1), rank, build.xor(is_own, TRUE)
