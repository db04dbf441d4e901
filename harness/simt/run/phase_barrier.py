"""One `mbarrier`'s counts, and the tokens that its arrivals give."""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.ir.site import Site
from harness.simt.state.lanes import LaneSet

__all__ = ["MOST", "VALID", "PhaseBarrier", "is_token", "parity_of", "phase_of", "token_of", "token_pending"]

MOST = (1 << 20) - 1  # arrivals; and bytes, of either sign
VALID = 0x6D62_6172_7269_6572  # what lies in memory where a barrier is
# A token: the parity of its phase as the highest bit, that it is one, the phase, how many were pending.
PARITY, MARK, PHASE = 63, 60, 20


@dataclass(slots=True, eq=False)
class PhaseBarrier:
    """One barrier.

    Attributes:
        last: Who expected bytes last, or else began it.
        expected: Arrivals that each phase takes; `pending` those that this one lacks.
        bytes: That are expected and have not come.
        phase: How many phases have ended.
    """

    name: str
    last: tuple[Site, LaneSet]
    expected: int
    pending: int
    bytes: int = 0
    phase: int = 0

    def settle(self) -> bool:
        """Begins the next phase if this one is complete; says whether."""
        if self.pending or self.bytes:
            return False
        self.phase, self.pending = self.phase + 1, self.expected
        return True

    def text(self) -> str:
        """Return the state as a recording shows it: phase, arrived/expected, and the bytes still missing, as in
        `mbarrier 1 3/256` or `mbarrier 0 1/1 512B`.
        """
        missing = f" {self.bytes}B" if self.bytes else ""
        return f"mbarrier {self.phase} {self.expected - self.pending}/{self.expected}{missing}"


def token_of(barrier: PhaseBarrier) -> int:
    """What an arrival at a barrier returns."""
    token = (barrier.phase & 1) << PARITY | 1 << MARK | barrier.phase << PHASE | barrier.pending
    return token - (1 << 64) if token >> 63 else token


def token_pending(tokens: Array) -> Array:
    """How many arrivals were pending when a token was given."""
    return (tokens & MOST).astype(np.int32)


def is_token(tokens: Integers) -> Booleans:
    """Whether numbers are tokens, as far as can be seen."""
    marked: Booleans = tokens >> MARK & 1 == 1
    return marked


def parity_of(tokens: Integers) -> Integers:
    """The parity of a token's phase, which the hardware takes from any number."""
    return tokens >> PARITY & 1


def phase_of(tokens: Integers) -> Integers:
    """The phase of a token."""
    return tokens >> PHASE & (1 << MARK - PHASE) - 1
