"""Handlers that vendors' lane exchanges share: `Shuffle`, `ReadFirst`, `Vote`, `Match`, `Reduction`; mask checks.

The vendors' files declare which of their names has which effect, with which arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import (
    active_bits,
    ballot_bits,
    combine_call_taints,
    deliver_values,
    emit_exchange,
    source_positions,
    to_warp_rows,
    warp_members,
)
from harness.simt.ir.types import Float, Int, dtype_of, element_of
from harness.simt.ir.values import bfloat_round
from harness.simt.ops.integer import unsigned
from harness.simt.ops.undefined import combine_taints

__all__ = ["Match", "ReadFirst", "Reduction", "Shuffle", "Vote", "check_masks"]

# Maps lane numbers and arguments to (source lanes, whether there is a source lane; None if there always is).
Rule: TypeAlias = Callable[..., tuple[Integers, Booleans | None]]
# Maps (bit mask of lanes whose condition holds, bit mask of lanes that take part) to the result.
Decide: TypeAlias = Callable[[Integers, Integers], Array]
BITS = np.int64(1) << np.arange(32)


def check_masks(call: Call, operand: int | None) -> Integers | None:
    """Return the masks that an argument gives, (n,) or (1,), None without one; report lanes with wrong masks.

    Reported are lanes that are not in their own mask, and lanes that name lanes with another mask: PTX makes each wait
    for the lanes that come with the same mask. A mask of all ones is not checked if it is the only one, (1,).

    Args:
        operand: The argument's position, or None.
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
        others = to_warp_rows(lanes, masks, 0)[lanes.get("warp")]
        differ = (warp_members(lanes, masks) & (others != masks[:, None])).any(1)
        if differ.any():
            call.report("masks-differ", np.flatnonzero(differ))
    return masks


@dataclass(frozen=True)
class Exchange(Effect):
    """An exchange of values between the lanes of a warp.

    Attributes:
        operation: Its name in events and reports.
        value: The argument with each lane's value.
        mask: The argument with the mask of lanes that wait for each other; None if it takes the active lanes.
    """

    operation: str
    value: int = 0
    mask: int | None = None

    exchanges = True

    @property
    def waits(self) -> WarpSync | None:
        """Return the synchronisation before the exchange; None if it takes the lanes that are active."""
        return None if self.mask is None else WarpSync(mask=self.mask)


@dataclass(frozen=True, kw_only=True)
class Shuffle(Exchange):
    """Each lane reads the value of another lane.

    The value of a lane that is inactive, or that the mask does not name, is undefined, and reported. If it is undefined
    which lane is read, so is what is read.
    """

    rule: Rule
    rule_operands: tuple[int, ...] = (1,)
    gives_zero: bool = False
    returns_predicate: bool = False
    wraps_lane: bool = False

    def __call__(self, call: Call) -> Result:
        masks, values = check_masks(call, self.mask), call.values
        positions, exists, inactive = self._find_sources(call, masks)
        value, taint = values[self.value], call.taint(self.value)
        result, mark = deliver_values(call, self.operation, masks, value, taint, positions, inactive, self.gives_zero)
        source_taint = call.taint(*self.rule_operands)
        if source_taint is not None:
            mark = combine_taints(mark, source_taint)
            result = np.repeat(result, call.lanes.n, 0) if len(result) == 1 else result
        return ((result, exists) if self.returns_predicate else result), mark

    def _find_sources(self, call: Call, masks: Integers | None) -> tuple[Integers, Booleans, Integers]:
        """Return the position of each lane's source, 0 where it is inactive, whether a source lane exists, and the
        positions of the lanes whose source is inactive.

        Where the rule gives no source lane, the source is the lane itself. A source that the lane's mask does not name
        counts as inactive, unless the lane itself is not in its mask, which `check_masks` reports.
        """
        lanes = call.lanes
        lane = lanes.get("lane")
        source, valid = self.rule(lane, *(call.values[at] for at in self.rule_operands))
        source = source & lanes.geometry.warp - 1 if self.wraps_lane else source
        exists = np.broadcast_to(True if valid is None else valid, (lanes.n,))
        positions = source_positions(lanes, source if valid is None else np.where(exists, source, lane))
        positions = positions if len(positions) == lanes.n else np.broadcast_to(positions, (lanes.n,))
        if masks is not None and (len(masks) > 1 or masks[0] != -1):
            is_in_mask, source_in_mask = (masks >> (number & 31) & 1 != 0 for number in (lane, source))
            positions = np.where(source_in_mask | ~(is_in_mask & exists), positions, -1)
        inactive = np.flatnonzero(positions < 0)
        return np.maximum(positions, 0), exists, inactive


