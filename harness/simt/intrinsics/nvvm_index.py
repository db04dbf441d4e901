"""NVIDIA's special registers: indices, sizes, lane masks, clocks, shared memory; all vendors use its readers.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import lanes
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.lanes import LaneSet

__all__ = ["SREG", "geometry_reader", "read_clock", "uniform_int"]

SREG = "llvm.nvvm.read.ptx.sreg."
ASM = "asm:%"  # prefix for registers that LLVM has no intrinsic for
AXES = "xyz"


def uniform_int(value: int) -> Array:
    """Return an i32 that is the same in all lanes, as an array of length 1."""
    return np.array([value], np.int32)


def geometry_reader(name: str) -> Callable[[Interpreter, LaneSet], Array]:
    """Return a handler that reads a value of the lanes' geometry, such as `tid.x`."""
    return lambda _engine, lanes: lanes.get(name)


for number, axis in enumerate(AXES):
    lanes(f"{SREG}tid.{axis}")(geometry_reader(f"tid.{axis}"))
    lanes(f"{SREG}ctaid.{axis}")(geometry_reader(f"ctaid.{axis}"))
    lanes(f"{SREG}ntid.{axis}")(lambda x, _a, n=number: uniform_int(x.block[n]))
    lanes(f"{SREG}nctaid.{axis}")(lambda x, _a, n=number: uniform_int(x.grid[n]))
    lanes(f"{SREG}clusterid.{axis}")(geometry_reader(f"clusterid.{axis}"))
    lanes(f"{SREG}nclusterid.{axis}")(lambda x, _a, n=number: uniform_int(x.grid[n] // x.cluster[n]))
    lanes(f"{SREG}cluster.ctaid.{axis}")(geometry_reader(f"cluster_ctaid.{axis}"))
    lanes(f"{SREG}cluster.nctaid.{axis}")(lambda x, _a, n=number: uniform_int(x.cluster[n]))
lanes(f"{SREG}laneid")(geometry_reader("lane"))
lanes(f"{SREG}warpid")(geometry_reader("warp_in_block"))
# The warps of a multiprocessor, not of the block.
lanes(f"{SREG}nwarpid")(lambda x, _a: uniform_int((x.target.gpu.multiprocessor_threads or 2048) // x.target.warp))
lanes(f"{SREG}warpsize")(lambda x, _a: uniform_int(x.target.warp))
# The multiprocessor of a block is not specified: blocks are distributed in turn.
lanes(f"{SREG}smid")(lambda x, a: (a.get("block_id") % x.target.gpu.multiprocessors).astype(np.int32))
lanes(f"{SREG}nsmid")(lambda x, _a: uniform_int(x.target.gpu.multiprocessors))
lanes(f"{SREG}cluster.ctarank")(geometry_reader("cluster_rank"))
lanes(f"{SREG}cluster.nctarank")(lambda x, _a: uniform_int(x.cluster_size))
lanes("llvm.nvvm.is_explicit_cluster", f"{ASM}is_explicit_cluster")(lambda x, _a: np.array([x.cluster_size > 1]))
# The fourth component of a vector is unused and reads 0.
VECTORS = ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
lanes(*(f"{SREG}{name}.w" for name in VECTORS))(lambda _x, _a: uniform_int(0))
# No two grids run at once, so one identifier serves for all. No grid belongs to a graph, and no driver sets
# environment registers: both read 0.
lanes(f"{SREG}gridid")(lambda _x, _a: uniform_int(1))
lanes(*(f"{SREG}envreg{number}" for number in range(32)), f"{ASM}current_graph_exec")(lambda _x, _a: uniform_int(0))

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
def read_clock(engine: Interpreter, _lanes: LaneSet) -> Array:
    """Return the clock, the same for all lanes: the number of segments run, plus the time that lanes slept."""
    return np.array([engine.budget.clock])


@lanes(f"{SREG}clock", varies=True)
def read_clock_low(engine: Interpreter, lanes: LaneSet) -> Array:
    """Return the lower half of the clock."""
    return read_clock(engine, lanes).astype(np.int32)


@lanes(f"{SREG}globaltimer.lo", varies=True)
def read_timer_low(engine: Interpreter, lanes: LaneSet) -> Array:
    """Return the lower half of the global timer, which is the clock."""
    return read_clock_low(engine, lanes)


@lanes(f"{ASM}clock_hi", f"{ASM}globaltimer_hi", varies=True)
def read_clock_high(engine: Interpreter, lanes: LaneSet) -> Array:
    """Return the upper half of the clock, or of the global timer, which is the same."""
    return (read_clock(engine, lanes) >> 32).astype(np.int32)


def _shared_size(engine: Interpreter) -> int:
    """Return the static and dynamic shared memory of a block in bytes, rounded up to whole allocation units, without
    the reserved region.
    """
    unit = 128 if (engine.target.gpu.capability or 0) >= 80 else 256
    return -(-_shared_bytes(engine) // unit) * unit


def _shared_bytes(engine: Interpreter) -> int:
    """Return the bytes of static and dynamic shared memory of a block, not rounded (as on an H200)."""
    return engine.program.static_shared_bytes + engine.dynamic_shared_bytes


def _reserved_begin(engine: Interpreter) -> int:
    """Return the offset of the reserved region: 0 since sm_90, after the block's own memory on older GPUs."""
    return 0 if (engine.target.gpu.capability or 0) >= 90 else _shared_size(engine)


def _reserved_end(engine: Interpreter) -> int:
    return _reserved_begin(engine) + engine.target.gpu.reserved_shared_bytes


lanes(f"{SREG}dynamic_smem_size")(lambda x, _a: uniform_int(x.dynamic_shared_bytes))
lanes(f"{SREG}total_smem_size")(lambda x, _a: uniform_int(_shared_size(x)))
lanes(f"{SREG}aggr_smem_size")(lambda x, _a: uniform_int(_shared_bytes(x) + x.target.gpu.reserved_shared_bytes))
RESERVED = f"{ASM}reserved_smem_offset_"
lanes(f"{RESERVED}begin", f"{RESERVED}0", f"{RESERVED}1")(lambda x, _a: uniform_int(_reserved_begin(x)))
lanes(f"{RESERVED}end", f"{RESERVED}cap")(lambda x, _a: uniform_int(_reserved_end(x)))
