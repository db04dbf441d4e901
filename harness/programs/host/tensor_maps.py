"""`AsyncRT_` calls that encode a buffer as a tensor map of 128 bytes, tiled or im2col; some modes are refused."""

from __future__ import annotations

import ctypes
from typing import Any

from harness.programs.host.abi import Address, HostError, Int32, entry
from harness.programs.host.objects import DeviceBuffer
from harness.programs.host.runtime import Runtime
from harness.simt.errors import ArgumentError
from harness.simt.state.tensor_map import BYTES, ELEMENTS, Box

_SWIZZLES = (0, 32, 64, 128)  # by CUtensorMapSwizzle


@entry("cuda_tensorMapEncodeTiled")
def encode_tiled(
    runtime: Runtime,
    result: Address,
    kind: Int32,
    rank: Int32,
    buffer: DeviceBuffer,
    sizes: Address,
    strides: Address,
    box: Address,
    steps: Address,
    interleave: Int32,
    swizzle: Int32,
    promotion: Int32,
    fill: Int32,
) -> None:
    boxed = _values(ctypes.c_uint32, box, rank)
    _encode(result, kind, rank, buffer, sizes, strides, boxed, steps, (interleave, swizzle, fill))


@entry("cuda_tensorMapEncodeIm2col")
def encode_im2col(
    runtime: Runtime,
    result: Address,
    kind: Int32,
    rank: Int32,
    buffer: DeviceBuffer,
    sizes: Address,
    strides: Address,
    lower: Address,
    upper: Address,
    channels: Int32,
    pixels: Int32,
    steps: Address,
    interleave: Int32,
    swizzle: Int32,
    promotion: Int32,
    fill: Int32,
) -> None:
    corners = _values(ctypes.c_int32, lower, rank - 2), _values(ctypes.c_int32, upper, rank - 2)
    box, modes = (channels, pixels), (interleave, swizzle, fill)
    _encode(result, kind, rank, buffer, sizes, strides, box, steps, modes, corners)


def _encode(
    result: int,
    kind: int,
    rank: int,
    buffer: DeviceBuffer,
    sizes: int,
    strides: int,
    box: tuple[int, ...],
    steps: int,
    modes: tuple[int, int, int],
    corners: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
) -> None:
    """Write a tensor map's bytes to the address `result`.

    Args:
        kind: The number of its element type.
        sizes, strides, steps: Addresses of an array each; the strides are one fewer than the dimensions (`rank`).
        modes: How it interleaves, swizzles and fills.
        corners: The lower and the upper corner of the box in im2col mode; None for a tiled map.

    Raises:
        HostError: The simulator does not know the element type or a mode, or the map is not valid.
    """
    interleave, swizzle, fill = modes
    if not 0 <= kind < len(ELEMENTS) or not 0 <= swizzle < len(_SWIZZLES):
        raise HostError(f"a tensor map of element type {kind} and swizzle {swizzle} is not known to the simulator")
    if interleave or fill:
        raise HostError("a tensor map that interleaves, or fills with NaN, is not known to the simulator")
    tensor_box = Box(
        buffer.address,
        kind,
        _SWIZZLES[swizzle],
        _values(ctypes.c_uint64, sizes, rank),
        (ELEMENTS[kind], *_values(ctypes.c_uint64, strides, rank - 1)),
        box,
        _values(ctypes.c_uint32, steps, rank),
        corners,
    )
    try:
        tensor_box.check()
    except ArgumentError as error:
        raise HostError(str(error)) from error
    ctypes.memmove(result, tensor_box.encode(), BYTES)


def _values(kind: Any, address: int, count: int) -> tuple[int, ...]:
    """Read `count` numbers of the C type `kind` from an address; HostError if `count` is not 0 to 5."""
    if not 0 <= count <= 5:
        raise HostError("a tensor map has 1 to 5 dimensions, and in im2col mode 3 to 5")
    return tuple((kind * count).from_address(address)) if count else ()
