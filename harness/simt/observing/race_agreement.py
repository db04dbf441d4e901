"""Threads that all wrote one value to a place: it is the same to those of them who read it."""

from __future__ import annotations

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.observing.race_shadow import READ, Shape
from harness.simt.observing.race_touch import Touch

__all__ = ["Agreement"]


class Agreement:
    """Who wrote what is there, where several did and nothing else was written since.

    Args:
        shape: How threads are numbered.
    """

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        # By allocation: the bytes of a place, and place * threads + thread of each writer, ascending.
        self._writers: dict[int, tuple[int, Integers]] = {}

    def add(self, touch: Touch, at: Integers) -> None:
        """Notes threads of one event that wrote the same to a place."""
        number, keys = touch.event.allocation.number, self._keys(touch, at, touch.who[at])
        _, before = self._writers.get(number, (touch.unit, keys))
        self._writers[number] = touch.unit, distinct(np.concatenate((before, keys)))

    def written(self, touch: Touch) -> None:
        """Forgets the places where a write changes what is there."""
        number = touch.event.allocation.number
        if number not in self._writers:
            return
        unit, writers = self._writers.pop(number)
        if unit == touch.unit:
            changed = touch.cells[~touch.same_as_memory(np.arange(len(touch.cells)))]
            self._writers[number] = unit, writers[~np.isin(writers // self._shape.total, changed)]

    def readers(self, touch: Touch, at: Integers, them: Integers) -> Booleans:
        """For each pair of a read and a write, whether both threads wrote what is there."""
        unit, writers = self._writers.get(touch.event.allocation.number, (0, np.zeros(0, np.int64)))
        if unit != touch.unit or not len(writers):
            return np.zeros(len(at), bool)
        earlier = np.isin(self._keys(touch, at, them), writers)
        if touch.kind == READ:
            return earlier & np.isin(self._keys(touch, at, touch.who[at]), writers)
        return earlier & touch.same_as_memory(at)

    def _keys(self, touch: Touch, at: Integers, who: Integers) -> Integers:
        return touch.cells[at].astype(np.int64) * self._shape.total + who
