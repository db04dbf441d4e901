"""Read debug records of source variables: as `variable` instructions, and as names of parameters and memory.

See: https://llvm.org/docs/SourceLevelDebugging.html#debug-records
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from harness.simt.findings import LIBRARY_PREFIXES
from harness.simt.ir.constants import read_typed_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Instruction, VariableNames
from harness.simt.ir.types import OtherType, Pointer, Type

__all__ = ["read_names", "read_record"]

# Parts of a variable have another expression; a variable in memory is recorded by the pointer to it.
RECORD = re.compile(
    r"#dbg_(?P<kind>value|declare)\((?P<operand>.+), !(?P<variable>\d+), "
    r"!DIExpression\((?P<deref>DW_OP_deref)?\), !(?P<place>\d+)\)"
)
UNKNOWN = re.compile(r"\b(undef|poison)\b")


def read_record(line: str, named_types: Mapping[str, Type], debug: DebugInfo) -> Instruction | None:
    """Return a debug record as an instruction `variable`, whose only effect is an event for observers.

    Args:
        line: The record.
        named_types: The module's named types.
        debug: The module's debug information.

    Returns:
        The instruction. None for a part of a variable, for variables without a name or of libraries, if the compiler
        does not know the value, and if a variable in memory is recorded by another value than a pointer.

    Raises:
        DecodeError, Unsupported: The value cannot be read.
    """
    match = RECORD.search(line)
    if match is None or UNKNOWN.search(match["operand"]):
        return None
    variable = debug.variable(int(match["variable"]))
    if variable is None or variable.file.startswith(LIBRARY_PREFIXES):
        return None
    value = read_typed_operand(Cursor(match["operand"], named_types))
    if (match["deref"] or match["kind"] == "declare") and not isinstance(value.type, Pointer):
        return None
    location = debug.locate(int(match["place"]))
    return Instruction(
        "variable", None, OtherType("void"), (value,), frozenset(), {"variable": variable}, line.strip(), location
    )


def read_names(lines: Iterable[str], debug: DebugInfo) -> VariableNames:
    """Return the names of a function's variables from its debug records, without variables of libraries.

    The first record of each counts. Parameters (by position) and shapes (of arrays, by name) are the function's alone.
    Names for memory (by `alloca` or global) may also come from functions inlined into it, if it has none itself for the
    same memory.
    """
    names = VariableNames()
    inlined_names: dict[str, str] = {}
    for match in (RECORD.search(line) for line in lines if line.lstrip().startswith("#dbg")):
        variable = debug.variable(int(match["variable"])) if match else None
        if match is None or variable is None or variable.file.startswith(LIBRARY_PREFIXES):
            continue
        inlined = len(debug.locate(int(match["place"])).frames) > 1
        if not inlined and variable.name not in names.shapes and (shape := debug.lengths(int(match["variable"]))):
            names.shapes[variable.name] = shape
        if variable.parameter and not inlined:
            names.parameters.setdefault(variable.parameter - 1, variable.name)
        kind, _, address = match["operand"].rpartition(" ")
        if kind.startswith("ptr"):
            (inlined_names if inlined else names.memory).setdefault(address, variable.name)
    names.memory = inlined_names | names.memory
    return names
