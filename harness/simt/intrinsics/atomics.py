"""Handlers that vendors' atomics share, `Update` and `CompareExchange`; `run.atomics` executes them.

The vendors' files declare which of their names has which effect.
"""

from dataclasses import dataclass

from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.state.allocation import Access

__all__ = ["CompareExchange", "Update"]


@dataclass(frozen=True)
class _Atomic(Effect):
    """An atomic operation on the memory that the first argument points to.

    Attributes:
        scope: The widest scope, `block`, `system`...; None for that of the instruction.
    """

    scope: str | None = None

    accesses = (MemoryAccess(0, "atomic"),)


@dataclass(frozen=True, kw_only=True)
class Update(_Atomic):
    """Combine the second argument with the value in memory, and return the old value.

    Attributes:
        operation: The operation of LLVM's `atomicrmw` for integers.
        floating: The one for floats.
    """

    operation: str
    floating: str

    def __call__(self, call: Call) -> Result:
        pointer, value = call.values[:2]
        operation = self.floating if value.dtype.kind == "f" else self.operation
        access, marks = Access(call.site.instruction.type), (call.taint(0), call.taint(1))
        return call.engine.atomics.update(call.lanes, operation, pointer, value, access, call.site, marks, self.scope)


@dataclass(frozen=True)
class CompareExchange(_Atomic):
    """Store the third argument if memory holds the second one, and return the old value."""

    def __call__(self, call: Call) -> Result:
        access, marks = Access(call.site.instruction.type), (call.taint(0), call.taint(1, 2))
        pointer, expected, new = call.values
        exchange = call.engine.atomics.exchange
        old, _, taint = exchange(call.lanes, pointer, expected, new, access, call.site, marks, self.scope)
        return old, taint
