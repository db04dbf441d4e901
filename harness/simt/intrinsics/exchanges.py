"""What lanes of a warp do together, each kind once: shuffles, votes, matches, reductions.

The vendors' files say which of their names is which of these, with which arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import active_bits, ballot_bits, deliver, joined, matrix, members, sources, tell
from harness.simt.ir.types import Float, Int, dtype_of, element_of
from harness.simt.ir.values import bfloat_round
from harness.simt.ops.integer import unsigned

__all__ = ["First", "Match", "Reduction", "Shuffle", "Vote", "masks_of"]

# From the number of each lane and some arguments to the lane that each reads, and whether there is one; None for all.
Rule: TypeAlias = Callable[..., tuple[Integers, Booleans | None]]
# From the bits of those that say yes, and of those that are there.
Decide: TypeAlias = Callable[[Integers, Integers], Array]
BITS = np.int64(1) << np.arange(32)


def masks_of(call: Call, operand: int | None) -> Integers | None:
    """The masks that an argument gives, if there is one; reported are lanes that are not in their own, and such as
    name lanes with another one: PTX has each wait for those that come with the same.
    """
    if operand is None:
        return None
    lanes, masks = call.lanes, call.values[operand]
    if len(masks) == 1 and masks[0] == -1:
        return masks
    outside = masks >> lanes.get("lane") & 1 == 0
    if outside.any():
        call.report("caller-not-in-mask", np.flatnonzero(outside))
    if len(masks) > 1:
        others = matrix(lanes, masks, 0)[lanes.get("warp")]
        differ = (members(lanes, masks) & (others != masks[:, None])).any(1)
        if differ.any():
            call.report("masks-differ", np.flatnonzero(differ))
    return masks


@dataclass(frozen=True)
class Exchange(Effect):
    """Values pass between the lanes of a warp.

    Attributes:
        operation: What observers and reports call it.
        value: The argument that each lane gives.
        mask: The argument that names the lanes that are waited for; None where it takes those that are there.
    """

    operation: str
    value: int = 0
    mask: int | None = None

    exchanges = True

    @property
    def waits(self) -> WarpSync | None:
        """See `Effect`."""
        return None if self.mask is None else WarpSync(mask=self.mask)


@dataclass(frozen=True, kw_only=True)
class Shuffle(Exchange):
    """Each lane reads the value of another one. That of a lane that is inactive, or that its mask does not
    name, is undefined, and reported.

    Attributes:
        rule: Which lane; where there is none a lane keeps its own value.
        by: The arguments that the rule takes.
        zeroed: Whether an inactive lane gives 0 instead.
        predicated: Whether the call also gives whether there was a lane.
        wraps: Whether lanes are counted modulo the width of a warp.
    """

    rule: Rule
    by: tuple[int, ...] = (1,)
    zeroed: bool = False
    predicated: bool = False
    wraps: bool = False

    def __call__(self, call: Call) -> Result:
        masks, values = masks_of(call, self.mask), call.values
        spots, exists, inactive = self._plan(call, masks)
        value, taint = values[self.value], call.taint(self.value)
        result, mark = deliver(call, self.operation, masks, value, taint, spots, inactive, self.zeroed)
        return ((result, exists) if self.predicated else result), mark

    def _plan(self, call: Call, masks: Integers | None) -> tuple[Integers, Booleans, Integers]:
        """Where each lane reads: positions, whether there is a lane, inactive positions."""
        lanes = call.lanes
        lane = lanes.get("lane")
        source, valid = self.rule(lane, *(call.values[at] for at in self.by))
        source = source & lanes.geometry.warp - 1 if self.wraps else source
        exists = np.broadcast_to(True if valid is None else valid, (lanes.n,))
        spots = sources(lanes, source if valid is None else np.where(exists, source, lane))
        spots = spots if len(spots) == lanes.n else np.broadcast_to(spots, (lanes.n,))
        if masks is not None and (len(masks) > 1 or masks[0] != -1):
            own, named = (masks >> (number & 31) & 1 != 0 for number in (lane, source))
            spots = np.where(named | ~(own & exists), spots, -1)
        inactive = np.flatnonzero(spots < 0)
        return np.maximum(spots, 0), exists, inactive


@dataclass(frozen=True)
class First(Exchange):
    """Each lane reads the lowest one that is there.

    Attributes:
        hint: Whether it says nothing where all lanes have the same value: compilers write it to tell so.
    """

    hint: bool = False

    def __call__(self, call: Call) -> Result:
        value, taint = call.values[self.value], call.taint(self.value)
        if self.hint and len(value) == 1:
            return value, taint
        spots = sources(call.lanes, members(call.lanes, np.array([-1])).argmax(1))
        return deliver(call, self.operation, None, value, taint, spots)


@dataclass(frozen=True, kw_only=True)
class Vote(Exchange):
    """All lanes get what comes of their conditions.

    Attributes:
        value: The condition; where the call has no arguments all that are there say yes.
        decide: What comes of them.
    """

    decide: Decide

    def __call__(self, call: Call) -> Result:
        masks = masks_of(call, self.mask)
        condition = call.values[self.value] if call.values else np.array([True])
        yes, there = ballot_bits(call.lanes, condition), active_bits(call.lanes)
        if masks is not None:
            own = masks.astype(np.int64) & 0xFFFFFFFF
            yes, there = yes & own, there & own
        result, ty = self.decide(yes, there), call.site.instruction.type
        result = result.astype(dtype_of(ty), copy=False) if isinstance(ty, Int) else result
        tell(call, self.operation, masks, condition, result)
        return result, joined(call)


@dataclass(frozen=True, kw_only=True)
class Match(Exchange):
    """Each lane gets those that have the same value.

    Attributes:
        every: Whether it gets all of its mask or none, and whether all have the same.
    """

    every: bool

    def __call__(self, call: Call) -> Result:
        lanes, masks = call.lanes, masks_of(call, self.mask)
        assert masks is not None
        value, named = call.wide(self.value), members(lanes, masks)
        same = named & (matrix(lanes, value, 0)[lanes.get("warp")] == value[:, None])
        agreed = (same == named).all(1)
        bits = np.where(agreed, named @ BITS, 0) if self.every else same @ BITS
        result = bits.astype(np.int32)
        tell(call, self.operation, masks, call.values[self.value], result)
        return ((result, agreed) if self.every else result), joined(call)


@dataclass(frozen=True, kw_only=True)
class Reduction(Exchange):
    """All lanes get their values combined.

    Attributes:
        ufunc: What combines two.
        unsigned: Whether integers have no sign.
    """

    ufunc: np.ufunc
    unsigned: bool = False

    def __call__(self, call: Call) -> Result:
        lanes, given = call.lanes, call.values[self.value]
        value = unsigned(given) if self.unsigned else given
        neutral = self._neutral(value.dtype)
        masks = masks_of(call, self.mask)
        by_warp = matrix(lanes, value, neutral)
        if masks is not None:  # a warp may come in parts, with a mask for each
            by_warp = np.where(members(lanes, masks), by_warp[lanes.get("warp")], neutral)
        total = self.ufunc.reduce(by_warp, axis=1, dtype=value.dtype).view(given.dtype)
        if element_of(call.site.instruction.type) == Float("bfloat"):
            total = bfloat_round(total)
        result = total if masks is not None else total[lanes.get("warp")]
        tell(call, self.operation, masks, given, result)
        return result, joined(call)

    def _neutral(self, dtype: np.dtype[Any]) -> Any:
        """What changes nothing that it is combined with."""
        if self.ufunc.identity is not None:
            return np.array(self.ufunc.identity).astype(dtype)[()]
        if dtype.kind == "f":
            limit = np.inf if self.ufunc is np.minimum else -np.inf if self.ufunc is np.maximum else np.nan
            return dtype.type(limit)
        limits = np.iinfo(dtype)
        return dtype.type(limits.max if self.ufunc is np.minimum else limits.min)
