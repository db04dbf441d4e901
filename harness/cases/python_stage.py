"""Compare a puzzle's Python, parsed but not run, with the original problem and our solution, in a sandbox.

Long texts may crash the parser.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from harness.process.child import Limits
from harness.process.stage import Stage

__all__ = ["LIMITS", "STAGE", "PythonOrder", "PythonRead", "main"]

LIMITS = Limits(
    memory_bytes=1 << 30,
    cpu_seconds=10,
    file_bytes=1 << 20,
    open_files=64,
    processes=1,
    folder_bytes=1 << 20,
    seconds=60.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonOrder:
    """A puzzle's Python, and what it is compared with.

    Attributes:
        text: The file's text.
        handed_out: The text that everybody was handed out.
        solution: The text of our own solution.
        function: The name of the function to fill in.
        limits: The limits of the stage.
    """

    text: str
    handed_out: str
    solution: str
    function: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class PythonRead:
    """The result of parsing a puzzle's Python.

    Attributes:
        error: Why it is no Python, or does not have the function; empty if it is and has.
        line: The line of the error, from 1; 0 if it is not known.
        empty: Whether the function is as it was handed out.
        solved: Whether all of it is our solution, so that what becomes of it is known.
    """

    error: str = ""
    line: int = 0
    empty: bool = False
    solved: bool = False


STAGE = Stage(__name__, PythonOrder, PythonRead, most_bytes=1 << 16)


def main() -> None:
    """Serve one order of the stage."""
    STAGE.serve(_read)


def _read(order: PythonOrder, _: Path) -> PythonRead:
    try:
        compile(order.text, "<file>", "exec", dont_inherit=True)  # it sees a `return` outside of functions too
        function_code = _find_function(order.text, order.function)
        if not function_code:
            return PythonRead(f"NameError: there is no function {order.function} here")
        empty = function_code == _find_function(order.handed_out, order.function)
        return PythonRead(
            empty=empty, solved=_normalize(ast.parse(order.text)) == _normalize(ast.parse(order.solution))
        )
    except (SyntaxError, ValueError, RecursionError) as error:
        return PythonRead(f"{type(error).__name__}: {error}"[:2000], getattr(error, "lineno", 0) or 0)


def _find_function(text: str, name: str) -> str:
    """Return the last top-level `def` of that name in the form of `_normalize`; empty if there is none.

    Raises:
        SyntaxError: The text is no Python.
    """
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    return next(map(_normalize, reversed(list(functions))), "")


def _normalize(tree: ast.AST) -> str:
    """Return a tree as text to compare (`ast.dump`), without docstrings and statements that do nothing.

    These are removed from the tree.
    """
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            if isinstance(statements := getattr(node, field, None), list):
                setattr(node, field, [line for line in statements if not _is_nothing(line)])
    return ast.dump(tree)


def _is_nothing(line: ast.stmt) -> bool:
    return isinstance(line, ast.Pass) or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
