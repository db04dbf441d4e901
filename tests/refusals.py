"""Which sentences the harness refuses something with, read from its own code.

A sentence is put together from texts and values where an error is raised: `UsageError(f"no file at {path}.")`. A value
becomes a sample, `q1`, unless the code says which words it can be: a constant, `"a" if x else "b"`, what a function of
the harness returns, or what a function is called with.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["ERRORS", "Refusal", "collect_refusals", "read_refusals"]

# The errors whose texts end a command, or stand within such a text.
ERRORS = {
    "ArchiveError",
    "ArgumentError",
    "ArgumentTypeError",
    "ArtifactError",
    "CompileError",
    "CompileTimeout",
    "DecodeError",
    "EnvironmentFault",
    "LaunchError",
    "LaunchFault",
    "PythonError",
    "TextError",
    "UsageError",
}
_UNKNOWN = "unknown_name"  # makes an error: `unknown {kind} {name}: known: {names}.`
_MOST = 60  # sentences of one place
_DEEPEST = 3  # functions that call functions
_SAMPLE = re.compile(r"q\d+")

Parts = tuple[str | None, ...]  # of a sentence: None stands for a value


@dataclass(frozen=True)
class Refusal:
    """A sentence with samples for its values, and where the harness says it.

    Attributes:
        text: The sentence, in which values are `q1`, `q2`, ....
        place: The file below the project's folder, and the line.
    """

    text: str
    place: str

    @property
    def samples(self) -> list[str]:
        """The values in it."""
        return _SAMPLE.findall(self.text)


def collect_refusals(folder: Path) -> list[Refusal]:
    """Return each refusal in the harness's files below a folder, ordered by place."""
    files = [file for file in sorted(folder.rglob("*.py")) if _makes_errors(file.read_text(encoding="utf-8"))]
    return [refusal for file in files for refusal in read_refusals(_read_module(file), str(file.relative_to(ROOT)))]


def read_refusals(module: Module, name: str) -> Iterator[Refusal]:
    """Yield each refusal of a module; `name` is that of its file in their places."""
    for function, call in module.find_calls():
        choices = [(f"unknown {_text(call.args[0])} '", None, "'")] if _last_name(call.func) == _UNKNOWN else None
        for parts in dict.fromkeys(choices or _first(module.expand(call.args[0], function))):
            if any(part and re.search("[a-z]{2}", part) for part in parts):
                end = (": known: ", None, ".") if choices else ()
                yield Refusal(_fill((*parts, *end)), f"{name}:{call.lineno}")


