"""`IrValue`, a type and a name in LLVM text, and constants: integers, splats, vectors, zero."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from harness.simt.ir.types import Type
from harness.simt.native.emit.ir_types import every, text

__all__ = ["FALSE", "TRUE", "IrValue", "constant", "ir_value", "splat", "vector", "zero"]


class IrValue(NamedTuple):
    """A value of a function.

    Attributes:
        type: As LLVM IR has it.
        name: `%name`, or a constant.
    """

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"

    @property
    def fixed(self) -> int | None:
        """The number that an integer constant is; None for all other values."""
        return int(self.name) if self.name.lstrip("-").isdigit() else None


# Takes half the time of a call of the class.
ir_value: Callable[[tuple[str, str]], IrValue] = partial(tuple.__new__, IrValue)
FALSE, TRUE = IrValue("i1", "false"), IrValue("i1", "true")


def constant(type: str, value: int) -> IrValue:
    """Return an integer; of an i1 also `false` and `true`."""
    return IrValue(type, str(bool(value)).lower() if type == "i1" else str(value))


def splat(ty: Type, value: int | str) -> IrValue:
    """Return a constant of a type; each element of a vector has the same value."""
    return IrValue(text(ty), every(ty, value))


def vector(elements: Sequence[IrValue]) -> IrValue:
    """Return a vector of constants of one type."""
    return IrValue(f"<{len(elements)} x {elements[0].type}>", f"<{', '.join(map(str, elements))}>")


def zero(type: str) -> IrValue:
    """Return the constant of a type whose bits are all 0."""
    return IrValue(type, "zeroinitializer")
