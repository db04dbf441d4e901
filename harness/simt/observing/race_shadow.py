"""Who touched which bytes last, in constant space for each of them.

Threads are numbered so that warps, blocks and clusters are ranges: a block takes
a whole number of warps. For each place and each kind of access this keeps the
last thread and, for each level (warp, block, cluster, grid), one more thread that
was of the same group at that level, but of another part of it. As barriers order
all of a group at once, some access of a place is unordered with a new one if and
only if one of those kept is.
"""

from collections.abc import Hashable, Iterator

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.ir.site import Site
from harness.simt.observing.places import NOBODY, Kept, Places

__all__ = ["ATOMIC_READ", "ATOMIC_WRITE", "READ", "WRITE", "Records", "Shadow", "Shape"]

READ, WRITE, ATOMIC_READ, ATOMIC_WRITE = range(4)
LEVELS = 4  # warp, block, cluster, grid
PHASES = 3  # of a cluster's barrier, at most so many are under way for one place


class Shape:
    """How threads are numbered.

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
        """The narrowest level that holds both of two threads."""
        level: Integers = (left // self.block != right // self.block).astype(np.int8)
        far = level.astype(bool)
        level += left // self.warp != right // self.warp
        if far.any():
            level += far & (left // self.cluster != right // self.cluster)
        return level


class Records:
    """What is known of each access event, by number.

    Attributes:
        times: When it was.
        phases: How often its threads had arrived at their cluster's barrier.
        scopes: The widest level at which it is atomic; -1 for a plain access.
        sizes: Its bytes, or those of an element of a vector.
        volatile: Whether it is volatile and no atomic.
        updates: Whether it is an atomic read-modify-write, which is no mere store.
        sites: The instructions.
        sources: The number of each instruction's place in the source: copies of one line have the same.
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
        """Returns the number of a new record."""
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


class _Users(Kept):
    """The threads that touched places in one way.

    Attributes:
        last: The last thread of each place, and `events` its record.
        others: By level one more, and its record, (2, places); None while there is none.
    """

    def __init__(self, places: int) -> None:
        self.last: Integers = np.full(places, NOBODY, np.int32)
        self.events: Integers = np.zeros(places, np.int32)
        self.others: list[Integers | None] = [None] * LEVELS

    def kept(self, places: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yields (threads, records) that are kept for places."""
        yield self.last[places], self.events[places]
        for other in self.others:
            if other is not None:
                yield other[0][places], other[1][places]

    def _keep(self, level: int, places: Integers, who: Integers, events: Integers | int) -> None:
        other = self.others[level]
        if other is None:
            other = self.others[level] = np.full((2, len(self.last)), NOBODY, np.int32)
        other[0][places], other[1][places] = who, events

    def add(self, shape: Shape, places: Integers, who: Integers, event: int) -> Integers:
        """Notes that threads touch places; several may touch one.

        Returns:
            Positions of those that share a place with the one kept as last.
        """
        before, events = self.last[places], self.events[places]
        self.last[places] = who
        first = self.last[places]
        same = first == who
        change = ((before != NOBODY) & (before != first) & same).nonzero()[0]
        if len(change):
            self._replace(shape, places[change], before[change], first[change], events[change])
        self.events[places] = event
        more: Integers = (~same).nonzero()[0]
        if len(more):
            levels = shape.level(who[more], first[more])
            for level in range(LEVELS):
                here = more[levels == level]
                if len(here):
                    self._keep(level, places[here], who[here], event)
        return more

    def _replace(self, shape: Shape, places: Integers, before: Integers, now: Integers, events: Integers) -> None:
        levels = shape.level(before, now)
        for level in range(LEVELS):
            here = levels == level
            if here.any():
                self._keep(level, places[here], before[here], events[here])
            other = self.others[level]
            if other is not None:
                other[0][places[levels > level]] = NOBODY


class Shadow(Places):
    """The threads that touched an allocation's places.

    Attributes:
        users: By (kind, phase), see `_Users`.
    """

    def __init__(self, shape: Shape, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self.shape = shape
        self.users: dict[tuple[int, int], _Users] = {}

    def kept(self, kind: int, places: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yields (threads, records) of one kind that are kept for places."""
        for phase in range(PHASES):
            users = self.users.get((kind, phase))
            if users is not None:
                yield from users.kept(places)

    def add(self, kind: int, phase: int, places: Integers, who: Integers, event: int) -> Integers:
        """Notes accesses; see `_Users.add`."""
        key = kind, phase % PHASES
        users = self.users.get(key)
        if users is None:
            users = self.users[key] = _Users(self.count)
        return users.add(self.shape, places, who, event)
