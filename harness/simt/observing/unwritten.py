"""Report elements of writable, uninitialised arguments that a finished launch has not written.

A result is an argument that the kernel may write and the host did not
initialise. An element counts as written even if an undefined value was stored.
"""

import numpy as np

from harness.simt.arrays import Booleans, distinct
from harness.simt.events import AccessEvent, TaintEvent
from harness.simt.observe import Observer, Proof, RunningLaunch

__all__ = ["Unwritten"]


class Unwritten(Observer):
    """Report elements of uninitialised arguments that the kernel does not write."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Return whether all elements of results are written now, or the proof is of some blocks only.

        In the latter case other blocks may write the rest. On False the launch is interpreted. Calls `launch_begin`.
        """
        self.launch_begin(engine)
        return proof.partial or all(written.all() for written in self._written.values())

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Note which bytes of the results, the arguments that the kernel may write, are initialised.

        There are none if the core does not track undefined values.
        """
        self._written: dict[int, Booleans] = {
            allocation.number: allocation.shadow == 0
            for allocation in engine.memory.allocations[1:]
            if allocation.argument is not None and allocation.writable and allocation.shadow is not None
        }
        self._widths = dict.fromkeys(self._written, 0)

    def tainted(self, event: TaintEvent) -> None:
        """Do nothing: overriding this makes the core track uninitialised buffers."""

    def access(self, event: AccessEvent) -> None:
        """Note which bytes of a result a store or an atomic writes, and the width of the narrowest element written."""
        number = event.allocation.number
        if event.kind == "load" or number not in self._written:
            return
        octets = event.offsets[:, None] + np.arange(event.size)
        self._written[number][octets] = True
        width = max(1, event.size // event.elements)
        self._widths[number] = min(self._widths[number] or width, width)

    def launch_end(self, engine: RunningLaunch) -> None:
        """Report elements that were not written, an error for each argument; if the launch ended early, nothing.

        Elements are as wide as the narrowest write; single bytes if there was none. At most 64 are listed.
        """
        if not engine.finished:
            return
        for number, written in self._written.items():
            unwritten = np.flatnonzero(~written)
            if not len(unwritten):
                continue
            allocation = engine.memory.allocations[number]
            width = self._widths[number] or 1
            elements = distinct(unwritten // width)
            engine.observation.collector.add(
                "never-written.elements" if width > 1 else "never-written.bytes",
                "error",
                (),
                (),
                argument=allocation.name,
                offset=int(unwritten[0]),
                size=width,
                values={
                    "elements": tuple(elements[:64].tolist()),
                    "first": int(elements[0]),
                    "total": allocation.size // width,
                },
                count=len(elements),
            )
