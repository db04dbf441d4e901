"""AMD: indices, clocks, barriers, lane exchanges (more in `amdgcn_lanes`), ignored hints, but not `s_waitcnt`.

Lanes of a wave run in lockstep, so an exchange takes the active lanes and waits for none.
See: https://llvm.org/docs/AMDGPUUsage.html#llvm-ir-intrinsics
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.declarations import NONE, Barrier
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.compile.registry import declare_effect, declare_exit, declare_ignored, declare_wait, lanes, stateful
from harness.simt.intrinsics.assembly import LANE, lane_bit_of
from harness.simt.intrinsics.exchanges import ReadFirst, Shuffle, Vote
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.nvvm_index import geometry_reader, read_clock, uniform_int
from harness.simt.intrinsics.warp import emit_exchange, source_positions, spread_over_warps
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int
from harness.simt.ops.integer import unsigned
from harness.simt.ops.lanes import dpp_lanes, swizzle_lanes
from harness.simt.run.interpreter import Interpreter
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

for axis in "xyz":
    lanes(f"llvm.amdgcn.workitem.id.{axis}")(geometry_reader(f"tid.{axis}"))
    lanes(f"llvm.amdgcn.workgroup.id.{axis}")(geometry_reader(f"ctaid.{axis}"))
lanes("llvm.amdgcn.wavefrontsize")(lambda x, _a: uniform_int(x.target.warp))
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


lanes("llvm.amdgcn.s.memtime", "llvm.amdgcn.s.memrealtime", varies=True)(read_clock)


def _count_below(first: int, _engine: Interpreter, group: LaneSet, mask: Array, base: Array) -> Array:
    """Return for each lane `base` plus the number of bits set in its `mask`, of 32 bits, for lanes below it.

    Args:
        first: The lane that the lowest bit of the mask stands for.
    """
    lane = np.clip(group.get("lane") - first, 0, 32).astype(np.int64)
    bits = unsigned(mask, 32).astype(np.int64) & ((1 << lane) - 1)
    total: Array = np.bitwise_count(bits).astype(np.int32) + base
    return total


lanes("llvm.amdgcn.mbcnt.lo", compiled="below.0")(partial(_count_below, 0))
lanes("llvm.amdgcn.mbcnt.hi", compiled="below.32")(partial(_count_below, 32))
declare_wait("llvm.amdgcn.s.barrier", at=Barrier(NONE))  # only fences order memory
declare_ignored("llvm.amdgcn.wave.barrier")  # lanes run in lockstep; it only restricts the compiler
declare_exit("llvm.amdgcn.endpgm")


def _lane_of_address(_lane: Integers, address: Integers) -> tuple[Integers, None]:
    return address >> 2, None


def _lane_of_pattern(lane: Integers, pattern: Integers) -> tuple[Integers, None]:
    return swizzle_lanes(int(pattern[0]) & 0xFFFF, lane.astype(np.int64)), None


# An inactive source gives 0. Lane numbers wrap at the wave's width.
bpermute = Shuffle("ds_bpermute", value=1, rule=_lane_of_address, rule_operands=(0,), gives_zero=True, wraps_lane=True)
declare_effect("llvm.amdgcn.ds.bpermute", of=bpermute, compiled="other.address")
declare_effect(
    "llvm.amdgcn.ds.swizzle", of=Shuffle("ds_swizzle", rule=_lane_of_pattern, gives_zero=True), compiled="swizzle"
)
readlane = Shuffle("readlane", rule=lambda _lane, number: (number, None), wraps_lane=True)
declare_effect("llvm.amdgcn.readlane", of=readlane, compiled="other.wrapped")
declare_effect("llvm.amdgcn.readfirstlane", of=ReadFirst("readfirstlane", is_hint=True), compiled="other.first")
ballot = Vote("ballot", decide=lambda yes, _there: yes)
declare_effect("llvm.amdgcn.ballot.i32", "llvm.amdgcn.ballot.i64", of=ballot, compiled="vote.ballot")


def _taint_by_lane(call: Call, operand: int) -> Integers:
    """Return the taint of the argument at position `operand` for each lane, (n,) and read-only; 0 if it is defined."""
    taint = call.taint(operand)
    return np.broadcast_to(np.int32(0) if taint is None else taint, (call.lanes.n,))


@stateful("llvm.amdgcn.ds.permute", exchanges=True)
def send(call: Call) -> Result:
    """Return what each lane is sent: a lane sends its value to the lane with the number address / 4.

    If several send to one lane, the highest of them wins; a lane that nobody sends to gets 0. The number wraps at the
    wave's width; what is sent to an inactive lane is lost. An undefined address may be that of any lane: what all lanes
    of the wave get is undefined then. Emits an event of the exchange.
    """
    address, value = call.values
    goal = source_positions(call.lanes, np.broadcast_to(address >> 2 & (call.engine.target.warp - 1), (call.lanes.n,)))
    result = np.zeros(call.lanes.n, value.dtype)
    active = goal >= 0
    result[goal[active]] = np.broadcast_to(value, (call.lanes.n,))[active]
    mark = np.zeros(call.lanes.n, np.int32)
    mark[goal[active]] = _taint_by_lane(call, 1)[active]
    mark = np.maximum(mark, spread_over_warps(call.lanes, _taint_by_lane(call, 0)))
    emit_exchange(call, "ds_permute", None, value, result, goal)
    return result, mark if mark.any() else None


@expands("llvm.amdgcn.writelane")
def write_lane(low: Lowering, value: Operand, number: Operand, old: Operand) -> Operand:
    """Emit code that returns `value` in the wave's lane `number`, and `old` in all others; `number` wraps at the wave's
    width.

    See: CLRX, "GCN ISA VOP2/VOP3 instructions", V_WRITELANE_B32, which takes the low bits.
    """
    word = Int(32)
    last = low.op("sub", word, low.value("llvm.amdgcn.wavefrontsize", word), Const(word, 1))
    chosen = low.op("and", word, number, last)
    return low.select(low.compare("eq", low.value(LANE, word), chosen), value, old)


def _broadcastable(lanes: Booleans, value: Array) -> Booleans:
    """Return a truth for each lane, shaped so that it broadcasts over values that may be vectors."""
    return lanes if value.ndim == 1 else lanes[:, None]


@expands("llvm.amdgcn.inverse.ballot")
def read_ballot_bit(low: Lowering, mask: Operand) -> Operand:
    """Emit code that returns the bit of a mask at the lane's own number."""
    return lane_bit_of(low, mask)


