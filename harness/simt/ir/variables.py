"""Named variables of the source, as LLVM's debug records tell them.

See: https://llvm.org/docs/SourceLevelDebugging.html#debug-records
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.simt.ir.constants import typed_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import LIBRARY_PREFIXES, Instruction
from harness.simt.ir.types import Other, Pointer, Type

__all__ = ["record"]

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
