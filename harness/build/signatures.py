"""Parse a Mojo file's signatures, exports, ops and aliases without a compiler, and bind compile-time parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.errors import UsageError, unknown_name

__all__ = [
    "Declared",
    "Signature",
    "bind_parameters",
    "find_exported_functions",
    "find_registered_ops",
    "function_names",
    "parse_function",
    "resolve_alias",
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
    """A declared parameter or argument: its name, its type as written, and its default, if any."""

    name: str
    type: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a function.

    Attributes:
        name: The function's name.
        parameters: Its compile-time parameters.
        arguments: Its arguments, without their conventions (`mut`, `var`, `read`).
    """

    name: str
    parameters: tuple[Declared, ...]
    arguments: tuple[Declared, ...]


def _blank_comments(text: str) -> str:
    """Return a text with blanks for comments, docstrings, and brackets, `,` and `=` in strings; positions stay."""

    def plain(match: re.Match[str]) -> str:
        unread = r"[^\n]" if match[0].startswith(("#", '"""')) else r"[()\[\]{},=]"
        return re.sub(unread, " ", match[0])

    return _TEXTS.sub(plain, text)


def function_names(text: str) -> tuple[str, ...]:
    """Return the names of a file's functions outside of structs, in order, each once."""
    matches = _FUNCTION.finditer(_blank_comments(text))
    return tuple(dict.fromkeys(match["name"] for match in matches if not match["indent"]))


def parse_function(text: str, name: str, struct: str = "", begin: int = 0) -> Signature | None:
    """Parse the signature of the first function of a name; None if there is no such function, or a bracket is not
    closed.

    Args:
        text: The file's text.
        name: The function's name.
        struct: The struct that holds it; empty for a function outside of structs.
        begin: The offset of a line of the text, or of the struct's body; functions before it are skipped.
    """
    text = _blank_comments(text)
    if struct:
        header = re.search(rf"^struct[ \t]+{re.escape(struct)}\b", text, re.MULTILINE)
        if header is None:
            return None
        body = text.find("\n", header.end()) + 1
        text = re.split(r"^\S", text[body:], maxsplit=1, flags=re.MULTILINE)[0]
    for match in _FUNCTION.finditer(text, begin):
        if match["name"] == name and bool(match["indent"]) == bool(struct):
            return _parse_signature(name, text, match.end())
    return None


def find_exported_functions(text: str) -> dict[str, int]:
    """Return the exported functions of a file: the offset of each name, by name."""
    return {match["name"]: match.start("name") for match in _EXPORT.finditer(_blank_comments(text))}


def find_registered_ops(text: str) -> dict[str, str]:
    """Return the struct of each op that a file registers, by the op's name."""
    return {match["op"]: match["name"] for match in _STRUCT.finditer(_blank_comments(text))}


def resolve_alias(text: str, type_: str) -> str:
    """Resolve a file's own aliases of a type: `Output` becomes what `comptime Output = ...` says.

    Aliases of aliases are followed; a type that is no alias is returned as it is.
    """
    definitions = {match[1]: match.end() for match in _ALIAS.finditer(_blank_comments(text))}
    for _ in range(len(definitions)):
        if type_ not in definitions:
            break
        type_ = " ".join(_up_to_line_end(text, definitions[type_]).split())
    return type_


def bind_parameters(
    signature: Signature, values: Mapping[str, Any], arrays: Mapping[str, tuple[str, str]] | None = None
) -> dict[str, str]:
    """Return a function's compile-time parameters as Mojo text, by name, without those that the compiler finds itself.

    A parameter without a value is inferred from `arrays`. If that fails, it is left out if it has a default, or if
    `arrays` is None and an argument's type names it.

    Args:
        signature: The function's signature.
        values: The values by parameter: a number; a text, which is Mojo, but for a `StaticString` the string itself;
            for a `DType` its name, or NumPy's or MAX's object.
        arrays: The element type and layout of arguments, by name, as Mojo writes them, from which parameters are
            inferred; None if the compiler sees the arguments and infers them.

    Raises:
        UsageError: A parameter has no value and cannot be left out; or a value has no such parameter, or cannot be
            passed.
    """
    names = [declared.name for declared in signature.parameters]
    for name in values:
        if name not in names:
            error = unknown_name("parameter", str(name), names)
            raise error if names else UsageError(f"{signature.name} has no parameter {name!r}: it has none at all.")
    texts = {}
    for declared in signature.parameters:
        if declared.name in values:
            texts[declared.name] = _format_parameter(signature.name, declared, values[declared.name])
        elif inferred := _infer_parameter(declared, signature, arrays or {}):
            texts[declared.name] = inferred
        elif not declared.default and not (arrays is None and _arguments_naming(declared, signature)):
            raise UsageError(
                f"{signature.name} has a compile-time parameter {declared.name} ({declared.type}) that does not follow "
                f"from its arguments: give its value, {declared.name}=..."
            )
    return texts


