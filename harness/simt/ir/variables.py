"""Named variables of the source, as LLVM's debug records tell them.

See: https://llvm.org/docs/SourceLevelDebugging.html#debug-records
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from harness.simt.findings import LIBRARY_PREFIXES
from harness.simt.ir.constants import typed_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Instruction, Named
from harness.simt.ir.types import Other, Pointer, Type

__all__ = ["names", "record"]

# Parts of a variable have another expression; one that lies in memory is told by the pointer to it.
RECORD = re.compile(
    r"#dbg_(?P<kind>value|declare)\((?P<operand>.+), !(?P<variable>\d+), "
    r"!DIExpression\((?P<deref>DW_OP_deref)?\), !(?P<place>\d+)\)"
)
UNKNOWN = re.compile(r"\b(undef|poison)\b")


def record(line: str, named: Mapping[str, Type], debug: DebugInfo) -> Instruction | None:
    """What a debug record says as an instruction `variable`, which does nothing but tell observers.

    Args:
        line: The record.
        named: The module's named types.
        debug: The module's debug information.

    Returns:
        None for variables of libraries, and where the compiler does not know the value.
    """
    match = RECORD.search(line)
    if match is None or UNKNOWN.search(match["operand"]):
        return None
    variable = debug.variable(int(match["variable"]))
    if variable is None or variable.file.startswith(LIBRARY_PREFIXES):
        return None
    value = typed_operand(Cursor(match["operand"], named))
    if (match["deref"] or match["kind"] == "declare") and not isinstance(value.type, Pointer):
        return None
    place = debug.locate(int(match["place"]))
    return Instruction(
        "variable", None, Other("void"), (value,), frozenset(), {"variable": variable}, line.strip(), place
    )


def names(lines: Iterable[str], debug: DebugInfo) -> Named:
    """What a function's debug records say of the names of its variables.

    Of the names that memory has in the function and in those that are inlined into it, the function's own counts.
    """
    own = Named()
    inner: dict[str, str] = {}
    for match in (RECORD.search(line) for line in lines if line.lstrip().startswith("#dbg")):
        variable = debug.variable(int(match["variable"])) if match else None
        if match is None or variable is None or variable.file.startswith(LIBRARY_PREFIXES):
            continue
        inlined = len(debug.locate(int(match["place"])).frames) > 1
        if not inlined and variable.name not in own.shapes and (shape := debug.lengths(int(match["variable"]))):
            own.shapes[variable.name] = shape
        if variable.parameter and not inlined:
            own.parameters.setdefault(variable.parameter - 1, variable.name)
        kind, _, address = match["operand"].rpartition(" ")
        if kind.startswith("ptr"):
            (inner if inlined else own.memory).setdefault(address, variable.name)
    own.memory = inner | own.memory
    return own
