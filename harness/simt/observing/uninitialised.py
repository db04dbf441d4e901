"""Uses of values that nothing wrote.

Copying an undefined value is no fault, so the core carries along where it came
from and tells only of its use: a branch, an address, a divisor, an atomic, or a
store to global memory, which the host can see. `undef` and `poison` that the
compiler left in the code count as well. What a read got that was not allowed was
told where it was read, and what was stored and told counts as written from then on.
"""

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.events import TaintEvent
from harness.simt.observe import Observer, Proof, RunningLaunch

__all__ = ["Uninitialised"]


class Uninitialised(Observer):
    """Reports undefined values where they are used, with their origin."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        return True

    def tainted(self, event: TaintEvent) -> None:
        """See `Observer`."""
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in distinct(taint[taint != 0]).tolist():
            kind, source, origin = self.engine.observation.origin_of(number)
            if kind in ("outside", "inactive-lane"):  # told where it was read
                continue
            here, values = np.flatnonzero(taint == number), {"origin": kind, "source": source}
            name = event.allocation.name if event.allocation is not None else None
            self.report(
                event, f"uninitialised.{event.use}", here, also=origin, argument=name, values=values, key=number
            )