def _format_parameter(function: str, declared: Declared, value: Any) -> str:
    """Return a value as Mojo text, by the parameter's type; UsageError if it cannot be passed."""
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
    """Return the name, as `float32`, of an element type that a text names, or that is an object of NumPy or MAX.

    Anything else that NumPy takes as a type counts (`f4`, `float`), even if Mojo has no such type. Empty for all else,
    also for the text `DType.float32`.
    """
    if isinstance(name := getattr(value, "name", value), str) and _ELEMENT.fullmatch(name):
        return name
    try:
        return "" if value is None else np.dtype(value).name  # which makes float64 of None
    except (TypeError, ValueError, SyntaxError):
        return ""


def _infer_parameter(declared: Declared, signature: Signature, arrays: Mapping[str, tuple[str, str]]) -> str:
    """Return the Mojo text of a parameter, an element type or a layout, inferred from the first argument of `arrays`
    whose type names it.

    Empty for other parameters, and if there is no such argument.
    """
    kind = declared.type.rpartition(".")[2]
    for argument in _arguments_naming(declared, signature) if kind in ("DType", "TensorLayout", "Layout") else ():
        if argument.name in arrays:
            dtype, layout = arrays[argument.name]
            return dtype if kind == "DType" else f"type_of({layout})" if kind == "TensorLayout" else layout
    return ""


def _arguments_naming(declared: Declared, signature: Signature) -> list[Declared]:
    """Return the arguments whose types name a parameter."""
    word = re.compile(rf"\b{re.escape(declared.name)}\b")
    return [argument for argument in signature.arguments if word.search(argument.type)]


def _parse_signature(name: str, text: str, at: int) -> Signature | None:
    """Parse a signature from the bracket at an offset; None if it is not closed. `text` is from `_blank_comments`."""
    parameters: tuple[Declared, ...] = ()
    if text[at] == "[":
        end = _find_closing(text, at)
        parameters = tuple(_parse_declarations(text[at + 1 : end]))
        at = text.find("(", end)
    end = _find_closing(text, at) if at >= 0 else len(text)
    return None if end == len(text) else Signature(name, parameters, tuple(_parse_declarations(text[at + 1 : end])))


def _parse_declarations(text: str) -> Iterator[Declared]:
    for part in split_outside_brackets(text, ","):
        before, *default = split_outside_brackets(part, "=")
        name, _, type_ = (" ".join(words.split()) for words in before.partition(":"))
        if type_:
            yield Declared(name.split()[-1], type_, " ".join("=".join(default).split()))


def split_outside_brackets(text: str, separator: str) -> list[str]:
    """Split a text at a separator outside of brackets; fields keep their blanks.

    A field that is only `//` or `/`, as in a signature, becomes empty.
    """
    fields, depth = [""], 0
    for letter in re.sub(r"(?<=[,\[])\s*//?\s*(?=,|$)", "", text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == separator and not depth:
            fields.append("")
        else:
            fields[-1] += letter
    return fields


def _find_closing(text: str, at: int) -> int:
    """Return the offset of the bracket that closes the one at `at`; the text's length if none does."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if not depth:
            return place
    return len(text)


def _up_to_line_end(text: str, at: int) -> str:
    """Return the rest of a line, and of later lines while a bracket is open, without the line end."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if text[place] == "\n" and not depth:
            return text[at:place]
    return text[at:]
