"""Special registers: where a lane is, how large its block's shared memory is, and clocks.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import lanes
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.lanes import LaneSet

__all__ = ["SREG", "clock", "constant", "geometry"]

SREG = "llvm.nvvm.read.ptx.sreg."
ASM = "asm:%"  # registers that LLVM has no intrinsic for
AXES = "xyz"


def constant(value: int) -> Array:
    """A value that is the same for all lanes, as an i32."""
    return np.array([value], np.int32)


def geometry(name: str) -> Callable[[Interpreter, LaneSet], Array]:
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
lanes("llvm.nvvm.is_explicit_cluster", f"{ASM}is_explicit_cluster")(lambda x, _a: np.array([x.cluster_size > 1]))
# The fourth component of a vector is unused and reads 0.
VECTORS = ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
lanes(*(f"{SREG}{name}.w" for name in VECTORS))(lambda _x, _a: constant(0))
# No two grids run at once, so one identifier serves for all. No grid belongs to a graph, and no driver sets
# environment registers: both read 0.
lanes(f"{SREG}gridid")(lambda _x, _a: constant(1))
lanes(*(f"{SREG}envreg{number}" for number in range(32)), f"{ASM}current_graph_exec")(lambda _x, _a: constant(0))

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
def clock(engine: Interpreter, _lanes: LaneSet) -> Array:
    """Counts segments, and what lanes slept."""
    return np.array([engine.budget.clock])


@lanes(f"{SREG}clock", varies=True)
def short_clock(engine: Interpreter, lanes: LaneSet) -> Array:
    """The lower half of it."""
    return clock(engine, lanes).astype(np.int32)


@lanes(f"{SREG}globaltimer.lo", varies=True)
def short_timer(engine: Interpreter, lanes: LaneSet) -> Array:
    """Return the lower half of the global timer, which is the clock."""
    return short_clock(engine, lanes)


@lanes(f"{ASM}clock_hi", f"{ASM}globaltimer_hi", varies=True)
def high_clock(engine: Interpreter, lanes: LaneSet) -> Array:
    """Return the upper half of the clock."""
    return (clock(engine, lanes) >> 32).astype(np.int32)


def _shared_size(engine: Interpreter) -> int:
    """Return the shared memory of a block without the reserved region, in whole allocation units."""
    unit = 128 if (engine.target.gpu.capability or 0) >= 80 else 256
    return -(-_shared_bytes(engine) // unit) * unit


def _shared_bytes(engine: Interpreter) -> int:
    """Return the shared memory of a block as the kernel and the launch ask for it: an H200 does not round this sum."""
    return engine.program.static_shared_bytes + engine.dynamic_shared_bytes


def _reserved_begin(engine: Interpreter) -> int:
    """Return where the reserved region begins: before a block's own memory since sm_90, before that after it."""
    return 0 if (engine.target.gpu.capability or 0) >= 90 else _shared_size(engine)


def _reserved_end(engine: Interpreter) -> int:
    return _reserved_begin(engine) + engine.target.gpu.reserved_shared_bytes


lanes(f"{SREG}dynamic_smem_size")(lambda x, _a: constant(x.dynamic_shared_bytes))
lanes(f"{SREG}total_smem_size")(lambda x, _a: constant(_shared_size(x)))
lanes(f"{SREG}aggr_smem_size")(lambda x, _a: constant(_shared_bytes(x) + x.target.gpu.reserved_shared_bytes))
RESERVED = f"{ASM}reserved_smem_offset_"
lanes(f"{RESERVED}begin", f"{RESERVED}0", f"{RESERVED}1")(lambda x, _a: constant(_reserved_begin(x)))
lanes(f"{RESERVED}end", f"{RESERVED}cap")(lambda x, _a: constant(_reserved_end(x)))
