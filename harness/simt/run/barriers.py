"""Barriers of a block: who waits, who has arrived, when they open.

A barrier has a number. It opens for a block when all its lanes that live are
there, or as many as its count says; a warp whose live lanes are all there counts
with its full width, as in hardware. Lanes that only arrive are counted and go on.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar
"""

from dataclasses import dataclass, field

import numpy as np

from harness.simt.state.lane_counts import count_rows, live_rows
from harness.simt.state.lanes import union
from harness.simt.state.merge import PASSED

__all__ = ["Barriers", "arrive", "block", "callee"]

NUMBERS = 16  # PTX: each block has the barriers 0 to 15


@dataclass(slots=True)
class Barriers:
    """The barriers of a chunk.

    Attributes:
        arrived: By number, which lanes arrived without waiting, (lanes,).
        reduced: By number, the sum of the predicates and how many lanes gave
            one, each by block, of the last reduction.
    """

    arrived: dict = field(default_factory=dict)
    reduced: dict = field(default_factory=dict)


def callee(segment):
    """The name of what lanes wait at."""
    return getattr(segment.gate[2].attrs["callee"], "name", "").removeprefix("@")


def block(engine, segment, lanes):
    """The gate of a barrier: returns the lanes that pass, or None."""
    operand = segment.gate[1]
    if operand is None:
        return _block(engine, segment, lanes, 0)
    numbers = engine.operand(operand, lanes)
    first = int(numbers[0])
    if len(numbers) == 1 or (numbers == first).all():
        return _block(engine, segment, lanes, first)
    passing = []
    for number in np.unique(numbers).tolist():
        some = _block(engine, segment, lanes.sub(np.flatnonzero(numbers == number)), number)
        if some is not None:
            passing.append(some)
    return union(passing) if passing else None


def _block(engine, segment, lanes, number):
    counted = callee(segment).endswith(".count")
    simple = not counted and number not in engine.barriers.arrived
    if simple and lanes.n == engine.live_count:
        return _open(engine, segment, number, [(segment, lanes)])
    if not 0 <= number < NUMBERS:
        engine.report(
            "barrier-protocol.number",
            "error",
            (segment.gate[2].site,),
            lanes,
            np.arange(lanes.n),
            values={"last": NUMBERS - 1, "number": number},
        )
    waiting = _waiting(engine, number)
    sets = [*waiting, (segment, lanes)]
    if simple:
        arrived = sum(count_rows(engine, one) for _, one in sets)
        opened = (arrived == live_rows(engine)) & (arrived > 0)
    else:
        count = _count(engine, segment, lanes) if counted else None
        opened = _complete(engine, segment.gate[2].site, lanes, number, count, [one for _, one in sets])
    if opened.all() and not waiting:
        return _open(engine, segment, number, [(segment, lanes)])
    if not opened[lanes.get("row")].any():
        engine.park(segment, lanes)
        return None
    return _open(engine, segment, number, _divide(engine, segment, lanes, sets, opened))


def _waiting(engine, number):
    """The (segment, lanes) that wait at a barrier."""
    segments, found = engine.program.segments, []
    for at, sets in engine.parked.items():
        if segments[at].gate[0] == "block":
            operand = segments[at].gate[1]
            found += [
                (segments[at], one)
                for one in sets
                if (0 if operand is None else int(engine.operand(operand, one)[0])) == number
            ]
    return found


def _divide(engine, segment, lanes, sets, opened):
    """Lets go those that wait in blocks whose barrier opens; the others stay."""
    groups = []
    for other, one in sets:
        go = opened[one.get("row")]
        if one is not lanes:
            if not go.any():
                continue
            engine.parked[other.number].remove(one)
            if not engine.parked[other.number]:
                del engine.parked[other.number]
        free = one if go.all() else one.sub(np.flatnonzero(go))
        if free is not one:
            engine.park(other, one.sub(np.flatnonzero(~go)))
        groups.append((other, free))
    return groups


