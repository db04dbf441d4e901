"""What generated code checks, beside the bounds of memory."""

import numpy as np

from harness.simt.ir.values import SHIFT
from harness.simt.run.events import Events

__all__ = ["Checks"]


class Checks(Events):
    """Undefined behaviour that is found where it happens."""

    def unreachable(self, lanes, site):
        """Lanes ran into `unreachable`: undefined behaviour."""
        self.fail("trap.unreachable", (site,), lanes)

    def check_divisor(self, lanes, divisor, site):
        """Reports lanes that divide by zero."""
        zero = divisor == 0
        if zero.any():
            positions = np.flatnonzero(zero) if len(zero) > 1 else np.arange(lanes.n)
            self.report("division-by-zero", "error", (site,), lanes, positions)

    def check_escape(self, lanes, value, place, site):
        """Reports local variables whose address is stored where other lanes can load it.

        An address there means the variable of whichever lane uses it.
        """
        if not self.memory.private:
            return
        inside = np.isin(place >> SHIFT, self.memory.private)
        wrong = np.isin(value >> SHIFT, self.memory.private) & ~inside
        if wrong.any():
            self.report(
                "escaping-local",
                "error",
                (site,),
                lanes,
                np.flatnonzero(np.broadcast_to(wrong, (lanes.n,))),
            )
