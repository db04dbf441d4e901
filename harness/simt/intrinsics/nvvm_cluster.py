"""NVIDIA clusters: arrive, wait, and the shared memory of peer blocks."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import ClusterBarrier
from harness.simt.compile.registry import pure, stateful
from harness.simt.events import ClusterEvent
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.ops.undefined import taints as joined
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

ARRIVE = "llvm.nvvm.barrier.cluster.arrive"
WAIT = "llvm.nvvm.barrier.cluster.wait"


def _tell(engine: Engine, kind: str, site: Site, lanes: LaneSet, order: str, phases: Integers) -> None:
    event = ClusterEvent(kind, site, lanes, order, phases)
    for hook in engine.observation.on_cluster:
        hook(event)


def _arrive(order: str) -> Stateful:
    def handler(engine: Engine, lanes: LaneSet, site: Site, _values: Given, _taints: Marks) -> Result:
        phases = engine.chunk.cluster.arrived[lanes.idx]
        twice = phases > engine.chunk.cluster.waited[lanes.idx]
        if twice.any():
            engine.observation.report("cluster-protocol.twice", "error", (site,), lanes, np.flatnonzero(twice))
        if engine.observation.on_cluster:
            _tell(engine, "arrive", site, lanes, order, phases)
        engine.chunk.cluster.arrived[lanes.idx] += 1
        engine.chunk.signals += 1
        engine.waits.retry(ClusterBarrier)
        return None, None

    return handler


for suffix in ("", ".aligned"):
    stateful(f"{ARRIVE}{suffix}", arrives=ClusterBarrier("release"))(_arrive("release"))
    stateful(f"{ARRIVE}.relaxed{suffix}", arrives=ClusterBarrier("relaxed"))(_arrive("relaxed"))


@stateful(WAIT, f"{WAIT}.aligned", waits=ClusterBarrier("acquire"))
def wait(engine: Engine, lanes: LaneSet, site: Site, _values: Given, _taints: Marks) -> Result:
    """All lanes of the cluster have arrived."""
    arrived = engine.chunk.cluster.arrived[lanes.idx]
    early = engine.chunk.cluster.waited[lanes.idx] >= arrived
    if early.any():
        engine.observation.report("cluster-protocol.early", "error", (site,), lanes, np.flatnonzero(early))
    if engine.observation.on_cluster:
        _tell(engine, "wait", site, lanes, "acquire", arrived)
    engine.chunk.cluster.waited[lanes.idx] += 1
    return None, None


@pure("llvm.nvvm.mapa", "llvm.nvvm.mapa.shared.cluster")
def map_address(pointer: Integers, rank: Integers) -> Integers:
    """The same place in the shared memory of a peer block."""
    own = pointer & ((1 << PEER_SHIFT) - 1)
    return own | ((rank.astype(np.int64) + 1) << PEER_SHIFT)


@stateful("asm:mapa.u32", "asm:mapa.u64")
def map_small_address(engine: Engine, _lanes: LaneSet, _site: Site, values: Given, taints: Marks) -> Result:
    """The same by addresses in shared memory."""
    own = engine.window.pointer(values[0])
    place = engine.window.address(map_address(own, values[1])).astype(values[0].dtype)
    return place, joined(*taints) if taints else None


@stateful("llvm.nvvm.getctarank", "llvm.nvvm.getctarank.shared.cluster")
def rank_of(_engine: Engine, lanes: LaneSet, _site: Site, values: Given, taints: Marks) -> Result:
    """The rank of the block that a shared address belongs to."""
    (pointer,) = values
    peer = pointer >> PEER_SHIFT & 0x7F
    own = lanes.get("cluster_rank")
    return np.where(peer, peer - 1, own).astype(np.int32), taints[0] if taints else None
