"""Uses of memory that a copy is still reading or writing.

Between a copy's beginning and its end nobody may touch what it writes, nor change what
it reads: not even the thread that began it, which no race shows.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.program import Program
from harness.simt.events import AccessEvent, CopyEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Launch, Observer
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["Asynchronous"]


@dataclass(slots=True, eq=False)
class _Copy:
    """A copy that was begun, by the chunk's numbers of its lanes.

    Attributes:
        places: By role and lanes, what it reads and writes.
        left: How many lanes have not ended it.
    """

    site: Site
    places: list[tuple[str, int, Integers, Integers]]
    left: int


class Asynchronous(Observer):
    """Reports accesses of what a copy in flight uses."""

    def concerns(self, program: Program) -> bool:
        """Only kernels that begin copies."""
        return program.copies

    def launch_begin(self, engine: Launch) -> None:
        """See `Observer`."""
        self.engine = engine

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._copies: dict[int, _Copy] = {}
        self._bytes: dict[tuple[str, int], Integers] = {}  # which copy each byte is in, by role and allocation

    def copy(self, event: CopyEvent) -> None:
        """See `Observer`."""
        if event.kind == "begin":
            self._begin(event)
        else:
            self._end(event, ("source",) if event.kind == "read" else ("source", "target"))

    def _begin(self, event: CopyEvent) -> None:
        places = []
        for accessed in event.places:
            number = accessed.allocation.number
            octets = accessed.starts[:, None] + np.arange(accessed.size)
            table = self._bytes.get((accessed.role, number))
            if table is None:
                table = self._bytes[accessed.role, number] = np.zeros(len(accessed.allocation.data), np.int64)
            table[octets] = event.number
            places.append((accessed.role, number, event.lanes.idx[accessed.positions], octets))
        self._copies[event.number] = _Copy(event.site, places, event.lanes.n)

    def _end(self, event: CopyEvent, roles: tuple[str, ...]) -> None:
        copy = self._copies[event.number]
        for role, number, lanes, octets in copy.places:
            if role in roles:
                table, own = self._bytes[role, number], octets[np.isin(lanes, event.lanes.idx)]
                table[own[table[own] == event.number]] = 0
        copy.left -= event.lanes.n if "target" in roles else 0
        if not copy.left:
            del self._copies[event.number]

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        if not self._copies:
            return
        self._check(event, "target", "async-copy.read" if event.kind == "load" else "async-copy.write")
        if event.kind != "load":
            self._check(event, "source", "async-copy.source")

    def _check(self, event: AccessEvent, role: str, message: str) -> None:
        allocation, lanes = event.allocation, event.lanes
        table = self._bytes.get((role, allocation.number))
        if table is None:
            return
        starts = np.broadcast_to(event.offsets + event.rows * allocation.stride, (lanes.n,))
        copies = table[starts[:, None] + np.arange(event.size)].max(1)
        for number in np.unique(copies[copies > 0]).tolist():
            self._report(event, message, self._copies[number].site, lanes, np.flatnonzero(copies == number))

    def _report(self, event: AccessEvent, message: str, begun: Site, lanes: LaneSet, here: Integers) -> None:
        name = event.allocation.name
        values = {"access": event.kind}
        sites = (event.site,) if event.site is begun else (event.site, begun)
        self.engine.report(message, "error", sites, lanes, here, argument=name, size=event.size, values=values)