class Module:
    """The source of one module, in which sentences are looked up."""

    def __init__(self, source: str, name: str = "") -> None:
        self.name = name  # dotted; empty for a source that cannot be imported
        self._tree = ast.parse(source)
        nodes = list(ast.walk(self._tree))
        self._functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._imports = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness.")
            for alias in node.names
        }

    def find_calls(self) -> Iterator[tuple[ast.AST, ast.Call]]:
        """Yield (innermost function or the module, call) for each error that is made with a text."""

        def visit(node: ast.AST, function: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.Call) and child.args and _is_refusal(child):
                    yield function, child
                yield from visit(child, child if isinstance(child, ast.FunctionDef) else function)

        return visit(self._tree, self._tree)

    def expand(self, node: ast.expr, function: ast.AST, depth: int = 0) -> Iterator[Parts]:
        """Yield what an expression in a function can be, as far as the code says it."""
        match node:
            case ast.Constant(value=str(text)):
                yield (text,)
            case ast.IfExp(body=body, orelse=other):
                yield from self.expand(body, function, depth)
                yield from self.expand(other, function, depth)
            case ast.BoolOp(op=ast.Or(), values=values):
                for value in values:
                    yield from self.expand(value, function, depth)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                yield from self._join([left, right], function, depth)
            case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=str(text))):  # "s" * (count != 1)
                yield from (("",), (text,))
            case ast.JoinedStr(values=values):
                yield from self._join(values, function, depth)
            case ast.FormattedValue(value=value, conversion=conversion):
                for parts in self.expand(value, function, depth):
                    yield ("'", *parts, "'") if conversion == ord("r") else parts
            case ast.Name(id=name):
                yield from self._expand_name(name, function, depth)
            case ast.Call(func=ast.Name(id=name)) if depth < _DEEPEST:
                yield from self._expand_returned(name, node, function, depth + 1)
            case _:
                yield (None,)

    def _join(self, nodes: Iterable[ast.expr], function: ast.AST, depth: int) -> Iterator[Parts]:
        choices = [_first(self.expand(node, function, depth)) for node in nodes]
        for chosen in itertools.product(*choices):
            yield tuple(part for parts in chosen for part in parts)

    def _expand_name(self, name: str, function: ast.AST, depth: int) -> Iterator[Parts]:
        """Yield what a variable, a parameter or a constant of the module can be."""
        assigned = _assigned_values(function, name) if function is not self._tree else []
        values = assigned or _looped_values(function, name) or self._passed_values(function, name)
        texts = [value for value in values if isinstance(value, ast.JoinedStr | ast.Constant | ast.IfExp | ast.BinOp)]
        if texts and depth < _DEEPEST:
            for value in texts:
                yield from self.expand(value, function, depth + 1)
        elif not values and isinstance(constant := self._constant(name), str):
            yield (constant,)
        else:
            yield (None,)

    def _passed_values(self, function: ast.AST, name: str) -> list[ast.expr]:
        """Return the texts that the module's calls of a function give to a parameter."""
        if not isinstance(function, ast.FunctionDef):
            return []
        names = [argument.arg for argument in function.args.args if argument.arg != "self"]
        if name not in names:
            return []
        at = names.index(name)
        calls = (call for call in self._calls if _last_name(call.func) == function.name and len(call.args) > at)
        return [call.args[at] for call in calls if isinstance(call.args[at], ast.Constant)]

    def _constant(self, name: str) -> object:
        return getattr(importlib.import_module(self.name), name, None) if self.name and name.isupper() else None

    def _expand_returned(self, name: str, call: ast.Call, function: ast.AST, depth: int) -> Iterator[Parts]:
        """Yield what a call of a function of the harness returns."""
        if name in ("str", "repr") and len(call.args) == 1:
            yield from self.expand(call.args[0], function, depth)
            return
        module, defined = self, self._functions.get(name)
        if defined is None and name in self._imports:
            owner, original = self._imports[name]
            module = _read_module(Path(ROOT, *owner.split(".")))
            defined = module._functions.get(original)
        if defined is None:
            yield (None,)
            return
        for node in ast.walk(defined):
            if isinstance(node, ast.Return) and node.value is not None:
                is_empty = isinstance(node.value, ast.Constant) and not node.value.value
                yield from iter([(None,)]) if is_empty else module.expand(node.value, defined, depth)


@cache
def _read_module(path: Path) -> Module:
    """Return the module of a file, or of a path without its suffix."""
    file = path if path.suffix else path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    return Module(file.read_text(encoding="utf-8"), name.removesuffix(".__init__"))


def _makes_errors(source: str) -> bool:
    return any(f"{name}(" in source for name in (*ERRORS, _UNKNOWN))


def _is_refusal(call: ast.Call) -> bool:
    name = _last_name(call.func)
    return name in ERRORS or (name == _UNKNOWN and isinstance(call.args[0], ast.Constant))


def _first(choices: Iterable[Parts]) -> list[Parts]:
    return list(itertools.islice(choices, _MOST))


def _fill(parts: Parts) -> str:
    """Return a sentence with a sample for each of its values."""
    numbers = itertools.count(1)
    return "".join(f"q{next(numbers)}" if part is None else part for part in parts)


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _last_name(node: ast.expr) -> str:
    """Return the last name of `a.b.name` or `name`; empty for any other expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _looped_values(function: ast.AST, name: str) -> list[ast.expr]:
    """Return what a variable becomes in `for name, other in (("a", 1), ("b", 2)):`."""
    values = []
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple) and isinstance(node.iter, ast.Tuple):
            names = [_last_name(target) for target in node.target.elts]
            rows = [row for row in node.iter.elts if isinstance(row, ast.Tuple) and len(row.elts) == len(names)]
            values += [row.elts[names.index(name)] for row in rows if name in names]
    return values


def _assigned_values(function: ast.AST, name: str) -> list[ast.expr]:
    """Return all that a function assigns to a variable, as `name = ...` or `name := ...`."""
    values = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.NamedExpr):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                values.append(node.value)
    return values
