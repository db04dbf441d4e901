"""Compare states of one loop by Brent's method: with inputs unchanged, equal states mean that its lanes spin.

A state is the values that lanes have at the head of the loop. The next
round can be changed by memory, by signals between lanes at barriers, and by the clock; while none of
them changes, equal states mean that the lanes spin. By Brent's method a state is saved for
one round, then for two, four and so on, and compared with each that follows.
"""

from harness.simt.state.chunk import LoopState

__all__ = ["CycleDetector"]

MAX_CYCLE = 512  # the most rounds between two equal states


class CycleDetector:
    """Detect two equal states among those of one loop."""

    def __init__(self) -> None:
        self._inputs: tuple[int, ...] = ()
        self._saved: LoopState | None = None
        self._age, self._max_age = 0, 1

    def inputs_unchanged(self, inputs: tuple[int, ...]) -> bool:
        """Return whether the inputs are the same as at the last call (False at the first); if not, note them and forget
        the saved state.
        """
        if inputs == self._inputs:
            return True
        self._inputs, self._saved = inputs, None
        return False

    def is_repeated(self, state: LoopState) -> bool:
        """Return whether a state equals the saved one; if none is saved, save this one and return False.

        A state that differs is saved instead when the saved one is 1, 2, 4, ... rounds old, at most `MAX_CYCLE`.
        """
        if self._saved is None:
            self._age, self._max_age = 0, 1
        elif self._saved == state:
            return True
        else:
            self._age += 1
            if self._age < self._max_age:
                return False
            self._age, self._max_age = 0, min(2 * self._max_age, MAX_CYCLE)
        self._saved = state
        return False
