"""What the kernels of a case take: tensors and scalars, by name."""

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
        role: `input` is read only; `output` is asserted whole; `partial` too, where what the oracle masks must stay
            as it was; `inout` is an output that holds data before; `scratch` is written by the kernel and asserted
            where the oracle names it.
        shape: Row-major, in elements.
        dtype: The element type.
        alignment: What the kernel's vector loads need of its address, in bytes; 1 if nothing.
        form: As what the kernel takes it: a `TileTensor`, a `LayoutTensor` or an `UnsafePointer`; a function of an
            op takes an `InputTensor` or an `OutputTensor`.
        mutable: Whether an input's type says that the kernel may write it, as some of the documents' do.
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
    def given(self) -> bool:
        """Whether a data set says what it holds at first."""
        return self.role in ("input", "inout")

    @property
    def written(self) -> bool:
        """Whether a kernel is to write it."""
        return self.role != "input"

    @property
    def writable(self) -> bool:
        """Whether its type lets a kernel write it."""
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
