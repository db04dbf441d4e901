"""Build a case from any Mojo kernel and its arguments; check and convert arguments, for `call` and `op` too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from harness.build import generate, signatures
from harness.errors import UsageError, unknown_name
from harness.model.arguments import Form, Role
from harness.model.case import Case, Instance, Kernel, Launch, ScalarArgument, Step, TensorArgument
from harness.model.sources import Sources
from harness.simt.run.bound_arguments import Buffer

__all__ = [
    "Argument",
    "KernelLaunch",
    "check_array",
    "convert_number",
    "make_case_without_data",
    "make_geometry",
    "make_kernel_launch",
    "make_scalar",
    "module_name",
    "order_arguments",
]

_FORMS: dict[str, Form] = {"TileTensor": "tile", "LayoutTensor": "layout", "UnsafePointer": "pointer"}
_READ_ONLY = re.compile(r"\bmut=False\b|\bImmut\w*Origin\b")
_NUMBERS = {
    **{f"{sign}Int{bits}": f"{sign.lower()}int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "Bool": "bool",
}
Argument = TensorArgument | ScalarArgument
_SCALAR = re.compile(r"Scalar\[(.+)\]")


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """A launch of any kernel as a case, with its arguments' contents.

    Attributes:
        case: The launch as a case without data and without an oracle.
        sources: The kernel's file.
        inputs: The contents of its arrays before the launch, by name; not of those that the host does not write.
        arrays: The caller's own arrays that the kernel may write, by name.
    """

    case: Case
    sources: Sources
    inputs: dict[str, np.ndarray]
    arrays: dict[str, np.ndarray]


def make_kernel_launch(
    file: Path,
    kernel: str,
    launch: Launch,
    values_given: Mapping[str, Any] | Sequence[Any],
    parameters: Mapping[str, Any],
) -> KernelLaunch:
    """Build the case of one kernel launch from a Mojo file and its arguments; nothing is compiled or launched.

    Contents are copied; `arrays` of the result are the caller's own that the kernel may write. An array that is not
    writeable is an input.

    Args:
        file: The Mojo file with the kernel.
        kernel: The kernel's name.
        launch: The geometry.
        values_given: The arguments by name, or in the kernel's order: arrays, `Buffer`s of arrays, and numbers.
        parameters: Compile-time parameters that do not follow from the arrays.

    Raises:
        UsageError: There is no such file or kernel, what is given does not fit what it takes, or arrays that it writes
            share memory.
    """
    puzzle = module_name(file.stem)
    sources = Sources(overrides={puzzle: file})
    text = file.read_text(encoding="utf-8")
    if kernel not in (names := signatures.function_names(text)):
        raise unknown_name("kernel", kernel, names) if names else UsageError(f"{file} holds no kernel, no `def`.")
    signature = signatures.parse_function(text, kernel)
    if signature is None:
        raise UsageError(f"what {kernel} of {file} takes cannot be read: a bracket after its name is not closed.")
    values = order_arguments(kernel, [declared.name for declared in signature.arguments], values_given)
    arguments: list[Argument] = []
    arrays: dict[str, np.ndarray] = {}
    inputs: dict[str, np.ndarray] = {}
    for declared in signature.arguments:
        type_, name, value = signatures.resolve_alias(text, declared.type), declared.name, values[declared.name]
        form = _FORMS.get(type_.partition("[")[0].rpartition(".")[2])
        if form is None:
            arguments.append(make_scalar(kernel, name, type_, value, text))
            continue
        arrays[name], initialised = check_array(kernel, name, value)
        mutable = not _READ_ONLY.search(type_)
        role: Role = "inout" if mutable and arrays[name].flags.writeable else "input"
        if not initialised:
            role = "output"
        if not (initialised or mutable):
            raise UsageError(f"{kernel} only reads {name}, and nobody has written that.")
        dtype = arrays[name].dtype.newbyteorder("=")
        arguments.append(TensorArgument(name, role, arrays[name].shape, dtype, form=form, mutable=mutable))
        if initialised:
            inputs[name] = np.array(arrays[name], dtype, order="C")
    tensors = [argument for argument in arguments if isinstance(argument, TensorArgument)]
    written = {tensor.name: arrays[tensor.name] for tensor in tensors if tensor.written}
    for first, other in combinations(arrays, 2):
        if (first in written or other in written) and np.may_share_memory(arrays[first], arrays[other]):
            raise UsageError(f"{first} and {other} of {kernel} may share memory, and it writes: give a copy of one.")
    types = {tensor.name: (f"DType.{tensor.dtype.name}", generate.mojo_layout(tensor)) for tensor in tensors}
    bound = signatures.bind_parameters(signature, parameters, types)
    step = Kernel(
        kernel,
        grid=launch.grid,
        block=launch.block,
        cluster=launch.cluster,
        shared_bytes=launch.shared_bytes,
        parameters={name: f"{name}={value}" for name, value in bound.items()},
    )
    return KernelLaunch(make_case_without_data(puzzle, kernel, (step,), arguments), sources, inputs, written)


def make_case_without_data(puzzle: str, mode: str, steps: tuple[Step, ...], arguments: Sequence[Argument]) -> Case:
    """Return a case without data, whose oracle expects nothing of the results.

    Args:
        puzzle: The name under which its file is imported.
        mode: The mode, which is its title too.
        steps: The launches and calls.
        arguments: The arguments that the steps take.
    """
    return Case(
        puzzle=puzzle,
        mode=mode,
        title=mode,
        steps=steps,
        resolve=lambda width: Instance(width=width, arguments=tuple(arguments), datasets=()),
        oracle=lambda _inputs, _width: {},
        printed=lambda *_: (),
        documented=False,
    )


def module_name(stem: str) -> str:
    """Return the name under which a file is imported: `<stem>_mojo`, which no library's module has."""
    return re.sub(r"\W", "_", f"{stem}_mojo")


