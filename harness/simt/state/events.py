"""Events of accesses, of uses of undefined values, and of array indices; `harness.simt.events` has the others."""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import LaneSet

__all__ = ["AccessEvent", "IndexEvent", "TaintEvent"]


@dataclass(slots=True, eq=False, repr=False)
class AccessEvent:
    """Lanes load, store or atomically update one allocation.

    Attributes:
        kind: `load`, `store` or `atomic`.
        site: The instruction.
        lanes: The lanes; `lanes.get("lane_id")` are their numbers in the grid.
        allocation: The allocation; see its `space`, `name`, `argument`, `size` in bytes.
        offsets: The first byte of each access in the allocation's row, (n,) or
            (1,) when all lanes agree.
        rows: The row of each lane: the block's number in the chunk for shared
            memory, the lane's for private, 0 otherwise; (n,) or (1,).
        size: Bytes of each access.
        values: The values loaded or stored, (n,), (1,) or with a vector's elements
            along axis 1; for an atomic the operand.
        old: For an atomic the values before, else None.
        taint: None, or for each lane the origin of an undefined value, 0 if none.
        ordering: `monotonic`, `acquire`...; None for a plain access.
        scope: Of an atomic: `thread`, `warp`, `block`, `cluster`, `device` or `system`.
        operation: `add`, `xchg`, `cmpxchg`... for an atomic, else None.
        volatile: Whether the access is volatile.
        turns: Of an atomic: how many of the lanes came before each at its location; None if no two share one.
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
        """How many elements each access has: those of a vector, or one."""
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
            `engine.observation.origin_of(number)` returns (kind, source, site or None).
        allocation: The allocation that an `output` is stored to, else None.
    """

    use: str
    site: Site
    lanes: LaneSet
    taint: Integers
    allocation: Allocation | None = None


@dataclass(frozen=True, slots=True)
class IndexEvent:
    """Lanes index an array; only debug builds decoded with `variables` have this event.

    Attributes:
        shape: Of the array; None for a length known only at run time.
        values: For each index its value in each lane, (n,) or (1,).
    """

    shape: tuple[int | None, ...]
    site: Site
    lanes: LaneSet
    values: tuple[Array, ...]
