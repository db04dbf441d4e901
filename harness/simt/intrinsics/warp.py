"""Exchanges between the lanes of a warp, common to the vendors.

A warp's lanes are laid out as a matrix (warps, width) where an exchange looks
at all of them, or named by their position in the lane set where it reads one.
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
    "by_lane",
    "deliver",
    "incomplete",
    "joined",
    "matrix",
    "members",
    "poison_of",
    "sources",
    "tell",
]

EMPTY = np.empty(0, np.int64)


def sources(lanes: LaneSet, lane: Integers) -> Integers:
    """Where the lane `lane` of each lane's warp stands in the set, or -1.

    Args:
        lane: The source's number in the warp, (n,) or (1,).
    """
    geometry = lanes.geometry
    inside = (lane >= 0) & (lane < geometry.warp)
    if geometry.threads % geometry.warp:
        thread = lanes.get("tid") - lanes.get("lane") + lane
        inside = inside & (thread < geometry.threads)
    spot = lanes.get("warp_first") + np.where(inside, lane, 0)
    if lanes is not lanes.root:
        spot = lanes.where[spot]
    return spot if inside.all() else np.where(inside, spot, -1)


def deliver(
    call: Call,
    operation: str,
    masks: Integers | None,
    value: Array,
    taint: Taint,
    spots: Integers,
    inactive: Integers = EMPTY,
    zeroed: bool = False,
) -> tuple[Array, Taint]:
    """Gives each lane the value at a position; that of an inactive lane is undefined, and reported.

    Args:
        spots: (n,) positions, valid also where the source is inactive.
        inactive: Positions of lanes whose source is inactive.
        zeroed: Whether they get 0 instead.

    Returns:
        The values and their taint.
    """
    lanes, observation = call.lanes, call.engine.observation
    result = value if len(value) == 1 else value.take(spots, 0)
    mark = taint if taint is None or len(taint) == 1 else taint.take(spots)
    if len(inactive):
        if len(value) == 1:  # an argument that all lanes have in common, or a constant
            result = np.repeat(result, lanes.n, 0)
        result[inactive] = 0 if zeroed else poison_of(value)
        if not zeroed:
            mark = np.zeros(lanes.n, np.int32) if mark is None else np.broadcast_to(mark, (lanes.n,)).copy()
            mark[inactive] = observation.origin("inactive-lane", operation, call.site)
            threads = lanes.geometry.threads
            # Who lacks where all take part, and all are named, is no thread.
            kind = "none" if lanes is lanes.root and (masks is None or (masks == -1).all()) else "undefined"
            call.report(f"inactive-source.{kind}", inactive, values={"operation": operation, "threads": threads})
    if observation.on_shuffle:
        shown = spots.copy()
        shown[inactive] = -1
        tell(call, operation, masks, value, result, shown, inactive, zeroed)
    return result, mark


def poison_of(value: Array) -> Any:
    """An undefined value of an array's dtype."""
    kinds: dict[str, Type] = {
        "float32": Float("float"),
        "float16": Float("half"),
        "float64": Float("double"),
        "bool": Int(1),
    }
    name = value.dtype.name
    return poison_value(kinds.get(name) or Int(8 * value.dtype.itemsize))[0]


def tell(
    call: Call,
    operation: str,
    masks: Integers | None,
    value: Array,
    result: Array,
    spots: Integers | None = None,
    inactive: Integers = EMPTY,
    zeroed: bool = False,
) -> None:
    """Tells observers of an exchange."""
    if call.engine.observation.on_shuffle:
        event = ShuffleEvent(call.site, call.lanes, operation, masks, spots, inactive, value, result, zeroed)
        call.engine.observation.on_shuffle(event)


def matrix(lanes: LaneSet, value: Array, empty: Any) -> Array:
    """A value as (warps, width), or with its elements behind, and `empty` where no lane of the set is."""
    geometry, elements = lanes.geometry, value.shape[1:]
    full = np.full((geometry.slots, *elements), empty, value.dtype)
    full[lanes.get("slot")] = value
    return full.reshape(-1, geometry.warp, *elements)


def by_lane(lanes: LaneSet, rows: Array) -> Array:
    """The other way: of (warps, width, ...) what is each lane's."""
    taken: Array = rows.reshape(-1, *rows.shape[2:])[lanes.get("slot")]
    return taken


def incomplete(lanes: LaneSet) -> Booleans:
    """The lanes of whose warp some are not in the set."""
    whole = np.logical_and.reduce(matrix(lanes, np.array([True]), False), 1)
    missing: Booleans = ~whole[lanes.get("warp")]
    return missing


def joined(call: Call) -> Taint:
    """The taint of what is made of the values of all lanes of a warp: that of any of them."""
    lanes = call.lanes
    marks = [np.broadcast_to(taint, (lanes.n,)) for taint in call.taints if taint is not None]
    if not marks:
        return None
    by_warp = matrix(lanes, np.maximum.reduce(marks), 0).max(1)
    worst: Array = by_warp[lanes.get("warp")]
    return worst


def ballot_bits(lanes: LaneSet, condition: Booleans) -> Integers:
    """For each lane the bits of its warp's lanes for which a condition holds."""
    holds = matrix(lanes, np.broadcast_to(condition, (lanes.n,)), False)
    by_warp = holds @ (np.int64(1) << np.arange(lanes.geometry.warp))
    bits: Integers = by_warp[lanes.get("warp")]
    return bits


def active_bits(lanes: LaneSet) -> Integers:
    """For each lane the bits of its warp's lanes that are in the set."""
    return lanes.cached("active_bits", lambda: ballot_bits(lanes, np.array([True])))


def members(lanes: LaneSet, masks: Integers) -> Booleans:
    """For each lane, which lanes of its warp are in the set and in its mask."""
    width = lanes.geometry.warp
    active: Booleans = matrix(lanes, np.ones(lanes.n, bool), False)[lanes.get("warp")]
    if len(masks) == 1 and masks[0] == -1:
        return active
    named: Booleans = masks.astype(np.int64)[:, None] >> np.arange(width) & 1 != 0
    return active & named