@expands("llvm.amdgcn.wqm", "llvm.amdgcn.strict.wwm", "llvm.amdgcn.softwqm")
def pass_through(_low: Lowering, value: Operand) -> Operand:
    """Return the value unchanged: inactive lanes are not simulated."""
    return value


@stateful("llvm.amdgcn.update.dpp", exchanges=True, compiled="dpp")
def update_dpp(call: Call) -> Result:
    """Return the values of other lanes, as a DPP control says; lanes that are masked out get the first operand.

    A lane without a source, or with an inactive one, gets 0 if the call's last operand is set, else the first operand.
    Control and masks are those of the first lane. Emits an event of the exchange.

    Raises:
        Unsupported: There is no such control.
    """
    old, value, controls, row_mask, bank_mask, bound = call.values
    lane = call.lanes.get("lane").astype(np.int64)
    zero = bool(bound[0])
    source, exists = dpp_lanes(int(controls[0]), lane, call.engine.target.warp)
    enabled = (int(row_mask[0]) >> (lane >> 4) & 1 != 0) & (int(bank_mask[0]) >> (lane >> 2 & 3) & 1 != 0)
    positions = source_positions(call.lanes, np.where(exists, source, lane))
    there = exists & (positions >= 0)
    value = np.broadcast_to(value, (call.lanes.n, *value.shape[1:]))
    moved = np.where(_broadcastable(there, value), value[np.maximum(positions, 0)], value.dtype.type(0))
    take = enabled & (there | zero)
    result = np.where(_broadcastable(take, value), moved, old)
    mark = np.where(
        take, np.where(there, _taint_by_lane(call, 1)[np.maximum(positions, 0)], np.int32(0)), _taint_by_lane(call, 0)
    )
    emit_exchange(call, "update.dpp", None, value, result, np.where(take & there, positions, -1))
    return result, mark if mark.any() else None
