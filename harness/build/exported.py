"""Find a Mojo file's exported functions, and generate the program by which the command `call` calls one of them.

The program imports the file, so lines and columns stay those of the file. It holds a call of each exported function
that can be called; its arguments select one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.build import signatures
from harness.errors import UsageError, unknown_name
from harness.model.sources import SUFFIXES

__all__ = [
    "CONTEXT",
    "NUMBER",
    "POINTER",
    "CallingProgram",
    "ExportedArgument",
    "ExportedFunction",
    "find_exported_function",
    "generate_calling_program",
    "require_file",
]

POINTER, NUMBER, CONTEXT = "pointer", "number", "context"
_POINTERS = ("Pointer", "UnsafePointer")
_ORIGIN = re.compile(r"(?:std\.)?\w*Origin(?:\[\w+\])?")
_ANY_ORIGIN = "MutAnyOrigin"
_SCALAR = re.compile(r"(?:Scalar\[(?P<scalar>.+)\]|SIMD\[(?P<simd>.+),\s*1\])")
# Mojo's names of numbers, and how a call makes one of the number that NumPy has.
_NUMBERS = {
    **{f"{sign}Int{bits}": f"{sign.lower()}int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "Byte": "uint8",
}
_PLAIN = {"Int": "int64", "UInt": "uint64", "Bool": "bool"}
_MODULE = "{stem}_mojo"


@dataclass(frozen=True, slots=True)
class ExportedArgument:
    """An argument of an exported function.

    Attributes:
        name: Its name in the source.
        type: Its type as the file declares it.
        kind: `POINTER`, `NUMBER` or `CONTEXT`; empty for a type that no call can give.
        dtype: The element type of a pointer's memory, or the type of a number; None for the others.
        origin: The origin of a pointer, as Mojo writes it.
    """

    name: str
    type: str
    kind: str = ""
    dtype: np.dtype | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class ExportedFunction:
    """An exported function.

    Attributes:
        name: Its name in the source.
        line: The line of its definition, from 1.
        column: The column of its name there, from 1.
        arguments: What it takes, in order.
    """

    name: str
    line: int
    column: int
    arguments: tuple[ExportedArgument, ...]

    @property
    def takes_context(self) -> bool:
        """True if the function takes a `DeviceContext`."""
        return any(part.kind == CONTEXT for part in self.arguments)

    @property
    def refused(self) -> ExportedArgument | None:
        """The first argument that no call can give, or None."""
        return next((part for part in self.arguments if not part.kind), None)


@dataclass(frozen=True, slots=True)
class CallingProgram:
    """The program around a file whose functions it calls.

    Attributes:
        text: Its Mojo; the first argument is the function's name, the second the folder of the call.
        module: The name under which it imports the file.
    """

    text: str
    module: str


def require_file(file: Path) -> None:
    """Check that a path names a Mojo file; it is not opened.

    Raises:
        UsageError: It is a folder, does not exist, or does not end in one of `SUFFIXES` (`.mojo`, `.🔥`).
    """
    if file.is_dir():
        raise UsageError(f"{file} is a folder: name the file in it that holds the function.")
    if not file.is_file():
        raise UsageError(f"no file at {file}.")
    if file.suffix not in SUFFIXES:
        raise UsageError(f"{file} is no Mojo file: name one that ends in .mojo.")


def find_exported_function(file: Path, name: str) -> tuple[ExportedFunction, tuple[ExportedFunction, ...]]:
    """Find an exported function of a file.

    Args:
        file: A Mojo file.
        name: The function's name in the source.

    Returns:
        The function, and all exported functions that can be called, in the order of the source.

    Raises:
        UsageError: There is no such file or function, the file cannot be read, or the function is not exported, has a
            signature that cannot be parsed, or takes something that no call can give.
    """
    require_file(file)
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    names = signatures.function_names(text)
    if not names:
        raise UsageError(f"{file} has no functions: define one with `@export` above it.")
    functions = {each: _parse_exported(text, each, at) for each, at in signatures.find_exported_functions(text).items()}
    if name not in functions:
        if name in names:
            raise UsageError(f"{name} of {file} is not exported: write `@export` above it.")
        raise unknown_name("function", name, functions or names)
    function = functions[name]
    if function is None:
        raise UsageError(f"what {name} of {file} takes cannot be read: a bracket after its name is not closed.")
    if part := function.refused:
        raise UsageError(
            f"{part.name} of {name} is of type {part.type}, which a call cannot give: it gives pointers to numbers, "
            "numbers, and a DeviceContext."
        )
    return function, tuple(each for each in functions.values() if each is not None and each.refused is None)


def generate_calling_program(file: Path, functions: Sequence[ExportedFunction]) -> CallingProgram:
    """Return the program that calls one of these functions of a file, by the function's name in its first argument.

    Nothing is written. The program imports the file as `STEM_mojo`, a name that the caller must give the file. In this
    name `_` stands for each character that no identifier has, and comes before a leading digit.
    """
    module = _MODULE.format(stem=re.sub(r"[^0-9A-Za-z_]", "_", file.stem))
    module = f"_{module}" if module[0].isdigit() else module
    head = [
        '"""Calls of exported functions."""',
        "from std.sys import argv, exit",
        "from call_data import Call",
        f"import {module} as file",
    ]
    calls = [_generate_call(function, number) for number, function in enumerate(functions)]
    branches = [
        f'        if argv()[1] == "{function.name}":\n            _call_{number}(call)'
        for number, function in enumerate(functions)
    ]
    main = [
        "def main() raises:",
        "    var call = Call(String(argv()[2]))",
        "    try:",
        *branches,
        "    except error:",
        "        call.failed(String(error))",
        "        exit(1)",
        f"    call.returned({' or '.join(_gets_context(functions)) or 'False'})",
        "    _ = call^",  # Mojo would free the memory after its last use
    ]
    return CallingProgram("\n\n\n".join(["\n".join(head), *calls, "\n".join(main)]) + "\n", module)


def _gets_context(functions: Sequence[ExportedFunction]) -> list[str]:
    return [f'argv()[1] == "{function.name}"' for function in functions if function.takes_context]


def _generate_call(function: ExportedFunction, number: int) -> str:
    passed = [f"        {_argument_expression(part, place)}," for place, part in enumerate(function.arguments)]
    lines = [f"def _call_{number}(mut call: Call) raises:", f"    _ = file.{function.name}(", *passed, "    )"]
    return "\n".join(lines)


def _argument_expression(part: ExportedArgument, place: int) -> str:
    """Return the Mojo expression for an argument, the `place`-th from 0 in the call's data."""
    if part.kind == CONTEXT:
        return "call.device()"
    assert part.dtype is not None
    name = part.dtype.name
    if part.kind == POINTER:
        element = "Bool" if name == "bool" else f"Scalar[DType.{name}]"
        return f"Pointer[{element}, {part.origin}](unsafe_from_address=call.address({place}))"
    number = f"call.number[DType.{name}]({place})"
    return f"{part.type}({number})" if part.type in _PLAIN else number


