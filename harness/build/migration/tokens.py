"""Split a Mojo text into tokens and statements with offsets, without a compiler; strings and comments are tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["SourceStatement", "Token", "statements", "tokens"]

_TOKEN = re.compile(
    r"""
    (?P<string>[A-Za-z]{0,2}(?:\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z)|'{3}(?:\\.|[^\\])*?(?:'{3}|\Z)
        |\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?))
    |(?P<comment>\#[^\n]*)
    |(?P<name>`[^`\n]*`|[^\W\d]\w*)
    |(?P<number>\d[\w.]*)
    |(?P<newline>\\\r?\n|\n)
    |(?P<space>[^\S\n]+)
    |(?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, sign, string or comment.

    Attributes:
        kind: `name`, `number`, `sign`, `string` or `comment`.
        text: Its characters.
        start: The offset of the first one.
        depth: How many brackets are open before it.
    """

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """The tokens of a statement, which ends with its line unless a bracket is open; a compound statement's header."""

    tokens: tuple[Token, ...]
    indent: str

    @property
    def code(self) -> tuple[Token, ...]:
        """All tokens but comments."""
        return tuple(token for token in self.tokens if token.kind != "comment")


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text in order; blanks and line ends are left out."""
    return tuple(token for statement in statements(text) for token in statement.tokens)


def statements(text: str) -> Iterator[SourceStatement]:
    """Yield the statements of a text in order; those of one line, parted by semicolons, are one.

    A line ends a statement unless a bracket is open or a backslash ends it. A comment line alone is a statement
    (without `code`); a blank line is none. Nothing is raised: an unclosed bracket takes all that follows.
    """
    depth, indent = 0, ""
    line: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, word = str(match.lastgroup), match[0]
        if kind == "newline":
            if word == "\n" and depth == 0:
                if line:
                    yield SourceStatement(tuple(line), indent)
                line, indent = [], ""
            continue
        if kind == "space":
            if not line:
                indent = word
            continue
        depth -= depth > 0 and kind == "sign" and word in _CLOSING
        line.append(Token(kind, word, match.start(), depth))
        depth += kind == "sign" and word in _OPENING
    if line:
        yield SourceStatement(tuple(line), indent)