def _open(engine, segment, number, groups):
    """Lets groups pass: those at `segment` at once, the others in their turn."""
    if ".red." in callee(segment):
        _reduce(engine, number, groups)
    arrived = engine.barriers.arrived.get(number)
    here = None
    if arrived is not None:
        rows = np.unique(np.concatenate([one.get("row") for _, one in groups]))
        by_row = arrived.reshape(len(engine.geometry.blocks), -1)
        mask = np.zeros_like(by_row)
        mask[rows] = by_row[rows]
        here = engine.root.sub(np.flatnonzero(mask.ravel()))
        by_row[rows] = False
        if not arrived.any():
            del engine.barriers.arrived[number]
    if engine.on_barrier:
        told = tuple((other.gate[2].site, free) for other, free in groups)
        engine.emit_barrier(segment, told, number, here)
    passing = None
    for other, free in groups:
        if other is segment:
            passing = free if passing is None else union([passing, free])
        else:
            engine.push(other.number, free, PASSED)
    return passing


def _reduce(engine, number, groups):
    """Adds up the predicates of all lanes that pass, block by block."""
    blocks = len(engine.geometry.blocks)
    held = engine.barriers.reduced.get(number)
    counts, totals = held or (np.zeros(blocks, np.int64), np.zeros(blocks, np.int64))
    sums = np.zeros((2, blocks), np.int64)
    for other, lanes in groups:
        given = np.broadcast_to(engine.operand(other.gate[2].operands[-1], lanes), (lanes.n,))
        sums[0] += np.bincount(lanes.get("row"), given, blocks).astype(np.int64)
        sums[1] += count_rows(engine, lanes)
    passing = sums[1] > 0
    engine.barriers.reduced[number] = (np.where(passing, sums[0], counts), np.where(passing, sums[1], totals))


def _count(engine, segment, lanes):
    """How many lanes a counted barrier waits for."""
    counts = engine.operand(segment.gate[2].operands[1], lanes)
    count = int(counts[0])
    site = segment.gate[2].site
    if (counts != count).any():
        engine.report("barrier-protocol.counts", "error", (site,), lanes, np.flatnonzero(counts != count))
    if count % engine.target.warp or count <= 0:
        engine.report(
            "barrier-protocol.multiple",
            "error",
            (site,),
            lanes,
            np.arange(lanes.n),
            values={"width": engine.target.warp, "given": count},
        )
    return count


def _complete(engine, site, lanes, number, count, sets):
    """For which blocks enough lanes have come; too many are reported.

    Args:
        count: How many lanes it takes, or None for all that live.
        sets: The lanes that wait, (LaneSet, ...).
    """
    geometry = engine.geometry
    here = engine.barriers.arrived.get(number, np.zeros(geometry.lanes, bool)).copy()
    for one in sets:
        here[one.idx] = True
    warp, size = geometry.value("warp"), geometry.warps * len(geometry.blocks)
    present = np.bincount(warp[here], minlength=size)
    missing = np.bincount(warp[engine.live & ~here], minlength=size)
    given = np.where((missing == 0) & (present > 0), geometry.warp, present)
    sums = given.reshape(len(geometry.blocks), -1).sum(1)
    if count is None:
        expected = (present + missing > 0).reshape(len(geometry.blocks), -1).sum(1) * geometry.warp
    else:
        expected = np.full(len(sums), count)
    over = sums > expected
    if over.any():
        rows = lanes.get("row")
        engine.report(
            "barrier-protocol.crowd",
            "error",
            (site,),
            lanes,
            np.flatnonzero(over[rows]),
            values={"came": int(sums[over][0]), "number": number, "taken": int(expected[over][0])},
        )
    return (sums >= expected) & (sums > 0)


def arrive(engine, lanes, site, number, count):
    """Lanes arrive and do not wait; what waits may try again.

    Args:
        number: The barrier's number.
        count: How many lanes it takes.
    """
    held = engine.barriers.arrived
    mask = held.setdefault(number, np.zeros(engine.geometry.lanes, bool))
    twice = mask[lanes.idx]
    if twice.any():
        engine.report(
            "barrier-protocol.twice", "error", (site,), lanes, np.flatnonzero(twice), values={"number": number}
        )
    mask[lanes.idx] = True
    sets = [one for _, one in _waiting(engine, number)]
    opened = _complete(engine, site, lanes, number, count, sets)
    for one in sets:
        opened[one.get("row")] = False  # these open it themselves
    mask.reshape(len(engine.geometry.blocks), -1)[opened] = False
