"""Where lanes wait: barriers of a block, member masks of a warp, clusters.

A gated segment runs only with lanes that may pass. The others are parked at it,
and come back when a lane ends, another arrives, or nothing else can run.
"""

import numpy as np

from harness.simt.errors import Deadlock
from harness.simt.run import barriers
from harness.simt.state.lane_counts import missing_members
from harness.simt.state.lanes import union
from harness.simt.state.merge import PASSED

__all__ = ["arrived_at_cluster", "enter", "resolve_stalled", "retry"]


def enter(engine, segment, entries):
    """Lets lanes try to pass a gate; returns those that do, or None."""
    sets = [lanes for lanes, values in entries if values == PASSED]
    trying = [lanes for lanes, values in entries if values != PASSED]
    if trying:
        trying += engine.parked.pop(segment.number, ())
        lanes = trying[0] if len(trying) == 1 else union(trying)
        passing = GATES[segment.gate[0]](engine, segment, lanes)
        if passing is not None:
            sets.append(passing)
    if not sets:
        return None
    return sets[0] if len(sets) == 1 else union(sets)


def retry(engine, kinds=("block", "warp", "cluster")):
    """Lets parked lanes try again."""
    for number in list(engine.parked):
        if engine.program.segments[number].gate[0] in kinds:
            for lanes in engine.parked.pop(number):
                engine.push(number, lanes, ())


def _warp(engine, segment, lanes):
    """A member mask: opens for a lane when all it names that live are there."""
    if lanes.n == engine.live_count:
        return lanes
    masks = _masks(engine, segment, lanes)
    missing = missing_members(engine, lanes, masks)
    if missing is None:
        return lanes
    stay = missing.any(1)
    engine.park(segment, lanes.sub(np.flatnonzero(stay)))
    go = np.flatnonzero(~stay)
    return lanes.sub(go) if len(go) else None


def _masks(engine, segment, lanes):
    operand = segment.gate[1]
    return None if operand is None else engine.operand(operand, lanes)


def _cluster(engine, segment, lanes):
    """The wait of a cluster: opens when all its lanes that live have arrived."""
    geometry = engine.geometry
    size = engine.cluster_size * geometry.threads
    arrived = np.where(engine.live, engine.cluster_arrived, np.iinfo(np.int64).max)
    least = arrived.reshape(-1, size).min(1)
    own = engine.cluster_arrived[lanes.idx]
    go = least[lanes.idx // size] >= own
    if go.all():
        return lanes
    engine.park(segment, lanes.sub(np.flatnonzero(~go)))
    free = np.flatnonzero(go)
    return lanes.sub(free) if len(free) else None


GATES = {"block": barriers.block, "warp": _warp, "cluster": _cluster}


def arrived_at_cluster(engine):
    """Lets lanes that wait for their cluster try again."""
    if engine.parked:
        retry(engine, ("cluster",))


def resolve_stalled(engine):
    """Nothing can run and lanes wait: let warps go on without lanes, or stop."""
    segments = engine.program.segments
    for number in sorted(engine.parked):
        segment = segments[number]
        if segment.gate[0] != "warp":
            continue
        sets = engine.parked.pop(number)
        lanes = sets[0] if len(sets) == 1 else union(sets)
        masks = _masks(engine, segment, lanes)
        missing = missing_members(engine, lanes, masks)
        site = segment.gate[2].site
        positions = np.flatnonzero(missing.any(1)) if missing is not None else []
        absent = sorted({int(n) for n in np.flatnonzero(missing[positions[0]])}) if len(positions) else []
        engine.report(
            "absent-lane",
            "error",
            (site,),
            lanes,
            positions,
            values={"operation": _name(segment), "absent": tuple(absent)},
        )
        engine.push(number, lanes, PASSED)
        return
    _deadlock(engine)


def _name(segment):
    callee = segment.gate[2].attrs["callee"]
    return getattr(callee, "name", "").removeprefix("@")


def _deadlock(engine):
    places, items, first = [], [], None
    for number in sorted(engine.parked):
        segment = engine.program.segments[number]
        lanes = union(engine.parked[number]) if len(engine.parked[number]) > 1 else (engine.parked[number][0])
        first = first or (segment, lanes)
        site = segment.gate[2].site
        blocks = len(np.unique(lanes.get("row")))
        places.append(site)
        items.append({"threads": lanes.n, "blocks": blocks, "place": str(site.source or site.text)})
    segment, lanes = first
    engine.fail(
        "deadlock",
        places,
        lanes,
        error=Deadlock,
        operation=_name(segment),
        waiting=sum(one["threads"] for one in items),
        ended=engine.geometry.lanes - engine.live_count,
        items=tuple(items),
    )
