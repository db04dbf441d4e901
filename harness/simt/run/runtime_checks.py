"""Checks that generated code calls: zero divisors, escaping local variables, `unreachable`, missing capabilities."""

from typing import NoReturn

import numpy as np

from harness.simt.arrays import Array
from harness.simt.capabilities import Use
from harness.simt.ir.site import Site
from harness.simt.ir.values import SHIFT
from harness.simt.run.observation import Observation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import Memory

__all__ = ["RuntimeChecks"]


class RuntimeChecks:
    """Undefined behaviour that is detected when lanes execute it."""

    def __init__(self, observation: Observation, memory: Memory) -> None:
        self._observation, self._memory = observation, memory

    def fail_unreachable(self, lanes: LaneSet, site: Site | None) -> NoReturn:
        """End the launch because lanes reached an `unreachable` instruction."""
        self._observation.fail("trap.unreachable", (site,), lanes)

    def check_divisor(self, lanes: LaneSet, divisor: Array, site: Site) -> None:
        """Report the lanes whose divisor is 0, in any element if it is a vector; the launch goes on."""
        zero = divisor == 0 if divisor.ndim == 1 else (divisor == 0).any(1)
        if zero.any():
            positions = np.flatnonzero(zero) if len(zero) > 1 else np.arange(lanes.n)
            self._observation.report("division-by-zero", "error", (site,), lanes, positions)

    def check_escape(self, lanes: LaneSet, value: Array, address: Array, site: Site) -> None:
        """Report local variables whose address is stored where other lanes can load it; the launch goes on.

        A pointer to a local variable means the variable of whichever lane uses it.

        Args:
            value, address: The pointer that each lane stores, and where it stores it.
        """
        private = self._memory.private
        if not private:
            return
        inside = np.isin(address >> SHIFT, private)
        wrong = np.isin(value >> SHIFT, private) & ~inside
        if wrong.any():
            self._observation.report(
                "escaping-local", "error", (site,), lanes, np.flatnonzero(np.broadcast_to(wrong, (lanes.n,)))
            )

    def report_lacking(self, lanes: LaneSet, site: Site, use: Use) -> None:
        """Report lanes that use a capability which the target lacks; of each instruction only the first time."""
        if site not in self._observation.reported_uses:
            self._observation.reported_uses.add(site)
            self._observation.report_lacking(site, use, lanes.who(np.arange(lanes.n)), lanes.n)
