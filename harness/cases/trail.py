"""Record a launch's accesses and lane exchanges (`Trail`), and find where a change of inputs shows (`Touch`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from harness.simt.events import AccessEvent, ShuffleEvent
from harness.simt.findings import SourceLocation, Who
from harness.simt.observe import Observer

__all__ = ["Touch", "Trail", "find_differing_lanes", "find_touches"]

MOST = 20_000  # accesses of many lanes at once that are kept


@dataclass(frozen=True, slots=True)
class Touch:
    """One thread's access to one element, or what it gets in an exchange.

    Attributes:
        kind: `load`, `store`, `atomic` or `exchange`.
        place: The source location.
        who: The thread.
        name: The argument or array; empty of an exchange.
        flat: The element's flat index in it.
        value: The text of the value that was read, written or got.
        first: The number of the access, among all of a launch.
        last: The number of the last access at this location on which the change shows.
    """

    kind: str
    place: SourceLocation
    who: Who
    name: str
    flat: int
    value: str
    first: int = field(default=0, compare=False)
    last: int = field(default=0, compare=False)


class Trail(Observer):
    """Keeps the accesses of a launch to memory that threads share, and their exchanges, in their order.

    Args:
        number: The index of the step whose launch is watched.

    Attributes:
        events: The accesses and exchanges, the values of all their lanes, and that number.
        floats: The element type of arrays that hold floats, by name: a copy moves them as integers.
    """

    def __init__(self, number: int = 0) -> None:
        self.events: list[tuple[AccessEvent | ShuffleEvent, np.ndarray, int]] = []
        self.floats: dict[str, np.dtype] = {}
        self._number = number

    def access(self, event: AccessEvent) -> None:
        """Keep an access, unless `MOST` are kept or the memory is a lane's own; note the element type of floats."""
        if event.allocation.rows != "lane":
            if event.values.dtype.kind == "f":
                self.floats.setdefault(event.allocation.name, event.values.dtype)
            self._keep(event, event.values)

    def shuffle(self, event: ShuffleEvent) -> None:
        """Keep an exchange with what its lanes get, unless `MOST` are kept."""
        self._keep(event, event.results)

    def _keep(self, event: AccessEvent | ShuffleEvent, values: np.ndarray) -> None:
        if len(self.events) < MOST:
            copied = np.array(np.broadcast_to(values, (event.lanes.n, *values.shape[1:])))
            self.events.append((event, copied, self._number))

    def last_store(self, name: str, flat: int) -> Touch | None:
        """Return the last store or atomic to an element of an argument, by its flat index; None if no event writes it.

        Only the first 20000 accesses and exchanges are recorded.
        """
        if (store := self.store_at(name, flat)) is None:
            return None
        event, values, _ = self.events[store[0]]
        return _make_touch(event, values, store[1], self.floats, flat)

    def store_at(self, name: str, flat: int) -> tuple[int, int] | None:
        """Return the index in `events` of the last access that wrote an element of an argument, and the last such
        lane's position in it, or None.
        """
        for at in range(len(self.events) - 1, -1, -1):
            event, values, _ = self.events[at]
            if not isinstance(event, AccessEvent) or event.kind == "load" or event.allocation.name != name:
                continue
            count = values.shape[1] if values.ndim > 1 else 1
            offset = flat * (event.size // count)
            starts = np.broadcast_to(event.offsets, (event.lanes.n,))
            positions = np.flatnonzero((starts <= offset) & (offset < starts + event.size))
            if len(positions):
                return at, int(positions[-1])
        return None


def find_touches(base: Trail, changed: Trail, display: Trail) -> list[Touch]:
    """Return the accesses whose values a change of a launch's inputs changes, of each kind the first at each location.

    They come in the order of the launch, with the threads, elements and values of `display`. `first` and `last` are the
    indices of the first and the last event of this kind and location on which the change shows.

    Args:
        base: The record without the change.
        changed: The record with the change; after the first access of another instruction nothing is compared.
        display: The record of the data whose values are shown.
    """
    touches: dict[tuple[SourceLocation, str], Touch] = {}
    every = zip(base.events, changed.events, display.events, strict=False)
    for at, ((event, before, _), (other, after, _), (shown_event, values, _)) in enumerate(every):
        if not (
            event.site.where == other.site.where == shown_event.site.where
            and before.shape == after.shape == values.shape
        ):
            break
        if differing := find_differing_lanes(before, after):
            touch = _make_touch(shown_event, values, differing[0], display.floats)
            first = touches.setdefault((touch.place, touch.kind), replace(touch, first=at))
            touches[touch.place, touch.kind] = replace(first, last=at)
    return list(touches.values())


def find_differing_lanes(before: np.ndarray, after: np.ndarray) -> list[int]:
    """Return the positions of the lanes whose values differ between two arrays of one shape; NaN equals NaN."""
    differs = before != after
    if before.dtype.kind == after.dtype.kind == "f":
        differs &= ~(np.isnan(before) & np.isnan(after))
    return np.flatnonzero(differs.reshape(len(before), -1).any(1)).tolist()


def _make_touch(
    event: AccessEvent | ShuffleEvent,
    values: np.ndarray,
    position: int,
    floats: Mapping[str, np.dtype],
    flat: int | None = None,
) -> Touch:
    if isinstance(event, ShuffleEvent):
        (who,) = event.lanes.who([position])
        return Touch("exchange", event.site.place, who, "", 0, str(values[position]))
    count = values.shape[1] if values.ndim > 1 else 1
    start = int(np.broadcast_to(event.offsets, (event.lanes.n,))[position])
    at = start // (event.size // count) if flat is None else flat
    (who,) = event.lanes.who([position])
    value = values[position] if values.ndim == 1 else values[position][at - start // (event.size // count)]
    dtype = floats.get(event.allocation.name)
    if dtype is not None and values.dtype.kind in "iu" and event.size == count * dtype.itemsize:
        value = np.array(value).astype(f"i{dtype.itemsize}").view(dtype)[()]
    return Touch(event.kind, event.site.place, who, event.allocation.name, at, str(value))
