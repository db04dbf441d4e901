"""What a profile says of one place of the source; `traffic` counts it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Row", "sum_rows"]


@dataclass(slots=True)
class Row:
    """What one place of the source did, all warps together.

    Attributes:
        file: As the compiler names it.
        line: From 1; 0 where the place is not known.
        column: The same.
        what: `global load`, `global store`, `global atomic`, the same with `shared`; `branch` or `arithmetic`.
        requests: Instructions of warps.
        lanes: How often a lane was in one.
        bytes: That these lanes asked for.
        sectors: Of 32 bytes that global memory moved.
        least_sectors: Those that the same bytes of each request would take side by side.
        lines: Of 128 bytes in which the sectors lie.
        passes: Over shared memory.
        least_passes: Those without conflicts.
        divergent: Of branches: the requests in which lanes of a warp part.
        operations: On floating-point numbers, each lane's own; one that multiplies and adds is two.
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
        """Passes that no bank would need if its words were spread."""
        return self.passes - self.least_passes

    @property
    def place(self) -> tuple[str, int, int, str]:
        """What rows of one launch differ by."""
        return self.file, self.line, self.column, self.what

    def add(self, other: Row) -> None:
        """Counts what another one counted."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTED = tuple(name for name in Row.__slots__ if name not in ("file", "line", "column", "what"))


def sum_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """One row for each place, in the order of the source."""
    places: dict[tuple[str, int, int, str], Row] = {}
    for row in rows:
        places.setdefault(row.place, Row(*row.place)).add(row)
    return tuple(places[place] for place in sorted(places))
