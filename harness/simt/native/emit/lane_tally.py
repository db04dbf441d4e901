"""Counts of instructions and accesses, summed up while lockstep code is emitted; their order in a lane's row."""

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["TALLIED", "LaneTally"]

# What is counted of each thread, in the order of its row.
TALLIED = ("instructions", "global_loads", "global_stores", "shared_loads", "shared_stores", "shuffles", "barriers")


@dataclass(slots=True)
class LaneTally:
    """Counts of the code in hand.

    Attributes:
        counts: How often each lane that runs the current segment does something, by the names of `TALLIED`.
        records: The number of records of requests to shared memory.
    """

    counts: Counter[str] = field(default_factory=Counter)
    records: int = 0
