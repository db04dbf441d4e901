"""The types of what handlers take and give; `compile.registry` says which kinds there are."""

from collections.abc import Callable
from typing import Any, TypeAlias

from harness.simt.arrays import Array, Taint
from harness.simt.compile.graph import Op
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__ = ["Given", "Marks", "Pure", "Result", "Stateful", "Typed"]

# The values of the arguments, leaf by leaf.
Given: TypeAlias = tuple[Array, ...]
# Their taints, each taken as a whole; None unless they are followed.
Marks: TypeAlias = tuple[Taint, ...] | None
# The value, or those of a struct, and one taint for all of them.
Result: TypeAlias = tuple[Array | tuple[Array, ...] | None, Taint]
Stateful: TypeAlias = Callable[[Engine, LaneSet, Site, Given, Marks], Result]
# A function of values alone.
Pure: TypeAlias = Callable[..., Any]
Typed: TypeAlias = Callable[[Op], Pure]
