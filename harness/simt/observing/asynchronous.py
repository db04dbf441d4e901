"""Detect uses of memory that an asynchronous copy, or an asynchronous matrix product, still reads or writes.

While a copy is in flight nobody may access what it writes, nor change what it reads: not even the thread that
began it, which is no race.
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
class _ByteRange:
    """Bytes that a copy reads or writes for some lanes of the chunk, (lanes, bytes)."""

    role: str
    allocation: int
    lanes: Integers
    octets: Integers


@dataclass(slots=True, eq=False)
class _Copy:
    """A copy, or a matrix product, in flight.

    Attributes:
        ranges: What it still reads and writes.
        unfinished: For how many lanes it has not ended.
    """

    site: Site
    product: bool
    ranges: list[_ByteRange]
    unfinished: int

    @property
    def awaited(self) -> str:
        """`group` if the threads of the copy wait for it by groups (`cp.async` that is not bulk), else `other`.

        It is a term of the messages' `awaited`.
        """
        name = str(self.site.instruction.attrs.get("callee", ""))
        return "group" if "cp.async" in name and "bulk" not in name else "other"


class Asynchronous(Observer):
    """Report accesses to memory that a copy in flight uses."""

    def concerns(self, program: Program) -> bool:
        """Return whether the kernel begins copies or products that it waits for later."""
        return program.copies

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """Accept every proof: return True, and set `engine.observation.copies_ordered` to whether the GPU is NVIDIA's.

        On NVIDIA's GPUs a proof also shows that every order of the threads treats the bytes of copies the same.
        """
        # Such a copy is waited for before its thread comes to a barrier: what others do to its bytes races.
        engine.observation.copies_ordered = engine.target.vendor == "nvidia"
        return True

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Forget all copies."""
        self._order = CopyOrder()

    def launch_end(self, engine: RunningLaunch) -> None:
        """Set the observation's `copies_ordered`: whether the launch finished and any order treats copies the same."""
        engine.observation.copies_ordered = engine.finished and self._order.holds

    def barrier(self, event: BarrierEvent) -> None:
        """Begin a new barrier interval in the blocks that pass."""
        self._order.pass_barrier(event)

    def chunk_begin(self, geometry: Geometry) -> None:
        """Forget all copies of the previous chunk, and begin a barrier interval in each block."""
        self._order.begin_chunk(geometry)
        self._copies: dict[int, _Copy] = {}
        self._bytes: dict[tuple[str, int], Integers] = {}  # how often each is in use, by role and allocation

    def copy(self, event: CopyEvent) -> None:
        """Note an event of a copy, for the event's lanes.

        `begin`: its bytes are in use from now on; `read`: its source is free again; `end`: all of its bytes are.
        """
        if event.kind == "begin":
            self._add_copy(event)
            self._order.begin_copy(event, is_simple=self._copies[event.number].awaited == "group")
        else:
            self._end_ranges(event, ("source",) if event.kind == "read" else ("source", "target", "update"))

    def _add_copy(self, event: CopyEvent) -> None:
        ranges = []
        for accessed in event.places:
            number = accessed.allocation.number
            octets = accessed.starts[:, None] + np.arange(accessed.size)
            table = self._bytes.get((accessed.role, number))
            if table is None:
                table = self._bytes[accessed.role, number] = np.zeros(len(accessed.allocation.data), np.int64)
            np.add.at(table, octets, 1)
            ranges.append(_ByteRange(accessed.role, number, event.lanes.idx[accessed.positions], octets))
        self._copies[event.number] = _Copy(event.site, event.product, ranges, event.lanes.n)

    def _end_ranges(self, event: CopyEvent, roles: tuple[str, ...]) -> None:
        """Free the bytes that a copy uses in some roles for the event's lanes; freed sources go to `CopyOrder`, too.

        If `target` is one of the roles, the copy ends for these lanes. Once it has ended for all lanes, it is removed.
        """
        copy = self._copies[event.number]
        for range_ in copy.ranges:
            if range_.role in roles:
                is_ending = np.isin(range_.lanes, event.lanes.idx)
                if range_.role == "source":
                    self._order.end_reading(range_.allocation, range_.lanes[is_ending], range_.octets[is_ending])
                np.subtract.at(self._bytes[range_.role, range_.allocation], range_.octets[is_ending], 1)
                range_.lanes, range_.octets = range_.lanes[~is_ending], range_.octets[~is_ending]
        copy.unfinished -= event.lanes.n if "target" in roles else 0
        if not copy.unfinished:
            del self._copies[event.number]

    def access(self, event: AccessEvent) -> None:
        """Report an access to bytes that a copy in flight uses as an error, also by the thread that began the copy.

        Not reported are loads of a copy's source, and atomics on what a reducing copy updates. Each access is also
        passed to `CopyOrder`.
        """
        self._order.access(event)
        if not self._copies:
            return
        message = "async-copy.read" if event.kind == "load" else "async-copy.write"
        self._check(event, "target", message)
        if event.kind != "atomic":  # a copy that reduces is one itself
            self._check(event, "update", message)
        if event.kind != "load":
            self._check(event, "source", "async-copy.source")

    def _wait_term(self, copy: _Copy, lanes: Integers) -> str:
        """Return how to order an access of some lanes after a copy: a term of the messages' `awaited`.

        It is `barrier` if the copy is awaited by groups and none of the lanes has any copy in flight, else
        `copy.awaited`.
        """
        others_have_none = not any(
            np.isin(range_.lanes, lanes).any() for copy_ in self._copies.values() for range_ in copy_.ranges
        )
        return "barrier" if others_have_none and copy.awaited == "group" else copy.awaited

    def _check(self, event: AccessEvent, role: str, message: str) -> None:
        """Report lanes that access bytes which copies use in a role; each lane once, with the copy that began last.

        Args:
            role: `source`, `target` or `update`.
            message: The finding's id; for a matrix product it is always `async-product.source`.
        """
        allocation = event.allocation
        table = self._bytes.get((role, allocation.number))
        if table is None:
            return
        octets = event.starts[:, None] + np.arange(event.size)
        conflicting: Booleans = np.asarray(table[octets].any(1))
        for copy in reversed(self._copies.values()):
            if not conflicting.any():
                return
            for range_ in copy.ranges:
                if (range_.role, range_.allocation) == (role, allocation.number):
                    positions = np.flatnonzero(conflicting & np.isin(octets, range_.octets).any(1))
                    conflicting[positions] = False
                    if len(positions):
                        fault = "async-product.source" if copy.product else message
                        copy_site, name = None if copy.site is event.site else copy.site, allocation.name
                        values = {"access": event.kind, "awaited": self._wait_term(copy, event.lanes.idx[positions])}
                        self.report(
                            event, fault, positions, also=copy_site, argument=name, size=event.size, values=values
                        )
