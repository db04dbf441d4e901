"""An index into an array, as observers are told of it."""

from dataclasses import dataclass

from harness.simt.arrays import Array
from harness.simt.ir.site import Site
from harness.simt.state.lanes import LaneSet

__all__ = ["IndexEvent"]


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
