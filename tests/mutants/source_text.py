"""Reads the text of a Mojo solution for the operators: tokens, statements, and the quantities in scope.

Python's tokenizer reads Mojo, which has the same tokens. A quantity is an expression of type `Int` that a learner could
write in the place of another one. There are two classes: an *extent* counts (`block_dim.x`, `TPB`, `size`), an *index*
says which (`thread_idx.x`, `global_i`).
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["GRID", "Function", "Quantity", "Statement", "Token", "functions", "read_tokens"]

GRID = {"block_dim": "extent", "grid_dim": "extent", "thread_idx": "index", "block_idx": "index"}
CALLS = {"lane_id": "index", "warp_id": "index", "block_rank_in_cluster": "index"}
_PASSED_ON = ("Int", "min", "max", "ceildiv", "divmod", "log2_floor", "log2_ceil")
_CALLED = tuple(f"{name}(" for name in _PASSED_ON)
_ARITHMETIC = frozenset(["+", "-", "*", "//", "%", "(", ")", "<<", ">>", ","])
_OPEN, _CLOSE = "([{", ")]}"
_SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a file: its text, and the offsets at which it begins and ends; `text` of a line's end is a newline."""

    text: str
    start: int
    end: int
    line: int
    column: int

    @property
    def is_name(self) -> bool:
        """Whether it is an identifier or a keyword."""
        return self.text.isidentifier()


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something of type `Int`.

    Attributes:
        text: How it is written: `block_dim.x`, `size`, `lane_id()`.
        kind: `extent` or `index`.
        constant: Whether the compiler knows it.
        alias: Of a variable that is another name of a quantity and is never assigned again: that quantity.
    """

    text: str
    kind: str
    constant: bool = False
    alias: str = ""

    @property
    def canonical(self) -> str:
        """The same text for two names of one quantity."""
        return self.alias or self.text


@dataclass(slots=True)
class Statement:
    """A logical line of a function's body.

    Attributes:
        tokens: Without comments and line breaks.
        within: The statements whose blocks it lies in, from the outside.
        quantities: Those that may be written in it.
        values: Names of variables and arguments, after which a bracket holds an index.
        counts: Whether it is a loop over a range of quantities.
    """

    tokens: list[Token]
    within: tuple[Statement, ...]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    values: frozenset[str] = frozenset()
    counts: bool = False

    @property
    def keyword(self) -> str:
        """Its first word, `comptime` left out."""
        words = [token.text for token in self.tokens[:2]]
        return words[1] if words[0] == "comptime" and words[1:] else words[0]

    @property
    def is_constant(self) -> bool:
        """Whether the compiler evaluates it."""
        return self.tokens[0].text == "comptime"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the file; those inside it are part of it."""

    name: str
    statements: tuple[Statement, ...]


