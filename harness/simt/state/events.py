"""What observers are told of memory, as values; `harness.simt.events` has the others, and what all of them promise."""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import LaneSet

__all__ = ["AccessEvent", "IndexEvent", "TaintEvent"]


@dataclass(slots=True, eq=False, repr=False)
class AccessEvent:
    """Lanes load, store or update one allocation.

    Attributes:
        kind: `load`, `store` or `atomic`.
        site: The instruction.
        lanes: Who; `lanes.get("lane_id")` are their numbers in the grid.
        allocation: What; its `space`, `name`, `argument`, `size` in bytes.
        offsets: The first byte of each access in the allocation's row, (n,) or
            (1,) when all lanes agree.
        rows: The row of each lane: the block's number in the chunk for shared
            memory, the lane's for private, 0 otherwise; (n,) or (1,).
        size: Bytes of each access.
        values: What is loaded or stored, (n,), (1,) or with a vector's elements
            along axis 1; for an atomic the operand.
        old: For an atomic what was there before, else None.
        taint: None, or for each lane the origin of an undefined value, 0 if none.
        ordering: `monotonic`, `acquire`...; None for a plain access.
        scope: Of an atomic: `thread`, `warp`, `block`, `cluster`, `device` or `system`.
        operation: `add`, `xchg`, `cmpxchg`... for an atomic, else None.
        volatile: Whether the access is volatile.
        turns: Of an atomic: how many of the lanes came before each at its place; None where nowhere two meet.
    """

    kind: str
    site: Site
    lanes: LaneSet
    allocation: Allocation
    offsets: Integers
    rows: Integers
    size: int
    values: Array
    old: Array | None = None
    taint: Taint = None
    ordering: str | None = None
    scope: str = "system"
    operation: str | None = None
    volatile: bool = False
    turns: Integers | None = None

    @property
    def elements(self) -> int:
        """How many each access has: those of a vector, or one."""
        return self.values.shape[1] if self.values.ndim > 1 else 1

    @property
    def starts(self) -> Integers:
        """The first byte of each lane's access, counted through all rows of the allocation, (n,)."""
        starts = self.allocation.starts(self.offsets, self.rows)
        return starts if len(starts) == self.lanes.n else np.repeat(starts, self.lanes.n)


@dataclass(slots=True, eq=False, repr=False)
class TaintEvent:
    """An undefined value is used.

    Attributes:
        use: `branch`, `address`, `output` (stored to global memory), `shuffle`,
            `atomic` or `division`.
        taint: For each lane the number of the origin, 0 if clean, (n,) or (1,);
            `engine.observation.origin_of(number)` tells (kind, source, site or None).
        allocation: Where an `output` goes, else None.
    """

    use: str
    site: Site
    lanes: LaneSet
    taint: Integers
    allocation: Allocation | None = None


@dataclass(frozen=True, slots=True)
class IndexEvent:
    """Lanes index an array of some shape; only debug builds decoded with `variables` tell.

    Attributes:
        shape: Of the array, None for a length known at run time alone.
        values: For each index its value in each lane, (n,) or (1,).
    """

    shape: tuple[int | None, ...]
    site: Site
    lanes: LaneSet
    values: tuple[Array, ...]
