"""Special registers: where a lane is.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import lanes
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__ = ["SREG", "clock", "constant", "geometry"]

SREG = "llvm.nvvm.read.ptx.sreg."
AXES = "xyz"


def constant(value: int) -> Array:
    """A value that is the same for all lanes, as an i32."""
    return np.array([value], np.int32)


def geometry(name: str) -> Callable[[Engine, LaneSet], Array]:
    """A reader of a geometric value of the lanes."""
    return lambda _engine, lanes: lanes.get(name)


for number, axis in enumerate(AXES):
    lanes(f"{SREG}tid.{axis}")(geometry(f"tid.{axis}"))
    lanes(f"{SREG}ctaid.{axis}")(geometry(f"ctaid.{axis}"))
    lanes(f"{SREG}ntid.{axis}")(lambda x, _a, n=number: constant(x.block[n]))
    lanes(f"{SREG}nctaid.{axis}")(lambda x, _a, n=number: constant(x.grid[n]))
    lanes(f"{SREG}clusterid.{axis}")(geometry(f"clusterid.{axis}"))
    lanes(f"{SREG}nclusterid.{axis}")(lambda x, _a, n=number: constant(x.grid[n] // x.cluster[n]))
    lanes(f"{SREG}cluster.ctaid.{axis}")(geometry(f"cluster_ctaid.{axis}"))
    lanes(f"{SREG}cluster.nctaid.{axis}")(lambda x, _a, n=number: constant(x.cluster[n]))
lanes(f"{SREG}laneid")(geometry("lane"))
lanes(f"{SREG}warpid")(geometry("warp_in_block"))
# Of a multiprocessor, not of the block.
lanes(f"{SREG}nwarpid")(lambda x, _a: constant((x.target.gpu.multiprocessor_threads or 2048) // x.target.warp))
lanes(f"{SREG}warpsize")(lambda x, _a: constant(x.target.warp))
# Which multiprocessor a block runs on is nowhere promised: here they take turns.
lanes(f"{SREG}smid")(lambda x, a: (a.get("block_id") % x.target.gpu.multiprocessors).astype(np.int32))
lanes(f"{SREG}nsmid")(lambda x, _a: constant(x.target.gpu.multiprocessors))
lanes(f"{SREG}cluster.ctarank")(geometry("cluster_rank"))
lanes(f"{SREG}cluster.nctarank")(lambda x, _a: constant(x.cluster_size))
lanes("llvm.nvvm.is_explicit_cluster")(lambda x, _a: np.array([x.cluster_size > 1]))

MASKS = {
    "eq": lambda lane: 1 << lane,
    "lt": lambda lane: (1 << lane) - 1,
    "le": lambda lane: (2 << lane) - 1,
    "gt": lambda lane: ~((2 << lane) - 1),
    "ge": lambda lane: ~((1 << lane) - 1),
}
for name, bits in MASKS.items():
    lanes(f"{SREG}lanemask.{name}")(lambda _x, a, bits=bits: bits(a.get("lane").astype(np.int64)).astype(np.int32))


@lanes(f"{SREG}clock64", f"{SREG}globaltimer", "llvm.readcyclecounter", varies=True)
def clock(engine: Engine, _lanes: LaneSet) -> Array:
    """Counts segments, and what lanes slept."""
    return np.array([engine.budget.clock])


@lanes(f"{SREG}clock", varies=True)
def short_clock(engine: Engine, lanes: LaneSet) -> Array:
    """The lower half of it."""
    return clock(engine, lanes).astype(np.int32)
