"""The order of sequentially consistent fences on NVIDIA's GPUs, as far as what threads observe decides it.

Of two fences `fence.sc` (or `membar`) whose scopes include each other's thread, one comes first in Fence-SC order, and
it synchronizes with the other. Here F comes first if a strong write after F is observed by a strong read before G: if G
came first, the write would precede itself in causality order, which the axiom of coherence forbids. Before and after
are base causality order, so barriers count: the thread that reads need not be the one that fences.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#fence-sc-order
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct

__all__ = ["WIDEST", "FenceOrder"]

WIDEST = 3  # the scope of all threads of a launch


class FenceOrder:
    """Follows the fences of threads that know of one access.

    Fences and accesses of narrower scopes than the device are left out: what they order counts as not ordered.

    Attributes:
        passed: Which threads come after such a fence.
        behind: Which threads come after a read that observed a write after such a fence.
    """

    def __init__(self, threads: int) -> None:
        self.passed: Booleans = np.zeros(threads, bool)
        self.behind: Booleans = np.zeros(threads, bool)
        self._places: set[int] = set()  # where a write after such a fence stands, or an atomic update that observed one

    def fence(self, who: Integers, known: Booleans) -> None:
        """Threads fence: those that come behind learn of the access, and those that know of it pass it on."""
        known[who[self.behind[who]]] = True
        self.passed[who[known[who]]] = True

    def meet(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        """Groups of threads synchronize at a barrier."""
        for marks in (self.passed, self.behind):
            if (from_ := marks[givers]).any():
                marks[takers[np.isin(taking, distinct(giving[from_]))]] = True

    def access(self, kind: str, places: Integers, who: Integers, scope: int, reads: bool) -> None:
        """Threads access places by strong operations, in the order of their turns.

        Args:
            kind: `load`, `store` or `atomic`.
            reads: Whether a load tells what stood there; one of an exchange that failed may come before others.
        """
        if not self._places and (kind == "load" or not self.passed[who].any()):
            return
        if kind == "load":
            if reads and scope >= WIDEST:
                self.behind[who[np.isin(places, list(self._places))]] = True
            return
        for place, thread in zip(places.tolist(), who.tolist(), strict=True):
            observes = kind == "atomic" and scope >= WIDEST and place in self._places
            if observes:
                self.behind[thread] = True
            if scope >= WIDEST and (observes or self.passed[thread]):
                self._places.add(place)
            else:
                self._places.discard(place)
