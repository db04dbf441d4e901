"""Shadow memory for races: the last users of each location by kind and level, event records, thread numbering.

Threads are numbered so that warps, blocks and clusters are ranges: a block takes
a whole number of warps. For each location and each kind of access this keeps the
last thread and, for each level (warp, block, cluster, grid), one more thread that
was of the same group at that level, but of another part of it. As barriers order
all of a group at once, some access of a location is unordered with a new one if and
only if one of those kept is.
"""

from collections.abc import Hashable, Iterator

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.ir.site import Site
from harness.simt.observing.locations import NOBODY, Locations, PerLocation

__all__ = ["ATOMIC_READ", "ATOMIC_WRITE", "READ", "WRITE", "Records", "Shadow", "ThreadNumbering"]

READ, WRITE, ATOMIC_READ, ATOMIC_WRITE = range(4)
LEVELS = 4  # warp, block, cluster, grid
PHASES = 3  # of a cluster's barrier: at most so many are in use for one location


class ThreadNumbering:
    """How threads are numbered for race detection.

    Attributes:
        warp, block, cluster: How many numbers each of these takes.
        total: How many numbers there are.
    """

    def __init__(self, warp: int, threads: int, cluster_blocks: int, blocks: int) -> None:
        self.threads = threads
        self.warp = warp
        self.block = -(-threads // warp) * warp
        self.cluster = self.block * cluster_blocks
        self.total = self.block * blocks

    def level(self, left: Integers, right: Integers) -> Integers:
        """Return for each pair the narrowest level that holds both threads: 0 warp, 1 block, 2 cluster, 3 grid."""
        level: Integers = (left // self.block != right // self.block).astype(np.int8)
        differs = level.astype(bool)
        level += left // self.warp != right // self.warp
        if differs.any():
            level += differs & (left // self.cluster != right // self.cluster)
        return level


class Records:
    """Facts about each access event, by the number of its record.

    Attributes:
        times: When it was.
        phases: How often its threads had arrived at their cluster's barrier.
        scopes: The widest level at which it is atomic; -1 for a plain access.
        sizes: Its bytes, or those of an element of a vector.
        volatile: Whether it is volatile and no atomic.
        updates: Whether it is an atomic read-modify-write, not a store.
        sites: The instructions.
        sources: The number of each instruction's source location: copies of one line have the same.
    """

    def __init__(self) -> None:
        self.times: Integers = np.zeros(1024, np.int64)
        self.phases: Integers = np.zeros(1024, np.int64)
        self.scopes: Integers = np.full(1024, -1, np.int8)
        self.sizes: Integers = np.zeros(1024, np.int64)
        self.volatile: Booleans = np.zeros(1024, bool)
        self.updates: Booleans = np.zeros(1024, bool)
        self.sites: list[Site] = []
        self.sources: Integers = np.zeros(1024, np.int64)
        self._sources: dict[Hashable, int] = {}

    def add(
        self,
        site: Site,
        time: int,
        phase: int,
        scope: int,
        size: int = 0,
        volatile: bool = False,
        updates: bool = False,
    ) -> int:
        """Add a record of an access event; return its number, from 0. The attributes say what the arguments are."""
        number = len(self.sites)
        if number == len(self.times):
            for name in ("times", "phases", "scopes", "sizes", "volatile", "updates", "sources"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        self.times[number], self.phases[number], self.scopes[number] = time, phase, scope
        self.sizes[number], self.volatile[number], self.updates[number] = size, volatile, updates
        self.sites.append(site)
        source = self._sources.get(site)
        if source is None:
            source = self._sources[site] = self._sources.setdefault(site.where, len(self._sources))
        self.sources[number] = source
        return number


class _Users(PerLocation):
    """The threads that accessed locations in one way.

    Attributes:
        last: The last thread of each location; `events`: its record.
        others: For each level one more thread, and its record, (2, locations); None while there is none.
    """

    def __init__(self, locations: int) -> None:
        self.last: Integers = np.full(locations, NOBODY, np.int32)
        self.events: Integers = np.zeros(locations, np.int32)
        self.others: list[Integers | None] = [None] * LEVELS

    def users_of(self, locations: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yield (threads, numbers of records), (n,) each: each location's last user, then one other user per level.

        The other user and the last one share that level, but no narrower one. The thread is `NOBODY` where there is
        none; levels that no location has are skipped.
        """
        yield self.last[locations], self.events[locations]
        for other in self.others:
            if other is not None:
                yield other[0][locations], other[1][locations]

    def _set_other(self, level: int, locations: Integers, who: Integers, events: Integers | int) -> None:
        other = self.others[level]
        if other is None:
            other = self.others[level] = np.full((2, len(self.last)), NOBODY, np.int32)
        other[0][locations], other[1][locations] = who, events

    def add(self, shape: ThreadNumbering, locations: Integers, who: Integers, event: int) -> Integers:
        """Note that threads access locations, by one event; several may access one location.

        Args:
            event: The number of the accesses' record.

        Returns:
            Positions in `who` of the threads that are not kept as last: another one of this call is, at their location.
        """
        before, events = self.last[locations], self.events[locations]
        self.last[locations] = who
        last = self.last[locations]
        is_last = last == who
        changed = ((before != NOBODY) & (before != last) & is_last).nonzero()[0]
        if len(changed):
            self._replace_last(shape, locations[changed], before[changed], last[changed], events[changed])
        self.events[locations] = event
        sharing: Integers = (~is_last).nonzero()[0]
        if len(sharing):
            levels = shape.level(who[sharing], last[sharing])
            for level in range(LEVELS):
                group = sharing[levels == level]
                if len(group):
                    self._set_other(level, locations[group], who[group], event)
        return sharing

    def _replace_last(
        self, shape: ThreadNumbering, locations: Integers, before: Integers, last: Integers, events: Integers
    ) -> None:
        levels = shape.level(before, last)
        for level in range(LEVELS):
            at_level = levels == level
            if at_level.any():
                self._set_other(level, locations[at_level], before[at_level], events[at_level])
            other = self.others[level]
            if other is not None:
                other[0][locations[levels > level]] = NOBODY


class Shadow(Locations):
    """The threads that accessed an allocation's locations.

    Attributes:
        users: By (kind, phase), see `_Users`.
    """

    def __init__(self, shape: ThreadNumbering, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self.shape = shape
        self.users: dict[tuple[int, int], _Users] = {}

    def users_of(self, kind: int, locations: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yield (threads, records), (n,) each, of all users of a kind kept for locations; `NOBODY` if none is."""
        for phase in range(PHASES):
            users = self.users.get((kind, phase))
            if users is not None:
                yield from users.users_of(locations)

    def add(self, kind: int, phase: int, locations: Integers, who: Integers, event: int) -> Integers:
        """Note accesses; return positions in `who` of threads whose location another one of this call accessed last.

        Args:
            kind: `READ`, `WRITE`, `ATOMIC_READ` or `ATOMIC_WRITE`.
            phase: How often their threads had arrived at their cluster's barrier.
        """
        key = kind, phase % PHASES
        users = self.users.get(key)
        if users is None:
            users = self.users[key] = _Users(self.count)
        return users.add(self.shape, locations, who, event)
