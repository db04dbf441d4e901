"""Type aliases of handlers of intrinsics and of what they take and return; `compile.registry` describes the kinds."""

from collections.abc import Callable
from typing import Any, TypeAlias

from harness.simt.arrays import Array, Taint
from harness.simt.compile.graph import Op
from harness.simt.run.interpreter import Call

__all__ = ["Call", "Pure", "Result", "Stateful", "Typed"]

# (value, taint): a tuple of values for a struct, with one taint for all or one for each.
Result: TypeAlias = tuple[Array | tuple[Array, ...] | None, Taint | tuple[Taint, ...]]
# Returns None for an intrinsic that returns nothing.
Stateful: TypeAlias = Callable[[Call], Result | None]
# A function of arrays without side effects.
Pure: TypeAlias = Callable[..., Any]
Typed: TypeAlias = Callable[[Op], Pure]
