"""What a launch finds in memory, kept while Python runs it: where it takes longer than it looked it begins anew."""

from __future__ import annotations

from harness.simt.arrays import Array, Taint
from harness.simt.compile.program import Program
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Allocation

__all__ = ["PATIENCE", "Begun"]

PATIENCE = 0.1  # seconds
MOST = 1 << 22  # bytes: keeping more takes longer than many launches do


class Begun:
    """The memory that outlives a launch, as it was."""

    def __init__(self, kept: list[tuple[Allocation, Array, Taint]]) -> None:
        self._kept = kept

    @classmethod
    def of(cls, engine: Engine) -> Begun | None:
        """Of a launch that may begin anew; None where that takes too much, or where it allocates memory."""
        memory = engine.memory
        lasting = [one for one in memory.allocations if one.argument is not None and one.rows == "grid"]
        lasting += [one for one in memory.device.values() if not one.freed]
        written = [one for one in lasting if one.writable]
        if sum(one.size for one in written) > MOST or _allocates(engine.program):
            return None
        return cls([(one, one.data.copy(), None if one.shadow is None else one.shadow.copy()) for one in written])

    def restore(self) -> None:
        """Memory is as it was."""
        for allocation, data, shadow in self._kept:
            allocation.data[:] = data
            allocation.shadow = shadow


def _allocates(program: Program) -> bool:
    calls = (op for segment in program.segments for op in segment.ops if op.opcode == "call" and "callee" in op.attrs)
    return any(op.callee in ("@malloc", "@free") for op in calls)
