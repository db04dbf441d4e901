"""What memory and lanes need of whoever watches a launch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.findings import Collector
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.origins import Origins

__all__ = ["Reports"]


class Reports:
    """Whom memory tells of accesses and of what is wrong with them.

    Attributes:
        tracked: Whether undefined values are followed.
        on_access: Those that listen to accesses; nobody is told while it is empty.
        collector: The findings.
    """

    tracked: bool
    on_access: Collection[object]

    def __init__(self, kernel: str, origins: Origins) -> None:
        self.collector, self._origins = Collector(kernel), origins

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
    ) -> None:
        """Tells of a load or a store."""
        raise NotImplementedError

    def emit_taint(
        self, use: str, site: Site, lanes: LaneSet, taint: Taint, allocation: Allocation | None = None
    ) -> None:
        """Tells that an undefined value is used."""
        raise NotImplementedError
