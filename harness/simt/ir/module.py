"""Dataclasses of decoded LLVM IR: functions, instructions, operands, globals, locations; `Module` is in `parse`.

Nothing here knows how to execute. Floats are kept as bit patterns, so that the
payload of a NaN survives.
See: https://llvm.org/docs/LangRef.html
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.simt.findings import LIBRARY_PREFIXES
from harness.simt.ir.types import Type

__all__ = [
    "Aggregate",
    "Asm",
    "Block",
    "ByteString",
    "Const",
    "Expr",
    "Frame",
    "Function",
    "Global",
    "GlobalRef",
    "Instruction",
    "Local",
    "Location",
    "Metadata",
    "Operand",
    "Param",
    "SourceVariable",
    "Undef",
    "VariableNames",
    "Zero",
]


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of a location: a line in a function's source."""

    file: str
    line: int
    column: int
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Location:
    """The source location of an instruction, with the calls that it was inlined through: the innermost frame first."""

    frames: tuple[Frame, ...]

    @property
    def source(self) -> Frame:
        """The innermost frame in user code (no library's file) that has a line, or else the innermost frame."""
        for frame in self.frames:
            if not frame.file.startswith(LIBRARY_PREFIXES) and frame.line:
                return frame
        return self.frames[0]

    def __str__(self) -> str:
        return str(self.source)


@dataclass(frozen=True, slots=True)
class Local:
    """A value of the function: a parameter or an instruction's result."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Const:
    """An integer (signed or not), a pointer's bits, or a float's bits."""

    type: Type
    value: int


@dataclass(frozen=True, slots=True)
class Undef:
    """A literal `undef` or `poison`."""

    type: Type
    poison: bool = False


@dataclass(frozen=True, slots=True)
class Zero:
    """A `zeroinitializer` of any type."""

    type: Type


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A constant struct, array or vector."""

    type: Type
    elements: "tuple[Operand, ...]"


@dataclass(frozen=True, slots=True)
class ByteString:
    """A constant array of bytes."""

    type: Type
    data: bytes


@dataclass(frozen=True, slots=True)
class GlobalRef:
    """The address of a global variable or a function."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Expr:
    """A constant expression."""

    type: Type
    opcode: str
    operands: "tuple[Operand, ...]"
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asm:
    """Inline assembly as a callee."""

    text: str
    constraints: str
    type: Type


@dataclass(frozen=True, slots=True)
class Metadata:
    """A metadata operand; it has no effect."""

    text: str
    type: Type


Operand = Local | Const | Undef | Zero | Aggregate | ByteString | GlobalRef | Expr | Asm | Metadata


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One instruction.

    Attributes:
        opcode: As printed: `add`, `icmp`, `call`.
        name: The result's name with its `%`, or None.
        type: The type of the result.
        operands: The values it takes, in LangRef order.
        flags: `nsw`, `contract`, `volatile` and the like.
        attrs: Attributes of certain opcodes: `predicate`, `labels`, `indices`,
            `source_type`, `ordering`, `scope`, `align`, `operation`, `callee`, `aligns` of a call's operands.
        text: The printed line, without metadata.
        location: Its source location, or None.
    """

    opcode: str
    name: str | None
    type: Type
    operands: tuple[Operand, ...]
    flags: frozenset[str]
    attrs: Mapping[str, Any]
    text: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block."""

    label: str
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a function.

    Attributes:
        indirect: The type behind a `byval` or `byref` pointer, or None.
        copied: Whether it is `byval`: the callee has a copy of its own.
    """

    name: str
    type: Type
    indirect: Type | None = None
    copied: bool = False


@dataclass(slots=True)
class VariableNames:
    """The source's names of the variables of a function.

    Attributes:
        memory: By the name of the `alloca` or the global variable that holds the variable.
        parameters: By the position of the parameter, from 0.
        shapes: Of arrays, by their own names, if the compiler knows all lengths; only debug builds have them.
    """

    memory: dict[str, str] = field(default_factory=dict)
    parameters: dict[int, str] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body, or a declaration when `blocks` is empty.

    Attributes:
        named: The source's names of its variables, from debug information.
    """

    name: str
    returns: Type
    params: tuple[Param, ...]
    blocks: tuple[Block, ...]
    attributes: Mapping[str, str]
    is_kernel: bool
    location: Frame | None = None
    named: VariableNames = field(default_factory=VariableNames)


@dataclass(frozen=True, slots=True)
class SourceVariable:
    """A named variable of the source.

    Attributes:
        function: The function that declares it.
        parameter: Its position among that function's parameters, from 1; 0 if it is none.
        shape: For an index into an array, the array's shape, None for a length known only at run time; else empty.
    """

    name: str
    file: str
    line: int
    function: str
    parameter: int
    shape: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Global:
    """A global variable.

    Attributes:
        variable: Its name in the source; empty if debug information does not have it.
    """

    name: str
    type: Type
    space: int
    constant: bool
    initializer: Operand | None
    align: int
    variable: str = ""
