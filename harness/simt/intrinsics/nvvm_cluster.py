"""NVIDIA's cluster barrier (arrive, wait); `mapa`, the address in a peer's shared memory, and `getctarank`."""

from functools import partial

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import ClusterBarrier
from harness.simt.compile.registry import pure, stateful
from harness.simt.events import ClusterEvent
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.values import PEER_SHIFT

__all__: list[str] = []

ARRIVE = "llvm.nvvm.barrier.cluster.arrive"
WAIT = "llvm.nvvm.barrier.cluster.wait"


def _emit_event(call: Call, kind: str, order: str, phases: Integers) -> None:
    if call.engine.observation.on_cluster:
        call.engine.observation.on_cluster(ClusterEvent(kind, call.site, call.lanes, order, phases))


def _arrive(order: str, call: Call) -> None:
    chunk, idx = call.engine.chunk, call.lanes.idx
    phases = chunk.cluster.arrived[idx]
    twice = phases > chunk.cluster.waited[idx]
    if twice.any():
        call.report("cluster-protocol.twice", np.flatnonzero(twice))
    _emit_event(call, "arrive", order, phases)
    chunk.cluster.arrived[idx] += 1
    chunk.signals += 1
    call.engine.waits.retry(ClusterBarrier)


for suffix in ("", ".aligned"):
    stateful(f"{ARRIVE}{suffix}", arrives=ClusterBarrier("release"), compiled="arrive")(partial(_arrive, "release"))
    stateful(f"{ARRIVE}.relaxed{suffix}", arrives=ClusterBarrier("relaxed"))(partial(_arrive, "relaxed"))


@stateful(WAIT, f"{WAIT}.aligned", waits=ClusterBarrier("acquire"), compiled="waited")
def wait(call: Call) -> None:
    """Complete a wait at the cluster's barrier; report lanes that wait before they have arrived.

    The interpreter calls it once all lanes of the cluster have arrived. Observers get an event. `cluster.waited` of the
    chunk grows by 1 for each lane, also for lanes that are reported.
    """
    cluster, idx = call.engine.chunk.cluster, call.lanes.idx
    arrived = cluster.arrived[idx]
    early = cluster.waited[idx] >= arrived
    if early.any():
        call.report("cluster-protocol.early", np.flatnonzero(early))
    _emit_event(call, "wait", "acquire", arrived)
    cluster.waited[idx] += 1


@pure("llvm.nvvm.mapa", "llvm.nvvm.mapa.shared.cluster", compiled="mapped")
def map_address(pointer: Integers, rank: Integers) -> Integers:
    """Return the same shared-memory address in the block with a rank in the cluster; the rank is not checked.

    If `pointer` names another block already, that one is replaced.
    """
    offset = pointer & ((1 << PEER_SHIFT) - 1)
    return offset | ((rank.astype(np.int64) + 1) << PEER_SHIFT)


@stateful("llvm.nvvm.getctarank", "llvm.nvvm.getctarank.shared.cluster")
def find_rank(call: Call) -> Result:
    """Return the cluster rank of the block that a shared address belongs to; without a peer the lane's own block."""
    (pointer,) = call.values
    peer = pointer >> PEER_SHIFT & 0x7F
    own_rank = call.lanes.get("cluster_rank")
    return np.where(peer, peer - 1, own_rank).astype(np.int32), call.taint(0)
