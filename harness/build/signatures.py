"""What a function of a Mojo file takes, as the file declares it: names and types, read without a compiler,
which judges all of them in the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.errors import UsageError, unknown

__all__ = [
    "Declared",
    "Signature",
    "alias",
    "bound",
    "exported_functions",
    "function",
    "functions",
    "registered",
    "split_outside_brackets",
]

_FUNCTION = re.compile(r"^(?P<indent>[ \t]*)(?:def|fn)[ \t]+(?P<name>\w+)[ \t]*(?=[\[(])", re.MULTILINE)
_STRUCT = re.compile(
    r"^@(?:\w+\.)*register\([ \t\n]*\"(?P<op>[^\"\n]+)\"[^)]*\)[ \t]*\n(?:@[^\n]*\n)*struct[ \t]+(?P<name>\w+)",
    re.MULTILINE,
)
# A function under decorators, one of which exports it.
_EXPORT = re.compile(
    r"^(?=@)(?:@[^\n]*\n(?:[ \t]*\n)*)*?@export\b[^\n]*\n(?:(?:@[^\n]*|[ \t]*)\n)*(?:def|fn)[ \t]+(?P<name>\w+)",
    re.MULTILINE,
)
_ALIAS = re.compile(r"^(?:comptime|alias)[ \t]+(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*", re.MULTILINE)
# A text of its own, or a comment up to the end of its line.
_TEXTS = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.DOTALL)
# Mojo's name of an element type, which is NumPy's too where NumPy has it.
_ELEMENT = re.compile(r"bool|u?int(?:8|16|32|64)|b?float16|float(?:32|64)|float[468]_e\w+")
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter or an argument: its name, its type as it stands there, and its default, if it has one."""

    name: str
    type: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes.

    Attributes:
        name: The function's.
        parameters: Those of the compile time.
        arguments: The others, without how each is passed (`mut`, `var`, `read`).
    """

    name: str
    parameters: tuple[Declared, ...]
    arguments: tuple[Declared, ...]


def _uncommented(text: str) -> str:
    """A file's text with blanks for its comments, its documentation and the brackets of its texts; each line where it
    was.
    """

    def plain(match: re.Match[str]) -> str:
        unread = r"[^\n]" if match[0].startswith(("#", '"""')) else r"[()\[\]{},=]"
        return re.sub(unread, " ", match[0])

    return _TEXTS.sub(plain, text)


def functions(text: str) -> tuple[str, ...]:
    """The names of a file's functions that no struct holds."""
    found = _FUNCTION.finditer(_uncommented(text))
    return tuple(dict.fromkeys(match["name"] for match in found if not match["indent"]))


def function(text: str, name: str, struct: str = "") -> Signature | None:
    """What a function takes; None where there is none of this name, or it cannot be read.

    Args:
        text: The file's.
        name: The function's.
        struct: The struct that holds it; empty for one of the file itself.
    """
    text = _uncommented(text)
    if struct:
        found = re.search(rf"^struct[ \t]+{re.escape(struct)}\b", text, re.MULTILINE)
        if found is None:
            return None
        body = text.find("\n", found.end()) + 1
        text = re.split(r"^\S", text[body:], maxsplit=1, flags=re.MULTILINE)[0]
    for match in _FUNCTION.finditer(text):
        if match["name"] == name and bool(match["indent"]) == bool(struct):
            return _signature(name, text, match.end())
    return None


def exported_functions(text: str) -> dict[str, int]:
    """Find the functions that a file exports: where the name of each begins in the text, by that name."""
    return {match["name"]: match.start("name") for match in _EXPORT.finditer(_uncommented(text))}


def registered(text: str) -> dict[str, str]:
    """The struct of each op that a file registers, by the op's name."""
    return {match["op"]: match["name"] for match in _STRUCT.finditer(_uncommented(text))}


def alias(text: str, type_: str) -> str:
    """A type without the file's own names for it: what `comptime Output = ...` says of `Output`."""
    known = {match[1]: match.end() for match in _ALIAS.finditer(_uncommented(text))}
    for _ in range(len(known)):
        if type_ not in known:
            break
        type_ = " ".join(_up_to_line_end(text, known[type_]).split())
    return type_


