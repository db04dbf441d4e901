"""`Reports`: collect findings, number the origins of undefined values, pass accesses and taints to observers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.findings import Collector
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.events import AccessEvent, TaintEvent
from harness.simt.state.lanes import LaneSet

__all__ = ["Hooks", "Origin", "Origins", "Reports"]

Event = TypeVar("Event")
Origin = tuple[str, str, Site | None]


class Origins:
    """The origins of undefined values, each with a number.

    An origin is a term of the messages' `origin`, the name that this term takes (of an argument, a variable, an
    operation), and the site in the program, if there is one.
    """

    def __init__(self) -> None:
        self._origins: list[Origin] = [("", "", None)]
        self._numbers: dict[Origin, int] = {}

    def number(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """Return the number of an origin, the same at each call; a new one gets the next number, from 1 on."""
        key: Origin = kind, source, site
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._origins)
            self._origins.append(key)
        return number

    def of(self, number: int) -> Origin:
        """Return the origin (kind, source, site or None) of a number."""
        return self._origins[number]


class Hooks(list[Callable[[Event], None]], Generic[Event]):
    """One hook of all observers that override it; check that there are any before making an event."""

    __slots__ = ()

    def __call__(self, event: Event) -> None:
        """Call all hooks with an event."""
        for hook in self:
            hook(event)


class Reports:
    """Collects findings, and passes events of memory to observers.

    Attributes:
        tracked: Whether undefined values are tracked.
        on_access, on_tainted: The observers' hooks.
        collector: The findings.

    Args:
        check_time: Ends the launch when its time is over: observers may take long.
    """

    tracked: bool
    on_access: Hooks[AccessEvent]
    on_tainted: Hooks[TaintEvent]

    def __init__(self, kernel: str, origins: Origins, check_time: Callable[[], None]) -> None:
        self.collector, self._origins, self._check_time = Collector(kernel), origins, check_time

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Report a finding of the lanes at some positions; `details` are those of `Collector.add`.

        Its count is `count` of the details if that is not 0, or else the number of positions, but at least 1.
        """
        details["count"] = details.get("count") or len(positions)  # `lanes.who` names only the first 64
        self.collector.add(name, severity, sites, lanes.who(positions), **details)

    def origin(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """Return the number of an origin of undefined values.

        Args:
            kind: A term of the messages' `origin`.
            source: The name that this term takes: of an argument, a variable, an operation.
        """
        return self._origins.number(kind, source, site)

    def emit_access(
        self,
        kind: str,
        site: Site,
        lanes: LaneSet,
        allocation: Allocation,
        offsets: Integers,
        access: Access,
        values: Array,
        taint: Taint,
        lane_rows: Integers,
        old: Array | None = None,
        operation: str | None = None,
        scope: str | None = None,
        turns: Integers | None = None,
    ) -> None:
        """Report a load, a store or an atomic to observers, then check the time, which may end the launch.

        The instruction says the ordering and whether the access is volatile; the rest is as in `AccessEvent`.

        Args:
            scope: The scope of an atomic; None for the instruction's `syncscope`.
        """
        attrs = site.instruction.attrs
        event = AccessEvent(
            kind,
            site,
            lanes,
            allocation,
            offsets,
            lane_rows,
            access.width,
            values,
            old,
            taint,
            attrs.get("ordering") or ("monotonic" if operation or access.atomic else None),
            scope or scope_of(attrs.get("scope", "")),
            operation,
            "volatile" in site.instruction.flags,
            turns,
        )
        self.on_access(event)
        self._check_time()

    def emit_taint(
        self, use: str, site: Site, lanes: LaneSet, taint: Taint, allocation: Allocation | None = None
    ) -> None:
        """Report to observers that an undefined value is used, if there is taint."""
        if taint is not None and taint.any():
            self.on_tainted(TaintEvent(use, site, lanes, taint, allocation))
