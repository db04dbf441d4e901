"""Find the barrier epoch of the last conflicting use of each location, for `redundant_barriers`; no races.

A thread conflicts with others that used a location, if one of them writes. Among those with a
barrier in between, the latest is ordered by the fewest barriers: whatever orders it orders
all before it. So each location keeps two users of each kind, as of before the
last barrier: the latest one, and the latest of the other threads.
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.observing.locations import NOBODY, Locations, PerLocation

__all__ = ["LOADS", "STORES", "LocationUsers"]

LOADS, STORES = 0, 1
SEVERAL = -2


class _Users(PerLocation):
    """The threads that used locations in one way.

    Attributes:
        last: The latest thread before the location's epoch, at `last_time`; `other_time`: when another one was the
            latest.
        current: The latest thread of the epoch, and `has_others`: whether there are others.
        any_others: Whether any location has others.
        blocks: The only block whose threads ever used the location, or `SEVERAL`.
    """

    def __init__(self, locations: int) -> None:
        self.last, self.current = np.full((2, locations), NOBODY, np.int32)
        self.last_time, self.other_time = np.full((2, locations), NOBODY, np.int32)
        self.has_others, self.any_others = np.zeros(locations, bool), False
        self.blocks = np.full(locations, NOBODY, np.int32)

    def end_epoch(self, locations: Integers, epochs: Integers) -> None:
        """End the epochs of locations, as a barrier was passed: the thread in `current` becomes `last`, at that epoch.

        `other_time` becomes that epoch too where `has_others`; else it is the time of the latest use by another thread
        than the new `last`. `current` and `has_others` are cleared. Locations that nobody used in the epoch stay.

        Args:
            epochs: The number of the epoch that ends, of each location.
        """
        current = self.current[locations]
        used = current != NOBODY
        if not used.all():
            used_positions = used.nonzero()[0]
            if not len(used_positions):
                return
            locations, epochs, current = locations[used_positions], epochs[used_positions], current[used_positions]
        other_time = np.where(self.last[locations] == current, self.other_time[locations], self.last_time[locations])
        if self.any_others:
            other_time = np.where(self.has_others[locations], epochs, other_time)
            self.has_others[locations] = False
        self.last[locations], self.last_time[locations], self.other_time[locations], self.current[locations] = (
            current,
            epochs,
            other_time,
            NOBODY,
        )

    def last_conflict(self, locations: Integers, threads: Integers) -> Integers:
        """Return when another thread than each last used its location before the epoch, or `NOBODY`."""
        return np.where(self.last[locations] == threads, self.other_time[locations], self.last_time[locations])

    def add(self, locations: Integers, threads: Integers) -> None:
        """Note that threads use locations in the current epoch; set `has_others` where a second thread does."""
        before = self.current[locations]
        self.current[locations] = threads
        mixed = (self.current[locations] != threads) | ((before != NOBODY) & (before != threads))
        if mixed.any():
            self.has_others[locations[mixed]] = self.any_others = True

    def add_blocks(self, locations: Integers, blocks: Integers) -> None:
        """Note that blocks use locations; set `blocks` to `SEVERAL` where more than one ever did."""
        before = self.blocks[locations]
        self.blocks[locations] = blocks
        mixed = (self.blocks[locations] != blocks) | ((before != NOBODY) & (before != blocks))
        if mixed.any():
            self.blocks[locations[mixed]] = SEVERAL


class LocationUsers(Locations):
    """The users of an allocation's locations."""

    def __init__(self, size: int, unit: int) -> None:
        super().__init__(size, unit)
        self._epochs: Integers = np.zeros(self.count, np.int32)
        self._kinds: dict[int, _Users] = {}

    def use(self, kind: int, locations: Integers, threads: Integers, epochs: Integers) -> Integers:
        """Record n accesses; return the epoch of the latest earlier access of another thread that conflicts with each.

        Two accesses conflict unless both are loads. Only earlier epochs of the location count: accesses of the same
        epoch, such as the others of this call, do not.

        Args:
            kind: `LOADS` or `STORES`.
            locations, threads, epochs: Of each access, (n,). A new epoch of a location ends its old one first.

        Returns:
            (n,); `NOBODY` where there is none.
        """
        old = self._epochs[locations]
        turned = (old != epochs).nonzero()[0]
        if len(turned):
            turned_locations, turned_epochs = locations[turned], old[turned]
            for users in self._kinds.values():
                users.end_epoch(turned_locations, turned_epochs)
            self._epochs[turned_locations] = epochs[turned]
        times: Integers = np.full(len(locations), NOBODY, np.int32)
        for users in self._conflicting(kind):
            times = np.maximum(times, users.last_conflict(locations, threads))
        self._users_of(kind).add(locations, threads)
        return times

    def exchange(self, kind: int, locations: Integers, blocks: Integers) -> bool:
        """Note that blocks use locations; return whether one of these uses conflicts with a use by another block.

        All uses since the beginning count, those of this call too, whatever barriers lie in between. Two uses conflict
        unless both are loads.

        Args:
            kind: `LOADS` or `STORES`.
        """
        users_of_kind = self._users_of(kind)
        users_of_kind.add_blocks(locations, blocks)
        return any(_is_other(users.blocks[locations], blocks).any() for users in self._conflicting(kind))

    def _conflicting(self, kind: int) -> list[_Users]:
        """Return the users whose accesses conflict with those of a kind."""
        return [users for other_time, users in self._kinds.items() if STORES in (kind, other_time)]

    def _users_of(self, kind: int) -> _Users:
        users = self._kinds.get(kind)
        if users is None:
            users = self._kinds[kind] = _Users(self.count)
        return users


def _is_other(users: Integers, blocks: Integers) -> Booleans:
    foreign: Booleans = (users != NOBODY) & (users != blocks)
    return foreign
