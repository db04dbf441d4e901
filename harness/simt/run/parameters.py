"""A kernel's parameters as a driver gets them: by their bytes."""

from collections.abc import Sequence

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Pointer, leaves, size_of
from harness.simt.run.bound import Argument, Bound, Leaf
from harness.simt.run.scalars import number, stored

__all__ = ["laid_out"]


def laid_out(program: Program, parameters: Sequence[bytes]) -> Bound:
    """The parameters of a kernel by their bytes, in which pointers are addresses.

    Raises:
        ArgumentError: Their number or sizes are not the kernel's.
    """
    function, kernel, target = program.function, program.name, program.target
    if len(parameters) != len(function.params):
        raise ArgumentError(f"kernel {kernel} takes {len(function.params)} parameters, but got {len(parameters)}")
    bound = Bound()
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
            bound.arguments.append(Argument(position, ty, [], raw))
            continue
        parts = [Leaf(part, at, f"parameter {position}") for part, at in leaves(ty)]
        for leaf in parts:
            width = stored(leaf.type)[1]
            part = raw[leaf.offset : leaf.offset + width]
            is_pointer = isinstance(leaf.type, Pointer)
            leaf.scalar = part.view(np.int64) if is_pointer else number(leaf.name, leaf.type, part)
        bound.arguments.append(Argument(position, None, parts))
    return bound
