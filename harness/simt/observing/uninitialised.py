"""Uses of values that nothing wrote.

Copying an undefined value is no fault, so the core carries along where it came
from and tells only of its use: a branch, an address, a divisor, an atomic, or a
store to global memory, which the host can see. `undef` and `poison` that the
compiler left in the code count as well.
"""

import numpy as np

from harness.simt.observe import Observer

__all__ = ["Uninitialised"]

USES = {
    "branch": "decides a branch",
    "address": "is used as an address",
    "output": "is stored to",
    "atomic": "goes into an atomic",
    "division": "divides",
    "shuffle": "goes into a shuffle",
}


class Uninitialised(Observer):
    """Reports undefined values where they are used, with their origin."""

    def launch_begin(self, engine):
        """See `Observer`."""
        self.engine = engine

    def tainted(self, event):
        """See `Observer`."""
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in np.unique(taint[taint != 0]).tolist():
            text, origin = self.engine.origin_of(number)
            place = f" at {origin.source or origin.text}" if origin is not None else ""
            use = USES[event.use]
            name = event.allocation.name if event.allocation is not None else None
            if name is not None:
                use = f"{use} {name}"
            sites = (event.site,) if origin is None else (event.site, origin)
            self.engine.report(
                "uninitialised",
                "error",
                f"an undefined value {use}; it comes from {text}{place}",
                sites,
                event.lanes,
                np.flatnonzero(taint == number),
                argument=name,
                values={"origin": text, "use": event.use},
                key=number,
            )
