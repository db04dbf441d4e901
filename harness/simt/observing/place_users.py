"""Who used each place of an allocation before the last barrier, and when.

A thread conflicts with others that used a place, one of them writing. Of those with a
barrier in between, the latest is ordered by the fewest barriers: whatever orders it orders
all before it. So for each place this keeps two users of each kind, as of before the
barrier that came last: the latest, and the latest of the other threads.
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers

__all__ = ["LOADS", "NOBODY", "STORES", "PlaceUsers"]

LOADS, STORES = 0, 1
NOBODY, MANY = -1, -2


class _Users:
    """Those that used places in one way.

    Attributes:
        last: The latest thread before the epoch of a place, at `when`; `other`: when another one was the latest.
        now: The latest thread of the epoch, and `several`: whether there are others.
        shared: Whether there were others anywhere.
        blocks: The block whose threads used the place, or `MANY`; ever.
    """

    def __init__(self, places: int, across: bool) -> None:
        self.last, self.now = np.full((2, places), NOBODY, np.int32)
        self.when, self.other = np.full((2, places), NOBODY, np.int32)
        self.several, self.shared = np.zeros(places, bool), False
        self.blocks = np.full(places if across else 0, NOBODY, np.int32)

    def split(self, times: int) -> None:
        """Makes each place so many smaller ones."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, np.repeat(value, times))

    def turn(self, places: Integers, epochs: Integers) -> None:
        """A barrier lies between the epochs of places and now."""
        now = self.now[places]
        used = now != NOBODY
        if not used.all():
            here = np.flatnonzero(used)
            if not len(here):
                return
            places, epochs, now = places[here], epochs[here], now[here]
        other = np.where(self.last[places] == now, self.other[places], self.when[places])
        if self.shared:
            other = np.where(self.several[places], epochs, other)
            self.several[places] = False
        self.last[places], self.when[places], self.other[places], self.now[places] = now, epochs, other, NOBODY

    def met(self, places: Integers, threads: Integers) -> Integers:
        """When another thread than each used its place the last time before the epoch, or `NOBODY`."""
        return np.where(self.last[places] == threads, self.other[places], self.when[places])

    def add(self, places: Integers, threads: Integers) -> None:
        """Notes that threads use places now."""
        before = self.now[places]
        self.now[places] = threads
        mixed = (self.now[places] != threads) | ((before != NOBODY) & (before != threads))
        if mixed.any():
            self.several[places[mixed]] = self.shared = True

    def mix(self, places: Integers, blocks: Integers) -> None:
        """Notes that blocks use places."""
        before = self.blocks[places]
        self.blocks[places] = blocks
        mixed = (self.blocks[places] != blocks) | ((before != NOBODY) & (before != blocks))
        if mixed.any():
            self.blocks[places[mixed]] = MANY


class PlaceUsers:
    """The users of an allocation's places.

    Args:
        size: The allocation's size, in bytes.
        unit: Bytes of a place, until accesses differ in size.
        across: Whether threads of several blocks can use one place.
    """

    def __init__(self, size: int, unit: int, across: bool) -> None:
        self._unit, self._across = unit, across
        self._epochs: Integers = np.zeros(size // unit, np.int32)
        self._kinds: list[_Users | None] = [None, None]

    def places(self, starts: Integers, size: int) -> Integers:
        """The places of accesses, (n, places of each)."""
        if self._unit > 1 and (size != self._unit or (starts % size).any()):
            self._epochs = np.repeat(self._epochs, self._unit)
            for users in self._kinds:
                if users is not None:
                    users.split(self._unit)
            self._unit = 1
        if self._unit > 1:
            return (starts // size)[:, None]
        return starts[:, None] + np.arange(size)

    def use(self, kind: int, places: Integers, threads: Integers, epochs: Integers) -> Integers:
        """Notes that threads use places in epochs, (n,) each.

        Returns:
            For each when it last conflicted with another, before its epoch; `NOBODY` if never.
        """
        old = self._epochs[places]
        turned = np.flatnonzero(old != epochs)
        if len(turned):
            places_turned, epochs_turned = places[turned], old[turned]
            for users in self._kinds:
                if users is not None:
                    users.turn(places_turned, epochs_turned)
            self._epochs[places_turned] = epochs[turned]
        met: Integers = np.full(len(places), NOBODY, np.int32)
        for users in self._kinds if kind == STORES else self._kinds[STORES:]:
            if users is not None:
                met = np.maximum(met, users.met(places, threads))
        self._of(kind).add(places, threads)
        return met

    def exchange(self, kind: int, places: Integers, blocks: Integers) -> bool:
        """Notes that blocks use places; says whether one conflicts with another."""
        own = self._of(kind)
        own.mix(places, blocks)
        kinds = self._kinds if kind == STORES else self._kinds[STORES:]
        return any(_foreign(users.blocks[places], blocks).any() for users in kinds if users is not None)

    def _of(self, kind: int) -> _Users:
        users = self._kinds[kind]
        if users is None:
            users = self._kinds[kind] = _Users(len(self._epochs), self._across)
        return users


def _foreign(users: Integers, blocks: Integers) -> Booleans:
    foreign: Booleans = (users != NOBODY) & (users != blocks)
    return foreign