def make_geometry(grid: Any, block: Any, cluster: Any, shared_bytes: Any) -> Launch:
    """Convert grid, block, cluster and shared memory to a `Launch`.

    Grid, block and cluster are each a whole number or a sequence of one to three, never None; missing axes are 1.

    Raises:
        UsageError: A number is not whole, an axis is below 1, `shared_bytes` is below 0, a block or cluster is too
            large, or the cluster does not divide the grid.
    """
    if isinstance(shared_bytes, bool) or not isinstance(shared_bytes, int | np.integer) or shared_bytes < 0:
        raise UsageError(f"shared_bytes is a number of bytes from 0 on, but got {shared_bytes!r}.")
    extents = {}
    for name, value in (("grid", grid), ("block", block), ("cluster", cluster)):
        extent = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        are_integers = all(isinstance(part, int | np.integer) and not isinstance(part, bool) for part in extent)
        if not are_integers or not 1 <= len(extent) <= 3:
            raise UsageError(f"{name} is one to three whole numbers like (4, 1, 1), but got {value!r}.")
        x, y, z = (*map(int, extent), 1, 1)[:3]
        extents[name] = (x, y, z)
    try:
        return Launch(**extents, shared_bytes=int(shared_bytes))
    except ValueError as error:
        raise UsageError(f"{error}.") from None


def order_arguments(of: str, names: Sequence[str], arguments: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return arguments by name, in the order of `names`; they are given by name or in that order.

    Raises:
        UsageError: Something is missing, or too much, or the arguments are no dict, list or tuple.
    """
    takes = f"{of} takes {', '.join(names)}" if names else f"{of} takes nothing"
    if isinstance(arguments, Mapping):
        for name in arguments:
            if name not in names:
                raise (
                    unknown_name("argument", str(name), names)
                    if names
                    else UsageError(f"no argument {name!r}: {takes}.")
                )
        if missing := [name for name in names if name not in arguments]:
            raise UsageError(f"no argument {', '.join(missing)}: {takes}.")
        return {name: arguments[name] for name in names}
    if not isinstance(arguments, list | tuple):
        raise UsageError(
            f"arguments are a dict by name, or a list in order, but got {type(arguments).__name__}: {takes}."
        )
    if len(arguments) != len(names):
        raise UsageError(f"got {len(arguments)} argument{'s' * (len(arguments) != 1)}, but {takes}.")
    return dict(zip(names, arguments, strict=True))


def check_array(of: str, name: str, value: Any) -> tuple[np.ndarray, bool]:
    """Check an array argument; return the array itself and whether the host has initialised it.

    Only a `Buffer` may say that the host has not.

    Raises:
        UsageError: The array is no NumPy array of real numbers up to 64 bits, is masked, or has no axis or no element.
    """
    array, initialised = (value.array, value.initialised) if isinstance(value, Buffer) else (value, True)
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise UsageError(f"{name} of {of} is a tensor: give a NumPy array, not {type(array).__name__}.")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise UsageError(f"{name} of {of} holds {array.dtype}, which no kernel takes: give real numbers.")
    if not array.ndim or not array.size:
        raise UsageError(f"{name} of {of} has shape {array.shape}: give an array of at least one axis and one element.")
    return array, initialised


def make_scalar(of: str, name: str, type_: str, value: Any, text: str) -> ScalarArgument:
    """Convert a number to a scalar argument of its declared type.

    Args:
        of: The name of the function that takes it, for messages.
        name: The argument's name.
        type_: The type with which it is declared; if that is `Scalar` of an unknown element type, the type of a NumPy
            number is taken.
        value: The number that was given.
        text: The file's text, which may have names of its own for element types.

    Raises:
        UsageError: The value is no number, its type cannot hold it, or the type is not that of a number.
    """
    inner = _SCALAR.fullmatch(type_)
    element = signatures.resolve_alias(text, inner[1]).removeprefix("DType.") if inner else _NUMBERS.get(type_, "")
    if not element or not hasattr(np, element):
        if not (inner and isinstance(value, np.generic)):
            accepted = "a TileTensor, a LayoutTensor, an UnsafePointer or a number like Int32"
            raise UsageError(f"{name} of {of} is of type {type_}, but what can be given is {accepted}.")
        element = value.dtype.name  # its type is a parameter
    return ScalarArgument(name, convert_number(of, name, type_, np.dtype(element), value).item(), np.dtype(element))


def convert_number(of: str, name: str, type_: str, dtype: np.dtype, value: Any) -> np.generic:
    """Convert a number that was given to the type of an argument; a float may be rounded.

    Args:
        of: The name of the function that takes it, for messages.
        name: The argument's name.
        type_: The type with which it is declared, for messages.
        dtype: The same type in NumPy.
        value: The number that was given.

    Raises:
        UsageError: It is no number, an integer type does not hold exactly this value, or a finite one becomes infinite.
    """
    if not isinstance(value, bool | int | float | np.bool_ | np.number):
        raise UsageError(f"{name} of {of} is a number, but got {type(value).__name__}.")
    try:
        with np.errstate(over="ignore"):
            converted = dtype.type(value)
    except (OverflowError, ValueError):
        converted = None
    if converted is None or (dtype.kind != "f" and converted != value) or (np.isinf(converted) and not np.isinf(value)):
        raise UsageError(f"{name} of {of} is of type {type_}, which does not hold {value!r}.")
    number: np.generic = converted
    return number
