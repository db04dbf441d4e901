"""`FenceOrder`: which threads know of one access by `fence.sc` on NVIDIA, as far as reads observed writes.

Of two fences `fence.sc` (or `membar`) whose scopes include each other's thread, one comes first in Fence-SC order, and
it synchronizes with the other. Here F comes first if a strong write after F is observed by a strong read before G: if G
came first, the write would precede itself in causality order, which the axiom of coherence forbids. Before and after
mean base causality order, so barriers count: the thread that reads need not be the one that fences.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#fence-sc-order
"""

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct

__all__ = ["WIDEST", "FenceOrder"]

WIDEST = 3  # the scope of all threads of a launch


class FenceOrder:
    """Follow the fences of threads that know of one access.

    Fences and accesses of narrower scopes than the device are ignored: what they order counts as not ordered.

    Attributes:
        after_fence: For each thread, whether it comes after such a fence.
        ordered_after: For each thread, whether it comes after a read that observed a write after such a fence.
    """

    def __init__(self, threads: int) -> None:
        self.after_fence: Booleans = np.zeros(threads, bool)
        self.ordered_after: Booleans = np.zeros(threads, bool)
        # Locations of a write after such a fence, or of an atomic that observed one.
        self._written_after_fence: set[int] = set()

    def fence(self, who: Integers, known: Booleans) -> None:
        """Note a sequentially consistent fence of threads, of device scope or wider.

        Those in `ordered_after` now know of the access, and then all of them that know get into `after_fence`.

        Args:
            who: The threads that fence.
            known: For each thread, whether it knows of the access; changed in place.
        """
        known[who[self.ordered_after[who]]] = True
        self.after_fence[who[known[who]]] = True

    def join(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        """Note that groups of threads synchronise at a barrier.

        Args:
            givers, giving: The threads that release, and the group of each.
            takers, taking: The threads that acquire, and the group of each.
        """
        for marks in (self.after_fence, self.ordered_after):
            if (joining := marks[givers]).any():
                marks[takers[np.isin(taking, distinct(giving[joining]))]] = True

    def access(self, kind: str, locations: Integers, who: Integers, scope: int, reads: bool) -> None:
        """Note strong accesses of threads, in the order of their turns.

        Loads and atomics of device scope that observe a write after a fence put their threads in `ordered_after`.
        Stores and atomics change which locations hold such a write.

        Args:
            kind: `load`, `store` or `atomic`.
            reads: False for loads of failed compare-and-swaps. These are ignored, since their turn is not known.
        """
        if not self._written_after_fence and (kind == "load" or not self.after_fence[who].any()):
            return
        if kind == "load":
            if reads and scope >= WIDEST:
                self.ordered_after[who[np.isin(locations, list(self._written_after_fence))]] = True
            return
        for location, thread in zip(locations.tolist(), who.tolist(), strict=True):
            observes = kind == "atomic" and scope >= WIDEST and location in self._written_after_fence
            if observes:
                self.ordered_after[thread] = True
            if scope >= WIDEST and (observes or self.after_fence[thread]):
                self._written_after_fence.add(location)
            else:
                self._written_after_fence.discard(location)
