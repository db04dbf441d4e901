"""Uses of memory that a copy is still reading or writing, or a matrix product of four warps reading.

Between its beginning and its end nobody may touch what it writes, nor change what it reads: not even the thread that
began it, which no race shows.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.compile.program import Program
from harness.simt.events import AccessEvent, BarrierEvent, CopyEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.observing.copy_order import CopyOrder
from harness.simt.state.lanes import Geometry

__all__ = ["Asynchronous"]


@dataclass(slots=True, eq=False)
class _Span:
    """Bytes that a copy reads or writes for some lanes, by the chunk's numbers of them."""

    role: str
    allocation: int
    lanes: Integers
    octets: Integers


@dataclass(slots=True, eq=False)
class _Copy:
    """A copy that was begun, or a matrix product.

    Attributes:
        spans: What it still reads and writes.
        left: How many lanes have not ended it.
    """

    site: Site
    product: bool
    spans: list[_Span]
    left: int

    @property
    def awaited(self) -> str:
        """How its threads wait for it: a term of the messages' `awaited`."""
        name = str(self.site.instruction.attrs.get("callee", ""))
        return "group" if "cp.async" in name and "bulk" not in name else "other"


class Asynchronous(Observer):
    """Reports accesses of what a copy in flight uses."""

    def concerns(self, program: Program) -> bool:
        """Only kernels that begin copies or products that are waited for."""
        return program.copies

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`."""
        # Such a copy is waited for before its thread comes to a barrier: what others do to its bytes races.
        engine.observation.copies_ordered = engine.target.vendor == "nvidia"
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._order = CopyOrder()

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        engine.observation.copies_ordered = engine.finished and self._order.holds

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        self._order.pass_barrier(event)

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._order.begin_chunk(geometry)
        self._copies: dict[int, _Copy] = {}
        self._bytes: dict[tuple[str, int], Integers] = {}  # how often each is in use, by role and allocation

    def copy(self, event: CopyEvent) -> None:
        """See `Observer`."""
        if event.kind == "begin":
            self._begin(event)
            self._order.begin_copy(event, is_simple=self._copies[event.number].awaited == "group")
        else:
            self._end(event, ("source",) if event.kind == "read" else ("source", "target", "update"))

    def _begin(self, event: CopyEvent) -> None:
        spans = []
        for accessed in event.places:
            number = accessed.allocation.number
            octets = accessed.starts[:, None] + np.arange(accessed.size)
            table = self._bytes.get((accessed.role, number))
            if table is None:
                table = self._bytes[accessed.role, number] = np.zeros(len(accessed.allocation.data), np.int64)
            np.add.at(table, octets, 1)
            spans.append(_Span(accessed.role, number, event.lanes.idx[accessed.positions], octets))
        self._copies[event.number] = _Copy(event.site, event.product, spans, event.lanes.n)

    def _end(self, event: CopyEvent, roles: tuple[str, ...]) -> None:
        copy = self._copies[event.number]
        for span in copy.spans:
            if span.role in roles:
                own = np.isin(span.lanes, event.lanes.idx)
                if span.role == "source":
                    self._order.end_reading(span.allocation, span.lanes[own], span.octets[own])
                np.subtract.at(self._bytes[span.role, span.allocation], span.octets[own], 1)
                span.lanes, span.octets = span.lanes[~own], span.octets[~own]
        copy.left -= event.lanes.n if "target" in roles else 0
        if not copy.left:
            del self._copies[event.number]

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        self._order.access(event)
        if not self._copies:
            return
        message = "async-copy.read" if event.kind == "load" else "async-copy.write"
        self._check(event, "target", message)
        if event.kind != "atomic":  # a copy that reduces is one itself
            self._check(event, "update", message)
        if event.kind != "load":
            self._check(event, "source", "async-copy.source")

    def _awaited(self, copy: _Copy, lanes: Integers) -> str:
        """Return how to order an access of some lanes after a copy: a term of the messages' `awaited`."""
        waits = not any(np.isin(span.lanes, lanes).any() for copy_ in self._copies.values() for span in copy_.spans)
        return "barrier" if waits and copy.awaited == "group" else copy.awaited

    def _check(self, event: AccessEvent, role: str, message: str) -> None:
        allocation = event.allocation
        table = self._bytes.get((role, allocation.number))
        if table is None:
            return
        octets = event.starts[:, None] + np.arange(event.size)
        left: Booleans = np.asarray(table[octets].any(1))
        for copy in reversed(self._copies.values()):
            if not left.any():
                return
            for span in copy.spans:
                if (span.role, span.allocation) == (role, allocation.number):
                    here = np.flatnonzero(left & np.isin(octets, span.octets).any(1))
                    left[here] = False
                    if len(here):
                        told = "async-product.source" if copy.product else message
                        begun, name = None if copy.site is event.site else copy.site, allocation.name
                        values = {"access": event.kind, "awaited": self._awaited(copy, event.lanes.idx[here])}
                        self.report(event, told, here, also=begun, argument=name, size=event.size, values=values)
