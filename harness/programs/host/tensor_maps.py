"""Tensor maps, which a program makes of a buffer and hands to kernels by their 128 bytes."""

from __future__ import annotations

import ctypes
from typing import Any

from harness.programs.host.abi import Address, HostError, Int32, entry
from harness.programs.host.objects import Buffer
from harness.programs.host.runtime import Runtime
from harness.simt.errors import ArgumentError
from harness.simt.state.tensor_map import BYTES, Box

# By CUtensorMapDataType: bytes of an element.
_ELEMENTS = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
_SWIZZLES = (0, 32, 64, 128)  # by CUtensorMapSwizzle


@entry("cuda_tensorMapEncodeTiled")
def encode_tiled(
    runtime: Runtime,
    result: Address,
    kind: Int32,
    rank: Int32,
    buffer: Buffer,
    sizes: Address,
    strides: Address,
    box: Address,
    steps: Address,
    interleave: Int32,
    swizzle: Int32,
    promotion: Int32,
    fill: Int32,
) -> None:
    if not 1 <= rank <= 5:
        raise HostError(f"a tensor map has 1 to 5 dimensions, not {rank}")
    if not 0 <= kind < len(_ELEMENTS) or not 0 <= swizzle < len(_SWIZZLES):
        raise HostError(f"a tensor map of element type {kind} and swizzle {swizzle} is not known to the simulator")
    if interleave or fill:
        raise HostError("a tensor map that interleaves, or fills with NaN, is not known to the simulator")
    element = _ELEMENTS[kind]
    made = Box(
        buffer.address,
        element,
        _SWIZZLES[swizzle],
        _values(ctypes.c_uint64, sizes, rank),
        (element, *_values(ctypes.c_uint64, strides, rank - 1)),
        _values(ctypes.c_uint32, box, rank),
        _values(ctypes.c_uint32, steps, rank),
    )
    try:
        made.check()
    except ArgumentError as error:
        raise HostError(str(error)) from error
    ctypes.memmove(result, made.encode(), BYTES)


def _values(kind: Any, address: int, count: int) -> tuple[int, ...]:
    return tuple((kind * count).from_address(address)) if count else ()
