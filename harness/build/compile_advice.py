"""Advise on the compile errors that learners meet most often: one line below the compiler's own."""

from __future__ import annotations

import re
from typing import Any

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
_UNKNOWN = re.compile(r"error: use of unknown declaration '(?P<name>\w+)'(?:; did you mean '(?P<near>\w+)')?")
_CONVERTED = re.compile(
    r"error: .*?(?:cannot implicitly convert '(?P<source>[^']+)' value|cannot be converted from '(?P<passed>[^']+)') "
    r"to '(?P<to>[^']+)'"
)
_INDEX = "error: constraint failed: CoordLike requires integral types"
_WHOLE = ("Int", "UInt")
_FLOAT = re.compile(r"Float\d+|FloatLiteral\b.*|SIMD\[.*float.*|Scalar\[.*")
_ELEMENT = ".ElementType"


def find_advice(diagnostics: str) -> dict[str, Any]:
    """Return the advice on the first error that has any, as a message's parameters; empty if none has.

    Args:
        diagnostics: The compiler's lines, as in `CompileError`.

    Returns:
        `advice`, the message's id (`misspelt`, `import`, `unknown`, `index`, `division`, `convert` or `rebind`), and
        the names or the type that it speaks of.
    """
    for line in diagnostics.split("\n"):
        if match := _UNKNOWN.search(line):
            return _advise_on_name(match["name"], match["near"])
        if _INDEX in line:
            return {"advice": "index"}
        if (match := _CONVERTED.search(line)) and (
            advice := _advise_on_type(match["source"] or match["passed"], match["to"])
        ):
            return advice
    return {}


def _advise_on_name(name: str, suggestion: str | None) -> dict[str, Any]:
    if suggestion:
        return {"advice": "misspelt", "declared": name, "near": suggestion}
    if name in IMPORTS:
        return {"advice": "import", "declared": name, "module": IMPORTS[name]}
    return {"advice": "unknown", "declared": name}


def _advise_on_type(source: str, to: str) -> dict[str, Any]:
    """Return the advice on a conversion between these Mojo types that is refused; empty if there is none."""
    if to in _WHOLE:
        if _FLOAT.fullmatch(source):
            return {"advice": "division", "to": to}
        return {"advice": "convert", "to": to} if source in _WHOLE or source.endswith(_ELEMENT) else {}
    if source.endswith(_ELEMENT) and _FLOAT.fullmatch(to):
        return {"advice": "rebind"}
    if source in _WHOLE and (_FLOAT.fullmatch(to) or to.endswith(_ELEMENT)):
        return {"advice": "convert", "to": "Scalar[dtype]"}
    return {}
