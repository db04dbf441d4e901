"""Digests of the files that something stored is made from."""

from __future__ import annotations

import ast
from pathlib import Path

from harness.build.cache import sha256_hex

__all__ = ["digest_of_code"]


def digest_of_code(path: Path) -> str:
    """Return the digest of a file, in hexadecimal; of a Python file's text without its docstrings.

    What a docstring says changes nothing that is made, and recording or compiling it all again takes minutes.
    """
    text = path.read_bytes()
    return sha256_hex(_without_docstrings(text) if path.suffix == ".py" else text)


def _without_docstrings(text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            docstring = node.body[0]
            assert docstring.end_lineno is not None
            for number in range(docstring.lineno - 1, docstring.end_lineno):
                lines[number] = b""
    return b"".join(lines)
