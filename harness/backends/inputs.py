"""Match a caller's inputs to names, convert host data to arrays that a kernel takes, check tensors on a device."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.errors import UsageError, unknown_name
from harness.model.case import TensorArgument

__all__ = ["check_device_tensor", "convert_input", "find_device", "name_inputs"]

# `DLDeviceType` of the DLPack standard: memory that the host reads.
_HOST_TYPES = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost


def name_inputs(inputs: Any, tensors: Sequence[TensorArgument]) -> dict[str, Any]:
    """Return a caller's inputs by name, unchanged, in the order of `tensors`.

    Args:
        inputs: A mapping from names, or the tensor itself where there is one input.
        tensors: The inputs of the case.

    Raises:
        UsageError: An input is missing, there is none of that name, or there are several and no mapping.
    """
    names = [tensor.name for tensor in tensors]
    if not isinstance(inputs, Mapping):
        if len(names) != 1:
            raise UsageError(f"there are {len(names)} inputs, so give a dict with {_format_names(names)}.")
        return {names[0]: inputs}
    for name in inputs:
        if name not in names:
            raise unknown_name("input", str(name), names)
    missing = [name for name in names if name not in inputs]
    if missing:
        raise UsageError(f"no input {_format_names(missing)}: the case takes {_format_names(names)}.")
    return {name: inputs[name] for name in names}


def convert_input(name: str, value: Any, tensor: TensorArgument) -> np.ndarray:
    """Return a value as an array of the tensor's shape and element type, C-contiguous and aligned.

    Args:
        name: Of the input, for the errors.
        value: Python's numbers, of which only floats for a floating-point type are rounded; or an array or a tensor in
            the host's memory, whose type must convert without loss (NumPy's "safe"). It has the tensor's shape and is
            not empty or masked.
        tensor: What the kernel takes.

    Returns:
        `value` itself if it is such an array, else a copy, or a view of the memory of a tensor that speaks DLPack.
        The caller must not write to the result; it is not marked read-only.

    Raises:
        UsageError: The value breaks a rule; says which, and what to do.
    """
    numbers = _is_plain(value)
    array = _convert(name, value)
    if array.dtype.kind not in "biuf":
        raise UsageError(f"input {name} holds {array.dtype}, which are no real numbers.")
    if array.size == 0:
        raise UsageError(f"input {name} is empty (shape {array.shape}), but the case takes shape {tensor.shape}.")
    if array.shape != tensor.shape:
        raise UsageError(f"input {name} has shape {array.shape}, but the case takes shape {tensor.shape}.")
    if numbers:
        array = _round(name, array, tensor.dtype)
    elif not np.can_cast(array.dtype, tensor.dtype, "safe"):
        raise UsageError(
            f"input {name} is {array.dtype}, which does not convert to {tensor.dtype} without loss: "
            f"if the loss is wanted, give {name}.astype({tensor.dtype.name!r})."
        )
    return np.require(array, tensor.dtype, ("C", "A"))


def find_device(value: Any) -> tuple[int, int] | None:
    """Return DLPack's device type and number of a tensor; None if the host's memory, also page-locked, has it, and for
    other values.

    Raises:
        UsageError: The tensor cannot tell where it lies.
    """
    describe = getattr(value, "__dlpack_device__", None)
    if describe is None or isinstance(value, np.ndarray):
        return None
    try:
        kind, number = describe()
    except Exception as error:  # a tensor of torch's `meta` device lies nowhere
        raise UsageError(f"a tensor cannot tell where it lies: {error}.") from None
    return None if int(kind) in _HOST_TYPES else (int(kind), int(number))


def check_device_tensor(name: str, value: Any, tensor: TensorArgument) -> None:
    """Refuse a device's tensor that a kernel cannot take in place.

    The element type is left to who imports the tensor: only DLPack tells it.

    Raises:
        UsageError: Its shape is another, or it is not known to be contiguous.
    """
    shape = tuple(int(extent) for extent in getattr(value, "shape", ()))
    if shape != tensor.shape:
        raise UsageError(f"input {name} has shape {shape}, but the case takes shape {tensor.shape}.")
    if not _is_contiguous(value, shape):
        raise UsageError(f"input {name} does not lie contiguously on its device: give a contiguous copy.")


def _is_contiguous(value: Any, shape: tuple[int, ...]) -> bool:
    # DLPack would tell, but only to who takes the tensor over.
    """Return whether a device's tensor says that it is contiguous in row-major order; False if it does not say."""
    method = getattr(value, "is_contiguous", None)  # a method of torch's tensors, a property of MAX's
    if method is not None:
        return bool(method() if callable(method) else method)
    interface = getattr(value, "__cuda_array_interface__", None)  # CuPy, Numba, JAX
    if interface is None:
        return False
    strides = interface.get("strides")
    size = np.dtype(interface["typestr"]).itemsize
    return strides is None or tuple(strides) == tuple(size * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _is_plain(value: Any) -> bool:
    """Return True if a value consists of Python's `bool`, `int` and `float` alone, in lists and tuples of any depth.

    An empty list counts, NumPy's numbers do not.
    """
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | float) and not isinstance(value, np.generic)


def _convert(name: str, value: Any) -> np.ndarray:
    """Convert a value to an array of the type and shape that NumPy chooses, even if it holds no numbers. The result
    shares the memory of a `value` that is an array, or a tensor on the host.

    UsageError for masked arrays, GPU tensors, and what NumPy does not convert.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise UsageError(f"input {name} is a masked array: give {name}.filled(...).")
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if (device := find_device(value)) is not None:
        raise UsageError(
            f"input {name} lies on a GPU (DLPack device {device[0]}:{device[1]}), which does not run this: "
            "give a copy in the host's memory."
        )
    try:
        return np.from_dlpack(value) if hasattr(value, "__dlpack__") else np.asarray(value)
    except (ArithmeticError, BufferError, RuntimeError, TypeError, ValueError) as error:
        lines = str(error).strip().splitlines()
        because = lines[0].rstrip(".") if lines else type(error).__name__
        raise UsageError(f"input {name} is no array of numbers: {because}.") from None


def _round(name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return a copy of Python's numbers in the documented type; NumPy alone would truncate and wrap.

    Floats are rounded. UsageError for floats where integers are taken, for a finite float that would become infinite,
    and for an integer that the type, also a floating-point one, does not hold exactly.
    """
    if array.dtype.kind == "f" and dtype.kind != "f":
        raise UsageError(f"input {name} holds floating-point numbers, but the case takes {dtype}: give integers.")
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        rounded = array.astype(dtype)
        lost = rounded.astype(array.dtype) != array if array.dtype.kind != "f" else np.isinf(rounded) & ~np.isinf(array)
    if lost.any():
        raise UsageError(f"input {name} holds {array[lost][0]}, which {dtype} does not hold.")
    return rounded


def _format_names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(map(repr, names[:-1])), repr(names[-1]))))
