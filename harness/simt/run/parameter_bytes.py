"""Bind a kernel's parameters from their bytes, as a driver gets them."""

from collections.abc import Sequence

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Pointer, leaves, size_of
from harness.simt.run.bound_arguments import BoundArgument, BoundArguments, Leaf
from harness.simt.run.scalars import encode_value, storage_of

__all__ = ["bind_parameters"]


def bind_parameters(program: Program, parameters: Sequence[bytes]) -> BoundArguments:
    """Return the parameters of a kernel, given the bytes of each; pointers are addresses, which are not checked here.

    Parameters in memory, and Metal's pointers, keep their bytes as a whole.

    Raises:
        ArgumentError: Their number or sizes are not the kernel's.
    """
    function, kernel, target = program.function, program.name, program.target
    if len(parameters) != len(function.params):
        raise ArgumentError(f"kernel {kernel} takes {len(function.params)} parameters, but got {len(parameters)}")
    bound = BoundArguments()
    for position, (param, octets) in enumerate(zip(function.params, parameters, strict=True)):
        raw = np.frombuffer(octets, np.uint8).copy()
        # Metal passes whatever is no number by its address, and does not say what it is.
        hidden = target.vendor == "apple" and param.indirect is None and isinstance(param.type, Pointer)
        ty = param.indirect or param.type
        if not hidden and len(raw) != size_of(ty):
            raise ArgumentError(
                f"parameter {position} of kernel {kernel} is {ty} of {size_of(ty)} bytes, but got {len(raw)}"
            )
        if hidden or param.indirect is not None:
            bound.arguments.append(BoundArgument(position, ty, [], raw))
            continue
        parameter_leaves = [Leaf(leaf_type, offset, f"parameter {position}") for leaf_type, offset in leaves(ty)]
        for leaf in parameter_leaves:
            width = storage_of(leaf.type)[1]
            octets_of_leaf = raw[leaf.offset : leaf.offset + width]
            if isinstance(leaf.type, Pointer):
                leaf.scalar = octets_of_leaf.view(np.int64)
            else:
                leaf.scalar = encode_value(leaf.name, leaf.type, octets_of_leaf)
        bound.arguments.append(BoundArgument(position, None, parameter_leaves))
    return bound
