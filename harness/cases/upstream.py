"""Trace an input's change backwards through two records of a launch, from an element's last store: the lines."""

from __future__ import annotations

import numpy as np

from harness.cases.trail import Trail, find_differing_lanes
from harness.simt.events import AccessEvent, ShuffleEvent
from harness.simt.findings import SourceLocation

__all__ = ["trace_upstream"]

Thread = tuple[int, int]
"""A step's number, and a lane's in its grid."""
Cell = tuple[int, str, int, int]
"""A step's number (-1 for what outlives a launch), an array, its row, and a byte in that."""


def trace_upstream(base: Trail, changed: Trail, name: str, flat: int) -> list[SourceLocation]:
    """Return the source locations by which a change of inputs reaches an element's last store, each once, in order.

    Empty if the change does not reach it, or nothing stores the element. A thread passes on whatever of the change it
    has read or got before: what it computes is not looked at.

    Args:
        base: The record without the change.
        changed: The record with the change; after the first access of another instruction nothing is compared.
        name: The name of the result.
        flat: The flat index of the element.
    """
    length = _count_common_accesses(base, changed)
    start = base.store_at(name, flat)
    if start is None:
        return []
    last, position = start
    threads: set[Thread] = {_list_threads(base, last)[position]}
    cells: set[Cell] = set()
    places: list[SourceLocation] = []
    for at in range(min(last, length - 1), -1, -1):  # where a change leads another way, by what led there
        event, values, _ = base.events[at]
        positions = find_differing_lanes(values, changed.events[at][1])
        if not positions:
            continue
        lanes, passes_on = _list_threads(base, at), False
        touched = _list_cells(base, at, positions) if isinstance(event, AccessEvent) else []
        for index, lane in enumerate(positions):
            if isinstance(event, ShuffleEvent):
                if lanes[lane] in threads:
                    sources = range(event.lanes.n) if event.sources is None else [int(event.sources[lane])]
                    threads.update(lanes[source] for source in sources if source >= 0)
                    passes_on = True
            elif event.kind == "load":
                if lanes[lane] in threads:
                    cells.add(touched[index])
                    passes_on = True
            elif touched[index] in cells or (at == last and lane == position):
                threads.add(lanes[lane])
                cells.discard(touched[index])
                passes_on = True
        if passes_on:
            places.append(event.site.place)
    return list(dict.fromkeys(reversed(places)))


def _count_common_accesses(base: Trail, changed: Trail) -> int:
    """Return how many events, accesses and exchanges alike, two trails have in common at their start.

    Two events are the same if their instruction and the shape of their values are, whatever the values.
    """
    for at, ((event, values, _), (other, others, _)) in enumerate(zip(base.events, changed.events, strict=False)):
        if event.site.where != other.site.where or values.shape != others.shape:
            return at
    return min(len(base.events), len(changed.events))


def _list_threads(trail: Trail, at: int) -> list[Thread]:
    event, _, number = trail.events[at]
    return [(number, lane) for lane in event.lanes.get("lane_id").tolist()]


def _list_cells(trail: Trail, at: int, positions: list[int]) -> list[Cell]:
    """Return the cell (step, array, row, byte) of the first byte that each of some lanes accesses, in their order.

    Step and row of memory that outlives the launch are -1 and 0. `at` is the event's index, `positions` are the lanes'
    positions in it.
    """
    event, _, number = trail.events[at]
    assert isinstance(event, AccessEvent)
    count = event.lanes.n
    offsets = np.broadcast_to(event.offsets, (count,))[positions].tolist()
    allocation_rows = np.broadcast_to(event.rows, (count,))[positions].tolist()
    lasting = event.allocation.rows == "grid"
    return [
        (-1 if lasting else number, event.allocation.name, 0 if lasting else row, offset)
        for row, offset in zip(allocation_rows, offsets, strict=True)
    ]