def bound(
    signature: Signature, values: Mapping[str, Any], arrays: Mapping[str, tuple[str, str]] | None = None
) -> dict[str, str]:
    """A function's compile-time parameters as Mojo writes them, by name; those that have a default may be left to it.

    Args:
        signature: Of the function.
        values: What was given: a number; a text, which is Mojo, but of a `StaticString` the string itself; of a `DType`
            its name, or what NumPy or MAX has for it.
        arrays: By an argument's name its element type and its layout, as Mojo writes them: what the types of arguments
            name follows from these; or None where the compiler sees the arguments.

    Raises:
        UsageError: One is missing, there is none of this name, or a value cannot be passed.
    """
    names = [declared.name for declared in signature.parameters]
    for name in values:
        if name not in names:
            known = unknown("parameter", str(name), names)
            raise known if names else UsageError(f"{signature.name} has no parameter {name!r}: it has none at all.")
    held = {}
    for declared in signature.parameters:
        if declared.name in values:
            held[declared.name] = _value(signature.name, declared, values[declared.name])
        elif follows := _inferred(declared, signature, arrays or {}):
            held[declared.name] = follows
        elif not declared.default and not (arrays is None and _named(declared, signature)):
            raise UsageError(
                f"{signature.name} has a compile-time parameter {declared.name} ({declared.type}) that does not follow "
                f"from its arguments: give its value, {declared.name}=..."
            )
    return held


def _value(function: str, declared: Declared, value: Any) -> str:
    kind = declared.type.rpartition(".")[2]
    if kind == "DType" and not (isinstance(value, str) and value.startswith("DType.")):
        if not (element := _ELEMENT.fullmatch(_type_name(value))):
            raise UsageError(f"parameter {declared.name} of {function} is no element type: {value!r}.")
        return f"DType.{element[0]}"
    if kind in ("StaticString", "String"):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float | np.generic):
        return str(value)
    raise UsageError(f"parameter {declared.name} of {function} is a number, a text or an element type, not {value!r}.")


def _type_name(value: Any) -> str:
    """The name of an element type: a text, one of NumPy's or of MAX's; empty of anything else."""
    if isinstance(name := getattr(value, "name", value), str) and _ELEMENT.fullmatch(name):
        return name
    try:
        return "" if value is None else np.dtype(value).name  # which makes float64 of None
    except (TypeError, ValueError, SyntaxError):
        return ""


def _inferred(declared: Declared, signature: Signature, arrays: Mapping[str, tuple[str, str]]) -> str:
    """What a parameter must be for the arrays that are given: an element type, or a layout; empty if none follows."""
    kind = declared.type.rpartition(".")[2]
    for argument in _named(declared, signature) if kind in ("DType", "TensorLayout", "Layout") else ():
        if argument.name in arrays:
            dtype, layout = arrays[argument.name]
            return dtype if kind == "DType" else f"type_of({layout})" if kind == "TensorLayout" else layout
    return ""


def _named(declared: Declared, signature: Signature) -> list[Declared]:
    """The arguments whose types name a parameter."""
    word = re.compile(rf"\b{re.escape(declared.name)}\b")
    return [argument for argument in signature.arguments if word.search(argument.type)]


def _signature(name: str, text: str, at: int) -> Signature | None:
    parameters: tuple[Declared, ...] = ()
    if text[at] == "[":
        end = _closing(text, at)
        parameters = tuple(_declared(text[at + 1 : end]))
        at = text.find("(", end)
    end = _closing(text, at) if at >= 0 else len(text)
    return None if end == len(text) else Signature(name, parameters, tuple(_declared(text[at + 1 : end])))


def _declared(text: str) -> Iterator[Declared]:
    for part in split_outside_brackets(text, ","):
        before, *behind = split_outside_brackets(part, "=")
        name, _, type_ = (" ".join(piece.split()) for piece in before.partition(":"))
        if type_:
            yield Declared(name.split()[-1], type_, " ".join("=".join(behind).split()))


def split_outside_brackets(text: str, mark: str) -> list[str]:
    """Split a text at a mark, but not within brackets; the `//` and `/` of a signature are left out."""
    fields, depth = [""], 0
    for letter in re.sub(r"(?<=[,\[])\s*//?\s*(?=,|$)", "", text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == mark and not depth:
            fields.append("")
        else:
            fields[-1] += letter
    return fields


def _closing(text: str, at: int) -> int:
    """The place of the bracket that closes one; the text's end where none does."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if not depth:
            return place
    return len(text)


def _up_to_line_end(text: str, at: int) -> str:
    """The rest of a line, and of those after it while a bracket is open."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if text[place] == "\n" and not depth:
            return text[at:place]
    return text[at:]
