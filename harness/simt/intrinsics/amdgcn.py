"""AMD: indices, lane exchanges, barriers.

Lanes of a wave run in step: an exchange takes the lanes that are there.
See: https://llvm.org/docs/AMDGPUUsage.html#llvm-ir-intrinsics
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.declarations import NONE, Barrier
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.compile.registry import declare_effect, declare_exit, declare_ignored, declare_wait, lanes, stateful
from harness.simt.intrinsics.assembly import LANE, own_bit
from harness.simt.intrinsics.exchanges import First, Shuffle, Vote
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.nvvm_index import clock, constant, geometry
from harness.simt.intrinsics.warp import sources, tell
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int
from harness.simt.ops.integer import unsigned
from harness.simt.ops.lanes import dpp_lanes, swizzle_lanes
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

for axis in "xyz":
    lanes(f"llvm.amdgcn.workitem.id.{axis}")(geometry(f"tid.{axis}"))
    lanes(f"llvm.amdgcn.workgroup.id.{axis}")(geometry(f"ctaid.{axis}"))
lanes("llvm.amdgcn.wavefrontsize")(lambda x, _a: constant(x.target.warp))
lanes("llvm.amdgcn.implicitarg.ptr")(lambda x, _a: np.array([x.implicit["implicitarg"]]))
lanes("llvm.amdgcn.dispatch.ptr")(lambda x, _a: np.array([x.implicit["dispatch"]]))
declare_ignored(
    "llvm.amdgcn.s.sleep",
    "llvm.amdgcn.sched.barrier",
    "llvm.amdgcn.sched.group.barrier",
    "llvm.amdgcn.s.setprio",
    "llvm.amdgcn.iglp.opt",
    "llvm.amdgcn.s.sendmsg",
    "llvm.amdgcn.s.nop",
)


lanes("llvm.amdgcn.s.memtime", "llvm.amdgcn.s.memrealtime", varies=True)(clock)


def _below(first: int, _engine: Interpreter, group: LaneSet, mask: Array, base: Array) -> Array:
    """Ones of a mask below each lane, among 32 of them."""
    lane = np.clip(group.get("lane") - first, 0, 32).astype(np.int64)
    bits = unsigned(mask, 32).astype(np.int64) & ((1 << lane) - 1)
    total: Array = np.bitwise_count(bits).astype(np.int32) + base
    return total


lanes("llvm.amdgcn.mbcnt.lo", native="below.0")(partial(_below, 0))
lanes("llvm.amdgcn.mbcnt.hi", native="below.32")(partial(_below, 32))
declare_wait("llvm.amdgcn.s.barrier", at=Barrier(NONE))  # memory is ordered by fences only
declare_ignored("llvm.amdgcn.wave.barrier")  # lanes of a wave are in step: only the compiler is held back
declare_exit("llvm.amdgcn.endpgm")


def _address(_lane: Integers, address: Integers) -> tuple[Integers, None]:
    return address >> 2, None


def _pattern(lane: Integers, pattern: Integers) -> tuple[Integers, None]:
    return swizzle_lanes(int(pattern[0]) & 0xFFFF, lane.astype(np.int64)), None


# An inactive lane gives 0. A number counts modulo the wave's width.
bpermute = Shuffle("ds_bpermute", value=1, rule=_address, by=(0,), zeroed=True, wraps=True)
declare_effect("llvm.amdgcn.ds.bpermute", of=bpermute, native="other.address")
declare_effect("llvm.amdgcn.ds.swizzle", of=Shuffle("ds_swizzle", rule=_pattern, zeroed=True), native="swizzle")
readlane = Shuffle("readlane", rule=lambda _lane, number: (number, None), wraps=True)
declare_effect("llvm.amdgcn.readlane", of=readlane, native="other.wrapped")
declare_effect("llvm.amdgcn.readfirstlane", of=First("readfirstlane", hint=True), native="other.first")
ballot = Vote("ballot", decide=lambda yes, _there: yes)
declare_effect("llvm.amdgcn.ballot.i32", "llvm.amdgcn.ballot.i64", of=ballot, native="vote.ballot")


def _mark(call: Call, operand: int) -> Integers:
    """The taint of an argument with an entry for each lane, 0 where it is defined."""
    taint = call.taint(operand)
    return np.broadcast_to(np.int32(0) if taint is None else taint, (call.lanes.n,))


@stateful("llvm.amdgcn.ds.permute", exchanges=True)
def send(call: Call) -> Result:
    """Writes to the lane that the byte address names; the highest lane wins."""
    address, value = call.values
    goal = sources(call.lanes, np.broadcast_to(address >> 2 & (call.engine.target.warp - 1), (call.lanes.n,)))
    result = np.zeros(call.lanes.n, value.dtype)
    active = goal >= 0
    result[goal[active]] = np.broadcast_to(value, (call.lanes.n,))[active]
    mark = np.zeros(call.lanes.n, np.int32)
    mark[goal[active]] = _mark(call, 1)[active]
    tell(call, "ds_permute", None, value, result, goal)
    return result, mark if mark.any() else None


@expands("llvm.amdgcn.writelane")
def write_lane(low: Lowering, value: Operand, number: Operand, old: Operand) -> Operand:
    """Return a value in one lane, whose number is taken as of one of the wave, and the old one in the others.

    See: CLRX, "GCN ISA VOP2/VOP3 instructions", V_WRITELANE_B32, which takes the low bits.
    """
    word = Int(32)
    last = low.op("sub", word, low.value("llvm.amdgcn.wavefrontsize", word), Const(word, 1))
    chosen = low.op("and", word, number, last)
    return low.select(low.compare("eq", low.value(LANE, word), chosen), value, old)


def _for(lanes: Booleans, value: Array) -> Booleans:
    """Which lanes, shaped to choose among values, which may be vectors."""
    return lanes if value.ndim == 1 else lanes[:, None]


@expands("llvm.amdgcn.inverse.ballot")
def inverse_ballot(low: Lowering, mask: Operand) -> Operand:
    """Return the lane's own bit of a mask."""
    return own_bit(low, mask)


@expands("llvm.amdgcn.wqm", "llvm.amdgcn.strict.wwm", "llvm.amdgcn.softwqm")
def whole_wave(_low: Lowering, value: Operand) -> Operand:
    """Return the value itself: inactive lanes have no part here."""
    return value


@stateful("llvm.amdgcn.update.dpp", exchanges=True, native="dpp")
def update_dpp(call: Call) -> Result:
    """Moves values between lanes of a row, or keeps the old value."""
    old, value, controls, row_mask, bank_mask, bound = call.values
    lane = call.lanes.get("lane").astype(np.int64)
    zero = bool(bound[0])
    source, exists = dpp_lanes(int(controls[0]), lane, call.engine.target.warp)
    enabled = (int(row_mask[0]) >> (lane >> 4) & 1 != 0) & (int(bank_mask[0]) >> (lane >> 2 & 3) & 1 != 0)
    spots = sources(call.lanes, np.where(exists, source, lane))
    there = exists & (spots >= 0)
    value = np.broadcast_to(value, (call.lanes.n, *value.shape[1:]))
    moved = np.where(_for(there, value), value[np.maximum(spots, 0)], value.dtype.type(0))
    take = enabled & (there | zero)
    result = np.where(_for(take, value), moved, old)
    mark = np.where(take, np.where(there, _mark(call, 1)[np.maximum(spots, 0)], np.int32(0)), _mark(call, 0))
    tell(call, "update.dpp", None, value, result, np.where(take & there, spots, -1))
    return result, mark if mark.any() else None
