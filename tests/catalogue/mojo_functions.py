"""What a Mojo file's text says of a function: its parameters, the shapes of its tensors and how it is launched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tests.catalogue.mojo_constants import last_stated, stated

__all__ = ["Function", "function_of", "launch_texts", "split_top"]

_SHAPE = re.compile(r"^\s+(\w+):[^\n]*?(?:\n\s+[^\n:]*?)??shape \(([^)]*)\)", re.MULTILINE)
_ELEMENTS = re.compile(r"^\s+(\w+):[^\n]*?`(\w+)`(?: times `(\w+)`)? elements", re.MULTILINE)
_SAME_SHAPE = re.compile(r"^\s+(\w+):[^\n]*?`(\w+)`, of its shape", re.MULTILINE)
_LAYOUT = re.compile(r"(?:Layout\.)?row_major(?:\[([^\]]*)\]\(\)|\(([^)]*)\))")
_LAUNCH = re.compile(r"enqueue_function\[")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a Mojo file.

    Attributes:
        text: All of it.
        parameters: The names of the compile-time parameters that a caller passes by their place.
        arguments: The names of the arguments.
        shapes: By the name of an argument, the expressions of its extents, as often as the text states them.
        constraints: What its docstring demands of a launch.
    """

    text: str
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    shapes: Mapping[str, tuple[tuple[str, ...], ...]]
    constraints: str


@cache
def function_of(text: str, name: str) -> Function:
    """Read a function, or the method of a struct as `Struct.method`; raises ValueError if the file has none."""
    owner, _, method = name.rpartition(".")
    begin = re.search(rf"^struct {owner}\b", text, re.MULTILINE) if owner else None
    at = re.compile(rf"^[ ]*def {method}(?=[\[(])", re.MULTILINE).search(text, begin.start() if begin else 0)
    if at is None or (owner and begin is None):
        raise ValueError(f"there is no {name}")
    indent = len(at[0]) - len(at[0].lstrip())
    end = re.compile(rf"^[ ]{{0,{indent}}}(?:def |struct |@|comptime )", re.MULTILINE).search(text, at.end())
    body = text[at.start() : end.start() if end else len(text)]
    rest = text[at.end() :]
    own = _bracketed(rest) if rest.startswith("[") else ""
    arguments = _bracketed(rest[len(own) + 2 :] if own else rest)
    docstring = next(iter(re.findall(r'"""(.*?)"""', body, re.DOTALL)), "")
    shapes: dict[str, list[tuple[str, ...]]] = {}
    for argument, extents in [*_documented_shapes(docstring), *_typed_shapes(text, body, arguments)]:
        shapes.setdefault(argument, []).append(extents)
    return Function(
        text=body,
        parameters=_parameters(own),
        arguments=tuple(argument.partition(":")[0].strip() for argument in split_top(arguments)),
        shapes={argument: tuple(extents) for argument, extents in shapes.items()},
        constraints=" ".join(docstring.partition("Constraints:")[2].partition("Raises:")[0].split()),
    )


def _bracketed(text: str) -> str:
    """Return what stands between a text's first letter, which opens a bracket, and the one that closes it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return text[1:at]
    return text[1:]


def split_top(text: str) -> list[str]:
    """Split a list at the commas outside of all brackets."""
    parts, depth, first = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[first:at].strip())
            first = at + 1
    return [part for part in [*parts, text[first:].strip()] if part]


def _parameters(text: str) -> tuple[str, ...]:
    """Return the names of those behind `//`: what stands in front is inferred."""
    parts = split_top(text)
    passed = parts[parts.index("//") + 1 :] if "//" in parts else parts
    return tuple(part.partition(":")[0].strip() for part in passed)


def _documented_shapes(docstring: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for argument, extents in _SHAPE.findall(docstring):
        yield argument, tuple(split_top(extents))
    for argument, *extents in _ELEMENTS.findall(docstring):
        yield argument, tuple(extent for extent in extents if extent)
    known = {argument: tuple(split_top(extents)) for argument, extents in _SHAPE.findall(docstring)}
    for argument, other in _SAME_SHAPE.findall(docstring):
        if other in known:
            yield argument, known[other]


def _typed_shapes(text: str, body: str, arguments: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the layouts that the types of arguments name say."""
    known = {**stated(body, indented=True), **stated(text)}
    for argument in split_top(arguments):
        name, _, kind = argument.partition(":")
        for word in re.findall(r"\w+", kind):
            layout = known.get(word, "")
            if of := re.fullmatch(r"type_of\((\w+)\)", layout):
                layout = known.get(of[1], "")
            if extents := _LAYOUT.fullmatch(layout):
                yield name.strip(), tuple(split_top(extents[1] or extents[2]))


def launch_texts(text: str, kernel: str) -> Iterator[tuple[str, str]]:
    """Yield grid and block of each place in a text that launches a kernel, as the text states them."""
    for match in _LAUNCH.finditer(text):
        known = last_stated(text[: match.start()])
        launched = _bracketed(text[match.end() - 1 :])
        behind = text[match.end() + len(launched) + 1 :]
        if known.get(launched.strip(), launched).partition("[")[0].strip() != kernel or not behind.startswith("("):
            continue
        named = (part.partition("=") for part in split_top(_bracketed(behind)))
        passed = {name.strip(): value.strip() for name, sign, value in named if sign}
        if "grid_dim" in passed and "block_dim" in passed:
            yield passed["grid_dim"], passed["block_dim"]
