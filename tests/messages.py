"""Which messages a program can report, read from its own code."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from harness.simt.messages import DEFAULTS, Message

REPORTERS = {"report", "fail", "Finding", "finding"}
_CALL = re.compile(rf"\b(?:{'|'.join(sorted(REPORTERS))})\(|collector\.add\(")
ANY = r"[\w-]+"  # in a pattern, what is known when the program runs
STANDARD = {"kernel", "argument", "offset", "size", "count"}


def reported(folder: Path) -> Iterator[tuple[str, set[str] | None, str]]:
    """(id as a pattern, names of the values given with it, place) of each report in a folder's files.

    The names are None where they are not written at the call.
    """
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if _CALL.search(text) else ():  # most files have none
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called, owner = _named(node.func), _named(getattr(node.func, "value", None))
            if called in REPORTERS or (called == "add" and owner.endswith("collector")):
                for pattern in _patterns(node.args[0]):
                    yield pattern, _names(node, called), f"{path}:{node.lineno}"


def _named(node: ast.AST | None) -> str:
    """The last name of `a.b.name` or `name`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _patterns(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _patterns(node.body)
        yield from _patterns(node.orelse)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ANY for part in node.values)
        yield "".join(parts)


def _names(call: ast.Call, called: str) -> set[str] | None:
    names: set[str] = set()
    for keyword in call.keywords:
        if keyword.arg == "values":
            if not isinstance(keyword.value, ast.Dict) or None in keyword.value.keys:
                return None
            names |= {key.value for key in keyword.value.keys if isinstance(key, ast.Constant)}
        elif keyword.arg is None:
            return None
        elif called in ("fail", "finding"):
            names.add(keyword.arg)
    return names


def mentioned(folder: Path) -> set[str]:
    """Every string in the code of a folder, as a pattern; the tables of messages are left out."""
    files = (path for path in folder.rglob("*.py") if path.parent.name != "messages")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    return {pattern for tree in trees for node in ast.walk(tree) for pattern in _patterns(node)}


def unused(names: Iterable[str], patterns: set[str]) -> set[str]:
    """The names that no pattern is of."""
    open_ended = [re.compile(pattern) for pattern in patterns if ANY in pattern]
    return {
        name
        for name in names
        if re.escape(name) not in patterns and not any(pattern.fullmatch(name) for pattern in open_ended)
    }


def fields(template: str) -> set[str]:
    """The parameters that a template names."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def parameters(message: Message, terms: Mapping[str, Mapping[str, str]]) -> set[str]:
    """What a message needs to be told, apart from the parts of its items."""
    named = fields(message.title) | fields(message.text) | fields(message.remedy)
    return named | {inner for name in named for text in terms.get(name, {}).values() for inner in fields(text)}


def complaints(
    reports: Iterable[tuple[str, set[str] | None, str]],
    messages: Mapping[str, Message],
    terms: Mapping[str, Mapping[str, str]],
) -> list[str]:
    """Return what is wrong with each report: it has no text, or its text names a parameter that is not given.

    Args:
        reports: As `reported` yields them.
        messages: The texts by their ids.
        terms: The words of a language, by the parameters that choose among them.
    """
    wrong = []
    for pattern, names, place in reports:
        texts = {name: text for name, text in messages.items() if re.fullmatch(pattern, name)}
        if not texts:
            wrong.append(f"{place} reports {pattern}, which has no text")
        for name, text in texts.items():
            missing = parameters(text, terms) - STANDARD - DEFAULTS.keys() - (names or set())
            if names is not None and missing:
                wrong.append(f"{place}: {name} names {', '.join(sorted(missing))}")
    return wrong


def unfinished(messages: Mapping[str, Message]) -> list[str]:
    """Return the ids of the messages that are no sentences without their ends; the renderer adds the full stops."""
    return [
        name
        for name, message in messages.items()
        if not message.title[0].isupper() or any(part.endswith(".") for part in (message.text, message.remedy))
    ]
