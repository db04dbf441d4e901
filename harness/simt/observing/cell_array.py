"""`CellArray`, an allocation as typed cells; derive the type from an access, and convert accessed values to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans
from harness.simt.events import AccessEvent
from harness.simt.ir.values import bfloat_bits, bfloat_value
from harness.simt.state.allocation import Allocation, Octets

__all__ = ["CellArray", "convert_to_cells", "element_type"]


@dataclass(slots=True, eq=False)
class CellArray:
    """An allocation shown as an array of cells.

    Attributes:
        number: Its number among the buffers.
        allocation: The allocation.
        dtype: Of a cell; float16 for a bfloat, which NumPy does not have.
        is_declared: Whether the dtype was given, so that no access changes it.
        is_bfloat: Whether the cells are bfloats.
        first: The bytes of global memory when the launch began.
        unwritten: Which of these bytes nobody had written, or None.
    """

    number: int
    allocation: Allocation
    dtype: np.dtype[Any]
    is_declared: bool = False
    is_bfloat: bool = False
    first: Octets | None = None
    unwritten: Booleans | None = None

    def read(self, octets: Octets) -> Array:
        """Return the values of cells, (cells,), from their bytes in the order of memory; of bfloats as float32."""
        raw = np.ascontiguousarray(octets).view(self.dtype).reshape(-1)
        return bfloat_value(raw.view(np.uint16)) if self.is_bfloat else raw

    @property
    def count(self) -> int:
        """Cells of one row of the allocation."""
        return self.allocation.size // self.dtype.itemsize


def element_type(event: AccessEvent) -> np.dtype[Any]:
    """Return the dtype for the cells of a buffer, as wide as an element of an access to it.

    It is a float if the elements are floats of 2, 4 or 8 bytes (float16 for bfloats, too), else a signed integer of 1,
    2, 4 or 8 bytes. For any other size it is uint8.
    """
    size, kind = event.size // event.elements, event.values.dtype.kind
    if kind == "f" and size in (4, 8):
        return np.dtype(f"f{size}")
    if kind == "f" and size == 2:
        return np.dtype(np.float16)
    return np.dtype(f"i{size}") if size in (1, 2, 4, 8) else np.dtype(np.uint8)


def convert_to_cells(values: Array, buffer: CellArray) -> Array:
    """Return accessed values, each as wide as a cell, in the type of the buffer's cells; Python objects stay.

    Integers become unsigned if the cells are. Between integers and floats the bits stay, not the value: programs move
    floats as integers. Bfloats are float32.
    """
    dtype = buffer.dtype
    if values.dtype == object:
        return values
    if dtype.kind != "f":
        if values.dtype.kind == "f":
            values = _bits_of(values, dtype.itemsize)
        return values.astype(dtype)
    if values.dtype.kind == "f":
        return values if buffer.is_bfloat else values.astype(dtype)
    return buffer.read(values.astype(f"i{dtype.itemsize}").view(np.uint8))


def _bits_of(floats: Array, size: int) -> Array:
    """Return the bits of floats as unsigned integers of a size in bytes; float32 in 2 bytes are bfloats."""
    raw = np.ascontiguousarray(floats)
    return raw.view(f"u{size}") if raw.itemsize == size else bfloat_bits(raw)
