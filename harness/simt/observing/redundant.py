"""Barriers that no pair of accesses needs.

A barrier is needed when, without it, two threads of a block would touch one
place, one of them writing, with no barrier of another instruction in between.
For each place this keeps who read and who wrote it before the last barrier and
since, as one thread or `MANY`. What it cannot tell apart counts as needed, and
once blocks exchange data, or a part of a block has a barrier of its own, it says
nothing: a barrier that it names could be left out, on this data, without a new race.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import AccessEvent, BarrierEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Launch, Observer
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import Geometry

__all__ = ["Redundant"]

NOBODY, MANY = -1, -2
LOADS, STORES = 0, 1


class _Users:
    """The users of an allocation's places.

    Attributes:
        unit: Bytes of a place; 1 once accesses differ in size.
        before: Who used each place before the last barrier, (2, places).
        since: The same since then.
    """

    def __init__(self, size: int, unit: int) -> None:
        self.unit = unit
        self.before = np.full((2, size // unit), NOBODY, np.int32)
        self.since = self.before.copy()

    def places(self, starts: Integers, size: int) -> Integers:
        """The places of accesses, (n, places of each)."""
        if self.unit > 1 and (size != self.unit or (starts % size).any()):
            self.before = np.repeat(self.before, self.unit, 1)
            self.since = np.repeat(self.since, self.unit, 1)
            self.unit = 1
        if self.unit > 1:
            return (starts // size)[:, None]
        return starts[:, None] + np.arange(size)

    def add(self, kind: int, places: Integers, lanes: Integers) -> None:
        """Notes that lanes (n,) use places."""
        flat = places.reshape(-1)
        who = np.repeat(lanes, places.shape[1])
        table = self.since[kind]
        old = table[flat]
        table[flat] = who
        mixed = (table[flat] != who) | ((old != NOBODY) & (old != who))
        if mixed.any():
            table[flat[mixed]] = MANY

    def met(self, users: Integers, kind: int, places: Integers, lanes: Integers) -> Integers:
        """Whom lanes conflict with: `NOBODY`, a thread, or `MANY` for each."""
        who = lanes[:, None]
        met = np.full(len(lanes), NOBODY, np.int32)
        for other in (STORES, LOADS) if kind == STORES else (STORES,):
            user = users[other][places]
            foreign = (user != NOBODY) & (user != who)
            some = foreign.any(1)
            met[some] = np.where(foreign, user, MANY).max(1)[some]
        return met

    def turn(self, start: int, stop: int, keep: bool) -> None:
        """A barrier passes over some bytes: what was since is now before."""
        span = slice(start // self.unit, stop // self.unit)
        before, since = self.before[:, span], self.since[:, span]
        if keep:
            same = (since == NOBODY) | (since == before)
            since = np.where(before == NOBODY, since, np.where(same, before, MANY))
        before[:] = since
        self.since[:, span] = NOBODY


# By allocation: the stride of its rows, and its users.
_Tables: TypeAlias = dict[int, tuple[int, _Users]]


class Redundant(Observer):
    """Tells of barriers without which the same accesses would still be ordered."""

    def launch_begin(self, engine: Launch) -> None:
        """See `Observer`."""
        self.engine = engine
        self._seen: dict[int, Site] = {}
        self._needed: set[int] = set()
        self._global: _Tables = {}
        self._exchanged = False

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._shared: _Tables = {}
        self._last: Integers = np.full(len(geometry.blocks), -1)

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        sites = {site.index: site for site, _ in event.groups}
        self._seen.update(sites)
        number = next(iter(sites))
        if len(sites) > 1 or event.reduces:
            self._needed.update(sites)
        if event.arrived is not None or event.barrier or event.counted:
            self._exchanged = True
        again = self._last[event.rows] == number
        for stride, users in self._shared.values():
            for keep in (False, True):
                for start, stop in _runs(event.rows[again == keep]):
                    users.turn(start * stride, stop * stride, keep)
        self._last[event.rows] = number

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        allocation, lanes = event.allocation, event.lanes
        if self._exchanged or allocation.rows == "lane" or not allocation.writable:
            return
        shared = allocation.rows == "block"
        own = lanes.get("row")
        if shared and self.engine.cluster_size > 1 and (event.rows != own).any():
            self._exchanged = True
            return
        kind = LOADS if event.kind == "load" else STORES
        who = lanes.get("lane_id")
        starts = event.offsets + event.rows * allocation.stride if shared else event.offsets
        if len(starts) != lanes.n:
            starts = np.repeat(starts, lanes.n)
        users = self._users(allocation, event.size)
        places = users.places(starts, event.size)
        last = self._last[own]
        if not shared:
            met = users.met(users.since, kind, places, who)
            threads = lanes.geometry.threads
            other = met[met != NOBODY]
            if (other // threads != who[met != NOBODY] // threads).any():
                self._exchanged = True
            self._needed.update(np.unique(last[met != NOBODY]).tolist())
        elif not self._seen.keys() <= self._needed:
            met = users.met(users.before, kind, places, who)
            self._needed.update(np.unique(last[met != NOBODY]).tolist())
        users.add(kind, places, who)
        if not shared and kind == STORES and own[0] != own[-1]:
            # Threads of several blocks at one place, in one instruction.
            self._exchanged |= bool((users.since[kind][places] == MANY).any())

    def _users(self, allocation: Allocation, unit: int) -> _Users:
        shared = allocation.rows == "block"
        table = self._shared if shared else self._global
        entry = table.get(allocation.number)
        if entry is None:
            size = len(allocation.data)
            fits = size % unit == 0 and allocation.stride % unit == 0
            users = _Users(size, unit if fits else 1)
            entry = table[allocation.number] = allocation.stride, users
        return entry[1]

    def launch_end(self, engine: Launch) -> None:
        """See `Observer`."""
        if self._exchanged or not engine.finished:
            return
        for number, site in self._seen.items():
            if number not in self._needed:
                engine.observation.collector.add("redundant-barrier", "information", (site,), ())


def _runs(rows: Integers) -> Sequence[tuple[int, int]]:
    """Ascending numbers as ranges (start, stop)."""
    if not len(rows):
        return ()
    breaks = np.flatnonzero(np.diff(rows) != 1) + 1
    starts = rows[np.concatenate(([0], breaks))].tolist()
    stops = rows[np.concatenate((breaks - 1, [-1]))].tolist()
    return [(start, stop + 1) for start, stop in zip(starts, stops, strict=True)]
