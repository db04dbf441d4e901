"""NVIDIA shuffles, votes, matches and reductions of a warp.

All wait for the lanes that their mask names; none orders memory.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.intrinsics.warp import (
    active_bits,
    ballot_bits,
    deliver,
    joined,
    matrix,
    members,
    sources,
    tell,
)
from harness.simt.state.lanes import LaneSet

__all__ = ["match_all", "match_any", "shuffle_lanes"]

MEMBERS = WarpSync(mask=0)


def shuffle_lanes(mode: str, lane: Integers, operand: Integers, control: Integers) -> tuple[Integers, Booleans]:
    """The lane that each lane reads and whether it is in range, by the PTX rule."""
    clamp, segment = control & 31, control >> 8 & 31
    last = (lane & segment) | (clamp & ~segment)
    operand = operand & 31
    match mode:
        case "idx":
            source = (lane & segment) | (operand & ~segment)
            return source, source <= last
        case "up":
            source = lane - operand
            return source, source >= last
        case "down":
            source = lane + operand
            return source, source <= last
        case "bfly":
            source = lane ^ operand
            return source, source <= last
    raise ValueError(mode)


def _plan(lanes: LaneSet, mode: str, operand: Integers, control: Integers) -> tuple[Integers, Booleans, Integers]:
    """Where each lane reads: positions, predicates, inactive positions."""
    uniform = len(operand) == len(control) == 1
    key = ("shfl", mode, int(operand[0]), int(control[0])) if uniform else None
    plan: tuple[Integers, Booleans, Integers] | None = lanes.cache.get(key) if uniform else None
    if plan is None:
        lane = lanes.get("lane")
        source, valid = shuffle_lanes(mode, lane, operand, control)
        valid = np.broadcast_to(valid, (lanes.n,))
        spots = sources(lanes, np.where(valid, source, lane))
        inactive = np.flatnonzero(spots < 0)
        if len(inactive):
            spots = np.where(spots < 0, 0, spots)
        plan = spots, valid, inactive
        if uniform:
            lanes.cache[key] = plan
    return plan


def _caller_in_mask(call: Call, masks: Integers) -> None:
    if len(masks) == 1 and masks[0] == -1:
        return
    outside = masks >> call.lanes.get("lane") & 1 == 0
    if outside.any():
        call.report("caller-not-in-mask", np.flatnonzero(outside))


def _shuffle(mode: str, predicated: bool) -> Stateful:
    def handler(call: Call) -> Result:
        masks, value, operand, control = call.values
        _caller_in_mask(call, masks)
        spots, valid, inactive = _plan(call.lanes, mode, operand, control)
        result, mark = deliver(call, f"shfl.{mode}", masks, value, call.taint(1), spots, inactive)
        return ((result, valid) if predicated else result), mark

    return handler


for mode in ("idx", "up", "down", "bfly"):
    stateful(f"llvm.nvvm.shfl.sync.{mode}", waits=MEMBERS, exchanges=True)(_shuffle(mode, False))
    for kind in ("i32", "f32"):
        name = f"llvm.nvvm.shfl.sync.{mode}.{kind}p"
        stateful(name, waits=MEMBERS, exchanges=True)(_shuffle(mode, True))


def _vote(operation: str, decide: Callable[[Integers, Integers], Array]) -> Stateful:
    def handler(call: Call) -> Result:
        masks, condition = call.values
        _caller_in_mask(call, masks)
        own = masks.astype(np.int64) & 0xFFFFFFFF
        result = decide(ballot_bits(call.lanes, condition) & own, active_bits(call.lanes) & own)
        tell(call, operation, masks, condition, result)
        return result, joined(call)

    return handler


VOTES = {
    "any": lambda yes, _there: yes != 0,
    "all": lambda yes, there: yes == there,
    "uni": lambda yes, there: (yes == there) | (yes == 0),
    "ballot": lambda yes, _there: yes.astype(np.int32),
}
for name, decide in VOTES.items():
    stateful(f"llvm.nvvm.vote.{name}.sync", waits=MEMBERS, exchanges=True)(_vote(f"vote.{name}", decide))


@stateful("llvm.nvvm.vote.ballot", exchanges=True)
def ballot_of_active(call: Call) -> Result:
    """The lanes that are here and hold the condition. Nobody is waited for."""
    return ballot_bits(call.lanes, call.values[0]).astype(np.int32), joined(call)


@stateful("llvm.nvvm.activemask", exchanges=True)
def active(call: Call) -> Result:
    """The lanes that are here: `__activemask`. A GPU may give fewer, where lanes of a branch have come apart."""
    return ballot_bits(call.lanes, np.ones(1, bool)).astype(np.int32), None


@stateful("llvm.nvvm.elect.sync", waits=MEMBERS, exchanges=True)
def elect(call: Call) -> Result:
    """The lowest lane of the mask that is there is the leader."""
    (masks,) = call.values
    _caller_in_mask(call, masks)
    leader = members(call.lanes, masks).argmax(1).astype(np.int32)
    chosen = leader == call.lanes.get("lane")
    tell(call, "elect", masks, chosen, leader)
    return (leader, chosen), None


@stateful("llvm.nvvm.match.any.sync", waits=MEMBERS, exchanges=True)
def match_any(call: Call) -> Result:
    """The lanes of the mask that have the same value."""
    bits = _same(call.lanes, *call.values) @ (np.int64(1) << np.arange(32))
    result = bits.astype(np.int32)
    tell(call, "match.any", call.values[0], call.values[1], result)
    return result, joined(call)


def _same(lanes: LaneSet, masks: Integers, value: Array) -> Booleans:
    value = np.broadcast_to(value, (lanes.n,))
    others = matrix(lanes, value, 0)[lanes.get("warp")]
    equal: Booleans = others == value[:, None]
    return members(lanes, masks) & equal


@stateful("llvm.nvvm.match.all.sync.i32p", "llvm.nvvm.match.all.sync.i64p", waits=MEMBERS, exchanges=True)
def match_all(call: Call) -> Result:
    """The mask, if all its lanes have the same value, and whether they have."""
    masks, value = call.values
    agreed = (_same(call.lanes, masks, value) == members(call.lanes, masks)).all(1)
    there = members(call.lanes, masks) @ (np.int64(1) << np.arange(32))
    result = np.where(agreed, there, 0).astype(np.int32)
    tell(call, "match.all", masks, value, result)
    return (result, agreed), joined(call)


LARGEST = np.iinfo(np.uint32).max
REDUCTIONS = {  # (ufunc, dtype to compute in, neutral value)
    "add": (np.add, np.int32, 0),
    "min": (np.minimum, np.int32, np.iinfo(np.int32).max),
    "max": (np.maximum, np.int32, np.iinfo(np.int32).min),
    "umin": (np.minimum, np.uint32, LARGEST),
    "umax": (np.maximum, np.uint32, 0),
    "and": (np.bitwise_and, np.int32, -1),
    "or": (np.bitwise_or, np.int32, 0),
    "xor": (np.bitwise_xor, np.int32, 0),
    "fmin": (np.fmin, np.float32, np.nan),
    "fmax": (np.fmax, np.float32, np.nan),
}


def _reduction(name: str, ufunc: np.ufunc, dtype: Any, neutral: float) -> Stateful:
    def handler(call: Call) -> Result:
        value, masks = call.values
        full = np.broadcast_to(value, (call.lanes.n,)).view(dtype)
        others = matrix(call.lanes, full, neutral)[call.lanes.get("warp")]
        others = np.where(members(call.lanes, masks), others, dtype(neutral))
        result = ufunc.reduce(others, axis=1, dtype=dtype).view(value.dtype)
        tell(call, f"redux.{name}", masks, value, result)
        return result, joined(call)

    return handler


for name, (ufunc, dtype, neutral) in REDUCTIONS.items():
    stateful(f"llvm.nvvm.redux.sync.{name}", waits=WarpSync(mask=1), exchanges=True)(
        _reduction(name, ufunc, dtype, neutral)
    )
