"""Choose the advice on a learner's compile error (imports, names, types), as a message's id and parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness.simt.nesting import enclosing_headers

__all__ = ["IMPORTS", "find_advice"]

# Where the names that kernels use come from.
IMPORTS = {
    "AddressSpace": "max.gpu.memory",
    "TileTensor": "layout",
    "async_copy_wait_all": "max.gpu.memory",
    "barrier": "max.gpu.sync",
    "block_dim": "max.gpu",
    "block_idx": "max.gpu",
    "row_major": "layout.tile_layout",
    "stack_allocation": "layout.tile_tensor",
    "thread_idx": "max.gpu",
}
_UNKNOWN = re.compile(
    r"error: use of unknown declaration '(?P<name>\w+)'(?:; did you mean '(?P<near>\w+)')?"
    r"(?:; did you mean to import it from '(?P<module>[\w.]+)')?"
)
_CONVERTED = re.compile(
    r"error: .*?(?:cannot implicitly convert '(?P<source>[^']+)' value|cannot be converted from '(?P<passed>[^']+)') "
    r"to '(?P<to>[^']+)'"
)
_INDEX = "error: constraint failed: CoordLike requires integral types"
_WHOLE = ("Int", "UInt")
_FLOAT = re.compile(r"Float\d+|FloatLiteral\b.*|SIMD\[.*float.*|Scalar\[.*")
_ELEMENT = ".ElementType"
_LOCATED = re.compile(r".*?:(?P<line>\d+):(?P<column>\d+): error: ")
_FUNCTION = re.compile(r"\s*(?:def|fn)\s")
_UPDATED = re.compile(r"\s*(?P<name>\w+)\s*[-+*/]=")


def find_advice(diagnostics: str, source: Sequence[str] = ()) -> dict[str, Any]:
    """Return the advice on the first error that has any, as a message's parameters; empty if none has.

    Args:
        diagnostics: The compiler's lines, as in `CompileError`.
        source: The lines of the file that most of the errors are in; an error in another file is advised on without.

    Returns:
        The key `advice` has the message's id, the other keys its parameters: `misspelt` (`declared`, `near`), `import`
        (`declared`, `module`), `inner` (`declared`, and the word and line of a block that has ended: `opener`,
        `opened`), `unknown` (`declared`), `begin` (`declared`, `begun`, `to`), `division`, `convert` or `truncate`
        (`to`), `index` or `rebind` (none). `declared` is the name in the source, `near` the similar name that the
        compiler proposes, `begun` the number that a variable begins with, and `to` the type that is needed.
    """
    lines = diagnostics.split("\n")
    for at, line in enumerate(lines):
        if match := _UNKNOWN.search(line):
            if match["module"]:
                return {"advice": "import", "declared": match["name"], "module": match["module"]}
            return _advise_on_name(match["name"], match["near"], source, _locate(lines, at, source)[0])
        if _INDEX in line:
            return {"advice": "index"}
        if match := _CONVERTED.search(line):
            type_before, to = match["source"] or match["passed"], match["to"]
            if advice := _advise_on_literal(type_before, to, source, *_locate(lines, at, source)):
                return advice
            if advice := _advise_on_type(type_before, to):
                return advice
    return {}


def _locate(lines: Sequence[str], at: int, source: Sequence[str]) -> tuple[int, int]:
    """Return the line and the column of an error in the source, from 1; (0, 0) if the source is of another file.

    The compiler shows the line below its error.
    """
    match, shown = _LOCATED.match(lines[at]), lines[at + 1].strip() if at + 1 < len(lines) else ""
    if match is None or not shown or not 0 < int(match["line"]) <= len(source):
        return 0, 0
    return (int(match["line"]), int(match["column"])) if source[int(match["line"]) - 1].strip() == shown else (0, 0)


def _find_declaration(name: str, source: Sequence[str], line: int) -> int:
    """Return the last line with `var` and this name before a line of the same function, from 1; 0 if there is none."""
    declaration = re.compile(rf"\s*var\s+{re.escape(name)}\b")
    for number in range(line - 1, 0, -1):
        if declaration.match(source[number - 1]):
            return number
        if _FUNCTION.match(source[number - 1]):
            break
    return 0


def _advise_on_name(name: str, suggestion: str | None, source: Sequence[str], line: int) -> dict[str, Any]:
    if declared := _find_declaration(name, source, line):
        around = enclosing_headers(source, line)
        if ended := [header for header in enclosing_headers(source, declared) if header not in around]:
            return {"advice": "inner", "declared": name, "opener": ended[-1].word, "opened": ended[-1].line}
    if suggestion:
        return {"advice": "misspelt", "declared": name, "near": suggestion}
    if name in IMPORTS:
        return {"advice": "import", "declared": name, "module": IMPORTS[name]}
    return {"advice": "unknown", "declared": name}


def _advise_on_literal(type_before: str, to: str, source: Sequence[str], line: int, column: int) -> dict[str, Any]:
    """Return the advice on a variable that began as `var NAME = NUMBER`, but has to have an element's type.

    Empty unless one of the types is an array's `ElementType` and such a line declares the variable. The variable is
    the one that the line updates (`NAME += ...`), else the word at the column. Empty for line 0, an unknown line.
    """
    if line == 0 or not (type_before.endswith(_ELEMENT) or to.endswith(_ELEMENT)):
        return {}
    shown = source[line - 1]
    updated = _UPDATED.match(shown)
    name = updated["name"] if updated else re.split(r"\W", shown[column - 1 :], maxsplit=1)[0]
    declared = _find_declaration(name, source, line) if name else 0
    if not declared:
        return {}
    begun = re.fullmatch(r"\s*var\s+\w+\s*=\s*(-?\d+(?:\.\d*)?)\s*(?:#.*)?", source[declared - 1])
    if begun is None:
        return {}
    to = to if type_before.endswith(_ELEMENT) else type_before
    return {"advice": "begin", "declared": name, "begun": begun[1], "to": to}


def _advise_on_type(source: str, to: str) -> dict[str, Any]:
    """Return the advice when Mojo refuses to convert type `source` to type `to`; empty if there is none.

    It is `division`, `truncate`, `convert` or `rebind`. Its own `to` is the type that the message proposes.
    """
    if to in _WHOLE:
        if _FLOAT.fullmatch(source):
            return {"advice": "division", "to": to}
        if source.endswith(_ELEMENT):
            return {"advice": "truncate", "to": to}
        return {"advice": "convert", "to": to} if source in _WHOLE else {}
    if source.endswith(_ELEMENT) and _FLOAT.fullmatch(to):
        return {"advice": "rebind"}
    if source in _WHOLE and (_FLOAT.fullmatch(to) or to.endswith(_ELEMENT)):
        return {"advice": "convert", "to": "Scalar[dtype]"}
    return {}
