"""Who touched which bytes last, in constant space for each of them.

Threads are numbered so that warps, blocks and clusters are ranges: a block takes
a whole number of warps. For each place and each kind of access this keeps the
last thread and, for each level (warp, block, cluster, grid), one more thread that
was of the same group at that level, but of another part of it. As barriers order
all of a group at once, some access of a place is unordered with a new one if and
only if one of those kept is.
"""

import numpy as np

__all__ = ["ATOMIC_READ", "ATOMIC_WRITE", "READ", "WRITE", "Records", "Shadow", "Shape"]

READ, WRITE, ATOMIC_READ, ATOMIC_WRITE = range(4)
LEVELS = 4
PHASES = 3  # of a cluster's barrier, at most so many are under way for one place
NOBODY = -1
WARP, BLOCK, CLUSTER, GRID = range(LEVELS)


def _power(value):
    """The largest power of 2 that divides a number."""
    return value & -value


class Shape:
    """How threads are numbered.

    Attributes:
        warp, block, cluster: How many numbers each of these takes.
        total: How many numbers there are.
    """

    def __init__(self, warp, threads, cluster_blocks, blocks):
        self.threads = threads
        self.warp = warp
        self.block = -(-threads // warp) * warp
        self.cluster = self.block * cluster_blocks
        self.total = self.block * blocks

    def level(self, left, right):
        """The narrowest level that holds both of two threads."""
        level = (left // self.block != right // self.block).astype(np.int8)
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
        volatile: Whether it is volatile and no atomic.
        sites: The instructions.
    """

    def __init__(self):
        self.times = np.zeros(1024, np.int64)
        self.phases = np.zeros(1024, np.int64)
        self.scopes = np.full(1024, -1, np.int8)
        self.volatile = np.zeros(1024, bool)
        self.sites = []

    def add(self, site, time, phase, scope, volatile=False):
        """Returns the number of a new record."""
        number = len(self.sites)
        if number == len(self.times):
            for name in ("times", "phases", "scopes", "volatile"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        self.times[number], self.phases[number], self.scopes[number] = time, phase, scope
        self.volatile[number] = volatile
        self.sites.append(site)
        return number


class _Users:
    """The threads that touched places in one way.

    Attributes:
        last: The last thread of each place, and `events` its record.
        others, others_events: By level one more, or None while there is none.
    """

    def __init__(self, places):
        self.last = np.full(places, NOBODY, np.int32)
        self.events = np.zeros(places, np.int32)
        self.others = [None] * LEVELS
        self.others_events = [None] * LEVELS

    def split(self, times):
        """Makes each place so many smaller ones."""
        self.last, self.events = np.repeat(self.last, times), np.repeat(self.events, times)
        for level in range(LEVELS):
            if self.others[level] is not None:
                self.others[level] = np.repeat(self.others[level], times)
                self.others_events[level] = np.repeat(self.others_events[level], times)

    def kept(self, places):
        """Yields (threads, records) that are kept for places."""
        yield self.last[places], self.events[places]
        for other, events in zip(self.others, self.others_events, strict=True):
            if other is not None:
                yield other[places], events[places]

    def _keep(self, level, places, who, events):
        if self.others[level] is None:
            self.others[level] = np.full(len(self.last), NOBODY, np.int32)
            self.others_events[level] = np.zeros(len(self.last), np.int32)
        self.others[level][places] = who
        self.others_events[level][places] = events

    def add(self, shape, places, who, event):
        """Notes that threads touch places; several may touch one.

        Returns:
            Positions of those that share a place with the one kept as last.
        """
        before, events = self.last[places], self.events[places]
        self.last[places] = who
        first = self.last[places]
        same = first == who
        change = np.flatnonzero((before != NOBODY) & (before != first) & same)
        if len(change):
            self._replace(shape, places[change], before[change], first[change], events[change])
        self.events[places] = event
        more = np.flatnonzero(~same)
        if len(more):
            level = shape.level(who[more], first[more])
            for one in range(LEVELS):
                here = more[level == one]
                if len(here):
                    self._keep(one, places[here], who[here], event)
        return more

    def _replace(self, shape, places, before, now, events):
        level = shape.level(before, now)
        for one in range(LEVELS):
            here = level == one
            if here.any():
                self._keep(one, places[here], before[here], events[here])
            if self.others[one] is not None:
                narrower = level > one
                self.others[one][places[narrower]] = NOBODY


class Shadow:
    """The threads that touched an allocation's places.

    Attributes:
        unit: Bytes of a place: that of the first access, less once accesses are
            smaller or straddle.
        users: By (kind, phase), see `_Users`.
    """

    def __init__(self, shape, size, unit):
        self.shape, self.size, self.unit = shape, size, _power(size | unit)
        self.users = {}

    def places(self, starts, size):
        """The places of accesses, (n, places of each)."""
        unit = self.unit
        if unit > 1:
            unit = _power(unit | size | int(np.bitwise_or.reduce(starts)))
        if unit != self.unit:
            for users in self.users.values():
                users.split(self.unit // unit)
            self.unit = unit
        first = starts // unit if unit > 1 else starts
        count = size // unit
        return first[:, None] + np.arange(count) if count > 1 else first[:, None]

    def kept(self, kind, places):
        """Yields (threads, records) of one kind that are kept for places."""
        for phase in range(PHASES):
            users = self.users.get((kind, phase))
            if users is not None:
                yield from users.kept(places)

    def add(self, kind, phase, places, who, event):
        """Notes accesses; see `_Users.add`."""
        key = kind, phase % PHASES
        users = self.users.get(key)
        if users is None:
            users = self.users[key] = _Users(self.size // self.unit)
        return users.add(self.shape, places, who, event)
