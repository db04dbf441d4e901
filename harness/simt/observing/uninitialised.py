"""Uses of values that nothing wrote.

Copying an undefined value is no fault, so the core carries along where it came
from and tells only of its use: a branch, an address, a divisor, an atomic, or a
store to global memory, which the host can see. `undef` and `poison` that the
compiler left in the code count as well. What a read got that was not allowed was
told where it was read, and what was stored and told counts as written from then on.
Where a use is far from the load that first read the undefined memory, that load is the second place of the finding.
"""

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.events import AccessEvent, TaintEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, Proof, RunningLaunch

__all__ = ["Uninitialised"]


class Uninitialised(Observer):
    """Reports undefined values where they are used, with their origin."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._reads: dict[int, tuple[Site, int, int]] = {}  # by origin: the first load, the byte, and how many it took

    def access(self, event: AccessEvent) -> None:
        """Keep where each undefined memory was read first."""
        if event.taint is None or event.kind != "load":
            return
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in distinct(taint[taint != 0]).tolist():
            if number not in self._reads:
                first = int(np.flatnonzero(taint == number)[0])
                offset = int(np.broadcast_to(event.offsets, (event.lanes.n,))[first])
                self._reads[number] = event.site, offset, event.size

    def tainted(self, event: TaintEvent) -> None:
        """See `Observer`."""
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in distinct(taint[taint != 0]).tolist():
            kind, source, origin = self.engine.observation.origin_of(number)
            if kind in ("outside", "inactive-lane"):  # told where it was read
                continue
            read, offset, size = self._reads.get(number, (None, 0, 0))
            cell = f"[{offset // size}]" if read is not None and kind == "shared" and offset % size == 0 else ""
            here = np.flatnonzero(taint == number)
            values = {"origin": kind, "source": source, "cell": cell, "write": kind}
            if origin is None and read is not None and read.source != event.site.source:
                origin = read
            name = event.allocation.name if event.allocation is not None else None
            self.report(
                event, f"uninitialised.{event.use}", here, also=origin, argument=name, values=values, key=number
            )
