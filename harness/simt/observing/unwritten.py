"""Elements of a result that nothing wrote.

A result is an argument that the kernel may write and the host did not
initialise. A value that is itself undefined counts as written.
"""

import numpy as np

from harness.simt.arrays import Booleans, distinct
from harness.simt.events import AccessEvent, TaintEvent
from harness.simt.observe import Observer, Proof, RunningLaunch

__all__ = ["Unwritten"]


class Unwritten(Observer):
    """Reports elements of uninitialised arguments that the kernel leaves out."""

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`; what is left out may yet be written by the blocks that are left."""
        self.launch_begin(engine)
        return proof.partial or all(written.all() for written in self._written.values())

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._written: dict[int, Booleans] = {
            allocation.number: allocation.shadow == 0
            for allocation in engine.memory.allocations[1:]
            if allocation.argument is not None and allocation.writable and allocation.shadow is not None
        }
        self._widths = dict.fromkeys(self._written, 0)

    def tainted(self, event: TaintEvent) -> None:
        """Nothing to do: overriding it makes the core mark uninitialised buffers."""

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        number = event.allocation.number
        if event.kind == "load" or number not in self._written:
            return
        octets = event.offsets[:, None] + np.arange(event.size)
        self._written[number][octets] = True
        width = max(1, event.size // event.elements)
        self._widths[number] = min(self._widths[number] or width, width)

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`; a launch that ended early says nothing about its results."""
        if not engine.finished:
            return
        for number, written in self._written.items():
            left = np.flatnonzero(~written)
            if not len(left):
                continue
            allocation = engine.memory.allocations[number]
            width = self._widths[number] or 1
            elements = distinct(left // width)
            engine.observation.collector.add(
                "never-written.elements" if width > 1 else "never-written.bytes",
                "error",
                (),
                (),
                argument=allocation.name,
                offset=int(left[0]),
                size=width,
                values={
                    "elements": tuple(elements[:64].tolist()),
                    "first": int(elements[0]),
                    "total": allocation.size // width,
                },
                count=len(elements),
            )
