"""Report undefined values that are used (branch, address, division, atomic, global store), with their origin.

Copying an undefined value is no fault, so the core tracks where it came
from, and reports only its use: in a branch, an address, a division, an atomic, or a
store to global memory, which the host can see. `undef` and `poison` that the
compiler left in the code count as well. What an invalid read returned was
reported at the read, and an undefined value that was stored and reported counts as written from then on.
If a use is far from the load that first read the undefined memory, that load is the second location of the finding.
"""

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.events import AccessEvent, TaintEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, Proof, RunningLaunch

__all__ = ["Uninitialised"]


class Uninitialised(Observer):
    """Report undefined values where they are used, with their origin."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Accept the proof: it covers undefined values."""
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Forget all loads."""
        self._reads: dict[int, tuple[Site, int, int]] = {}  # by origin: the first load, its first byte, and its size

    def access(self, event: AccessEvent) -> None:
        """Note the first load of each origin of undefined values; stores and atomics are ignored."""
        if event.taint is None or event.kind != "load":
            return
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in distinct(taint[taint != 0]).tolist():
            if number not in self._reads:
                first = int(np.flatnonzero(taint == number)[0])
                offset = int(np.broadcast_to(event.offsets, (event.lanes.n,))[first])
                self._reads[number] = event.site, offset, event.size

    def tainted(self, event: TaintEvent) -> None:
        """Report a use of undefined values: an error for each origin but invalid reads, reported at the read.

        The origin's instruction is the second location, or else the load that first read it, if on another line.
        A later use elsewhere is reported, too.
        """
        taint = np.broadcast_to(event.taint, (event.lanes.n,))
        for number in distinct(taint[taint != 0]).tolist():
            kind, source, origin = self.engine.observation.origin_of(number)
            if kind in ("outside", "inactive-lane"):  # reported at the read
                continue
            load, offset, size = self._reads.get(number, (None, 0, 0))
            cell = f"[{offset // size}]" if load is not None and kind == "shared" and offset % size == 0 else ""
            positions = np.flatnonzero(taint == number)
            values = {"origin": kind, "source": source, "cell": cell, "write": kind}
            if origin is None and load is not None and load.source != event.site.source:
                origin = load
            name = event.allocation.name if event.allocation is not None else None
            self.report(
                event, f"uninitialised.{event.use}", positions, also=origin, argument=name, values=values, key=number
            )
