"""`BlockShape`, for batched code: number of lanes, geometry values as constants, slot values passed as parameters.

It also notes which shared variables are in the function's stack, and whether lanes must run one after another.
"""

from collections.abc import Callable, Iterator, Set

import numpy as np

from harness.simt.arrays import Array
from harness.simt.native.analysis.provenance import Provenance

__all__ = ["BlockShape"]

NARROW = 8  # lanes along x that are worth a loop of their own


class BlockShape:
    """The lanes of a block, and what they find alike.

    Args:
        block: How many there are along each axis.
        read: What an intrinsic tells the lanes of a block, by its name.

    Attributes:
        lanes: How many there are.
        along: How many of them a loop has, one after another; `%x` is a lane's number among these.
        stored: As of `Body`: through other places code only reads.
        shares: Whether the lane in hand touches memory where others may be.
        variables: The shared variables that lie in the function's own memory, with their bytes.
        slot_values: What a block finds in slots, by the name of the value: (type, slot, level). Level is empty for a
            value in the slot, `block` for the address of an array of one for each block, and `launch` for that of one.
    """

    def __init__(self, block: tuple[int, int, int], read: Callable[[str], Array]) -> None:
        self._read, self.lanes = read, int(np.prod(block))
        self.along = block[0] if block[0] >= NARROW else self.lanes
        self.stored: Set[Provenance | None] = set()
        self.shares = False
        self.variables: dict[int, int] = {}
        self.slot_values: dict[str, tuple[str, int, str]] = {}

    def reads(self, place: Provenance | None) -> bool:
        """Return True if code only reads what an address of some provenance leads to."""
        return place is not None and self.stored.isdisjoint((None, place))

    def place(self, slot: int) -> tuple[str, ...]:
        """Return the names of the data pointer, the first address and the size of memory that is only read.

        Adds the names to `slot_values`: their values lie in the three slots from `slot` on.
        """
        names = tuple(f"%{what}{slot}" for what in ("data", "base", "size"))
        for number, name in enumerate(names):
            self.slot_values[name] = "i64" if number else "ptr", slot + number, ""
        return names

    def geometry_value(self, name: str, scope: str, slot: int, ty: str) -> str:
        """Return the value of a geometry intrinsic that a lane need not load from its slots; empty if it must.

        For scope `lane` the value is an i64: a constant, `%x` or `%lane`. It is empty if none of these fits, or if `ty`
        is not i16 or i32. For scopes `block` and `launch` it is a name of type `ty`, added to `slot_values`; empty if
        `ty` is i1.

        Args:
            name: The intrinsic.
            scope: See `geometry_scope`.
            slot: The first of the intrinsic's slots.
        """
        if scope in ("block", "launch") and ty != "i1":
            self.slot_values[f"%told{slot}"] = ty, slot, scope
            return f"%told{slot}"
        return self._lane(name) if scope == "lane" and ty in ("i16", "i32") else ""

    def _lane(self, name: str) -> str:
        values, lanes = self._read(name), np.arange(self.lanes)
        if (values == values[0]).all():
            return str(int(values[0]))
        candidates = {"%x": lanes % self.along, "%lane": lanes}
        return next((what for what, those in candidates.items() if np.array_equal(values, those)), "")

    def arguments(self) -> Iterator[str]:
        """Yield the parameters, as `TYPE %NAME`, by which a lane gets shared variables and the values of slots."""
        yield from (f"ptr %variable{number}" for number in self.variables)
        yield from (f"{ty} {name}" for name, (ty, _, _) in self.slot_values.items())