@dataclass(frozen=True)
class ReadFirst(Exchange):
    """Each lane reads the value of the lowest active lane.

    Attributes:
        is_hint: Whether it is no exchange if all lanes have the same value: compilers use it as a hint of that.
    """

    is_hint: bool = False

    def __call__(self, call: Call) -> Result:
        value, taint = call.values[self.value], call.taint(self.value)
        if self.is_hint and len(value) == 1:
            return value, taint
        positions = source_positions(call.lanes, warp_members(call.lanes, np.array([-1])).argmax(1))
        return deliver_values(call, self.operation, None, value, taint, positions)


@dataclass(frozen=True, kw_only=True)
class Vote(Exchange):
    """All lanes get a result computed from the conditions of all lanes.

    Attributes:
        value: The argument with the condition; true in all active lanes if the call has no arguments.
        decide: Computes the result.
    """

    decide: Decide

    def __call__(self, call: Call) -> Result:
        masks = check_masks(call, self.mask)
        condition = call.values[self.value] if call.values else np.array([True])
        yes, there = ballot_bits(call.lanes, condition), active_bits(call.lanes)
        if masks is not None:
            mask_bits = masks.astype(np.int64) & 0xFFFFFFFF
            yes, there = yes & mask_bits, there & mask_bits
        result, ty = self.decide(yes, there), call.site.instruction.type
        result = result.astype(dtype_of(ty), copy=False) if isinstance(ty, Int) else result
        emit_exchange(call, self.operation, masks, condition, result)
        return result, combine_call_taints(call)


@dataclass(frozen=True, kw_only=True)
class Match(Exchange):
    """Each lane gets the mask of the lanes that have the same value.

    Attributes:
        needs_all: Whether a lane gets its whole mask if all values agree, else 0; and also whether they agree.
    """

    needs_all: bool

    def __call__(self, call: Call) -> Result:
        lanes, masks = call.lanes, check_masks(call, self.mask)
        assert masks is not None
        value, is_member = call.wide(self.value), warp_members(lanes, masks)
        same = is_member & (to_warp_rows(lanes, value, 0)[lanes.get("warp")] == value[:, None])
        agreed = (same == is_member).all(1)
        bits = np.where(agreed, is_member @ BITS, 0) if self.needs_all else same @ BITS
        result = bits.astype(np.int32)
        emit_exchange(call, self.operation, masks, call.values[self.value], result)
        return ((result, agreed) if self.needs_all else result), combine_call_taints(call)


@dataclass(frozen=True, kw_only=True)
class Reduction(Exchange):
    """All lanes get the combination of all lanes' values.

    Attributes:
        ufunc: Combines two values.
        unsigned: Whether integers are read as unsigned.
    """

    ufunc: np.ufunc
    unsigned: bool = False

    def __call__(self, call: Call) -> Result:
        lanes, operand = call.lanes, call.values[self.value]
        value = unsigned(operand) if self.unsigned else operand
        neutral = self._neutral_element(value.dtype)
        masks = check_masks(call, self.mask)
        by_warp = to_warp_rows(lanes, value, neutral)
        if masks is not None:  # lanes of a warp may come with different masks
            by_warp = np.where(warp_members(lanes, masks), by_warp[lanes.get("warp")], neutral)
        total = self.ufunc.reduce(by_warp, axis=1, dtype=value.dtype).view(operand.dtype)
        if element_of(call.site.instruction.type) == Float("bfloat"):
            total = bfloat_round(total)
        result = total if masks is not None else total[lanes.get("warp")]
        emit_exchange(call, self.operation, masks, operand, result)
        return result, combine_call_taints(call)

    def _neutral_element(self, dtype: np.dtype[Any]) -> Any:
        """Return the value that leaves any value unchanged when combined with it; for `fmin` and `fmax` a NaN."""
        if self.ufunc.identity is not None:
            return np.array(self.ufunc.identity).astype(dtype)[()]
        if dtype.kind == "f":
            limit = np.inf if self.ufunc is np.minimum else -np.inf if self.ufunc is np.maximum else np.nan
            return dtype.type(limit)
        limits = np.iinfo(dtype)
        return dtype.type(limits.max if self.ufunc is np.minimum else limits.min)
