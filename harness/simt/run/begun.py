"""What a launch finds in memory, kept while Python runs it: where it takes longer than it looked it begins anew."""

from __future__ import annotations

from harness.simt.arrays import Array, Taint
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Allocation

__all__ = ["PATIENCE", "Begun"]

PATIENCE = 0.1  # seconds
ALLOCATING = ("malloc", "free")
MOST = 1 << 22  # bytes: keeping more takes longer than many launches do


class Begun:
    """The memory that outlives a launch, as it was.

    Attributes:
        patience: Seconds after which the launch is to begin anew; below 0 before it touches memory.
    """

    def __init__(self, kept: list[tuple[Allocation, Array, Taint]], patience: float) -> None:
        self._kept, self.patience = kept, patience

    @classmethod
    def of(cls, engine: Engine) -> Begun | None:
        """Of a launch that may begin anew; None where it may not: it allocates memory, or would have to keep much.

        Unless it loops: then it is machine code's at once.
        """
        if any(one.name in ALLOCATING for one in engine.program.called):
            return None
        own, device = engine.memory.allocations, engine.memory.device
        lasting = [one for one in own if one.argument is not None and one.rows == "grid"]
        lasting += device.values()  # a launch may come to those of which it is given no address as a whole
        written = [one for one in lasting if one.writable and not one.freed]
        if sum(one.size for one in written) > MOST:
            return cls([], -1.0) if any(one.loop is not None for one in engine.program.segments) else None
        kept = [(one, one.data.copy(), one.kept()) for one in written]
        return cls(kept, PATIENCE)

    def restore(self) -> None:
        """Memory is as it was."""
        for allocation, data, shadow in self._kept:
            allocation.data[:] = data
            allocation.shadow = shadow
