"""What flows into one element of a result: the accesses and exchanges, backwards from its last store."""

from __future__ import annotations

import numpy as np

from harness.cases.trail import Trail
from harness.simt.events import AccessEvent, ShuffleEvent
from harness.simt.findings import SourceLocation

__all__ = ["upstream"]

Thread = tuple[int, int]
"""A step's number, and a lane's in its grid."""
Cell = tuple[int, str, int, int]
"""A step's number (-1 for what outlives a launch), an array, its row, and a byte in that."""


def upstream(base: Trail, changed: Trail, name: str, flat: int) -> list[SourceLocation]:
    """The places by which a change of the inputs comes to an element, in their order; none where it does not.

    A thread passes on whatever of the change it has read or got before: what it computes is not looked at.

    Args:
        base: Without the change.
        changed: With it; behind the first access of another instruction nothing is compared.
        name: The result.
        flat: The element's place in it.
    """
    length = _alike(base, changed)
    start = base.store_at(name, flat)
    if start is None:
        return []
    last, position = start
    threads: set[Thread] = {_threads(base, last)[position]}
    cells: set[Cell] = set()
    places: list[SourceLocation] = []
    for at in range(min(last, length - 1), -1, -1):  # where a change leads another way, by what led there
        event, values, _ = base.events[at]
        differing = (values != changed.events[at][1]).reshape(len(values), -1).any(1)
        here = np.flatnonzero(differing).tolist()
        if not here:
            continue
        own, taken = _threads(base, at), False
        touched = _cells(base, at, here) if isinstance(event, AccessEvent) else []
        for index, one in enumerate(here):
            if isinstance(event, ShuffleEvent):
                if own[one] in threads:
                    sources = range(event.lanes.n) if event.sources is None else [int(event.sources[one])]
                    threads.update(own[source] for source in sources if source >= 0)
                    taken = True
            elif event.kind == "load":
                if own[one] in threads:
                    cells.add(touched[index])
                    taken = True
            elif touched[index] in cells or (at == last and one == position):
                threads.add(own[one])
                cells.discard(touched[index])
                taken = True
        if taken:
            places.append(event.site.place)
    return list(dict.fromkeys(reversed(places)))


def _alike(base: Trail, changed: Trail) -> int:
    """Up to where both did the same accesses."""
    for at, ((event, values, _), (other, others, _)) in enumerate(zip(base.events, changed.events, strict=False)):
        if event.site.where != other.site.where or values.shape != others.shape:
            return at
    return min(len(base.events), len(changed.events))


def _threads(trail: Trail, at: int) -> list[Thread]:
    event, _, number = trail.events[at]
    return [(number, lane) for lane in event.lanes.get("lane_id").tolist()]


def _cells(trail: Trail, at: int, positions: list[int]) -> list[Cell]:
    """Which cells an access touches."""
    event, _, number = trail.events[at]
    assert isinstance(event, AccessEvent)
    count = event.lanes.n
    offsets = np.broadcast_to(event.offsets, (count,))[positions].tolist()
    rows = np.broadcast_to(event.rows, (count,))[positions].tolist()
    lasting = event.allocation.rows == "grid"
    return [
        (-1 if lasting else number, event.allocation.name, 0 if lasting else row, offset)
        for row, offset in zip(rows, offsets, strict=True)
    ]
