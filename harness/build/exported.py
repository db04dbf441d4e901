"""The functions that a Mojo file exports, and the program that calls them.

The program imports the file, so that lines and columns stay those of the file. It holds a call of each exported
function that can be called; its arguments say which one it makes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.build import signatures
from harness.errors import UsageError, unknown
from harness.model.sources import SUFFIXES

__all__ = [
    "CONTEXT",
    "NUMBER",
    "POINTER",
    "Caller",
    "Exported",
    "ExportedArgument",
    "find_exported",
    "require_file",
    "write_caller",
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
class Exported:
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
        """Say whether the function takes a `DeviceContext`."""
        return any(part.kind == CONTEXT for part in self.arguments)

    @property
    def refused(self) -> ExportedArgument | None:
        """The first argument that no call can give, or None."""
        return next((part for part in self.arguments if not part.kind), None)


@dataclass(frozen=True, slots=True)
class Caller:
    """The program around a file whose functions it calls.

    Attributes:
        text: Its Mojo; the first argument is the function's name, the second the folder of the call.
        module: The name under which it imports the file.
    """

    text: str
    module: str


def require_file(file: Path) -> None:
    """Check that a path names a Mojo file that can be read.

    Raises:
        UsageError: It does not.
    """
    if file.is_dir():
        raise UsageError(f"{file} is a folder: name the file in it that holds the function.")
    if not file.is_file():
        raise UsageError(f"no file at {file}.")
    if file.suffix not in SUFFIXES:
        raise UsageError(f"{file} is no Mojo file: name one that ends in .mojo.")


def find_exported(file: Path, name: str) -> tuple[Exported, tuple[Exported, ...]]:
    """Find an exported function of a file.

    Args:
        file: A Mojo file.
        name: The function's name in the source.

    Returns:
        The function, and all exported functions that can be called, in the order of the source.

    Raises:
        UsageError: There is no such file or function, the function is not exported, or it takes something that no call
            can give.
    """
    require_file(file)
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    names = signatures.functions(text)
    if not names:
        raise UsageError(f"{file} has no functions: define one with `@export` above it.")
    functions = {each: _read(text, each, at) for each, at in signatures.exported_functions(text).items()}
    if name not in functions:
        if name in names:
            raise UsageError(f"{name} of {file} is not exported: write `@export` above it.")
        raise unknown("function", name, functions or names)
    function = functions[name]
    if function is None:
        raise UsageError(f"what {name} of {file} takes cannot be read: a bracket behind its name is not closed.")
    if part := function.refused:
        raise UsageError(
            f"{part.name} of {name} is of type {part.type}, which a call cannot give: it gives pointers to numbers, "
            "numbers, and a DeviceContext."
        )
    return function, tuple(each for each in functions.values() if each is not None and each.refused is None)


def write_caller(file: Path, functions: Sequence[Exported]) -> Caller:
    """Write the program that calls one of a file's exported functions."""
    module = _MODULE.format(stem=re.sub(r"[^0-9A-Za-z_]", "_", file.stem))
    module = f"_{module}" if module[0].isdigit() else module
    head = [
        '"""Calls of exported functions."""',
        "from std.sys import argv, exit",
        "from call_data import Call",
        f"import {module} as file",
    ]
    calls = [_call(function, number) for number, function in enumerate(functions)]
    chosen = [
        f'        if argv()[1] == "{function.name}":\n            _call_{number}(call)'
        for number, function in enumerate(functions)
    ]
    main = [
        "def main() raises:",
        "    var call = Call(String(argv()[2]))",
        "    try:",
        *chosen,
        "    except error:",
        "        call.failed(String(error))",
        "        exit(1)",
        f"    call.returned({' or '.join(_gets_context(functions)) or 'False'})",
        "    _ = call^",  # Mojo would free the memory after its last use
    ]
    return Caller("\n\n\n".join(["\n".join(head), *calls, "\n".join(main)]) + "\n", module)


def _gets_context(functions: Sequence[Exported]) -> list[str]:
    return [f'argv()[1] == "{function.name}"' for function in functions if function.takes_context]


def _call(function: Exported, number: int) -> str:
    passed = [f"        {_passed(part, place)}," for place, part in enumerate(function.arguments)]
    lines = [f"def _call_{number}(mut call: Call) raises:", f"    _ = file.{function.name}(", *passed, "    )"]
    return "\n".join(lines)


def _passed(part: ExportedArgument, place: int) -> str:
    """An argument as the call writes it."""
    if part.kind == CONTEXT:
        return "call.device()"
    assert part.dtype is not None
    name = part.dtype.name
    if part.kind == POINTER:
        element = "Bool" if name == "bool" else f"Scalar[DType.{name}]"
        return f"Pointer[{element}, {part.origin}](unsafe_from_address=call.address({place}))"
    number = f"call.number[DType.{name}]({place})"
    return f"{part.type}({number})" if part.type in _PLAIN else number


def _read(text: str, name: str, at: int) -> Exported | None:
    """An exported function whose name begins there; None where what it takes cannot be read."""
    signature = signatures.function(text, name)
    if signature is None:
        return None
    arguments = [ExportedArgument(part.name, part.type) for part in signature.parameters]  # no call can give one
    arguments += [_argument_of(text, part) for part in signature.arguments]
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Exported(name, line, column, tuple(arguments))


def _argument_of(text: str, part: signatures.Declared) -> ExportedArgument:
    type_ = signatures.alias(text, part.type)
    owner, _, inside = type_.removesuffix("]").partition("[")
    match owner.rpartition(".")[2]:
        case "DeviceContext":
            return ExportedArgument(part.name, type_, CONTEXT)
        case pointer if pointer in _POINTERS and inside:
            element, origin = _pointer(inside)
            if (dtype := _dtype(text, signatures.alias(text, element))) is not None:
                return ExportedArgument(part.name, type_, POINTER, dtype, origin)
        case _ if (dtype := _dtype(text, type_)) is not None:
            return ExportedArgument(part.name, type_, NUMBER, dtype)
    return ExportedArgument(part.name, part.type)


def _pointer(inside: str) -> tuple[str, str]:
    """The element type and the origin among a pointer type's parameters."""
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


def _dtype(text: str, type_: str) -> np.dtype | None:
    """The NumPy type of a number that Mojo calls so; None where it is none, or NumPy has none."""
    name = {**_NUMBERS, **_PLAIN}.get(type_, "")
    if not name and (match := _SCALAR.fullmatch(type_)):
        name = signatures.alias(text, match["scalar"] or match["simd"]).removeprefix("DType.")
    dtypes = {*_NUMBERS.values(), *_PLAIN.values()}
    return np.dtype(name) if name in dtypes else None
