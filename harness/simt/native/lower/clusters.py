"""Lower arrivals at a cluster barrier (waits emit nothing) and peers' shared addresses; see `sanitize.clusters`."""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import TRUE
from harness.simt.native.emit.lane_values import ARRIVED
from harness.simt.native.lower.registry import forms

__all__: list[str] = []


@forms("arrive")
def _arrive(body: Body, op: Op, _how: str) -> None:
    build = Builder(body)
    if CLUSTERS not in body.notes:
        raise Declined(Reason.UNAWAITED, name=op.callee.removeprefix("@"))
    build.fail_if(build.load(ARRIVED, "i1"))
    build.store(TRUE, ARRIVED)


@forms("waited")
def _waited(_body: Body, _op: Op, _how: str) -> None:
    pass


@forms("mapped")
def _mapped(body: Body, op: Op, _how: str) -> None:
    """Emit the address of the same location in the shared memory of the block with a rank in the cluster.

    The rank is not checked here, but at an access; see `resolve_peer`.
    """
    build = Builder(body)
    pointer, rank = map(build.value, op.operands)
    address = build.and_(pointer, (1 << PEER_SHIFT) - 1)
    wide = build.zext(rank, "i64")
    number = build.shl(build.add(wide, 1), PEER_SHIFT)
    build.define(op, build.or_(address, number))
