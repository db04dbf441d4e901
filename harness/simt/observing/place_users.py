"""Who used each place of an allocation before the last barrier, and when.

A thread conflicts with others that used a place, one of them writing. Of those with a
barrier in between, the latest is ordered by the fewest barriers: whatever orders it orders
all before it. So for each place this keeps two users of each kind, as of before the
barrier that came last: the latest, and the latest of the other threads.
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.observing.places import NOBODY, Kept, Places

__all__ = ["LOADS", "STORES", "PlaceUsers"]

LOADS, STORES = 0, 1
MANY = -2


class _Users(Kept):
    """Those that used places in one way.

    Attributes:
        last: The latest thread before the epoch of a place, at `when`; `other`: when another one was the latest.
        now: The latest thread of the epoch, and `several`: whether there are others.
        shared: Whether there were others anywhere.
        blocks: The block whose threads used the place, or `MANY`; ever.
    """

    def __init__(self, places: int) -> None:
        self.last, self.now = np.full((2, places), NOBODY, np.int32)
        self.when, self.other = np.full((2, places), NOBODY, np.int32)
        self.several, self.shared = np.zeros(places, bool), False
        self.blocks = np.full(places, NOBODY, np.int32)

    def turn(self, places: Integers, epochs: Integers) -> None:
        """A barrier lies between the epochs of places and now."""
        now = self.now[places]
        used = now != NOBODY
        if not used.all():
            here = used.nonzero()[0]
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


class PlaceUsers(Places):
    """The users of an allocation's places."""

    def __init__(self, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self._epochs: Integers = np.zeros(self.count, np.int32)
        self._kinds: dict[int, _Users] = {}

    def use(self, kind: int, places: Integers, threads: Integers, epochs: Integers) -> Integers:
        """Notes that threads use places in epochs, (n,) each.

        Returns:
            For each when it last conflicted with another, before its epoch; `NOBODY` if never.
        """
        old = self._epochs[places]
        turned = (old != epochs).nonzero()[0]
        if len(turned):
            places_turned, epochs_turned = places[turned], old[turned]
            for users in self._kinds.values():
                users.turn(places_turned, epochs_turned)
            self._epochs[places_turned] = epochs[turned]
        met: Integers = np.full(len(places), NOBODY, np.int32)
        for users in self._against(kind):
            met = np.maximum(met, users.met(places, threads))
        self._of(kind).add(places, threads)
        return met

    def exchange(self, kind: int, places: Integers, blocks: Integers) -> bool:
        """Notes that blocks use places; says whether one conflicts with another."""
        own = self._of(kind)
        own.mix(places, blocks)
        return any(_foreign(users.blocks[places], blocks).any() for users in self._against(kind))

    def _against(self, kind: int) -> list[_Users]:
        """Those that conflict with users of a kind."""
        return [users for other, users in self._kinds.items() if STORES in (kind, other)]

    def _of(self, kind: int) -> _Users:
        users = self._kinds.get(kind)
        if users is None:
            users = self._kinds[kind] = _Users(self.count)
        return users


def _foreign(users: Integers, blocks: Integers) -> Booleans:
    foreign: Booleans = (users != NOBODY) & (users != blocks)
    return foreign
