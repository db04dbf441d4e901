"""What memory and lanes need of whoever watches a launch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import LaneSet

__all__ = ["Reports"]


class Reports(Protocol):
    """Whom memory tells of accesses and of what is wrong with them.

    Attributes:
        tracked: Whether undefined values are followed.
    """

    tracked: bool

    @property
    def on_access(self) -> Collection[object]:
        """Those that listen to accesses; nobody is told while it is empty."""
        ...

    def report(
        self, name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Array, **details: Any
    ) -> None:
        """Adds a finding."""
        ...

    def origin(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """The number of an origin of undefined values."""
        ...

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
        rows: Integers | None = None,
    ) -> None:
        """Tells of a load or a store."""
        ...

    def emit_taint(
        self, use: str, site: Site, lanes: LaneSet, taint: Taint, allocation: Allocation | None = None
    ) -> None:
        """Tells that an undefined value is used."""
        ...