def _parse_exported(text: str, name: str, at: int) -> ExportedFunction | None:
    """Parse an exported function whose name begins at an offset; None if its signature cannot be parsed.

    Compile-time parameters come first among its arguments, as ones that no call can give.
    """
    signature = signatures.parse_function(text, name, begin=text.rfind("\n", 0, at) + 1)
    if signature is None:
        return None
    arguments = [ExportedArgument(part.name, part.type) for part in signature.parameters]  # no call can give one
    arguments += [_parse_argument(text, part) for part in signature.arguments]
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return ExportedFunction(name, line, column, tuple(arguments))


def _parse_argument(text: str, part: signatures.Declared) -> ExportedArgument:
    """Return an argument as a call can give it: a context, a pointer to numbers or a number.

    Aliases that the file's text defines are resolved. An argument of any other type has no kind, and its type stays.
    """
    type_ = signatures.resolve_alias(text, part.type)
    owner, _, inside = type_.removesuffix("]").partition("[")
    match owner.rpartition(".")[2]:
        case "DeviceContext":
            return ExportedArgument(part.name, type_, CONTEXT)
        case pointer if pointer in _POINTERS and inside:
            element, origin = _parse_pointer(inside)
            if (dtype := _numpy_type(text, signatures.resolve_alias(text, element))) is not None:
                return ExportedArgument(part.name, type_, POINTER, dtype, origin)
        case _ if (dtype := _numpy_type(text, type_)) is not None:
            return ExportedArgument(part.name, type_, NUMBER, dtype)
    return ExportedArgument(part.name, part.type)


def _parse_pointer(inside: str) -> tuple[str, str]:
    """Return the element type (empty if none is named) and the origin in a pointer type's parameters.

    The origin is `MutAnyOrigin` unless a known one is written.
    """
    element, origin = "", _ANY_ORIGIN
    for place, part in enumerate(signatures.split_outside_brackets(inside, ",")):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            name, value = ("type", "origin", "")[min(place, 2)], name
        if name == "type":
            element = value
        elif name == "origin" and _ORIGIN.fullmatch(value):
            origin = value
    return element, origin


def _numpy_type(text: str, type_: str) -> np.dtype | None:
    """Return the NumPy type of a Mojo number type; None if it is none, or NumPy has no such type.

    The element type within `Scalar[...]` or `SIMD[..., 1]` may be an alias of the file.
    """
    name = {**_NUMBERS, **_PLAIN}.get(type_, "")
    if not name and (match := _SCALAR.fullmatch(type_)):
        name = signatures.resolve_alias(text, match["scalar"] or match["simd"]).removeprefix("DType.")
    dtypes = {*_NUMBERS.values(), *_PLAIN.values()}
    return np.dtype(name) if name in dtypes else None
