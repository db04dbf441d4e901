"""What generated code checks, beside the bounds of memory."""

from typing import NoReturn

import numpy as np

from harness.simt.arrays import Array
from harness.simt.capabilities import Use
from harness.simt.ir.site import Site
from harness.simt.ir.values import SHIFT
from harness.simt.run.observation import Observation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory

__all__ = ["Checks"]


class Checks:
    """Undefined behaviour that is found where it happens."""

    def __init__(self, observation: Observation, memory: Memory) -> None:
        self._observation, self._memory = observation, memory

    def unreachable(self, lanes: LaneSet, site: Site | None) -> NoReturn:
        """Lanes ran into `unreachable`: undefined behaviour."""
        self._observation.fail("trap.unreachable", (site,), lanes)

    def divisor(self, lanes: LaneSet, divisor: Array, site: Site) -> None:
        """Reports lanes that divide by zero."""
        zero = divisor == 0 if divisor.ndim == 1 else (divisor == 0).any(1)
        if zero.any():
            positions = np.flatnonzero(zero) if len(zero) > 1 else np.arange(lanes.n)
            self._observation.report("division-by-zero", "error", (site,), lanes, positions)

    def escape(self, lanes: LaneSet, value: Array, place: Array, site: Site) -> None:
        """Reports local variables whose address is stored where other lanes can load it.

        An address there means the variable of whichever lane uses it.
        """
        private = self._memory.private
        if not private:
            return
        inside = np.isin(place >> SHIFT, private)
        wrong = np.isin(value >> SHIFT, private) & ~inside
        if wrong.any():
            self._observation.report(
                "escaping-local", "error", (site,), lanes, np.flatnonzero(np.broadcast_to(wrong, (lanes.n,)))
            )

    def lacking(self, lanes: LaneSet, site: Site, use: Use) -> None:
        """Reports lanes that use what the target lacks, the first that come to a place."""
        if site not in self._observation.lacked:
            self._observation.lacked.add(site)
            self._observation.report_lacking(site, use, lanes.who(np.arange(lanes.n)), lanes.n)
