"""Arrange lanes' values as rows of warps, deliver values from source lanes, compute ballots and spread taints.

If an exchange needs all lanes of a warp, their values are arranged as (warps, width). If it reads a single lane, that
lane is given by its position in the lane set.
"""

from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.events import ShuffleEvent
from harness.simt.intrinsics.handlers import Call
from harness.simt.ir.types import Float, Int, Type
from harness.simt.ir.values import poison_value
from harness.simt.state.lanes import LaneSet

__all__ = [
    "EMPTY",
    "active_bits",
    "ballot_bits",
    "combine_call_taints",
    "deliver_values",
    "emit_exchange",
    "from_warp_rows",
    "lanes_of_incomplete_warps",
    "make_poison",
    "source_positions",
    "spread_over_warps",
    "to_warp_rows",
    "warp_members",
]

EMPTY = np.empty(0, np.int64)


def source_positions(lanes: LaneSet, lane: Integers) -> Integers:
    """Return the position in the lane set of lane `lane` of each lane's warp; -1 if it is not in the set.

    Args:
        lane: The source lane's number in the warp, (n,) or (1,).
    """
    geometry = lanes.geometry
    inside = (lane >= 0) & (lane < geometry.warp)
    if geometry.threads % geometry.warp:
        thread = lanes.get("tid") - lanes.get("lane") + lane
        inside = inside & (thread < geometry.threads)
    position = lanes.get("warp_first") + np.where(inside, lane, 0)
    if lanes is not lanes.root:
        position = lanes.where[position]
    return position if inside.all() else np.where(inside, position, -1)


def deliver_values(
    call: Call,
    operation: str,
    masks: Integers | None,
    value: Array,
    taint: Taint,
    positions: Integers,
    inactive: Integers = EMPTY,
    zeroed: bool = False,
) -> tuple[Array, Taint]:
    """Return for each lane the value of its source; a lane whose source is inactive gets an undefined one.

    Such lanes are reported unless `zeroed`. Emits an event of the exchange, if an observer listens.

    Args:
        masks: The exchange's masks, or None; only for the report and the event.
        positions: The position of each lane's source, (n,); any valid position where the source is inactive.
        inactive: The positions of lanes whose source is inactive.
        zeroed: Whether these lanes get a defined 0 instead.

    Returns:
        The values, in one row if `value` has one and no source is inactive, and their taint.
    """
    lanes, observation = call.lanes, call.engine.observation
    result = value if len(value) == 1 else value.take(positions, 0)
    mark = taint if taint is None or len(taint) == 1 else taint.take(positions)
    if len(inactive):
        if len(value) == 1:  # uniform: one row for all lanes
            result = np.repeat(result, lanes.n, 0)
        result[inactive] = 0 if zeroed else make_poison(value)
        if not zeroed:
            mark = np.zeros(lanes.n, np.int32) if mark is None else np.broadcast_to(mark, (lanes.n,)).copy()
            mark[inactive] = observation.origin("inactive-lane", operation, call.site)
            threads = lanes.geometry.threads
            # If all lanes of the launch take part and are named, a missing source is no thread at all.
            kind = "none" if lanes is lanes.root and (masks is None or (masks == -1).all()) else "undefined"
            call.report(f"inactive-source.{kind}", inactive, values={"operation": operation, "threads": threads})
    if observation.on_shuffle:
        reported_positions = positions.copy()
        reported_positions[inactive] = -1
        emit_exchange(call, operation, masks, value, result, reported_positions, inactive, zeroed)
    return result, mark


def make_poison(value: Array) -> Any:
    """Return an arbitrary value of an array's dtype that stands for an undefined one: one element, not an array."""
    kinds: dict[str, Type] = {
        "float32": Float("float"),
        "float16": Float("half"),
        "float64": Float("double"),
        "bool": Int(1),
    }
    name = value.dtype.name
    return poison_value(kinds.get(name) or Int(8 * value.dtype.itemsize))[0]


