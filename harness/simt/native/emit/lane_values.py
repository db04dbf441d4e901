"""Constants for the named LLVM values of a lane's function: parameters, epochs, loaded slots, counters."""

from harness.simt.native.emit.ir_values import IrValue

__all__ = [
    "AGAIN",
    "ARRIVED",
    "BIRTH",
    "BLOCK",
    "CAME",
    "CLUSTER",
    "CLUSTER_SIZE",
    "CONTEXT",
    "COUNT",
    "COUNTING",
    "EPOCH",
    "FLIGHT",
    "FROM",
    "IN_BLOCK",
    "LANE",
    "MET",
    "MET_FAR",
    "NEED",
    "NEED_FAR",
    "NOW",
    "NOW_FAR",
    "OPEN",
    "OWN",
    "PHASE",
    "RANK",
    "REQUEST",
    "ROW",
    "SINCE",
    "SINCE_FAR",
    "TABLE",
    "THREAD",
    "THREADS",
    "TO",
    "WHEN",
    "WHO",
]

CONTEXT, TABLE = IrValue("ptr", "%ctx"), IrValue("ptr", "%table")
OWN, COUNT, THREADS = IrValue("i64", "%own"), IrValue("i64", "%count"), IrValue("i64", "%threads")
LANE, WHO = IrValue("i64", "%lane"), IrValue("i32", "%who")  # the number of the lane in its cluster
FROM, TO = IrValue("i64", "%from"), IrValue("i64", "%to")  # where lanes run together, from the first to behind the last
ROW = IrValue("i64", "%row")  # of the lane, among the rows of all that is told lanes
BLOCK, RANK, CLUSTER_SIZE = IrValue("i64", "%block"), IrValue("i64", "%rank"), IrValue("i64", "%cluster.of")
AGAIN = IrValue("i1", "%again")  # whether a block was proved clean
# What orders accesses: see `struct Accessor` in `library/shadow_cells.h`; `FAR` of memory that blocks share.
NOW, NOW_FAR, BIRTH = IrValue("i32", "%now"), IrValue("i32", "%now.far"), IrValue("i32", "%birth")
SINCE, SINCE_FAR, CLUSTER = IrValue("i32", "%since"), IrValue("i32", "%since.far"), IrValue("i32", "%cluster")
PHASE, OPEN = IrValue("i32", "%phase"), IrValue("i32", "%open")
MET, MET_FAR = IrValue("i32", "%met.near"), IrValue("i32", "%met.far")
NEED, NEED_FAR = IrValue("ptr", "%need"), IrValue("ptr", "%need.far")
# Of a lane: whether it arrived at a wait of its cluster, or at a barrier in shared memory, and has copies under way.
ARRIVED, CAME, FLIGHT = IrValue("ptr", "%arrived"), IrValue("ptr", "%came"), IrValue("ptr", "%flight")
EPOCH = IrValue("i64", "%epoch")  # the mark of what a copy of this epoch writes, in each byte
# In code that counts: the time of a request, the request, the thread in its block and in the grid.
WHEN, REQUEST = IrValue("i64", "%when"), IrValue("i64", "%request")
IN_BLOCK, THREAD = IrValue("i64", "%in.block"), IrValue("i64", "%thread")
COUNTING = IrValue("i1", "%counting")  # false while what was counted before is repeated
