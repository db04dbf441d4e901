"""The sessions of `noxfile.py`, read without nox, and the file as a module."""

from __future__ import annotations

import ast
import importlib
from types import ModuleType

from harness.model.sources import ROOT

__all__ = ["noxfile", "sessions"]


def noxfile() -> ModuleType:
    """Return `noxfile.py` as a module, which needs nox."""
    return importlib.import_module("noxfile")


def sessions() -> dict[str, str | None]:
    """What `nox -l` shows: the docstring of each session."""
    told = {}
    for node in ast.parse((ROOT / "noxfile.py").read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            decorator = node.decorator_list[0]  # `nox.parametrize` stands below it
            named = (
                {word.arg: ast.literal_eval(word.value) for word in decorator.keywords}
                if isinstance(decorator, ast.Call)
                else {}
            )
            told[named.get("name", node.name)] = ast.get_docstring(node)
    return told
