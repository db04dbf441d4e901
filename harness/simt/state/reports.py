"""What memory and lanes need of whoever watches a launch."""

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

Told = TypeVar("Told")
Origin = tuple[str, str, Site | None]


class Origins:
    """Numbers for origins, the same one for the same origin.

    An origin is a term of the messages' `origin`, what that term names (an argument, a variable, an operation), and the
    site of the program, if there is one.
    """

    def __init__(self) -> None:
        self._origins: list[Origin] = [("", "", None)]
        self._numbers: dict[Origin, int] = {}

    def number(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """The number of an origin."""
        key: Origin = kind, source, site
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._origins)
            self._origins.append(key)
        return number

    def of(self, number: int) -> Origin:
        """The origin of a number."""
        return self._origins[number]


class Hooks(list[Callable[[Told], None]], Generic[Told]):
    """One hook of those observers that override it; whoever tells asks first whether there are any."""

    __slots__ = ()

    def __call__(self, told: Told) -> None:
        """Tells all of them."""
        for hook in self:
            hook(told)


class Reports:
    """Whom memory tells of accesses and of what is wrong with them.

    Attributes:
        tracked: Whether undefined values are followed.
        on_access, on_tainted: Those that listen.
        collector: The findings.

    Args:
        check_time: Ends the launch when its time is over: what is told may take long.
    """

    tracked: bool
    on_access: Hooks[AccessEvent]
    on_tainted: Hooks[TaintEvent]

    def __init__(self, kernel: str, origins: Origins, check_time: Callable[[], None]) -> None:
        self.collector, self._origins, self._check_time = Collector(kernel), origins, check_time

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Adds a finding of the lanes at some positions; see `Collector.add`."""
        details.setdefault("count", len(positions))
        self.collector.add(name, severity, sites, lanes.who(positions), **details)

    def origin(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """The number of an origin of undefined values.

        Args:
            kind: A term of the messages' `origin`.
            source: What that term names: an argument, a variable, an operation.
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
        rows: Integers,
        old: Array | None = None,
        operation: str | None = None,
        scope: str | None = None,
        turns: Integers | None = None,
    ) -> None:
        """Tells of a load, a store or an atomic; its scope is the instruction's `syncscope` unless told."""
        attrs = site.instruction.attrs
        event = AccessEvent(
            kind,
            site,
            lanes,
            allocation,
            offsets,
            rows,
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
        """Tells that an undefined value is used."""
        if taint is not None and taint.any():
            self.on_tainted(TaintEvent(use, site, lanes, taint, allocation))