def read_tokens(text: str) -> list[Token]:
    """Returns the tokens of a file without comments; a newline ends each logical line."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _SKIPPED:
            continue
        (row, column), (last, end) = token.start, token.end
        shown = "\n" if token.type == tokenize.NEWLINE else token.string
        found.append(Token(shown, starts[row - 1] + column, starts[last - 1] + end, row, column))
    return found


def functions(text: str, wanted: Sequence[str]) -> Iterator[Function]:
    """Yields the wanted functions and structs of a file, by name, with the quantities of each statement."""
    tokens = read_tokens(text)
    lines = list(_logical_lines(tokens))
    constants = _file_constants(lines)
    imported = set(re.findall(r"\w+", " ".join(re.findall(r"from max\.gpu import ([^\n(]*|\([^)]*\))", text))))
    at = 0
    while at < len(lines):
        head = lines[at]
        end = next((n for n in range(at + 1, len(lines)) if lines[n][0].column == 0), len(lines))
        if head[0].text in ("def", "struct") and head[1].text in wanted:
            hardware = dict(_hardware(imported, text)) if imported & GRID.keys() else {}
            yield Function(head[1].text, tuple(_Reader(constants, hardware).read(lines[at:end])))
        at = end


def _logical_lines(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in tokens:
        if token.text != "\n":
            line.append(token)
        elif line:
            yield line
            line = []


def _hardware(imported: set[str], text: str) -> Iterator[tuple[str, Quantity]]:
    for name, kind in GRID.items():
        for axis in "xy":
            yield f"{name}.{axis}", Quantity(f"{name}.{axis}", kind)
    if "lane_id" in imported or "WARP_SIZE" in text:
        yield "lane_id()", Quantity("lane_id()", "index")
    for name in ("warp_id", "block_rank_in_cluster"):
        if re.search(rf"\b{name}\(\)", text):
            yield f"{name}()", Quantity(f"{name}()", "index")


def _file_constants(lines: Sequence[Sequence[Token]]) -> dict[str, Quantity]:
    known = {}
    if any(token.text == "WARP_SIZE" for line in lines for token in line):
        known["WARP_SIZE"] = Quantity("WARP_SIZE", "extent", constant=True)
    for line in lines:
        states = line[0].text == "comptime" and line[0].column == 0 and len(line) > 3 and line[2].text == "="
        if states and (quantity := infer(line[3:], known)):
            known[line[1].text] = Quantity(line[1].text, quantity.kind, constant=True)
    return known


def infer(
    tokens: Sequence[Token], known: dict[str, Quantity], scalars: frozenset[str] = frozenset()
) -> Quantity | None:
    """Returns the class of an expression of type `Int`; None of any other one.

    Args:
        known: The quantities in scope.
        scalars: Arguments of another integer type, which `Int(...)` makes a quantity.
    """
    kinds, constant, at, converted = set(), True, 0, bool(scalars)
    if any(token.text == "," and _opened_by(tokens, n) not in _CALLED for n, token in enumerate(tokens)):
        return None  # a tuple
    while at < len(tokens):
        text = tokens[at].text
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if after == "." and text in GRID:
            kinds.add(GRID[text])
            constant, at = False, at + 3
            continue
        if text in CALLS and after == "(":
            kinds.add(CALLS[text])
            constant, at = False, at + 3
            continue
        if text in known and after not in ("(", "[", "."):
            kinds.add(known[text].kind)
            constant = constant and known[text].constant
        elif text in scalars and converted and tokens[at - 1].text == "(" and tokens[at - 2].text == "Int":
            kinds.add("extent")
            constant = False
        elif not (text.isdigit() or text in _ARITHMETIC or (text in _PASSED_ON and after == "(")):
            return None
        at += 1
    if not tokens:
        return None
    whole = "".join(token.text for token in tokens)
    inner = re.fullmatch(r"Int\((.*)\)", whole)
    name = inner[1] if inner and re.fullmatch(r"[\w.]+(\(\))?", inner[1]) else whole
    alias = name if re.fullmatch(r"[A-Za-z_][\w.]*(\(\))?", name) else ""
    if alias in known and known[alias].alias:
        alias = known[alias].alias
    return Quantity(whole, "index" if "index" in kinds else "extent", constant, alias)


class _Reader:
    """Reads a function's logical lines into statements."""

    def __init__(self, constants: dict[str, Quantity], hardware: dict[str, Quantity]) -> None:
        self._known, self._hardware = dict(constants), hardware
        self._values: set[str] = set()
        self._scalars: set[str] = set()

    def read(self, lines: Sequence[list[Token]]) -> Iterator[Statement]:
        """Yields the statements below the heads: no head, no decorator, no docstring."""
        if any(token.text in ("DeviceContext", "struct") for token in lines[0]):
            self._hardware = {}  # functions of the host have no thread
        self._assigned = {line[0].text for line in lines if len(line) > 1 and re.fullmatch(r"[^=!<>]*=", line[1].text)}
        blocks: list[tuple[int, Statement, dict[str, Quantity], frozenset[str]]] = []
        for line in lines:
            while blocks and blocks[-1][0] >= line[0].column:
                _, _, known, values = blocks.pop()
                self._known, self._values = known, set(values)
            if line[0].text == "@" or (len(line) == 1 and line[0].text[:1] in "\"'"):
                continue
            statement = Statement(line, tuple(block[1] for block in blocks))
            opens = line[-1].text == ":"
            if opens:
                blocks.append((line[0].column, statement, dict(self._known), frozenset(self._values)))
            if line[0].text in ("def", "struct"):
                self._declare_signature(line)
                continue
            statement.quantities = self._visible()
            statement.values = frozenset(self._values)
            self._declare(statement)
            yield statement

    def _visible(self) -> dict[str, Quantity]:
        scalars = {name: Quantity(name, "scalar") for name in self._scalars}
        return {**self._hardware, **self._known, **scalars}

    def _declare_signature(self, line: Sequence[Token]) -> None:
        depth = 0
        for at, token in enumerate(line[:-2]):
            depth += (token.text in _OPEN) - (token.text in _CLOSE)
            if depth != 1 or line[at + 1].text != ":":
                continue
            kind, bracket = line[at + 2].text, _opened_by(line, at)
            if kind == "Int":
                self._known[token.text] = Quantity(token.text, "extent", constant=bracket == "[")
            elif bracket != "[":
                self._values.add(token.text)
                if re.fullmatch(r"U?Int\d+", kind):
                    self._scalars.add(token.text)

    def _declare(self, statement: Statement) -> None:
        """Adds what a statement declares, for those behind it in its block."""
        line, keyword = statement.tokens, statement.keyword
        texts = [token.text for token in line]
        if keyword == "for" and "in" in texts:
            at = texts.index("in")
            name, ranged = texts[at - 1], texts[at + 1 : at + 3] == ["range", "("]
            if ranged and infer(line[at + 3 : -2], self._known, frozenset(self._scalars)):
                self._known[name] = Quantity(name, "index", statement.is_constant)
                statement.counts = True
            return
        if keyword not in ("var", texts[1] if statement.is_constant and len(texts) > 1 else "var") or "=" not in texts:
            return
        at = texts.index("=")
        names = [text for text in texts[1:at] if text.isidentifier()]
        if ":" in texts[:at]:
            names = names[:1]
        found = infer(line[at + 1 :], self._known, frozenset(self._scalars))
        for name in names:
            self._known.pop(name, None)
            if found is None:
                self._values.add(name)
                continue
            alias = found.alias if len(names) == 1 and name not in self._assigned else ""
            self._known[name] = Quantity(name, found.kind, found.constant and statement.is_constant, alias)


def _opened_by(line: Sequence[Token], at: int) -> str:
    """Returns the bracket around a token, with the name of the function that is called before it."""
    depth = 0
    for number in range(at - 1, -1, -1):
        text = line[number].text
        depth += (text in _CLOSE) - (text in _OPEN)
        if depth < 0:
            called = text == "(" and number and line[number - 1].is_name
            return f"{line[number - 1].text}(" if called else text
    return ""
