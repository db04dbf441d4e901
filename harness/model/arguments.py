"""Records of kernel arguments: tensors (shape, element type, alignment, role, form in Mojo), and scalars."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

__all__ = ["Form", "Role", "ScalarArgument", "TensorArgument"]

Role = Literal["input", "output", "partial", "inout", "scratch"]
Form = Literal["tile", "layout", "pointer", "op"]


@dataclass(frozen=True, slots=True)
class TensorArgument:
    """A tensor argument of a kernel.

    Attributes:
        name: The argument's name in the kernel.
        role: `input` is read only; `output` is checked completely; `partial` too, but elements that the oracle masks
            must stay unchanged; `inout` is an output with initial data; `scratch` is written by the kernel and checked
            only if the oracle names it.
        shape: Row-major, in elements.
        dtype: The element type.
        alignment: The alignment in bytes that the kernel's vector loads need; 1 if none.
        form: The type that the kernel takes: `tile` a `TileTensor`, `layout` a `LayoutTensor`, `pointer` an
            `UnsafePointer`, `op` an `InputTensor` or `OutputTensor` of an op's function.
        mutable: Whether an input's type lets the kernel write it, as in some of the documents.
    """

    name: str
    role: Role
    shape: tuple[int, ...]
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.float32))
    alignment: int = 1
    form: Form = "tile"
    mutable: bool = False

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise ValueError(f"tensor {self.name!r} is {' or '.join(get_args(Role))}, but got {self.role!r}")
        if self.form not in get_args(Form):
            raise ValueError(f"tensor {self.name!r} comes as {' or '.join(get_args(Form))}, but got {self.form!r}")
        if not self.shape or not all(isinstance(extent, int) and extent >= 1 for extent in self.shape):
            raise ValueError(f"tensor {self.name!r} needs a shape of positive extents, but got {self.shape}")

    @property
    def has_data(self) -> bool:
        """True if a data set gives its initial content."""
        return self.role in ("input", "inout")

    @property
    def written(self) -> bool:
        """True if the kernel writes it."""
        return self.role != "input"

    @property
    def writable(self) -> bool:
        """True if its type lets a kernel write it."""
        return self.written or self.mutable

    @property
    def elements(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def indexed_shape(self) -> tuple[int, ...]:
        """The shape as the kernel indexes it: a pointer has one index, whatever the shape."""
        return (self.elements,) if self.form == "pointer" else self.shape


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A scalar argument of a kernel."""

    name: str
    value: int | float
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.int32))
