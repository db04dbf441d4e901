"""The types of what handlers give; `compile.registry` says which kinds there are."""

from collections.abc import Callable
from typing import Any, TypeAlias

from harness.simt.arrays import Array, Taint
from harness.simt.compile.graph import Op
from harness.simt.run.interpreter import Call

__all__ = ["Call", "Pure", "Result", "Stateful", "Typed"]

# The value, or those of a struct, and one taint for all of them, or each its own.
Result: TypeAlias = tuple[Array | tuple[Array, ...] | None, Taint | tuple[Taint, ...]]
# Of what gives no value: None.
Stateful: TypeAlias = Callable[[Call], Result | None]
# A function of values alone.
Pure: TypeAlias = Callable[..., Any]
Typed: TypeAlias = Callable[[Op], Pure]
