"""Lanes that come round a loop to the same state: until something else changes they will do so for ever.

A state is the values that lanes have where they come round. What can change the next
round is memory, what lanes tell one another at barriers, and the clock; while none of
them did, equal states mean that the lanes spin. By Brent's method a state is kept for
one round, then for two, four and so on, and compared with each that follows.
"""

from harness.simt.state.chunk import State

__all__ = ["Repetition"]

LONGEST = 512  # rounds between two equal states


class Repetition:
    """Looks for two equal states among those of one loop."""

    def __init__(self) -> None:
        self._inputs: tuple[int, ...] = ()
        self._kept: State | None = None
        self._age, self._most = 0, 1

    def came(self, inputs: tuple[int, ...]) -> bool:
        """Lanes come round; says whether their state matters, which it does while inputs stay as they were."""
        if inputs == self._inputs:
            return True
        self._inputs, self._kept = inputs, None
        return False

    def seen(self, state: State) -> bool:
        """Whether a state equals the one that is kept."""
        if self._kept is None:
            self._age, self._most = 0, 1
        elif self._kept == state:
            return True
        else:
            self._age += 1
            if self._age < self._most:
                return False
            self._age, self._most = 0, min(2 * self._most, LONGEST)
        self._kept = state
        return False