def emit_exchange(
    call: Call,
    operation: str,
    masks: Integers | None,
    value: Array,
    result: Array,
    positions: Integers | None = None,
    inactive: Integers = EMPTY,
    zeroed: bool = False,
) -> None:
    """Emit an event of an exchange for observers, if any listens.

    Args:
        positions: The position of each lane's source, -1 for none; None if the exchange is not between single lanes.
        inactive: The positions of lanes whose source is inactive.
        zeroed: Whether these get 0.
    """
    if call.engine.observation.on_shuffle:
        event = ShuffleEvent(call.site, call.lanes, operation, masks, positions, inactive, value, result, zeroed)
        call.engine.observation.on_shuffle(event)


def to_warp_rows(lanes: LaneSet, value: Array, empty: Any) -> Array:
    """Return lanes' values as (warps, width, ...) for all warps of the chunk, with `empty` for lanes not in the set.

    A single value stands for all lanes of the set.
    """
    geometry, elements = lanes.geometry, value.shape[1:]
    full = np.full((geometry.slots, *elements), empty, value.dtype)
    full[lanes.get("slot")] = value
    return full.reshape(-1, geometry.warp, *elements)


def from_warp_rows(lanes: LaneSet, values: Array) -> Array:
    """Return each lane's values from an array (warps, width, ...); the inverse of `to_warp_rows`."""
    result: Array = values.reshape(-1, *values.shape[2:])[lanes.get("slot")]
    return result


def lanes_of_incomplete_warps(lanes: LaneSet) -> Booleans:
    """Return a truth for each lane: whether its warp is partial, or has lanes that are not in the set."""
    is_complete = np.logical_and.reduce(to_warp_rows(lanes, np.array([True]), False), 1)
    missing: Booleans = ~is_complete[lanes.get("warp")]
    return missing


def combine_call_taints(call: Call) -> Taint:
    """Return the taint of a result computed from all lanes of a warp, (n,); None if all arguments are defined.

    Each lane gets the largest taint that any argument has in any lane of its warp. Each argument must have one taint
    for all its bytes, (n,) or (1,).
    """
    lanes = call.lanes
    marks = [np.broadcast_to(taint, (lanes.n,)) for taint in call.taints if taint is not None]
    if not marks:
        return None
    return spread_over_warps(lanes, np.maximum.reduce(marks))


def spread_over_warps(lanes: LaneSet, taint: Integers) -> Integers:
    """Return for each lane the largest taint of its warp's lanes in the set; `taint` is by lane, (n,)."""
    by_warp = to_warp_rows(lanes, taint, 0).max(1)
    worst: Integers = by_warp[lanes.get("warp")]
    return worst


def ballot_bits(lanes: LaneSet, condition: Booleans) -> Integers:
    """Return for each lane the bit mask, in 64 bits, of its warp's lanes in the set in which a condition holds."""
    holds = to_warp_rows(lanes, np.broadcast_to(condition, (lanes.n,)), False)
    by_warp = holds @ (np.int64(1) << np.arange(lanes.geometry.warp))
    bits: Integers = by_warp[lanes.get("warp")]
    return bits


def active_bits(lanes: LaneSet) -> Integers:
    """Return for each lane the bit mask of its warp's lanes that are in the set."""
    return lanes.cached("active_bits", lambda: ballot_bits(lanes, np.array([True])))


def warp_members(lanes: LaneSet, masks: Integers) -> Booleans:
    """Return for each lane which lanes of its warp are in the set and in its mask, (n, width)."""
    width = lanes.geometry.warp
    active: Booleans = to_warp_rows(lanes, np.ones(lanes.n, bool), False)[lanes.get("warp")]
    if len(masks) == 1 and masks[0] == -1:
        return active
    in_mask: Booleans = masks.astype(np.int64)[:, None] >> np.arange(width) & 1 != 0
    return active & in_mask
