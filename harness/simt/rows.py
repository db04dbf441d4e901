"""`Row`: a profile's counts of requests, sectors, bank conflicts and operations for a source location; sum rows.

`harness.simt.traffic` defines the counts of memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Row", "sum_rows"]


@dataclass(slots=True)
class Row:
    """Counts for one source location, all warps together.

    Attributes:
        file: As the compiler names it.
        line: From 1; 0 if the location is not known.
        column: From 1; 0 if the location is not known.
        what: `global load`, `global store`, `global atomic`, the same with `shared`; `branch` or `arithmetic`.
        requests: Instructions of warps.
        lanes: How many lanes executed them, all together.
        bytes: Bytes that these lanes requested.
        sectors: Sectors of 32 bytes that global memory moved.
        least_sectors: Sectors that the same bytes would take if each request's were contiguous.
        lines: Lines of 128 bytes that the sectors lie in.
        passes: Passes over shared memory.
        least_passes: Passes if there were no bank conflicts.
        divergent: For branches: the requests in which lanes of a warp diverge.
        operations: Floating-point operations of all lanes; a multiply-add counts as two.
    """

    file: str
    line: int
    column: int
    what: str
    requests: int = 0
    lanes: int = 0
    bytes: int = 0
    sectors: int = 0
    least_sectors: int = 0
    lines: int = 0
    passes: int = 0
    least_passes: int = 0
    divergent: int = 0
    operations: int = 0

    @property
    def conflicts(self) -> int:
        """Passes caused by bank conflicts."""
        return self.passes - self.least_passes

    @property
    def place(self) -> tuple[str, int, int, str]:
        """The key that distinguishes rows of one launch: (file, line, column, what)."""
        return self.file, self.line, self.column, self.what

    def add(self, other: Row) -> None:
        """Add the counts of another row."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTED = tuple(name for name in Row.__slots__ if name not in ("file", "line", "column", "what"))


def sum_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return one row for each location and kind of work, sorted by file, line, column and kind; the given rows stay."""
    by_place: dict[tuple[str, int, int, str], Row] = {}
    for row in rows:
        by_place.setdefault(row.place, Row(*row.place)).add(row)
    return tuple(by_place[place] for place in sorted(by_place))
