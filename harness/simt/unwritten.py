"""Elements of a result that nothing wrote.

The core marks the bytes of a buffer that the host did not initialise; those
still marked when the launch ends were never written.
"""

import numpy as np

from .observe import Observer

__all__ = ["Unwritten"]


class Unwritten(Observer):
    """Reports elements of uninitialised arguments that the kernel leaves out."""

    def launch_begin(self, engine):
        """See `Observer`."""
        self.engine = engine
        self._widths = {}
        self._results = [
            (one, engine.origin(f"{one.name}, not initialised"))
            for one in engine.memory.allocations[1:]
            if one.argument is not None and one.writable and one.shadow is not None
        ]

    def tainted(self, event):
        """Nothing to do: overriding it makes the core mark bytes."""

    def access(self, event):
        """Learns how wide an element is, for the report."""
        allocation = event.allocation
        if event.kind != "load" and allocation.argument is not None:
            vector = event.values.shape[1] if event.values.ndim > 1 else 1
            width = max(1, event.size // vector)
            known = self._widths.get(allocation.number, width)
            self._widths[allocation.number] = min(known, width)

    def launch_end(self, engine):
        """See `Observer`; a launch that ended early says nothing about its results."""
        if engine.geometry is None or engine.live_count:
            return
        for allocation, origin in self._results:
            left = np.flatnonzero(allocation.shadow == origin)
            if not len(left):
                continue
            width = self._widths.get(allocation.number, 1)
            elements = np.unique(left // width)
            total = allocation.size // width
            noun = "elements" if width > 1 else "bytes"
            engine.collector.add(
                "never-written", "error",
                f"{len(elements)} of {total} {noun} of {allocation.name} are never "
                f"written, the first at {elements[0]}", (), (),
                argument=allocation.name, offset=int(left[0]), size=width,
                values={"elements": tuple(elements[:64].tolist())},
                count=len(elements),
            )  # fmt: skip
