"""The whole numbers that a Mojo file names with `comptime`: their values, and which follow from one another.

A constant's expression is read as Python, since names, sums, products, tuples and calls look the same in both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache

__all__ = ["WARP_SIZE", "Form", "Forms", "combine", "evaluate", "expression", "last_stated", "stated"]

WARP_SIZE = "WARP_SIZE"

Value = int | tuple[int, ...]
Form = tuple[object, ...]
"""An expression in a normal form: `("atom", name)`, `("number", n)`, or an operation and the forms it takes."""

_STATED = re.compile(r"^[ ]*comptime\s+(\w+)\s*(?::[^=\n]+)?=(?!=)\s*", re.MULTILINE)


def _ceildiv(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _log2_ceil(number: int) -> int:
    return (number - 1).bit_length()


_CALLS: Mapping[str, Callable[..., int]] = {
    "ceildiv": _ceildiv,
    "log2_ceil": _log2_ceil,
    "min": min,
    "max": max,
    "Int": int,
}
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: int.__add__,
    ast.Sub: int.__sub__,
    ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__,
    ast.Mod: int.__mod__,
    ast.LShift: int.__lshift__,
    ast.RShift: int.__rshift__,
}


@cache
def stated(text: str, indented: bool = False) -> Mapping[str, str]:
    """Return what a file's `comptime` lines state, by name; those within functions too if `indented`."""
    found: dict[str, str] = {}
    for match in _STATED.finditer(text):
        if indented or not match[0].startswith(" "):
            found.setdefault(match[1], _first_expression(text[match.end() :]))
    return found


def last_stated(text: str) -> Mapping[str, str]:
    """Return what the last `comptime` line of each name states."""
    return {match[1]: _first_expression(text[match.end() :]) for match in _STATED.finditer(text)}


def _first_expression(text: str) -> str:
    """Return the beginning of a text up to the first end of a line outside of all brackets."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "\n" and depth <= 0:
            return text[:at].partition("  #")[0]
    return text


@cache
def expression(text: str) -> ast.expr | None:
    """Parse an expression; None if Python has no such."""
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return None


def evaluate(text: str | int, names: Mapping[str, str | int]) -> Value | None:
    """Return the value of an expression over what `names` state; None if it is no whole number, nor a tuple of some."""
    if isinstance(text, int):
        return text
    tree = expression(text)
    return None if tree is None else _value(tree, names)


def _value(tree: ast.expr, names: Mapping[str, str | int]) -> Value | None:
    match tree:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case ast.Name(id=name):
            return evaluate(names[name], names) if name in names else None
        case ast.Attribute(value=ast.Name(id=name), attr=axis):  # `thread_idx.x`
            return evaluate(names[f"{name}.{axis}"], names) if f"{name}.{axis}" in names else None
        case ast.Call(func=ast.Name(id=name), args=[]):  # `lane_id()`
            return evaluate(names[f"{name}()"], names) if f"{name}()" in names else None
        case ast.Tuple(elts=parts):
            values = [_value(part, names) for part in parts]
            return tuple(value for value in values if isinstance(value, int)) if _all_int(values) else None
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATIONS:
            values = [_value(left, names), _value(right, names)]
            return _OPERATIONS[type(operator)](*_ints(values)) if _all_int(values) else None
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _CALLS:
            values = [_value(part, names) for part in parts]
            return _CALLS[name](*_ints(values)) if _all_int(values) else None
    return None


def _ints(values: list[Value | None]) -> list[int]:
    return [value for value in values if isinstance(value, int)]


def _all_int(values: list[Value | None]) -> bool:
    return all(isinstance(value, int) for value in values)


class Forms:
    """Normal forms of expressions, in which names that mean the same number are one.

    Args:
        names: What the file states, by name. A name that stands for nothing but a number is kept: `SIZE = 4` says
            nothing about other fours.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._same: dict[str, str] = {}

    def of(self, text: str) -> Form:
        """Return the normal form of an expression; what it cannot read is a form of its own."""
        tree = expression(text)
        return ("text", text) if tree is None else self._form(tree)

    def join(self, one: Form, other: Form) -> None:
        """Note that two forms are one number; only names can be joined."""
        if one[0] == other[0] == "atom" and one != other:
            self._same[str(one[1])] = str(other[1])

    def atom(self, name: str) -> Form:
        """Return the form of a name that the file does not state."""
        while name in self._same:
            name = self._same[name]
        return ("atom", name)

    def _form(self, tree: ast.expr) -> Form:
        match tree:
            case ast.Constant(value=int(number)):
                return ("number", number)
            case ast.Name(id=name):
                return self._named(name)
            case ast.BinOp(left=left, op=ast.Mult() | ast.Add() as operator, right=right):
                return combine(type(operator).__name__, self._form(left), self._form(right))
            case ast.BinOp(left=left, op=operator, right=right):
                return (type(operator).__name__, self._form(left), self._form(right))
            case ast.Call(func=ast.Name(id=name), args=parts):
                return (name, *(self._form(part) for part in parts))
        return ("text", ast.dump(tree))

    def _named(self, name: str) -> Form:
        stated = self._names.get(name)
        tree = expression(stated) if stated is not None else None
        if (
            tree is None
            or isinstance(tree, ast.Tuple)
            or not any(isinstance(part, ast.Name) for part in ast.walk(tree))
        ):
            return self.atom(name)
        form = self._form(tree)
        return self.atom(name) if form[0] == "text" else form


def combine(operation: str, *forms: Form) -> Form:
    """Return a sum or a product of forms, in one order; factors of 1 and summands of 0 are left out."""
    neutral = 1 if operation == "Mult" else 0
    parts = [part for form in forms for part in (form[1:] if form[0] == operation else (form,))]
    kept = sorted((part for part in parts if part != ("number", neutral)), key=repr)
    if len(kept) < 2:
        return kept[0] if kept else ("number", neutral)  # type: ignore[return-value]
    return (operation, *kept)
