"""What the kernels of a case take: tensors and scalars, by name."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

__all__ = ["Role", "ScalarArgument", "TensorArgument"]

Role = Literal["input", "output", "scratch"]


@dataclass(frozen=True, slots=True)
class TensorArgument:
    """A tensor argument of a kernel.

    Attributes:
        name: The argument's name in the kernel.
        role: `input` is read only, `output` is asserted whole, `scratch` is
            written by the kernel and asserted where the oracle names it.
        shape: Row-major, in elements.
        dtype: The element type.
        alignment: What the kernel's vector loads need of its address, in bytes; 1 if nothing.
    """

    name: str
    role: Role
    shape: tuple[int, ...]
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.float32))
    alignment: int = 1

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise ValueError(f"tensor {self.name!r} is {' or '.join(get_args(Role))}, but got {self.role!r}")
        if not self.shape or not all(isinstance(extent, int) and extent >= 1 for extent in self.shape):
            raise ValueError(f"tensor {self.name!r} needs a shape of positive extents, but got {self.shape}")

    @property
    def elements(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A scalar argument of a kernel."""

    name: str
    value: int | float
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.int32))
