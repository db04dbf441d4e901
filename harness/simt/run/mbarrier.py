"""Counts and phase of one `mbarrier`; encode and read the tokens of arrivals. `mbarriers` has what lanes do.

| bits of a token | content |
| --- | --- |
| 63 | parity of the phase |
| 60 | always 1: it marks a token |
| 20 to 59 | the phase |
| 0 to 19 | arrivals that were pending |
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.ir.site import Site
from harness.simt.state.lanes import LaneSet

__all__ = [
    "INITIALISED",
    "MAX_PENDING",
    "MBarrier",
    "encode_token",
    "is_token",
    "pending_in_token",
    "token_parity",
    "token_phase",
]

MAX_PENDING = (1 << 20) - 1  # arrivals; and bytes, of either sign
INITIALISED = 0x6D62_6172_7269_6572  # the word in memory that marks an initialised barrier
PARITY_BIT, MARK_BIT, PHASE_BIT = 63, 60, 20


@dataclass(slots=True, eq=False)
class MBarrier:
    """One `mbarrier`.

    Attributes:
        name: The allocation's name, for reports.
        last: The instruction and the lanes that expected bytes last, or else initialised it.
        expected: Arrivals that each phase takes.
        pending: Arrivals that the current phase still lacks.
        bytes: Bytes that are expected and have not come.
        phase: How many phases have ended.
    """

    name: str
    last: tuple[Site, LaneSet]
    expected: int
    pending: int
    bytes: int = 0
    phase: int = 0

    def try_complete(self) -> bool:
        """Begin the next phase if neither arrivals nor bytes are pending; return whether that was so."""
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


def encode_token(barrier: MBarrier) -> int:
    """Return the token of an arrival at a barrier, as a signed 64-bit integer: its phase and pending arrivals now."""
    token = (barrier.phase & 1) << PARITY_BIT | 1 << MARK_BIT | barrier.phase << PHASE_BIT | barrier.pending
    return token - (1 << 64) if token >> 63 else token


def pending_in_token(tokens: Array) -> Array:
    """Return how many arrivals were pending when each token was made."""
    return (tokens & MAX_PENDING).astype(np.int32)


def is_token(tokens: Integers) -> Booleans:
    """Return whether numbers have the mark of a token."""
    has_mark: Booleans = tokens >> MARK_BIT & 1 == 1
    return has_mark


def token_parity(tokens: Integers) -> Integers:
    """Return the parity of the phase in each token; the hardware takes it from any number."""
    return tokens >> PARITY_BIT & 1


def token_phase(tokens: Integers) -> Integers:
    """Return the phase in each token."""
    return tokens >> PHASE_BIT & (1 << MARK_BIT - PHASE_BIT) - 1
